"""Run the tests of changed files: ``python -m tests.changed [--since COMMIT] [--seconds S]``.

Changes are counted from the commit at which the branch left main; on main itself they are the
uncommitted files or, if there are none, the last commit. For a changed module these run, in this
order and until the seconds are over: its tests, others of the same name, its doctests, tests that
import it.
Files that only moved count as unchanged.
"""

from __future__ import annotations

import argparse
import ast
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.test_layout import TESTED_WITH

ROOT = Path(__file__).parents[1]
MOVED = 90  # per cent of a file that are unchanged if it moved and only its imports differ
END = "GRAPHLA_TESTS_END"  # environment variable: seconds since 1970
TESTS_OF_OTHER_FILES = {
    r"(README|CONTRIBUTING)\.md|docs/.*|mkdocs\.yml": "tests/test_docs.py",
    r"examples/.*": "tests/test_examples.py",
    r"benchmarks/.*|pyproject\.toml|Makefile": "tests/test_layout.py",
}
READ_BY = {  # files that helpers of tests read
    "tests/cuda/shim.h": "tests/cuda/simulator.py",
    "tests/cuda/warp_simulator.h": "tests/cuda/warp_simulator.py",
    "tests/cuda/simulated_kernels.json": "tests/cuda/kernel_units.py",
}


def git(*arguments):
    process = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
    return process.stdout.strip() if process.returncode == 0 else ""


def base():
    """Return the commit that the working tree is compared with."""
    head = git("rev-parse", "HEAD")
    fork = git("merge-base", "HEAD", "main") or head
    if fork != head or git("status", "--porcelain"):
        return fork
    return git("rev-parse", "HEAD~1")


def changed(since):
    """Return the paths of files that were added or modified, committed or not."""
    paths = git("ls-files", "--others", "--exclude-standard").splitlines()
    for line in git("diff", "--name-status", "-M", since).splitlines():
        status, *names = line.split("\t")
        moved = status[0] == "R" and int(status[1:]) >= MOVED
        if status[0] != "D" and not moved:
            paths.append(names[-1])
    return [Path(path) for path in dict.fromkeys(paths)]


def is_test(path):
    return path.suffix == ".py" and path.name.startswith("test_")


def chosen(paths):
    """Return the arguments of pytest for changed files, the most closely related tests first."""
    paths = [Path(READ_BY.get(str(path), path)) for path in paths]
    tests = sorted(p.relative_to(ROOT) for p in (ROOT / "tests").rglob("test_*.py"))
    package = [p for p in paths if p.parts[0] == "graphla"]
    modules = {p for p in package if p.suffix == ".py"}
    stems = {p.parent.name if p.stem == "__init__" else p.stem for p in package}
    kernels = {p.stem for p in package if p.suffix == ".cu"}
    kernels |= kernels_including({p.name for p in package if p.suffix == ".cuh"})
    launchers = files_naming(kernels, (ROOT / "graphla").rglob("*.py"))
    stems |= {p.stem for p in launchers}
    others = [
        Path(test)
        for path in paths
        for pattern, test in TESTS_OF_OTHER_FILES.items()
        if re.fullmatch(pattern, str(path))
    ]
    helpers = {p for p in paths if p.parts[0] == "tests" and p.suffix == ".py"}
    dotted = {
        ".".join(p.with_suffix("").parts).removesuffix(".__init__")
        for p in modules | launchers | helpers
    }
    dotted |= {p.stem for p in paths if p.parts[0] == "benchmarks" and p.suffix == ".py"}
    places = {tests_beside(p) for p in modules | launchers}
    places |= {p.with_name(f"test_{p.name}") for p in helpers}
    beside = {t for t in tests if t in places}
    by_name = [t for t in tests if t.stem.removeprefix("test_") in stems]
    by_name += files_naming(kernels, map(ROOT.joinpath, tests))
    by_import = [t for t in tests if imported_names(ROOT / t) & dotted]
    groups = [p for p in paths if is_test(p)], beside, by_name, modules, others, by_import
    return list(dict.fromkeys(str(p) for group in groups for p in sorted(group)))


def tests_beside(module):
    """Return the path of the tests of a module: tests/a/test_b.py for graphla/a/b.py."""
    inside = module.relative_to("graphla")
    other, _ = TESTED_WITH.get(str(inside), (inside, None))
    other = Path("tests") / other
    if is_test(other):
        return other
    name = other.parent.name if other.stem == "__init__" else other.stem
    return other.with_name(f"test_{name}.py")


def kernels_including(headers):
    """Return the names of the kernel files that paste one of these headers, perhaps by another."""
    found, new = set(), set(headers)
    files = [p for suffix in ("cu", "cuh") for p in (ROOT / "graphla").rglob(f"*.{suffix}")]
    included = {p: set(re.findall(r'^#include "(.+)"', p.read_text(), re.MULTILINE)) for p in files}
    while new:
        users = {p for p, names in included.items() if names & new} - found
        found |= users
        new = {p.name for p in users}
    return {p.stem for p in found if p.suffix == ".cu"}


def files_naming(kernels, files):
    """Return the files with the name of one of these kernels in quotes, such as its launcher."""
    quoted = re.compile(f'"({"|".join(map(re.escape, kernels))})"')
    return {p.relative_to(ROOT) for p in files if kernels and quoted.search(p.read_text())}


def imported_names(path):
    """Return the dotted names that a file imports."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


def pytest_runtest_protocol(item):
    """Stop when the time is over; pytest's workers load this file as a plugin."""
    if time.time() > float(os.environ.get(END, "inf")):
        item.session.shouldstop = "the time for tests of changed files is over"


class Failures:
    """Counts failed tests and files that could not be collected."""

    count = 0

    def pytest_runtest_logreport(self, report):
        self.count += report.failed

    def pytest_collectreport(self, report):
        self.count += report.failed


def main():
    parse = argparse.ArgumentParser(description=__doc__)
    parse.add_argument("--since", help="the commit to compare with")
    parse.add_argument("--seconds", type=float, default=100)
    options = parse.parse_args()
    targets = chosen(changed(options.since or base()))
    if not targets:
        print("no changed file has tests")
        return 0
    print("tests of changed files:", *targets)
    os.environ[END] = str(time.time() + options.seconds)
    failures = Failures()
    run = ["-p", "tests.changed", "-n", "auto", "-m", "not thorough", *targets]
    status = pytest.main(run, plugins=[failures])
    if status == pytest.ExitCode.INTERRUPTED and not failures.count:
        print("not all of them ran: `make test` runs all tests")
        return 0
    return 0 if status == pytest.ExitCode.NO_TESTS_COLLECTED else int(status)


if __name__ == "__main__":
    sys.exit(main())
