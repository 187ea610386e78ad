"""Coverage by folder, from a report of coverage.py."""

from __future__ import annotations

from tests.coverage_of_folders import OF_ALL, OF_EACH_FOLDER, folders, too_low


def report(**files):
    """Return a report of files, by path with "__" for "/": (statements, covered lines)."""
    summaries = {
        f"graphla/{name.replace('__', '/')}.py": {"num_statements": n, "covered_lines": covered}
        for name, (n, covered) in files.items()
    }
    return {"files": {name: {"summary": summary} for name, summary in summaries.items()}}


def test_lines_are_counted_by_top_folder():
    counts = folders(report(errors=(5, 4), io__npz=(10, 9), io__a__b=(20, 20), cli__app=(7, 7)))
    assert counts == {"graphla": [5, 4], "io": [30, 29], "cli": [7, 7], "all": [42, 40]}


def test_at_the_limits_coverage_suffices():
    assert not too_low({"io": [100, int(OF_EACH_FOLDER)], "all": [100, int(OF_ALL)]})


def test_a_folder_below_its_limit_is_named():
    assert too_low({"io": [100, 94], "all": [1000, 990]}) == [
        "io: 94.0 % of its lines are covered, fewer than 95.0 %"
    ]
    assert len(too_low({"io": [100, 96], "all": [1000, 969]})) == 1
