"""Results as columns of files."""

from __future__ import annotations

import gzip

import numpy as np
import pandas as pd
import pytest
from graphblas import Vector
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.core.results import PageRank
from graphla.errors import DomainMismatch, InvalidValue
from graphla.io.results import check_suffix, result_columns, write_result
from tests.graphs import edges


def test_columns_of_every_kind_of_result(tmp_path):
    G = edges([0, 1, 2, 3, 0], [1, 2, 3, 0, 2], [1, 2, 3, 4, 9], n=4, kind="undirected")
    assert list(result_columns(gl.minimum_spanning_forest(G))) == ["src", "dst", "weight"]
    assert list(result_columns(gl.transitive_closure(G))) == ["row", "column"]
    pairs = result_columns(gl.all_pairs_shortest_paths(G))
    assert list(pairs) == ["row", "column", "value"]
    assert list(result_columns(gl.connected_components(G))) == ["vertex", "value"]
    assert result_columns(3)["value"].tolist() == [3]
    write_result(tmp_path / "rank.csv", gl.pagerank(G))
    assert (tmp_path / "rank.csv").read_text().startswith("vertex,rank\n0,0.")


def test_archives_have_an_array_for_each_column(tmp_path):
    write_result(tmp_path / "levels.npz", gl.bfs(edges([0], [1], n=3), 0))
    found = np.load(tmp_path / "levels.npz")
    assert {name: found[name].tolist() for name in found} == {
        "vertex": [0, 1], "level": [0, 1], "parent": [0, 0],
    }  # fmt: skip


def test_refused_paths(tmp_path):
    check_suffix(tmp_path / "x.tsv")
    with pytest.raises(InvalidValue, match="xls"):
        check_suffix(tmp_path / "x.xls")
    with pytest.raises(InvalidValue, match="folder"):
        check_suffix(tmp_path / "absent" / "x.csv")


def test_a_result_is_written_like_a_graph(tmp_path):
    G = edges([0, 1], [1, 2], [0.1, 1e300], n=4)
    for name, opened in (("r.csv", open), ("r.csv.gz", gzip.open)):
        gl.write(tmp_path / name, gl.sssp(G, 0))
        with opened(tmp_path / name, "rt") as file:
            assert file.read() == "vertex,distance,parent\n0,0.0,0\n1,0.1,0\n2,1e+300,1\n"
    gl.write(tmp_path / "r.tsv", gl.bfs(G, 0).level)
    assert (tmp_path / "r.tsv").read_text() == "vertex\tvalue\n0\t0\n1\t1\n2\t2\n"
    gl.write(tmp_path / "r.csv", gl.transitive_closure(G))
    assert (tmp_path / "r.csv").read_text() == "row,column\n0,1\n0,2\n1,2\n"
    gl.write(tmp_path / "r.csv", Vector.from_coo([1], [False], size=2))
    assert (tmp_path / "r.csv").read_text() == "vertex,value\n1,0\n"
    gl.write(
        tmp_path / "r.csv", gl.triangle_count(edges([0, 0, 1], [1, 2, 2], n=3, kind="undirected"))
    )
    assert (tmp_path / "r.csv").read_text() == "value\n1\n"
    before = set(tmp_path.iterdir())
    for path, x, error in (
        ("r.mtx", gl.bfs(G, 0), InvalidValue),
        ("r.npz.gz", gl.bfs(G, 0), InvalidValue),
        ("s.csv", [1, 2], DomainMismatch),
        ("s.csv", np.zeros(2), DomainMismatch),
    ):
        with pytest.raises(error):
            gl.write(tmp_path / path, x)
    assert set(tmp_path.iterdir()) == before


def test_arrays_have_the_columns_of_the_result_they_were_made_from(tmp_path):
    G = edges([0, 1, 3], [1, 2, 3], [2, 3, 1], n=4)
    H = edges([0, 1], [1, 2], [2, 3], n=4, kind="undirected")
    for result in (
        gl.bfs(G, 1),
        gl.sssp(G, 0),
        gl.shortest_path_trees(G, [2, 0]),
        gl.pagerank(G),
        gl.minimum_spanning_forest(H),
        gl.hits(G),
    ):
        wanted, found = result_columns(result), result_columns(result.to_numpy())
        assert list(found) == list(wanted)
        for name, column in wanted.items():
            assert found[name].tolist() == column.tolist()
        gl.write(tmp_path / "found.npz", result.to_numpy())
        assert set(np.load(tmp_path / "found.npz")) == set(wanted)


def test_other_tuples_are_not_results(tmp_path):
    labelled = gl.interop.pandas.from_edges(pd.DataFrame({"src": ["a"], "dst": ["b"]}))
    with pytest.raises(DomainMismatch, match=r"not graphla's Labelled; x\.graph is one"):
        gl.write(tmp_path / "x.csv", labelled)
    with pytest.raises(DomainMismatch, match=r"not graphla's Labelled; x\.graph is one"):
        gl.interop.pandas.to_frame(labelled)
    assert not list(tmp_path.iterdir())


def test_a_result_that_is_undone_on_first_use_is_written(tmp_path):
    G = edges([0, 1], [1, 2], n=3)
    H, permutation = gl.transform.by_degree(G)
    gl.write(tmp_path / "x.csv", permutation.undo(gl.bfs(H, permutation.vertex(0))))
    gl.write(tmp_path / "y.csv", gl.bfs(G, 0))
    assert (tmp_path / "x.csv").read_text() == (tmp_path / "y.csv").read_text()


@given(st.lists(st.floats(allow_nan=False), max_size=9))
def test_pandas_reads_the_numbers_that_are_written(tmp_path_factory, values):
    path = tmp_path_factory.getbasetemp() / "values.csv"
    gl.write(path, PageRank(Vector.from_dense(np.array(values)), 1, 0.0))
    frame = pd.read_csv(path, float_precision="round_trip", dtype={"rank": float})
    assert frame["rank"].tolist() == values
    assert frame["vertex"].tolist() == list(range(len(values)))


def test_long_results_are_written_in_chunks(tmp_path, monkeypatch):
    monkeypatch.setattr("graphla.io.results.CHUNK", 3)
    gl.write(tmp_path / "r.csv", Vector.from_dense(np.arange(10)))
    assert np.loadtxt(tmp_path / "r.csv", delimiter=",", skiprows=1).tolist() == [
        [k, k] for k in range(10)
    ]
