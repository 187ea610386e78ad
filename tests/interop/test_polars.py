"""What only Polars has: categoricals, columns of nulls, and lists of bytes as labels."""

from __future__ import annotations

import pytest

import graphla as gl
from graphla.errors import DomainMismatch, InvalidValue

pl = pytest.importorskip("polars")


def test_categoricals_and_texts_are_compared_as_texts():
    frame = pl.DataFrame({"src": pl.Series(["b", "a"], dtype=pl.Categorical), "dst": ["a", "c"]})
    G, labels = gl.interop.polars.from_edges(frame)
    assert labels.to_list() == ["a", "b", "c"]
    assert [x.tolist() for x in G.A.to_coo()[:2]] == [[0, 1], [2, 0]]


def test_integers_of_different_width():
    frame = pl.DataFrame({"src": [3, 1], "dst": [1, 9]}, schema={"src": pl.Int8, "dst": pl.Int64})
    G, labels = gl.interop.polars.from_edges(frame)
    assert (labels.to_list(), G.nedges) == ([1, 3, 9], 2)


def test_a_column_of_nulls_is_missing():
    frame = pl.DataFrame(
        {"src": [None, None], "dst": ["a", "b"]}, schema_overrides={"src": pl.String}
    )
    with pytest.raises(InvalidValue, match="row 0 of column 'src'"):
        gl.interop.polars.from_edges(frame)


def test_weights_must_be_numbers():
    frame = pl.DataFrame({"src": ["a"], "dst": ["b"], "w": [[1]]})
    with pytest.raises(DomainMismatch):
        gl.interop.polars.from_edges(frame, weight="w")


def test_types_of_labels_that_differ():
    frame = pl.DataFrame({"src": [3], "dst": ["a"]})
    with pytest.raises(DomainMismatch, match="labels must have one type, not Int64 and String"):
        gl.interop.polars.from_edges(frame)
    numbers = pl.DataFrame({"src": [3], "dst": [1]}, schema={"src": pl.UInt64, "dst": pl.Int8})
    with pytest.raises(DomainMismatch, match="not Int8 and UInt64"):
        gl.interop.polars.from_edges(numbers)
    with pytest.raises(DomainMismatch, match="not Int8 and String"):
        gl.interop.polars.from_edges(numbers.select("dst", src="dst"), labels=["1"])
    narrow = numbers.select("dst", src="dst")
    assert gl.interop.polars.from_edges(narrow, labels=[2, 1]).labels.to_list() == [2, 1]


def test_text_labels_of_results_are_an_enum():
    labels = pl.Series(["x", "y", "z"])
    frame = gl.interop.polars.to_frame(gl.generate.path(3), labels)
    assert frame.schema["src"] == pl.Enum(labels)
    G, again = gl.interop.polars.from_edges(frame, labels=frame.schema["src"].categories)
    assert (G.nedges, again.to_list()) == (2, labels.to_list())
