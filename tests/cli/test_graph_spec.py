"""Graph specifications: generators with sizes, or files."""

from __future__ import annotations

import pytest
import typer

import graphla as gl
from graphla.cli.graph_spec import (
    ABBREVIATIONS,
    FORMS,
    GENERATORS,
    is_generated,
    make_graph,
    make_or_read_graph,
)
from graphla.errors import DomainMismatch, InvalidValue, ReadError, UnknownArgument


def test_graph_specifications():
    assert make_graph("grid:5").A.isequal(make_graph("grid:5x5").A)
    assert make_graph("kron:5").A.isequal(gl.generate.kronecker(5, edgefactor=16).A)
    assert make_graph("grid:2x3x4").n == 24


def test_sizes_that_no_generator_takes():
    with pytest.raises(typer.BadParameter, match="'path:3x4': wrong number of sizes for path"):
        make_graph("path:3x4")
    with pytest.raises(typer.BadParameter, match=r"as in grid:300x200 .*; got kron:x$"):
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
    with pytest.raises(typer.BadParameter, match=r"neither a file .* such as kron:18"):
        make_or_read_graph("absent.el")
    for spec, meant in (("krn:8", "kron:8"), ("kron12", "kron:12"), ("grid-3x4", "grid:3x4")):
        with pytest.raises(typer.BadParameter, match=f"did you mean '{meant}'"):
            make_or_read_graph(spec)


def test_every_generator_has_a_form():
    names = {ABBREVIATIONS.get(name := form.partition(":")[0], name) for form in FORMS}
    assert names == set(GENERATORS)
    assert all(map(is_generated, FORMS))


def test_duplicate_edges_combine_unless_they_are_refused(tmp_path):
    (file := tmp_path / "twice.csv").write_text("0,1,5\n0,1,3\n")
    assert make_or_read_graph(str(file)).min_weight == 3
    assert make_or_read_graph(str(file), dup="max").min_weight == 5
    with pytest.raises(ReadError, match="dup='min'"):
        make_or_read_graph(str(file), dup="none")


def test_options_of_files(tmp_path):
    (file := tmp_path / "named.csv").write_text("cost,b,a\n5,0,1\n")
    columns = {"src": "a", "dst": "b", "weight": "cost", "n": 9}
    G = make_or_read_graph(str(file), **columns)
    assert (G.n, [x.tolist() for x in G.A.to_coo()]) == (9, [[1], [0], [5]])
    for name, value in (columns | {"kind": "directed"}).items():
        with pytest.raises(typer.BadParameter, match=f"--{name} is for files only; 'path:4' is"):
            make_or_read_graph("path:4", **{name: value})
    assert make_or_read_graph("path:4", src=None).nedges == 3
    gl.write(tmp_path / "path.mtx", gl.generate.path(4))
    with pytest.raises(UnknownArgument, match="no argument 'src'"):
        make_or_read_graph(str(tmp_path / "path.mtx"), src="a")
