"""Threads, tracing and quiet-machine settings of all tests.

Parallel test processes use one thread each; tests of data races use up to eight.
"""

from __future__ import annotations

import gc
import os
from itertools import chain

from tests import numba_cache

# Numba reads both when it is imported.
os.environ.setdefault("NUMBA_NUM_THREADS", "8")  # an upper limit
os.environ.setdefault("NUMBA_CACHE_DIR", str(numba_cache.folder()))

import graphblas as gb
import numba
import pytest
from hypothesis import settings

from graphla.comparison import quiet
from graphla.verify import edge_passes
from tests import distribution, overflowing_statements, tiers, time_by_folder, tracing
from tests.cuda import kernel_units

# Speed is not tested here. Examples that are drawn anew in every run need kernels that no run had:
# both commands draw the same ones each time, `pytest` by hand draws others.
settings.register_profile("graphla", deadline=None)
settings.register_profile(
    "same", settings.get_profile("graphla"), derandomize=True, max_examples=50
)
settings.register_profile("quick", settings.get_profile("same"), max_examples=tiers.QUICK_EXAMPLES)
settings.load_profile("graphla")
overflowing_statements.install()
if "PYTEST_XDIST_WORKER" in os.environ:
    gb.ss.config["nthreads"] = 1
    numba.set_num_threads(1)
else:
    numba.set_num_threads(min(len(os.sched_getaffinity(0)), numba.config.NUMBA_NUM_THREADS))


def pytest_configure(config):
    """Draw few examples in `make test`, the same in every run: it needs the same kernels."""
    if config.option.markexpr == tiers.QUICK:
        settings.load_profile("quick")


left_out = pytest.StashKey[list]()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Mark the cases that `make test` leaves out, and those that coverage need not trace."""
    tiers.add_marks(items)
    tracing.mark_untraced(items, config.option.markexpr)
    distribution.order(items)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Keep groups of tests together in `make test`; other runs distribute single tests.

    Groups save compilation, so uncompiled kernels need none.
    """
    is_quick = config.option.markexpr == tiers.QUICK and not numba.config.DISABLE_JIT
    return distribution.ByGroup(config, log) if is_quick else None


def pytest_collection_finish():
    """Leave the collected tests, millions of objects, out of each garbage collection."""
    gc.collect()
    gc.freeze()


def pytest_deselected(items):
    items[0].config.stash.setdefault(left_out, []).extend(item.nodeid for item in items)


def pytest_sessionfinish(session):
    """Send to the process that started the tests what its summary shows."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput |= report_of(session.config)


def report_of(config):
    return {
        "left_out": config.stash.get(left_out, []),
        "kernels": sorted(kernel_units.used),
    }


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node, error):
    report = getattr(node, "workeroutput", {})
    reports.append({} if error else report)


reports = []


def pytest_terminal_summary(terminalreporter, exitstatus, config):
    """Say what the tests of each folder took, what was left out, and which kernels were new."""
    if config.rootpath == tiers.ROOT:  # not that of NetworkX's own tests
        write_times(terminalreporter)
    runs = reports or [report_of(config)]
    parts = [x for x in runs if "kernels" in x]
    kernels = {tuple(kernel) for part in parts for kernel in part["kernels"]}
    if os.environ.get("GRAPHLA_LIST_KERNELS"):
        reason = tiers.why_not_whole(config, exitstatus, len(parts) < len(runs))
        if reason:
            terminalreporter.write_line(f"the list of simulated kernels is unchanged: {reason}")
        else:
            kernel_units.write_list(kernels)
    if config.option.markexpr != tiers.QUICK:
        return
    if parts and parts[0]["left_out"]:
        terminalreporter.write_line(tiers.summary(parts[0]["left_out"]))
    if missing := len(kernels - kernel_units.read_list()):
        terminalreporter.write_line(
            f"{missing} simulated kernels were not in the list: compiled one by one, slowly;"
            " `GRAPHLA_LIST_KERNELS=1 make test` writes it anew"
        )


def write_times(terminalreporter):
    """Write the table of tests, cases and minutes, if tests of several folders ran."""
    reports = chain.from_iterable(terminalreporter.stats.values())
    rows = time_by_folder.rows(x for x in reports if isinstance(x, pytest.TestReport))
    if len(rows) > 1:
        terminalreporter.section("tests, cases and minutes by folder; parallel processes add up")
        for line in time_by_folder.table(rows):
            terminalreporter.write_line(line)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """Trace some tests in part only; pytest-cov's `no_cover` has no effect under xdist."""
    with tracing.limited(item, tiers.QUICK_EXAMPLES):
        return (yield)


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
