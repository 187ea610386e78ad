"""A native kernel is found by its name, and says once that it compiles."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import graphla as gl
from tests.graphs import random_graph


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
