"""Degree centralities against NetworkX."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given

import graphla as gl
from graphla.errors import DomainMismatch
from tests.every_graph import on_edge_cases
from tests.graphs import assert_vertex_values, of_networkx, random_graph, to_networkx
from tests.strategies import FEW, graphs, small_weights

NAMES = ["degree_centrality", "in_degree_centrality", "out_degree_centrality"]


def check(name, G):
    H = to_networkx(G)
    if name != "degree_centrality":
        H = H.to_directed()
    found = getattr(gl, name)(G)
    assert_vertex_values(found, of_networkx(getattr(nx, name), H), rtol=1e-14)


@pytest.mark.parametrize("name", NAMES)
@on_edge_cases
def test_edge_cases(name, G):
    check(name, G)


@pytest.mark.parametrize("name", NAMES)
@given(graphs(weights=small_weights))
@FEW
def test_random_graphs_with_loops(name, G):
    check(name, G)


@pytest.mark.parametrize("name", NAMES)
def test_a_matrix_is_refused(name):
    with pytest.raises(DomainMismatch, match=r"graphla\.Graph"):
        getattr(gl, name)(random_graph(3, 3).A)
