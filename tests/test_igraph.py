"""The algorithms against igraph, a third oracle, on every graph of up to seven vertices."""

from __future__ import annotations

import igraph
import numpy as np
import pytest

import graphla as gl
from tests.graphs import atlas, random_graph


def smallest(membership):
    """Return the smallest vertex of each vertex's class."""
    first = {}
    for v, label in enumerate(membership):
        first.setdefault(label, v)
    return [first[label] for label in membership]


def check(G, twin):
    """Compare the results of both libraries on one graph."""
    directed = twin.is_directed()
    level = gl.bfs_levels(G, 0).to_dense(fill_value=-1)
    apart = [-1 if d == float("inf") else d for d in twin.distances(0, mode="out")[0]]
    np.testing.assert_array_equal(level, apart)
    weak = twin.connected_components(mode="weak").membership
    assert gl.connected_components(G).to_dense().tolist() == smallest(weak)
    strong = twin.connected_components(mode="strong").membership
    assert gl.strongly_connected_components(G).to_dense().tolist() == smallest(strong)
    between = np.array(twin.betweenness()) * (1 if directed else 2)  # ordered pairs
    ours = gl.betweenness_centrality(G, range(G.n)).to_dense()
    np.testing.assert_allclose(ours, between, atol=1e-9)
    ranks = gl.pagerank(G, tol=1e-12, max_iter=1000).rank.to_dense()
    np.testing.assert_allclose(ranks, twin.pagerank(implementation="prpack"), atol=1e-9)
    if not directed:
        assert gl.triangle_count(G) == len(twin.list_triangles())
        assert gl.minimum_spanning_forest(G).weight == twin.spanning_tree().ecount()


@pytest.mark.thorough
def test_atlas():
    for H, G in atlas()[1:]:
        check(G, igraph.Graph(G.n, list(H.edges())))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("kind", ["directed", "undirected"])
def test_random_graphs(kind, seed):
    G = random_graph(60, 150, kind=kind, seed=seed)
    rows, cols, _ = G.A.to_coo()
    ends = [(i, j) for i, j in zip(rows.tolist(), cols.tolist(), strict=True) if i != j]
    if kind == "undirected":
        ends = [(i, j) for i, j in ends if i < j]
    src, dst = np.array(ends).T
    check(
        gl.Graph.from_edges(src, dst, n=60, kind=kind),
        igraph.Graph(60, ends, directed=kind == "directed"),
    )
