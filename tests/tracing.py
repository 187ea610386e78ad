"""Which tests line coverage sees: a traced test takes a third longer.

It sees the cases that `make test` runs, with as many examples of a test of hypothesis as there, but
for drawn graphs and the atlas in folders whose tests on fixed graphs reach every line. In a few
folders it sees other cases, too. What it does not see runs all the same. `make test-all` runs
`make test` first, and what that run has traced is not traced again.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager, nullcontext
from functools import wraps
from itertools import count

from hypothesis import is_hypothesis_test

from tests import tiers

REPEATED = {"algorithms", "io", "transform"}  # tests on fixed graphs reach every line here
# Folders in which cases that `make test` leaves out reach more lines.
THOROUGHLY_TRACED = ("cuda/expressions/", "cuda/objects/", "cuda/operators/", "plot/", "ranks/")
WHOLLY_TRACED = {"ranks"}  # also cases that differ from others in a type alone


def mark_untraced(items, run):
    """Mark the cases that line coverage does not see; `run` is pytest's option -m."""
    for item in items:
        path = item.nodeid.removeprefix("tests/")
        folder = path.partition("/")[0]
        many = is_hypothesis_test(getattr(item, "obj", None)) or "atlas" in item.name
        is_traced = path.startswith(THOROUGHLY_TRACED)
        is_left_out = item.get_closest_marker("thorough") and not is_traced
        repeats = tiers.repeats_another(item) and folder not in WHOLLY_TRACED
        is_seen_before = run == tiers.REST and not item.get_closest_marker("thorough")
        if is_left_out or repeats or is_seen_before or (folder in REPEATED and many):
            item.add_marker("untraced")


def limited(item, examples):
    """Return a context in which a test is traced wholly, for some examples, or not at all."""
    if sys.gettrace() is None:
        return nullcontext()
    if item.get_closest_marker("untraced"):
        return untraced()
    if is_hypothesis_test(getattr(item, "obj", None)):
        return few_examples_traced(item.obj.hypothesis, examples)
    return nullcontext()


@contextmanager
def untraced():
    """Run the block without a tracer, which must begin and end in the same call of a function."""
    tracer = sys.gettrace()
    sys.settrace(None)
    try:
        yield
    finally:
        sys.settrace(tracer)


@contextmanager
def few_examples_traced(test, examples):
    """Trace the first examples of a test; `test` is its attribute `hypothesis`."""
    inner, number = test.inner_test, count()

    @wraps(inner)
    def traced_at_first(*args, **kwargs):
        with nullcontext() if next(number) < examples else untraced():
            return inner(*args, **kwargs)

    test.inner_test = traced_at_first
    try:
        yield
    finally:
        test.inner_test = inner
