"""Groups of tests that run in one process, and their order."""

from __future__ import annotations

from types import SimpleNamespace

from tests import distribution


def test_tests_of_native_cpu_kernels_are_one_group():
    names = {
        "tests/native/cpu/test_bfs.py::test_edge_cases[directed]",
        "graphla/native/__init__.py::graphla.native.bfs",
        "tests/test_every_algorithm.py::test_native_kernels_agree[bfs-directed-cpu]",
    }
    assert {distribution.group_of(name) for name in names} == {"native CPU kernels"}


def test_others_are_grouped_by_file():
    name = "tests/test_every_algorithm.py::test_native_kernels_agree[bfs-directed-cuda]"
    assert distribution.group_of(name) == "tests/test_every_algorithm.py"


def test_native_kernels_come_first_and_tests_of_a_file_keep_their_order():
    (own_tests,) = distribution.CALLS_THEM
    names = ["a.py::2", "a.py::1", f"{own_tests}::1"]
    names += ["b.py::1", "tests/native/cpu/test_bfs.py::1", "a.py::3"]
    items = [SimpleNamespace(nodeid=name) for name in names]
    distribution.order(items)
    assert [item.nodeid for item in items] == [
        "tests/native/cpu/test_bfs.py::1",
        f"{own_tests}::1",
        *("a.py::2", "a.py::1", "a.py::3", "b.py::1"),
    ]
