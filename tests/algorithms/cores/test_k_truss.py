"""The k-truss against NetworkX, with the triangles of its edges."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.errors import DomainMismatch, InvalidValue, SymmetricStructureRequired
from tests.every_graph import on_atlas, on_edge_cases
from tests.graphs import edges, random_graph, simple_networkx
from tests.strategies import FEW, graphs, small_weights


def check(G, k):
    H = simple_networkx(G)
    truss = nx.k_truss(H, k)
    expected = {(u, v): len(truss[u].keys() & truss[v]) for u, v in truss.to_directed().edges()}
    found = gl.k_truss(G, k)
    assert found.dtype == "INT64"
    assert found.shape == (G.n, G.n)
    rows, cols, count = (x.tolist() for x in found.to_coo())
    assert dict(zip(zip(rows, cols, strict=True), count, strict=True)) == expected


@on_edge_cases(kind="undirected")
def test_edge_cases(G):
    for k in (1, 2, 3, 4, 7, 8):
        check(G, k)


@on_atlas(step=5)
def test_a_fifth_of_the_atlas(G):
    check(G, 3)
    check(G, 4)


@given(graphs(kind="undirected", max_n=14, max_m=80, weights=small_weights), st.integers(1, 8))
@FEW
def test_random_graphs_with_loops(G, k):
    check(G, k)


def test_hundreds():
    G = random_graph(150, 4000, kind="undirected")
    for k in (5, 20, 24, 30):
        check(G, k)


def test_a_directed_graph_is_refused():
    with pytest.raises(SymmetricStructureRequired, match="k_truss"):
        gl.k_truss(edges([0, 1, 2], [1, 2, 0], n=3), 3)


def test_bad_k_is_refused():
    with pytest.raises(InvalidValue, match="k=0"):
        gl.k_truss(random_graph(3, 3, kind="undirected"), 0)
    with pytest.raises(DomainMismatch, match="k"):
        gl.k_truss(random_graph(3, 3, kind="undirected"), 2.5)


def test_no_truss_of_any_k():
    assert gl.k_truss(random_graph(3, 3, kind="undirected"), 2**70).nvals == 0
