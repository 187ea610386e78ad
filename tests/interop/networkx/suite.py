"""NetworkX's own tests with its calls sent to graphla: ``python -m tests.interop.networkx.suite``.

Counts the outcomes of the tests and the calls of each function of the backend. Functions that
graphla lacks (such as those that relabel a test's graph) run in NetworkX. Functions that it has do
not fall back: if one refuses its arguments, the outcome is "refused". A test that calls no function
of graphla is "not reached". ``--json FILE`` writes the counts.

``--whole`` runs all tests of NetworkX instead; calls that graphla refuses then fall back to
NetworkX. ``--without-many-trees`` leaves out the five of them in MANY_TREES, a quarter of the time.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

# tests/conftest.py sets the same number: Numba does not accept another one after it is loaded.
os.environ.setdefault("NUMBA_NUM_THREADS", "8")

import networkx
import pytest
from networkx.utils.backends import _dispatchable

import graphla
from graphla.interop.networkx.backend import calls
from graphla.interop.networkx.expected_failures import EXPECTED_FAILURES
from graphla.interop.networkx.info import FUNCTIONS

SUITES = (
    "link_analysis",
    "shortest_paths",
    "tests.test_cluster",
    "tests.test_core",
    "traversal.tests.test_bfs",
    "components.tests.test_connected",
    "components.tests.test_weakly_connected",
    "components.tests.test_strongly_connected",
    "centrality.tests.test_betweenness_centrality",
    "centrality.tests.test_closeness_centrality",
    "centrality.tests.test_harmonic_centrality",
    "centrality.tests.test_degree_centrality",
    "centrality.tests.test_eigenvector_centrality",
    "centrality.tests.test_katz_centrality",
    "tests.test_link_prediction",
    "tests.test_reciprocity",
    "tests.test_efficiency",
    "tests.test_isolate",
    "tests.test_dag",
    "tree.tests.test_mst",
    "tree.tests.test_recognition",
    "community.tests.test_louvain",
    "community.tests.test_label_propagation",
    "community.tests.test_quality",
)
WITHOUT = "--without-many-trees"
TREES = "algorithms/isomorphism/tests/test_tree_isomorphism.py::test_tree_isomorphi"
# They compare thousands of trees with up to 14 vertices; the same tests run on smaller trees.
MANY_TREES = [
    *(f"{TREES}sm_all_non_isomorphic_pairs[{n}]" for n in (10, 11)),
    *(f"{TREES}c_all_non_isomorphic_trees_relabeled[{n}]" for n in (12, 13, 14)),
]
REFUSED = re.compile(r"'(\w+)' not implemented by graphla with the given arguments")


class Outcomes:
    """Counts of test outcomes; tests that call no function of the backend are "not reached"."""

    def __init__(self) -> None:
        self.count: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.failed: list[str] = []
        self.before = 0

    def pytest_runtest_setup(self) -> None:
        self.before = calls.total()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" or report.failed or report.skipped:
            self.count[self._outcome(report)] += 1

    def _outcome(self, report: pytest.TestReport) -> str:
        if report.failed:
            self.failed.append(report.nodeid)
            return "failed" if report.when == "call" else "error"
        if not hasattr(report, "wasxfail"):
            reached = report.skipped or calls.total() > self.before
            return report.outcome if reached else "not reached"
        reason = str(report.wasxfail).removeprefix("reason: ")
        if reason in EXPECTED_FAILURES.values():
            return "expected failure"
        found = REFUSED.search(reason)
        self.refused[found[1] if found else reason] += 1
        return "refused"


@contextmanager
def helpers_from_networkx() -> Iterator[None]:
    """Let only functions that the backend does not have fall back to NetworkX."""
    dispatch = _dispatchable._convert_and_call_for_tests

    def without(self, name, args, kwargs, *, fallback_to_nx=False):  # type: ignore[no-untyped-def]
        return dispatch(self, name, args, kwargs, fallback_to_nx=self.name not in FUNCTIONS)

    _dispatchable._convert_and_call_for_tests = without
    try:
        yield
    finally:
        _dispatchable._convert_and_call_for_tests = dispatch


def run(suites: tuple[str, ...]) -> dict:
    """Run suites in this process and return the counts."""
    os.environ["NETWORKX_TEST_BACKEND"] = "graphla"
    outcomes = Outcomes()
    modules = [f"networkx.algorithms.{suite}" for suite in suites]
    arguments = ["-q", "--no-header", "--tb=line", "-p", "no:cacheprovider", "-o", "addopts="]
    with helpers_from_networkx():
        code = pytest.main([*arguments, "--pyargs", *modules], plugins=[outcomes])
    return {
        "exit": int(code),
        "outcomes": dict(outcomes.count),
        "failed": outcomes.failed,
        "refused": dict(outcomes.refused.most_common()),
        "calls": {name: calls[name] for name in FUNCTIONS},
    }


def run_whole(options: list[str], left_out: list[str]) -> int:
    """Run all tests of NetworkX with its calls sent to this package, by pytest in a new process."""
    folder = os.path.relpath(Path(networkx.__file__).parent)
    options = [*options, *(f"--deselect={folder}/{test}" for test in left_out)]
    if left_out:
        print(f"left out: {', '.join(left_out)}", flush=True)
    root = Path(graphla.__file__).parents[1]
    sent_here = {"NETWORKX_TEST_BACKEND": "graphla", "NETWORKX_FALLBACK_TO_NX": "True"}
    path = os.pathsep.join(filter(None, [str(root), os.environ.get("PYTHONPATH")]))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "addopts="]
    print(f"graphla: {graphla.__file__}", flush=True)
    done = subprocess.run(
        [*command, *options, "--pyargs", "networkx"],
        env=os.environ | sent_here | {"PYTHONPATH": path},
    )
    return done.returncode


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("suites", nargs="*", default=SUITES, help="of networkx.algorithms")
    parser.add_argument("--json")
    parser.add_argument(
        "--whole", action="store_true", help="all tests; other options are pytest's"
    )
    if "--whole" in sys.argv:
        rest = [option for option in sys.argv[1:] if option not in ("--whole", WITHOUT)]
        return run_whole(rest, MANY_TREES if WITHOUT in sys.argv else [])
    chosen = parser.parse_args()
    counts = run(tuple(chosen.suites))
    if chosen.json:
        Path(chosen.json).write_text(json.dumps(counts, indent=1))
    for name, found in counts.items():
        print(f"{name}: {json.dumps(found)}")
    return counts["exit"]


if __name__ == "__main__":
    sys.exit(main())
