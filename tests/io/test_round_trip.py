"""Writing and reading back: every format, dtype and kind."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.errors import (
    InvalidGraph,
    InvalidValue,
)
from tests.graphs import DTYPES, edge_cases, edges, random_graph
from tests.io.formats import HOLDS, TEXT, graphs_for, same
from tests.strategies import examples

PACKED = [suffix + end for suffix in TEXT for end in (".gz", ".zst")]


@pytest.mark.thorough
@pytest.mark.parametrize("suffix", HOLDS)
@examples(80)
@given(data=st.data())
def test_write_then_read(suffix, data, tmp_path_factory):
    G = data.draw(graphs_for(suffix))
    path = tmp_path_factory.getbasetemp() / f"drawn{suffix}"
    gl.write(path, G)
    assert same(gl.read(path), G)


@pytest.mark.parametrize("kind", ["directed", "undirected"])
@pytest.mark.parametrize("suffix", [*HOLDS, *PACKED])
def test_edge_cases(suffix, kind, tmp_path):
    for name, G in edge_cases(kind).items():
        if G.weighted and suffix.startswith(".el"):
            continue
        if kind == "directed" and suffix.startswith(".graph"):
            continue
        if suffix.startswith(".graph") and G.weighted and G.min_weight < 1:
            continue
        path = tmp_path / f"case{suffix}"
        gl.write(path, G)
        assert same(gl.read(path), G), name


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("suffix", HOLDS)
def test_every_dtype_with_and_without_edges(suffix, dtype, tmp_path):
    path = tmp_path / f"typed{suffix}"
    none = edges([], [], np.zeros(0, dtype), n=3, kind="undirected")
    for G in (none, random_graph(20, 60, kind="undirected", dtype=dtype)):
        if dtype in HOLDS[suffix][0]:
            gl.write(path, G)
            assert same(gl.read(path), G)
        else:
            with pytest.raises(InvalidGraph, match=r"write \.[a-z]+"):
                gl.write(path, G)
            assert not path.exists()


def test_hypersparse(tmp_path):
    G = edges([0, 10**15], [10**15, 3], [2, 3], n=10**18)
    for suffix in (".mtx", ".gr", ".wel", ".csv", ".npz", ".parquet"):
        gl.write(tmp_path / f"wide{suffix}", G)
        assert same(gl.read(tmp_path / f"wide{suffix}"), G)


def test_plain_graphs_are_written_without_metadata(tmp_path):
    G = edges([0, 1], [1, 2], n=3)
    gl.write(tmp_path / "plain.el", G)
    assert (tmp_path / "plain.el").read_text() == "0 1\n1 2\n"
    gl.write(tmp_path / "plain.csv", edges([0, 1], [1, 2], [0.5, 2.0], n=3))
    assert (tmp_path / "plain.csv").read_text() == "src,dst,weight\n0,1,0.5\n1,2,2.0\n"
    gl.write(tmp_path / "metadata.tsv", edges([0], [1], np.array([3], np.int8), n=3))
    assert (tmp_path / "metadata.tsv").read_text() == "# graphla: n=3 dtype=int8\n0\t1\t3\n"


@pytest.mark.parametrize("suffix", HOLDS)
def test_nan_weights_are_not_written(suffix, tmp_path):
    G = edges([0, 1], [1, 0], [np.nan, np.nan], n=2, kind="undirected")
    with pytest.raises(InvalidValue, match="NaN"):
        gl.write(tmp_path / f"nan{suffix}", G)
    assert list(tmp_path.iterdir()) == []


def test_metis_refuses_directed_graphs_and_weights_below_1(tmp_path):
    with pytest.raises(InvalidGraph, match="directed"):
        gl.write(tmp_path / "x.graph", edges([0], [1], n=2))
    for bad in (0, -3):
        with pytest.raises(InvalidValue, match=f"smallest is {bad}"):
            gl.write(tmp_path / "x.graph", edges([0], [1], [bad], n=2, kind="undirected"))
