"""Topological levels: longest paths to a sink, and what is left of a cyclic graph."""

from __future__ import annotations

import networkx as nx
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from graphla import Graph
from graphla.algorithms.traversal.topological_levels import topological_levels
from tests.every_graph import on_edge_cases
from tests.graphs import to_networkx
from tests.strategies import graphs


def levels(G):
    degree = G.out_degree.dup()
    found = [q.to_coo()[0].tolist() for q in topological_levels(G.AT, degree)]
    return found, degree.to_dense()


def longest_to_a_sink(H):
    height = dict.fromkeys(H, 0)
    for v in reversed(list(nx.topological_sort(H))):
        height[v] = max((1 + height[w] for w in H[v]), default=0)
    return height


def check(G):
    H = to_networkx(G)
    on_cycles = [c for c in nx.strongly_connected_components(H) if len(c) > 1] + [
        {v} for v in nx.nodes_with_selfloops(H)
    ]
    stuck = set().union(*on_cycles)
    for v in list(stuck):
        stuck |= nx.ancestors(H, v)
    found, degree = levels(G)
    assert set(np.flatnonzero(degree > 0)) == stuck
    height = longest_to_a_sink(H.subgraph(set(H) - stuck))
    expected = [[] for _ in range(max(height.values(), default=-1) + 1)]
    for v in sorted(height):
        expected[height[v]].append(v)
    assert found == expected


test_edge_cases = on_edge_cases(check, kind="directed")


@given(graphs(kind="directed"))
def test_random_graphs(G):
    check(G)


@given(st.sets(st.tuples(st.integers(0, 9), st.integers(0, 9)).filter(lambda e: e[0] < e[1])))
def test_acyclic_graphs(pairs):
    src, dst = zip(*pairs, strict=True) if pairs else ((), ())
    G = Graph.from_edges(np.array(src, int), np.array(dst, int), n=10)
    check(G)
    assert sum(map(len, levels(G)[0])) == 10


def test_a_vertex_of_degree_zero_counts_as_a_sink():
    G = Graph.from_edges([0, 1, 2, 3], [1, 2, 1, 0], n=4)  # 3 -> 0 -> 1 <-> 2
    degree = G.out_degree.dup()
    degree[1] = degree[2] = 0
    assert [q.to_coo()[0].tolist() for q in topological_levels(G.AT, degree)] == [[1, 2], [0], [3]]
    assert degree.nvals == 4
    assert (degree.to_dense() <= 0).all()
