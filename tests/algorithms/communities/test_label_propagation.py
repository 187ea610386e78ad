"""Label propagation against NetworkX's semi-synchronous one: the same communities."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given

import graphla as gl
from graphla.errors import SymmetricStructureRequired
from tests.every_graph import on_atlas, on_edge_cases
from tests.graphs import edges, from_networkx, random_graph, simple_networkx
from tests.strategies import FEW, graphs, small_weights


def check(G):
    H = simple_networkx(G)
    label = gl.label_propagation(G)
    assert label.dtype == "INT32"
    assert label.nvals == G.n
    found = {}
    for v, x in enumerate(label.to_dense().tolist()):
        found.setdefault(x, set()).add(v)
    assert all(x == min(members) for x, members in found.items())
    expected = nx.community.label_propagation_communities(H)
    assert sorted(map(sorted, found.values())) == sorted(map(sorted, expected))


test_edge_cases = on_edge_cases(check, kind="undirected")


test_a_tenth_of_the_atlas = on_atlas(check, step=10)


@given(graphs(kind="undirected", max_n=16, max_m=50, weights=small_weights))
@FEW
def test_random_graphs_with_loops(G):
    check(G)


def test_hundreds():
    check(random_graph(300, 700, kind="undirected"))
    check(from_networkx(nx.connected_caveman_graph(12, 8)))


def test_a_directed_graph_is_refused():
    with pytest.raises(SymmetricStructureRequired, match="label_propagation"):
        gl.label_propagation(edges([0, 1, 2], [1, 2, 0], n=3))
