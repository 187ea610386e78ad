"""The table of tests, cases and minutes by folder."""

from __future__ import annotations

from types import SimpleNamespace

from tests import time_by_folder


def report(nodeid, seconds):
    return SimpleNamespace(nodeid=nodeid, duration=seconds)


REPORTS = [
    report("tests/io/test_npz.py::test_a[FP64]", 1.0),  # set-up
    report("tests/io/test_npz.py::test_a[FP64]", 20.0),  # call
    report("tests/io/test_npz.py::test_a[INT8]", 3.0),
    report("tests/io/text/test_npz.py::test_a", 6.0),
    report("tests/test_tiny.py::test_native", 15.0),
    report("graphla/io/npz.py::graphla.io.npz.load", 60.0),
]


def test_phases_and_cases_of_a_folder_are_added():
    assert time_by_folder.rows(REPORTS) == [
        ("graphla", 1, 1, 60.0),
        ("io", 2, 3, 30.0),
        ("tests", 1, 1, 15.0),
    ]


def test_the_table_is_in_minutes_and_ends_with_the_sums():
    lines = time_by_folder.table(time_by_folder.rows(REPORTS))
    assert [line.split() for line in lines] == [
        ["folder", "tests", "cases", "minutes"],
        ["graphla", "1", "1", "1.00"],
        ["io", "2", "3", "0.50"],
        ["tests", "1", "1", "0.25"],
        ["all", "4", "5", "1.75"],
    ]


def test_tests_of_other_packages_are_elsewhere():
    reports = [report(".venv/lib/networkx/test_a.py::test", 1.0), report("::test", 2.0)]
    assert time_by_folder.rows(reports) == [("elsewhere", 2, 2, 3.0)]
