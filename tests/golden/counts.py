"""How many tests there are, by folder: they do not become fewer where files move.

``python -m tests.golden.counts`` collects them as pytest does, parameters and doctests too,
compares with the golden file and names what has become less.
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

HERE = Path(__file__).parent
FILE, COLLECTED = HERE / "test_functions.json", HERE / "collected.json"
ROOT = HERE.parents[1]
BY_FILES = {"tests/test_layout.py"}  # as many as there are files in the package


def current():
    """Return the text of the golden file: functions whose name begins with ``test``."""
    found = Counter()
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        defined = ast.walk(ast.parse(path.read_text()))
        found[part(path.relative_to(ROOT))] += sum(
            isinstance(node, ast.FunctionDef) and node.name.startswith("test_") for node in defined
        )
    return text(found)


def current_collected():
    """Return the text of the golden file: what pytest collects."""
    run = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider"]
    environment = {**os.environ, "GRAPHLA_ALL_CASES": "1"}
    done = subprocess.run(run, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    found = Counter()
    for line in done.stdout.splitlines():
        path, colon, count = line.rpartition(": ")
        if colon and path.endswith(".py") and path not in BY_FILES:
            found[part(Path(path))] += int(count)
    return text(found)


def part(path):
    """Return the folder of tests/ that a file lies in; of doctests, "graphla"."""
    return path.parts[1] if path.parts[0] == "tests" and len(path.parts) > 2 else path.parts[0]


def text(found):
    return json.dumps(dict(sorted(found.items())), indent=1) + "\n"


def fewer(now, golden):
    """Return a line for each count that has become less, or is gone."""
    now, golden = json.loads(now), json.loads(golden)
    return [
        f"{name}: {now.get(name, 0)}, was {count}"
        for name, count in golden.items()
        if now.get(name, 0) < count
    ]


if __name__ == "__main__":
    lines = fewer(current_collected(), COLLECTED.read_text())
    print("\n".join(lines) or "no part has fewer tests than before")
    sys.exit(bool(lines))
