"""Edges by target have the order of NetworkX's predecessors."""

from __future__ import annotations

import pytest

from graphla.interop.networkx.convert import from_networkx
from tests.interop.networkx.answers import KINDS
from tests.interop.networkx.installed import nx


@pytest.mark.parametrize("kind", ["digraph", "multidi"])
def test_edges_by_target_have_the_order_of_networkx_predecessors(kind):
    G = KINDS[kind]([(3, 0), (1, 0), (2, 0), (1, 3), (0, 2)])
    H = from_networkx(G)
    assert H.nodes_of(H.src[H.edges_by_target]) == [u for v in G for u in G.pred[v]]
    turned = H.reversed()
    assert H.reversed() is turned
    found = zip(turned.nodes_of(turned.src), turned.nodes_of(turned.dst), strict=True)
    assert list(found) == [(v, u) for v in G for u in G.pred[v]]


def test_predecessors_of_a_graph_that_has_changed():
    G = nx.DiGraph([(3, 0), (1, 0), (0, 2)])
    H = from_networkx(G)
    G.add_edge(2, 0)
    assert H.nodes_of(H.src[H.edges_by_target]) == [3, 1, 0]
    H = from_networkx(G)
    G.remove_node(3)
    assert H.nodes_of(H.src[H.edges_by_target]) == [3, 1, 2, 0]
