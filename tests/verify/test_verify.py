"""Correct results of every kind pass, and bad arguments are refused."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from graphla import verify
from graphla.errors import (
    DomainMismatch,
    InvalidIndex,
    InvalidValue,
    SymmetricStructureRequired,
)
from graphla.verify import edge_passes
from tests.graphs import DTYPES, atlas, edges, random_graph
from tests.oracles import (
    as_closure,
    as_forest,
    assert_rejected,
    bfs_of,
    cases,
    closure_of,
    components_of,
    digraph,
    forest_of,
    scores_of,
    sssp_of,
    triangles_of,
    vector,
)

pytestmark = pytest.mark.usefixtures("small_blocks")


def accept_everything(G, source):
    """Check every oracle's result on a graph with nonnegative weights."""
    n = G.n
    level, parent = bfs_of(G, source)
    verify.bfs(G, source, vector(level, n), vector(parent, n))
    verify.bfs(G, source, vector(level, n))
    verify.bfs(G, source, parent=vector(parent, n))
    distance, parent = sssp_of(G, source)
    verify.sssp(G, source, vector(distance, n))
    verify.sssp(G, source, vector(distance, n), vector(parent, n))
    verify.connected_components(G, vector(components_of(G), n))
    strong = components_of(G, nx.strongly_connected_components)
    verify.strongly_connected_components(G, vector(strong, n))
    verify.transitive_closure(G, as_closure(closure_of(G), n))
    rank = nx.pagerank(digraph(G), tol=1e-9, weight=None, max_iter=1000)
    verify.pagerank(G, vector(rank, n, np.float64), tol=1e-6)
    sources = sorted({source, n - 1})
    verify.betweenness_centrality(G, sources, vector(scores_of(G, sources), n, np.float64))
    if G.kind == "undirected":
        verify.minimum_spanning_forest(G, as_forest(*forest_of(G), n))
        verify.triangle_count(G, triangles_of(G))


@pytest.mark.parametrize("step", [25, pytest.param(1, marks=pytest.mark.thorough)])
def test_atlas(step):
    for _, G in atlas()[1::step]:
        accept_everything(G, 0)


@cases
def test_edge_cases(G):
    if G.n:
        accept_everything(G, 0)
        accept_everything(G, G.n - 1)


@pytest.mark.parametrize("kind", ["directed", "undirected"])
def test_blocks_of_any_size_hold_the_same_edges(kind, monkeypatch):
    G = random_graph(50, 300, kind=kind, dtype="int64")
    for size in (1, 77, 1 << 20):
        monkeypatch.setattr(edge_passes, "BLOCK", dict.fromkeys(edge_passes.BLOCK, size))
        columns = [
            np.concatenate(column) for column in zip(*edge_passes.edge_blocks(G), strict=True)
        ]
        for got, expected in zip(columns, G.A.to_coo(), strict=True):
            np.testing.assert_array_equal(got, expected)
        accept_everything(G, 3)


def test_no_vertices():
    G = edges([], [], n=0, kind="undirected")
    nothing = vector({}, 0)
    verify.connected_components(G, nothing)
    verify.strongly_connected_components(G, nothing)
    verify.transitive_closure(G, G.A)
    verify.pagerank(G, vector({}, 0, np.float64))
    verify.triangle_count(G, 0)
    verify.betweenness_centrality(G, [], vector({}, 0, np.float64))
    verify.minimum_spanning_forest(G, as_forest([], {}, 0))


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype(dtype):
    G = random_graph(40, 120, kind="undirected", dtype=dtype)
    distance, parent = sssp_of(G, 0)
    kind = dtype if dtype.startswith("float") else np.int64
    verify.sssp(G, 0, vector(distance, G.n, kind), vector(parent, G.n))
    verify.minimum_spanning_forest(G, as_forest(*forest_of(G), G.n))
    v = max(distance, key=distance.get)
    assert_rejected(verify.sssp, G, 0, vector({**distance, v: distance[v] + 1}, G.n, kind))


def test_bad_arguments():
    G = edges([0, 1], [1, 2], n=3)
    level = vector({0: 0, 1: 1, 2: 2}, 3)
    with pytest.raises(InvalidValue, match="level, parent or both"):
        verify.bfs(G, 0)
    with pytest.raises(InvalidIndex):
        verify.bfs(G, 3, level)
    with pytest.raises(DomainMismatch):
        verify.sssp(G, "0", level)
    with pytest.raises(InvalidIndex):
        verify.betweenness_centrality(G, [9], level)
    with pytest.raises(SymmetricStructureRequired):
        verify.minimum_spanning_forest(G, as_forest([], {}, 3))
    with pytest.raises(SymmetricStructureRequired):
        verify.triangle_count(G, 0)
    with pytest.raises(InvalidValue, match="NaN"):
        verify.sssp(edges([0], [1], [np.nan], n=2), 0, vector({0: 0}, 2))
