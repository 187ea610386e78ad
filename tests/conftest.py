"""Threads, tracing and quiet-machine settings of all tests.

Parallel test processes use one thread each; tests of data races use up to eight.
"""

from __future__ import annotations

import os
import sys

os.environ.setdefault("NUMBA_NUM_THREADS", "8")  # an upper limit, read when Numba is imported

import graphblas as gb
import numba
import pytest
from hypothesis import is_hypothesis_test, settings

from graphla.comparison import quiet
from graphla.verify import edge_passes

settings.register_profile("graphla", deadline=None)  # speed is not tested here
settings.load_profile("graphla")
if "PYTEST_XDIST_WORKER" in os.environ:
    gb.ss.config["nthreads"] = 1
    numba.set_num_threads(1)
else:
    numba.set_num_threads(min(len(os.sched_getaffinity(0)), numba.config.NUMBA_NUM_THREADS))

REPEATED = {"algorithms", "io", "transform"}  # tests on fixed graphs reach every line here


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    """Mark cases that reach no new lines as untraced: tracing doubles their time."""
    for item in items:
        folder = item.nodeid.removeprefix("tests/").partition("/")[0]
        many = is_hypothesis_test(getattr(item, "obj", None)) or "atlas" in item.name
        if folder in REPEATED and many:
            item.add_marker("untraced")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """Run untraced cases without a tracer; pytest-cov's `no_cover` has no effect under xdist."""
    if not item.get_closest_marker("untraced"):
        return (yield)
    tracer = sys.gettrace()
    sys.settrace(None)
    try:
        return (yield)
    finally:
        sys.settrace(tracer)


@pytest.fixture(scope="session", autouse=True)
def no_wait_for_a_quiet_machine():
    """Compare without waiting: no test depends on measured times."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(quiet, "wait_for_quiet", lambda max_wait: (None, 0.0))
        yield


@pytest.fixture(scope="module")
def small_blocks():
    """Let the verifiers split small graphs into many blocks too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(edge_passes, "BLOCK", dict.fromkeys(edge_passes.BLOCK, 1))
        yield
