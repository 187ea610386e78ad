"""The number of tests in each folder, which must not decrease when files move.

``python -m tests.golden.counts`` lets pytest collect all tests, with parameters and doctests, and
prints the folders that have fewer than the golden file says.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

HERE = Path(__file__).parent
FILE, COLLECTED = HERE / "test_functions.json", HERE / "collected.json"
ROOT = HERE.parents[1]
PER_FILE = {"tests/test_layout.py"}  # has tests for each file of the package: not counted


def current():
    """Return the text of the golden file for the present number of test functions."""
    counts = Counter()
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        nodes = ast.walk(ast.parse(path.read_text()))
        counts[folder_of(path.relative_to(ROOT))] += sum(map(defines_a_test, nodes))
    return text(counts)


def defines_a_test(node):
    """Return whether this is ``def test_...`` or ``test_... = on_edge_cases(...)``."""
    if isinstance(node, ast.Assign):
        target = node.targets[0]
        return isinstance(target, ast.Name) and target.id.startswith("test_")
    return isinstance(node, ast.FunctionDef) and node.name.startswith("test_")


def current_collected():
    """Return the text of the golden file for the tests that pytest collects now."""
    run = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider"]
    process = subprocess.run(run, cwd=ROOT, capture_output=True, text=True)
    assert process.returncode == 0, process.stdout[-2000:] + process.stderr[-2000:]
    counts = Counter()
    for line in process.stdout.splitlines():
        path, colon, count = line.rpartition(": ")
        if colon and path.endswith(".py") and path not in PER_FILE:
            counts[folder_of(Path(path))] += int(count)
    return text(counts)


def folder_of(path):
    """Return the folder of a test file below tests/; "graphla" for doctests."""
    return path.parts[1] if path.parts[0] == "tests" and len(path.parts) > 2 else path.parts[0]


def text(counts):
    return json.dumps(dict(sorted(counts.items())), indent=1) + "\n"


def fewer(now, golden):
    """Return a line for each folder with fewer tests than the golden file has."""
    now, golden = json.loads(now), json.loads(golden)
    return [
        f"{name}: {now.get(name, 0)}, was {count}"
        for name, count in golden.items()
        if now.get(name, 0) < count
    ]


if __name__ == "__main__":
    lines = fewer(current_collected(), COLLECTED.read_text())
    print("\n".join(lines) or "no folder has fewer tests than before")
    sys.exit(bool(lines))
