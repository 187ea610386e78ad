"""Labelled vertices: checks with names and rows, and columns of results."""

from __future__ import annotations

import numpy as np
import pytest

import graphla as gl
from graphla.errors import DimensionMismatch, InvalidValue
from graphla.interop.labels import (
    VERTICES as ALL,
)
from graphla.interop.labels import (
    check_columns,
    check_present,
    check_unique,
    columns_to_label,
    graph_from_codes,
)
from tests.graphs import edges

VERTICES = ("vertex", "src", "dst", "parent")


def test_checks():
    check_columns(["src", "dst"], "src", None)
    with pytest.raises(InvalidValue, match=r"no column 'w'; the columns are \['src'\]"):
        check_columns(["src"], "w")
    check_unique(3, 3)
    with pytest.raises(InvalidValue, match="3 labels, 2 distinct"):
        check_unique(3, 2)
    check_present(np.zeros(3, bool), "w")
    with pytest.raises(InvalidValue, match="row 2 of column 'w' has no value"):
        check_present(np.array([False, False, True, True]), "w")


def test_graphs_from_codes():
    codes = np.array([0, 2]), np.array([1, 0])
    G, labels = graph_from_codes(("a", "b"), codes, [5, 6], "xyz", kind="directed", dup=None)
    assert (G.n, G.A[2, 0].new().value, labels) == (3, 6, "xyz")
    with pytest.raises(InvalidValue, match="row 1 of column 'b' is missing or not among the 3"):
        graph_from_codes(
            ("a", "b"), (codes[0], np.array([1, -1])), None, "xyz", kind="directed", dup=None
        )


def test_columns_of_graphs_and_results():
    G = edges([0, 1], [1, 2], n=3, kind="undirected")
    columns, to_label = columns_to_label(G, None, VERTICES)
    assert (list(columns), to_label) == (["src", "dst"], ())
    columns, to_label = columns_to_label(G, "abc", VERTICES)
    assert to_label == ("src", "dst")
    assert [x.tolist() for x in columns.values()] == [[0, 1], [1, 2]]
    columns, to_label = columns_to_label(gl.bfs(G, 0), "abc", VERTICES)
    assert to_label == ("vertex", "parent")
    assert columns["level"].tolist() == [0, 1, 2]


def test_rows_of_several_sources_are_not_labelled():
    G = edges([0, 1, 2], [1, 2, 0], n=3)
    for sources in ([2, 1, 0], [2, 0], None):
        trees = gl.shortest_path_trees(G, sources)
        for result in (trees, trees.to_numpy()):
            columns, to_label = columns_to_label(result, "abc", ALL)
            assert to_label == ("column", "parent")
            assert columns["row"].max() == len(sources or "abc") - 1
    assert columns_to_label(gl.transitive_closure(G), "abc", ALL)[1] == ("row", "column")
    some = gl.all_pairs_shortest_paths(G, [2, 0])
    assert columns_to_label(some, "abc", ALL)[1] == ("column",)


def test_arrays_are_labelled_like_the_result_they_were_made_from():
    r = gl.bfs(edges([2, 1], [1, 0], n=4), 2)
    for result in (r, r.to_numpy()):
        frame = gl.interop.pandas.to_frame(result, list("abcd"))
        assert frame.vertex.tolist() == ["a", "b", "c"]
        assert frame.parent.tolist() == ["b", "c", "c"]
        assert frame.level.tolist() == [2, 1, 0]


def test_a_label_for_every_vertex():
    G = edges([0, 1], [1, 2], n=3)
    for labels in ("ab", "abcd"):
        with pytest.raises(DimensionMismatch, match=f"{len(labels)} labels for 3 vertices"):
            columns_to_label(G, labels, VERTICES)
    with pytest.raises(DimensionMismatch, match="2 labels for 3"):
        columns_to_label(gl.bfs(G, 0), "ab", VERTICES)
    assert columns_to_label(gl.bfs(G, 0), "abcd", VERTICES)[1] == ("vertex", "parent")
