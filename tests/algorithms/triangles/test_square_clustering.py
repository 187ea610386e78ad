"""Square clustering against NetworkX, in batches of every size."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.errors import DomainMismatch, InvalidValue, SymmetricStructureRequired
from tests.every_graph import on_atlas, on_edge_cases
from tests.graphs import assert_vertex_values, edges, of_networkx, random_graph, to_networkx
from tests.strategies import graphs, small_weights


def check(G, **options):
    found = gl.square_clustering(G, **options)
    expected = of_networkx(nx.square_clustering, to_networkx(G))
    assert_vertex_values(found, expected, rtol=1e-14)


test_edge_cases = on_edge_cases(check, kind="undirected")


@on_atlas(step=5)
def test_a_fifth_of_the_atlas(G):
    check(G, batch=4)


@given(graphs(kind="undirected", max_n=14, max_m=70, weights=small_weights), st.integers(1, 15))
def test_random_graphs_with_loops_in_batches(G, batch):
    check(G, batch=batch)


def test_hundreds():
    check(random_graph(400, 3000, kind="undirected"))


def test_a_directed_graph_is_refused():
    with pytest.raises(SymmetricStructureRequired, match="square_clustering"):
        gl.square_clustering(edges([0, 1, 2], [1, 2, 0], n=3))


def test_a_batch_below_one_is_refused():
    with pytest.raises(InvalidValue, match="batch=0"):
        gl.square_clustering(random_graph(3, 3, kind="undirected"), batch=0)
    with pytest.raises(DomainMismatch, match="batch"):
        gl.square_clustering(random_graph(3, 3, kind="undirected"), batch=2.0)
