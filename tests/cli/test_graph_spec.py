"""Graph specifications: generators with sizes, or files."""

from __future__ import annotations

import graphla as gl
from graphla.cli.graph_spec import make_graph


def test_graph_specifications():
    assert make_graph("grid:5").A.isequal(make_graph("grid:5x5").A)
    assert make_graph("kron:5").A.isequal(gl.generate.kronecker(5, edgefactor=16).A)
    assert make_graph("grid:2x3x4").n == 24
