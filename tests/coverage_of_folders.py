"""Check the line coverage of the last `make test-all`: ``python -m tests.coverage_of_folders``."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

OF_EACH_FOLDER, OF_ALL = 95.0, 97.0  # per cent of lines


def folders(report):
    """Return statements and covered ones of each top folder of the package, and of "all"."""
    lines = defaultdict(lambda: [0, 0])
    for path, file in report["files"].items():
        parts = Path(path).parts
        folder = parts[1] if len(parts) > 2 else parts[0]
        for name in (folder, "all"):
            lines[name][0] += file["summary"]["num_statements"]
            lines[name][1] += file["summary"]["covered_lines"]
    return dict(lines)


def too_low(counts):
    """Return a line for each folder whose coverage is below its limit."""
    lines = []
    for name, (statements, covered) in counts.items():
        limit = OF_ALL if name == "all" else OF_EACH_FOLDER
        if 100 * covered < limit * statements:
            share = 100 * covered / statements
            lines.append(f"{name}: {share:.1f} % of its lines are covered, fewer than {limit} %")
    return lines


def main():
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "coverage.json")
        subprocess.run([sys.executable, "-m", "coverage", "json", "-q", "-o", file], check=True)
        counts = folders(json.loads(file.read_text()))
    for name, (statements, covered) in sorted(counts.items()):
        print(f"{name:16} {statements:6} lines {100 * covered / max(statements, 1):6.1f} %")
    sys.exit("\n".join(too_low(counts)) or None)  # an empty text would be a failure


if __name__ == "__main__":
    main()
