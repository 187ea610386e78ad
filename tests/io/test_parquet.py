"""Parquet files, also read and written by pandas."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import graphla as gl
from graphla.errors import InvalidValue, ReadError
from tests.graphs import random_graph
from tests.io.formats import edges_of


def test_pandas_reads_what_is_written(tmp_path):
    G = random_graph(20, 50, kind="undirected", dtype="int16")
    gl.write(tmp_path / "x.parquet", G)
    frame = pd.read_parquet(tmp_path / "x.parquet")
    assert len(frame) == G.nedges
    H = gl.Graph.from_edges(*frame.to_numpy().T, n=G.n, kind="undirected")
    assert (H.A.to_coo()[2] == G.A.to_coo()[2]).all()


def test_reads_what_pandas_writes(tmp_path):
    path = tmp_path / "x.parquet"
    frame = pd.DataFrame({"name": ["a", "b"], "dst": [1, 0], "src": [0, 1], "weight": [0.5, 2]})
    frame.to_parquet(path)
    G = gl.read(path)
    assert (G.n, G.kind, edges_of(G)) == (2, "directed", [(0, 1, 0.5), (1, 0, 2.0)])
    assert gl.read(path, n=9).n == 9
    with pytest.raises(ReadError, match="row 2: expected each edge once; 1 -- 0"):
        gl.read(path, kind="undirected", dup=None)
    assert gl.read(path, kind="undirected", dup="max").nedges == 1
    with pytest.raises(InvalidValue, match="n=-1"):
        gl.read(path, n=-1)


def test_several_row_groups_and_small_columns(tmp_path):
    path = tmp_path / "x.parquet"
    table = pa.table({"src": np.arange(9, dtype=np.uint8), "dst": np.zeros(9, np.uint64)})
    pq.write_table(table, path, row_group_size=2)
    assert gl.read(path).nedges == 9


@pytest.mark.parametrize(
    ("columns", "match"),
    [
        ({"src": [0]}, r"src= and dst= that name two of the columns \['src'\]"),
        ({"src": [0], "dst": [1], "a": [2], "b": [3]}, "weight= that names one of"),
        ({"node": [0], "source": [1], "a": [2]}, "src= and dst= that name two"),
        ({"src": [0, None], "dst": [1, 2]}, "no nulls; src has 1"),
        ({"src": [0, 1], "dst": [1.0, 2.0]}, "integers in src and dst; found float64"),
        (
            {"src": [0, 1], "dst": ["a", "b"]},
            "numbers in dst; found string; if vertices have labels",
        ),
        ({"src": [0, 1], "dst": [1, -2]}, "row 2: .*; found -2"),
        ({"src": [0, 1], "dst": [1, 2**60]}, "row 2: .*; found 1152921504606846976"),
        ({"src": [0, 1], "dst": [1, 2], "weight": ["x", "y"]}, "numbers in weight; found string"),
        ({"src": [0, 1], "dst": [1, 2], "weight": [True, False]}, "numbers in weight; found bool"),
        ({"src": [0, 1], "dst": [1, 2], "weight": [1.0, np.nan]}, "row 2: .* NaN weight"),
        ({"src": [0, 0], "dst": [1, 1]}, "row 2: .* 0 -> 1 .* occurs again"),
    ],
)
def test_tables_refused(columns, match, tmp_path):
    pq.write_table(pa.table(columns), tmp_path / "x.parquet")
    with pytest.raises(ReadError, match=match):
        gl.read(tmp_path / "x.parquet", dup=None)


def test_columns_by_name(tmp_path):
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"cost": [7.0], "a": [1], "b": [0]}), path)
    G = gl.read(path, src="b", dst="a", weight="cost")
    assert edges_of(G) == [(0, 1, 7.0)]
    assert not gl.read(path, src="b", dst="a").weighted
    for names, match in (
        ({"src": "b"}, "src= and dst= that name two of the columns"),
        ({"src": "b", "dst": "a", "weight": "w"}, "a column 'w'; found"),
        ({"src": "a", "dst": "a"}, "different columns as src, dst and weight; found"),
    ):
        with pytest.raises(ReadError, match=rf"{match} \['cost', 'a', 'b'\]"):
            gl.read(path, **names)


@pytest.mark.parametrize(
    ("names", "edge"),
    [
        (["from", "to", "weight"], (1, 2, 3)),
        (["Weight", "Target", "Source"], (3, 2, 1)),
        (["a", "b", "c"], (1, 2, 3)),
        (["a", "b"], (1, 2, True)),
        (["node", "source"], (2, 1, True)),
        (["dst", "src", "cost"], (2, 1, 3)),
        (["a", "b", "__index_level_0__"], (1, 2, True)),
    ],
)
def test_columns_are_found_as_in_tables_of_text(names, edge, tmp_path):
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({name: [k + 1] for k, name in enumerate(names)}), path)
    assert edges_of(gl.read(path)) == [edge]


def test_a_name_of_two_columns(tmp_path):
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table([[0], [1], [2], [3]], names=["a", "src", "dst", "a"]), path)
    assert edges_of(gl.read(path, src="src", dst="dst")) == [(1, 2, True)]
    pq.write_table(pa.table([[0], [1]], names=["a", "a"]), path)
    with pytest.raises(ReadError, match="one column 'a'; found"):
        gl.read(path)


def test_invalid_metadata_is_refused(tmp_path):
    path = tmp_path / "x.parquet"
    for said, match in ((b"graphla: kind=x", "kind=x"), (b"graphla: n=1", "row 1: .*0..0")):
        table = pa.table({"src": [0], "dst": [1]}).replace_schema_metadata({b"graphla": said})
        pq.write_table(table, path)
        with pytest.raises(ReadError, match=match):
            gl.read(path)
