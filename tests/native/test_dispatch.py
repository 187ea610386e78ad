"""A native kernel is found by its name, and says once that it compiles."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from numba import get_num_threads

import graphla as gl
from graphla.native import dispatch
from tests.graphs import random_graph
from tests.native.threads import compiled, threads


@pytest.mark.thorough
def test_a_call_that_compiles_says_so_once(tmp_path):
    code = (
        "import graphla as gl; G = gl.generate.path(5);"
        "gl.native.connected_components(G); gl.native.connected_components(G)"
    )
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "NUMBA_DISABLE_JIT": "0"}

    def said():
        run = [sys.executable, "-c", code]
        return subprocess.run(
            run, env=environment, capture_output=True, text=True, check=True
        ).stderr

    assert said().count("compiling native.connected_components") == 1
    assert said() == ""


def test_progress(capsys):
    gl.native.bfs(random_graph(9, 20), 0, progress=True)
    assert "bfs" in capsys.readouterr().err


@compiled
def test_small_graphs_take_one_thread(monkeypatch):
    """A larger graph takes all; the number of threads is that of the caller afterwards."""
    counted = []
    kernel = dispatch.in_one_thread_if_small(lambda G: counted.append(get_num_threads()))
    small, large = random_graph(9, 20), random_graph(9, 40)
    with threads(2):
        monkeypatch.setattr(dispatch, "SMALL", large.A.nvals)
        kernel(small)
        kernel(large)
        assert get_num_threads() == 2
    assert counted == [1, 2]


def test_an_error_in_one_thread_leaves_the_number_of_threads(monkeypatch):
    def fail(G):
        raise ValueError("no result")

    with threads(2):
        monkeypatch.setattr(dispatch, "SMALL", 100)
        with pytest.raises(ValueError, match="no result"):
            dispatch.in_one_thread_if_small(fail)(random_graph(9, 20))
        assert get_num_threads() == 2


FORKED = """
import multiprocessing, sys
import graphla as gl
from graphla.errors import EngineUnavailable

G = gl.generate.karate()

def in_child(_):
    try:
        gl.native.bfs(G, 0)
    except EngineUnavailable as error:
        return str(error), gl.bfs(G, 0).level.nvals

gl.native.bfs(G, 0)
with multiprocessing.get_context("fork").Pool(1) as pool:
    print(*pool.map(in_child, [0])[0])
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
def test_kernels_are_refused_in_a_forked_process():
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", FORKED], capture_output=True, text=True, timeout=120
    )
    assert "start processes by multiprocessing" in done.stdout, done.stderr
    assert done.stdout.split()[-1] == "34"
