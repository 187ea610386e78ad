"""Results as columns of files."""

from __future__ import annotations

import graphla as gl
from graphla.io.results import result_columns, write_result
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
