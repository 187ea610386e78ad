"""Graph specifications: generators with sizes, or files."""

from __future__ import annotations

import pytest
import typer

import graphla as gl
from graphla.cli.graph_spec import is_generated, make_graph, make_or_read_graph
from graphla.errors import DomainMismatch, InvalidValue


def test_graph_specifications():
    assert make_graph("grid:5").A.isequal(make_graph("grid:5x5").A)
    assert make_graph("kron:5").A.isequal(gl.generate.kronecker(5, edgefactor=16).A)
    assert make_graph("grid:2x3x4").n == 24


def test_sizes_that_no_generator_takes():
    with pytest.raises(typer.BadParameter, match="'path:3x4': wrong number of sizes for path"):
        make_graph("path:3x4")
    with pytest.raises(typer.BadParameter, match="must be integers: 'kron:x'"):
        make_graph("kron:x")
    with pytest.raises(InvalidValue, match="n=2"):
        make_graph("cycle:2")
    with pytest.raises(DomainMismatch, match="weights"):
        make_graph("kron:3", weights="1")


def test_generated_or_read(tmp_path):
    assert is_generated("urand:5")
    assert not is_generated("urand.mtx")
    gl.write(tmp_path / "x.el", gl.generate.path(4))
    assert make_or_read_graph(str(tmp_path / "x.el")).nedges == 3
    assert make_or_read_graph("path:4").nedges == 3
    with pytest.raises(typer.BadParameter, match="neither a file nor one of: kronecker"):
        make_or_read_graph("absent.el")
