"""Run the tests of what has changed: ``python -m tests.changed [--since COMMIT] [--seconds S]``.

Changed is what differs from where the branch left main; on main itself, what is not committed,
or else the last commit. Of a changed module these run, until the seconds are over: tests of the
same name, tests that import it, and its doctests. Files that only moved count as unchanged.
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

ROOT = Path(__file__).parents[1]
MOVED = 90  # per cent of a file that stay as they are where it moved and its imports changed
END = "GRAPHLA_TESTS_END"  # variable of the environment: seconds since 1970
OTHERS = {  # tests of files that are no modules
    r"(README|CONTRIBUTING)\.md|docs/.*|mkdocs\.yml": "tests/test_docs.py",
    r"examples/.*": "tests/test_examples.py",
    r"benchmarks/.*|pyproject\.toml|Makefile": "tests/test_layout.py",
}


def git(*arguments):
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else ""


def base():
    """Return the commit that the working tree is compared with."""
    head = git("rev-parse", "HEAD")
    fork = git("merge-base", "HEAD", "main") or head
    if fork != head or git("status", "--porcelain"):
        return fork
    return git("rev-parse", "HEAD~1")


def changed(since):
    """Return the paths of files that were added or altered, committed or not."""
    found = git("ls-files", "--others", "--exclude-standard").splitlines()
    for line in git("diff", "--name-status", "-M", since).splitlines():
        status, *paths = line.split("\t")
        moved = status[0] == "R" and int(status[1:]) >= MOVED
        if status[0] != "D" and not moved:
            found.append(paths[-1])
    return [Path(path) for path in dict.fromkeys(found)]


def is_test(path):
    return path.suffix == ".py" and path.name.startswith("test_")


def chosen(paths):
    """Return what pytest is to run for changed files, the closest first, each once."""
    tests = sorted(p.relative_to(ROOT) for p in (ROOT / "tests").rglob("test_*.py"))
    package = [p for p in paths if p.parts[0] == "graphla"]
    modules = {p for p in package if p.suffix == ".py"}
    stems = {p.parent.name if p.stem == "__init__" else p.stem for p in package}
    kernels = {p.stem for p in package if p.suffix == ".cu"}
    launchers = naming(kernels, (ROOT / "graphla").rglob("*.py"))
    stems |= {p.stem for p in launchers}
    others = [t for p in paths for pattern, t in OTHERS.items() if re.fullmatch(pattern, str(p))]
    helpers = {p for p in paths if p.parts[0] == "tests" and p.suffix == ".py"}
    dotted = {
        ".".join(p.with_suffix("").parts).removesuffix(".__init__")
        for p in modules | launchers | helpers
    }
    by_name = [t for t in tests if t.stem.removeprefix("test_") in stems]
    by_name += naming(kernels, map(ROOT.joinpath, tests))
    by_import = [t for t in tests if imported(ROOT / t) & dotted]
    found = [p for p in paths if is_test(p)], by_name, modules, map(Path, others), by_import
    return list(dict.fromkeys(str(p) for part in found for p in sorted(part)))


def naming(kernels, files):
    """Return the files that name one of these kernels, as what launches it does."""
    quoted = re.compile(f'"({"|".join(map(re.escape, kernels))})"')
    return {p.relative_to(ROOT) for p in files if kernels and quoted.search(p.read_text())}


def imported(path):
    """Return the dotted names that a file imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def pytest_runtest_protocol(item):
    """End a worker's run, which has this file as a plugin, when the time is over."""
    if time.time() > float(os.environ.get(END, "inf")):
        item.session.shouldstop = "the time for tests of what has changed is over"


class Failures:
    """Counts the tests that failed."""

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
        print("no test belongs to what has changed")
        return 0
    print("tests of what has changed:", *targets)
    os.environ[END] = str(time.time() + options.seconds)
    failures = Failures()
    run = ["-p", "tests.changed", "-n", "auto", "-m", "not slow", *targets]
    status = pytest.main(run, plugins=[failures])
    if status == pytest.ExitCode.INTERRUPTED and not failures.count:
        print("not all of them ran: `make test` does")
        return 0
    return 0 if status == pytest.ExitCode.NO_TESTS_COLLECTED else int(status)


if __name__ == "__main__":
    sys.exit(main())
