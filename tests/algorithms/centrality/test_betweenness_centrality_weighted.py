"""Betweenness by weights, of vertices and edges, against NetworkX."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.errors import DomainMismatch, InvalidIndex, InvalidValue
from tests.algorithms.centrality.edge_scores import assert_edge_scores
from tests.every_graph import on_atlas
from tests.graphs import DTYPES, assert_vertex_values, edge_cases, edges, random_graph, to_networkx
from tests.strategies import FEW, graphs

FUNCTIONS = [gl.betweenness_centrality_weighted, gl.edge_betweenness_centrality_weighted]


def check(G, sources, **options):
    H = to_networkx(G).to_directed()
    arguments = (H, sources, list(H))
    by = {"normalized": False, "weight": "weight"}

    expected = nx.betweenness_centrality_subset(*arguments, **by)
    found = gl.betweenness_centrality_weighted(G, sources, **options)
    assert_vertex_values(found, [expected[v] for v in range(G.n)], rtol=1e-12)

    scores = nx.edge_betweenness_centrality_subset(*arguments, **by)
    assert_edge_scores(gl.edge_betweenness_centrality_weighted(G, sources, **options), scores)


@pytest.mark.parametrize("kind", ["directed", "undirected"])
@pytest.mark.parametrize("name", [k for k in edge_cases() if k != "zero weights"])
def test_edge_cases(name, kind):
    G = edge_cases(kind)[name]
    check(G, range(G.n), batch=3)


@on_atlas(step=10)
def test_a_tenth_of_the_atlas(G):
    check(G, range(G.n))


@given(graphs(max_n=14, max_m=50, weights=st.integers(1, 4)), st.data())
@FEW
def test_random_graphs_sources_and_batches(G, data):
    vertex = st.integers(0, G.n - 1)
    check(G, data.draw(st.sets(vertex, max_size=6)), batch=data.draw(st.integers(1, 7)))


@given(graphs(max_n=10, max_m=30, weights=st.sampled_from([0.5, 1.0, 1.5, 2.0])))
@FEW
def test_weights_of_floats(G):
    check(G, range(0, G.n, 2))


@pytest.mark.parametrize("dtype", DTYPES)
def test_weights_of_every_dtype(dtype):
    check(random_graph(40, 160, dtype=dtype, high=6), [3, 7, 11])


def test_hundreds():
    check(random_graph(300, 1500, kind="undirected", dtype="int8", high=4), [1, 2, 3, 100])


def test_without_weights_it_is_the_unweighted_one():
    G = random_graph(60, 200, seed=3)
    expected = gl.betweenness_centrality(G, range(9)).to_dense()
    found = gl.betweenness_centrality_weighted(G, range(9)).to_dense()
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


def test_a_source_given_twice_counts_twice():
    G = random_graph(30, 90, dtype="int32", seed=2)
    once, twice = (gl.betweenness_centrality_weighted(G, s).to_dense() for s in ([4], [4, 4]))
    assert once.any()
    np.testing.assert_allclose(twice, 2 * once, rtol=1e-14)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_refused(function):
    for weights in ([1, 0], [1.0, -2.0]):
        with pytest.raises(InvalidValue, match=f"{function.__name__} needs weights > 0"):
            function(edges([0, 1], [1, 2], weights, n=3), [0])
    with pytest.raises(InvalidValue, match="NaN"):
        function(edges([0], [1], [np.nan], n=2), [0])
    with pytest.raises(InvalidIndex, match="n=3"):
        function(random_graph(3, 3), [3])
    with pytest.raises(InvalidValue, match="batch=0"):
        function(random_graph(3, 3), [0], batch=0)
    with pytest.raises(DomainMismatch, match="sources"):
        function(random_graph(3, 3), None)
    with pytest.raises(DomainMismatch, match=r"graphla\.Graph"):
        function(random_graph(3, 3).A, [0])


def test_more_paths_than_fp64_counts_are_refused():
    joint = 3 * np.arange(1100)  # a chain of 1100 diamonds
    src = np.concatenate([joint, joint, joint + 1, joint + 2])
    dst = np.concatenate([joint + 1, joint + 2, joint + 3, joint + 3])
    with pytest.raises(InvalidValue, match=r"2\^1000"):
        gl.betweenness_centrality_weighted(edges(src, dst, n=3301), [0])


@pytest.mark.parametrize("function", FUNCTIONS)
def test_edges_that_rounding_makes_a_cycle_are_refused(function):
    G = edges([0, 1], [1, 2], [1e20, 1.0], n=3, kind="undirected")  # 1e20 + 1 is 1e20
    with pytest.raises(InvalidValue, match=f"{function.__name__}: distances are too large"):
        function(G, range(3))
