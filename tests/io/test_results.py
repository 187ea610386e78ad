"""Results as columns of files."""

from __future__ import annotations

import numpy as np
import pytest

import graphla as gl
from graphla.errors import InvalidValue
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
