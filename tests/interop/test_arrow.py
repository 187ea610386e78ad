"""What only Arrow has: streams of other libraries, and Parquet files."""

from __future__ import annotations

import pytest

import graphla as gl
from graphla.errors import (
    DomainMismatch,
)


def test_arrow_accepts_objects_with_an_arrow_stream():
    pl, pa = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    frame = pl.DataFrame({"src": ["b", "a"], "dst": ["a", "c"]})
    G, labels = gl.interop.arrow.from_edges(frame)
    assert (G.nedges, labels.to_pylist()) == (2, ["a", "b", "c"])
    with pytest.raises(DomainMismatch, match="list is not an Arrow table"):
        gl.interop.arrow.from_edges([1])
    with pytest.raises(DomainMismatch, match="one type, not int64 and large_string"):
        gl.interop.arrow.from_edges(pa.table({"src": ["a"], "dst": [1]}))


def test_labels_survive_a_parquet_file(tmp_path):
    pq = pytest.importorskip("pyarrow.parquet")
    G = gl.Graph.from_edges([0, 2], [2, 0], [1.5, 2.5], n=4)
    pq.write_table(gl.interop.arrow.to_table(G, ["d", "c", "b", "a"]), tmp_path / "g.parquet")
    H, labels = gl.interop.arrow.from_edges(pq.read_table(tmp_path / "g.parquet"), weight="weight")
    assert labels.to_pylist() == ["d", "c", "b", "a"]
    assert H.A.isequal(G.A)
