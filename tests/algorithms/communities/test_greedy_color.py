"""Greedy colouring against NetworkX's, vertex by vertex, on either side of a word of colours."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given

import graphla as gl
from graphla.errors import SymmetricStructureRequired
from tests.every_graph import on_atlas, on_edge_cases
from tests.graphs import (
    assert_vertex_values,
    edges,
    from_networkx,
    of_networkx,
    random_graph,
    simple_networkx,
)
from tests.strategies import graphs, small_weights


def check(G):
    H = simple_networkx(G)
    color = gl.greedy_color(G)
    assert_vertex_values(color, of_networkx(nx.greedy_color, H), dtype="INT32")


test_edge_cases = on_edge_cases(check, kind="undirected")


test_a_fifth_of_the_atlas = on_atlas(check, step=5)


@given(graphs(kind="undirected", max_n=16, max_m=80, weights=small_weights))
def test_random_graphs_with_loops(G):
    check(G)


@pytest.mark.parametrize("n", [63, 64, 65, 130])
def test_words_of_colours(n):
    check(from_networkx(nx.complete_graph(n)))
    check(from_networkx(nx.disjoint_union(nx.star_graph(5), nx.complete_graph(n))))


def test_hundreds():
    check(random_graph(300, 20000, kind="undirected"))
    check(random_graph(500, 1500, kind="undirected"))


def test_a_directed_graph_is_refused():
    with pytest.raises(SymmetricStructureRequired, match="greedy_color"):
        gl.greedy_color(edges([0, 1, 2], [1, 2, 0], n=3))
