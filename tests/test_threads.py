"""Threads of both libraries, and the progress bar."""

from __future__ import annotations

import sys

import graphblas as gb
import pytest

import graphla as gl
from graphla.errors import InvalidValue
from graphla.progress import Progress
from graphla.threads import cores


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
    assert cores() >= 1


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
