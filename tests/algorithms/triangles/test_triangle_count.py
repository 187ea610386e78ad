"""Triangles against NetworkX, with and without renumbering by degree."""

from __future__ import annotations

from math import comb

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

import graphla as gl
from graphla.algorithms.triangles import triangle_count as module
from graphla.errors import SymmetricStructureRequired
from tests.every_graph import on_atlas, on_edge_cases
from tests.graphs import DTYPES, edges, from_networkx, random_graph, to_networkx
from tests.strategies import graphs, signed_weights


def check(G):
    count = gl.triangle_count(G)
    assert type(count) is int
    assert count == sum(nx.triangles(to_networkx(G)).values()) // 3


@pytest.fixture(params=[0, 8, 10**9], ids=["always renumbered", "default", "never renumbered"])
def skewed(request, monkeypatch):
    monkeypatch.setattr(module, "SKEWED", request.param)


@on_edge_cases(kind="undirected")
def test_edge_cases(G, skewed):
    check(G)


@on_atlas
def test_atlas(G, skewed):
    check(G)


@given(graphs(kind="undirected", max_n=16, max_m=80))
def test_random_graphs_with_loops(G):
    check(G)


@given(graphs(kind="undirected", max_n=12, max_m=40, weights=signed_weights))
def test_weights_are_ignored_and_a_stored_zero_is_an_edge(G):
    check(G)


@pytest.mark.parametrize("dtype", DTYPES)
def test_weights_of_every_dtype(dtype, skewed):
    check(random_graph(40, 200, dtype=dtype, kind="undirected"))


@pytest.mark.parametrize("seed", range(3))
def test_skewed_degrees(seed, skewed):
    H = nx.barabasi_albert_graph(400, 5, seed=seed)
    G = from_networkx(H)
    assert G.max_out_degree * G.n > 5 * G.A.nvals
    check(G)


def test_a_complete_graph():
    n = 60
    assert gl.triangle_count(from_networkx(nx.complete_graph(n))) == comb(n, 3)


def test_a_directed_graph_that_is_symmetric_is_taken():
    src, dst = np.nonzero(~np.eye(5, dtype=bool))
    assert gl.triangle_count(edges(src, dst, n=5)) == 10


def test_a_directed_graph_is_refused():
    with pytest.raises(SymmetricStructureRequired, match="3 vertices"):
        gl.triangle_count(edges([0, 1, 2], [1, 2, 0], n=3))
