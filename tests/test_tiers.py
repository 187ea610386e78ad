"""Which cases are left to the second tier, and which runs are all of the first."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import tiers


def case(name, file="test_x.py"):
    """Return an item of pytest: `name` is that of a function, with an id in brackets."""
    _, _, rest = name.partition("[")
    marks = []
    item = SimpleNamespace(path=Path(file), name=name, marks=marks, add_marker=marks.append)
    if rest:
        item.callspec = SimpleNamespace(id=rest.removesuffix("]"))
    return item


@pytest.mark.parametrize(
    ("name", "types"),
    [
        ("test_a", set()),
        ("test_a[plus-int64-FP64]", {"INT64", "FP64"}),
        ("test_a[float32]", {"FP32"}),
        ("test_uint8[bool]", {"BOOL"}),
        ("test_a[print64-mint8]", set()),
    ],
    ids=range(5),  # not by the types
)
def test_types_are_in_the_id_of_a_case(name, types):
    assert tiers.types_of(case(name)) == types


def test_other_types_and_suspended_threads_are_left_to_the_second_tier():
    quick = [case("test_a"), case("test_a[INT64-bool]"), case("test_a[INT8]", tiers.MIXED_TYPES)]
    thorough = [case("test_a[INT64-INT8]"), case("test_a[Interleaved blocks]")]
    tiers.add_marks([*quick, *thorough])
    assert [item.marks for item in quick] == [[]] * 3
    assert [item.marks for item in thorough] == [["thorough"]] * 2


def test_the_summary_counts_by_folder():
    line = tiers.summary(["tests/io/test_a.py::f", "tests/io/test_b.py::g", "tests/cli/t.py::h"])
    assert line == "3 cases are left to `make test-all`: tests/io 2, tests/cli 1"


def run(**options):
    """Return the configuration of a run of `make test`, but for these options."""
    option = SimpleNamespace(markexpr="not thorough", keyword="", deselect=None, lf=False)
    vars(option).update(options)
    sources = pytest.Config.ArgsSource
    return SimpleNamespace(option=option, ArgsSource=sources, args_source=sources.TESTPATHS)


def test_a_whole_run():
    assert not tiers.why_not_whole(run(), pytest.ExitCode.OK, workers_lost=False)


@pytest.mark.parametrize(
    ("options", "status", "workers_lost", "reason"),
    [
        ({"markexpr": ""}, 0, False, "-m"),
        ({"keyword": "bfs"}, 0, False, "some tests"),
        ({"ignore": ["tests/io"]}, 0, False, "some tests"),
        ({"collectonly": True}, 0, False, "some tests"),
        ({}, pytest.ExitCode.TESTS_FAILED, False, "status 1"),
        ({}, 0, True, "ended early"),
    ],
)
def test_a_run_of_less(options, status, workers_lost, reason):
    assert reason in tiers.why_not_whole(run(**options), status, workers_lost)


def test_a_run_of_some_files():
    config = run()
    config.args_source = config.ArgsSource.ARGS
    assert "some files" in tiers.why_not_whole(config, 0, workers_lost=False)


@settings(max_examples=40)
@given(st.integers())
def many(_):
    pass


@settings(max_examples=tiers.QUICK_EXAMPLES)
@given(st.integers())
def few(_):
    pass


@pytest.mark.parametrize(("test", "is_drawn"), [(many, True), (few, False), (case, False)])
def test_what_draws_more_examples_runs_again(test, is_drawn):
    item = case("test_a")
    item.obj = test
    tiers.add_marks([item])
    assert item.marks == ["drawn"] * is_drawn


def test_both_commands_have_the_expressions_of_the_tiers():
    text = (tiers.ROOT / "Makefile").read_text()
    assert f'-m "{tiers.QUICK}" $(TRACED)' in text
    assert f'-m "{tiers.REST}" --cov --cov-append' in text
