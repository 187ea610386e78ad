"""Conversions of cuGraph's documented tables, and what is refused; cuGraph itself does not run."""

from __future__ import annotations

import sys

import numpy as np
import pandas as pd
import pytest

import graphla as gl
from graphla.comparison.algorithms import ALGORITHMS
from graphla.comparison.peers.cugraph import IMPLEMENTATIONS
from tests.graphs import edges, random_graph

ENTRIES = {i.algorithm: i for i in IMPLEMENTATIONS}
G = random_graph(60, 90, kind="undirected", dtype="int32", seed=2)


def table(**columns):
    """Return a result with a row for each vertex, in any order."""
    frame = pd.DataFrame({"vertex": np.arange(G.n)} | columns)
    return frame.sample(frac=1, random_state=1)


def check(algorithm, start, result):
    a, entry = ALGORITHMS[algorithm], ENTRIES[algorithm]
    a.verify(a.view(G), start, entry.result(G, result))


def predecessors(parent, source):
    found = parent.to_dense(fill_value=-1)
    found[source] = -1
    return found


def test_searches():
    level, parent = gl.bfs(G, 3)
    unreached = np.iinfo(np.int32).max
    levels = level.to_dense(fill_value=unreached)
    assert unreached in levels
    check("bfs", 3, table(distance=levels, predecessor=predecessors(parent, 3)))
    distance, parent = gl.sssp(G, 3)
    unreached = np.finfo(np.float64).max
    distances = distance.to_dense(fill_value=unreached, dtype=float)
    check("sssp", 3, table(distance=distances, predecessor=predecessors(parent, 3)))


def test_components_of_any_label():
    label = gl.connected_components(G).to_dense()
    check("connected_components", None, table(labels=1000 - label))


def test_ranks_and_counts():
    check("pagerank", None, table(pagerank=gl.pagerank(G).rank.to_dense()))
    triangles = np.zeros(G.n, int)
    np.add.at(triangles, np.concatenate([v.to_dense() for v in gl.triangle_list(G)]), 1)
    check("triangle_count", None, table(counts=triangles))


def test_scores_of_unordered_pairs_are_doubled():
    scores = gl.betweenness_centrality(G, [0, 5]).to_dense()
    check("betweenness_centrality", [0, 5], table(betweenness_centrality=scores / 2))


def test_refusals():
    refuses = ENTRIES["sssp"].refuses
    assert refuses(G) is None
    assert refuses(G.astype("BOOL")) == "needs weights"
    assert "the smallest is -4" in refuses(edges([0], [1], [-4], n=2))


def test_all_need_the_library_and_the_device(monkeypatch):
    monkeypatch.setitem(sys.modules, "cudf", None)
    assert {(i.name, i.engine, i.library) for i in IMPLEMENTATIONS} == {
        ("cugraph", "cuda", "cugraph")
    }
    with pytest.raises(ImportError):
        ENTRIES["bfs"].prepare(G)
