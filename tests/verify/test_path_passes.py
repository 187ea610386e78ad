"""The passes of Brandes's dependencies, each beside NetworkX."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphla.verify import path_passes
from graphla.verify.edge_passes import bfs_order_and_depths, scipy_pattern
from tests.graphs import to_networkx
from tests.strategies import graphs


@given(graphs(), st.data())
def test_edges_of_levels_lead_from_each_depth_to_the_next(G, data):
    source = data.draw(st.integers(0, G.n - 1))
    S = scipy_pattern(G)
    levels = path_passes.edges_of_levels(S, *bfs_order_and_depths(S, source))
    found = [sorted(zip(src.tolist(), dst.tolist(), strict=True)) for src, dst in levels]
    N = to_networkx(G)
    depth = nx.single_source_shortest_path_length(N, source)
    expected = [[] for _ in range(max(depth.values()) + 1)]
    for v, w in N.to_directed().edges:
        if v in depth and depth[w] == depth[v] + 1:
            expected[depth[v]].append((v, w))
    assert found == [sorted(edges) for edges in expected]


@given(graphs(), st.data())
def test_brandes_dependencies_are_those_of_networkx(G, data):
    sources = data.draw(st.lists(st.integers(0, G.n - 1), max_size=3, unique=True))
    scores, inner = path_passes.brandes_dependencies(G, sources)
    N = nx.Graph(to_networkx(G)) if G.kind == "undirected" else nx.DiGraph(to_networkx(G))
    expected = nx.betweenness_centrality_subset(N, sources, list(N)) if sources else {}
    twice = 2 if G.kind == "undirected" else 1  # NetworkX halves the scores of undirected graphs
    assert scores.tolist() == pytest.approx([twice * expected.get(v, 0) for v in range(G.n)])
    assert inner == pytest.approx(scores.sum())
