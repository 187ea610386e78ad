"""Transitivity against NetworkX."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given

import graphla as gl
from graphla.errors import DomainMismatch
from tests.every_graph import on_atlas, on_edge_cases
from tests.graphs import random_graph, to_networkx
from tests.strategies import graphs, small_weights


def check(G):
    found = gl.transitivity(G)
    assert type(found) is float
    assert found == pytest.approx(nx.transitivity(to_networkx(G)), rel=1e-15)


test_edge_cases = on_edge_cases(check)


test_a_fifth_of_the_atlas = on_atlas(check, step=5)


@given(graphs(max_n=14, max_m=70, weights=small_weights))
def test_random_graphs_with_loops(G):
    check(G)


def test_hundreds():
    check(random_graph(300, 3000))
    check(random_graph(300, 3000, kind="undirected"))


def test_a_matrix_is_refused():
    with pytest.raises(DomainMismatch, match=r"graphla\.Graph"):
        gl.transitivity(random_graph(3, 3).A)
