"""What line coverage sees of a test."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import tiers, tracing


def case(nodeid, marks=(), obj=None):
    """Return an item of pytest."""
    path, _, name = nodeid.partition("::")
    item = SimpleNamespace(nodeid=nodeid, name=name, path=Path(path), obj=obj, marks=[*marks])
    if "[" in name:
        item.callspec = SimpleNamespace(id=name.partition("[")[2].removesuffix("]"))
    item.add_marker = item.marks.append
    item.get_closest_marker = lambda mark: mark if mark in item.marks else None
    return item


def trace(frame, event, arg):
    return None


@contextmanager
def traced():
    """Run the block with a tracer: line coverage may be one, too, and sees this test no more."""
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(before)


def seen_by(item, call):
    """Return what `call` returns where a test is traced as this one."""
    with traced(), tracing.limited(item, examples=3):
        return call()


@pytest.mark.parametrize(
    ("nodeid", "marks", "is_untraced"),
    [
        ("tests/core/test_a.py::test", ["thorough"], True),
        ("tests/cuda/engine/test_a.py::test", ["thorough"], True),
        ("tests/cuda/objects/test_a.py::test", ["thorough"], False),
        ("tests/cuda/objects/test_a.py::test[INT8]", ["thorough"], True),
        ("tests/cuda/test_a.py::test[INT64]", [], False),
        ("tests/cuda/test_a.py::test_atlas", [], False),
        ("tests/algorithms/test_a.py::test_atlas", [], True),
        ("tests/ranks/test_a.py::test[INT8]", ["thorough"], False),
    ],
    ids=[
        "thorough",
        "thorough of cuda",
        "thorough of its objects",
        "another type",
        "a type of make test",
        "graphs",
        "graphs of algorithms",
        "ranks",
    ],  # without names of types: cases that name one may be left to `make test-all`
)
def test_cases_that_line_coverage_does_not_see(nodeid, marks, is_untraced):
    item = case(nodeid, marks)
    tracing.mark_untraced([item], "")
    assert item.marks == [*marks, *["untraced"] * is_untraced]


def test_what_make_test_has_traced_is_not_traced_again():
    before, new = case("tests/ranks/test_a.py::test"), case("tests/ranks/b.py::test", ["thorough"])
    tracing.mark_untraced([before, new], tiers.REST)
    assert before.marks == ["untraced"]
    assert new.marks == ["thorough"]


def test_a_marked_case_is_not_traced_and_another_is():
    assert seen_by(case("a.py::test", ["untraced"]), sys.gettrace) is None
    assert seen_by(case("a.py::test"), sys.gettrace) is trace


def test_the_first_examples_are_traced_and_all_run():
    tracers = []

    @settings(max_examples=10, database=None)
    @given(st.integers())
    def drawn(_):
        tracers.append(sys.gettrace())

    inner = drawn.hypothesis.inner_test
    seen_by(case("a.py::test", obj=drawn), drawn)
    assert tracers == [trace] * 3 + [None] * 7
    assert drawn.hypothesis.inner_test is inner


def test_the_tracer_is_back_after_an_error():
    with traced():
        with pytest.raises(ZeroDivisionError), tracing.untraced():
            1 / 0
        assert sys.gettrace() is trace
