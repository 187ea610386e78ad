"""How many tests and cases each folder has, and the minutes that they took: the end of a run."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

from tests.golden.counts import folder_of

OURS = (("tests",), ("graphla",))


class Row(NamedTuple):
    """The tests of a folder: their functions, their cases, and the seconds of all cases."""

    folder: str
    tests: int
    cases: int
    seconds: float


def rows(reports):
    """Return a row for each folder, the longest time first, from all reports of pytest.

    A case has a report for each of its phases: set-up, call and tear-down. What several cases
    share, such as a fixture of a module, counts as time of the case for which it was made.
    """
    tests, cases, seconds = defaultdict(set), defaultdict(set), defaultdict(float)
    for report in reports:
        file, _, name = report.nodeid.partition("::")
        path = Path(file)
        folder = folder_of(path) if path.parts[:1] in OURS else "elsewhere"
        tests[folder].add((file, name.partition("[")[0]))
        cases[folder].add(report.nodeid)
        seconds[folder] += report.duration
    return [
        Row(folder, len(tests[folder]), len(cases[folder]), seconds[folder])
        for folder in sorted(seconds, key=seconds.get, reverse=True)
    ]


def table(rows):
    """Return the rows and their sums as lines of text; the times of parallel processes add up."""
    whole = Row("all", *(sum(column) for column in list(zip(*rows, strict=True))[1:]))
    return [
        f"{'folder':14} {'tests':>6} {'cases':>6} {'minutes':>8}",
        *(f"{r.folder:14} {r.tests:6} {r.cases:6} {r.seconds / 60:8.2f}" for r in (*rows, whole)),
    ]
