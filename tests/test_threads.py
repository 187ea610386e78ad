"""Threads of both libraries, and the progress bar."""

from __future__ import annotations

import inspect
import sys

import graphblas as gb
import pytest

import graphla as gl
from graphla.comparison.registry import ALGORITHMS
from graphla.errors import InvalidValue
from graphla.progress import Progress
from tests.graphs import random_graph


def parameters(name):
    return inspect.signature(getattr(gl, name)).parameters


def test_both_libraries_are_set():
    import numba

    before = gl.set_threads(1)
    try:
        assert gb.ss.config["nthreads"] == 1
        assert numba.get_num_threads() == 1
        assert gl.set_threads(10_000) == 1
        assert numba.get_num_threads() == numba.config.NUMBA_NUM_THREADS
    finally:
        gl.set_threads(before)


def test_without_numba_only_suitesparse_is_set(monkeypatch):
    monkeypatch.delitem(sys.modules, "numba", raising=False)
    assert gl.set_threads(gl.set_threads(1)) == 1


@pytest.mark.parametrize("n", [0, -1, 1.5, True, "2", None])
def test_bad_numbers_are_refused(n):
    with pytest.raises(InvalidValue, match="threads"):
        gl.set_threads(n)


def test_progress_is_silent_unless_asked_for(capsys):
    with Progress(False, "work") as bar:
        bar.step()
    assert capsys.readouterr().err == ""
    with Progress(True, "work", total=3) as bar:
        bar.step(3)
    assert "work" in capsys.readouterr().err


@pytest.mark.parametrize("name", [n for n in ALGORITHMS if "progress" in parameters(n)])
def test_the_bar_of_an_algorithm_changes_nothing(name, capsys):
    G = random_graph(300, 900, kind="undirected", dtype="int32")
    start = {None: None, "vertex": 0, "vertices": [0, 1]}[ALGORITHMS[name].start]
    silent, shown = (ALGORITHMS[name](G, start, progress=p) for p in (False, True))
    assert name.replace("_", " ").split()[0] in capsys.readouterr().err
    assert ALGORITHMS[name].tell(silent) == ALGORITHMS[name].tell(shown)


def test_every_iterative_algorithm_has_a_bar():
    without = {n for n in ALGORITHMS if "progress" not in parameters(n)}
    assert without == {"triangle_count"}  # one product
