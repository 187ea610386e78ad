"""Harmonic centrality against NetworkX, by edges and by weights, from some sources and all."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.errors import DomainMismatch, InvalidIndex, InvalidValue, NegativeWeight
from tests.every_graph import on_dtypes, on_edge_cases
from tests.graphs import assert_vertex_values, edges, of_networkx, random_graph, to_networkx
from tests.strategies import FEW, float_weights, graphs, small_weights


def check(G, sources=None):
    found = gl.harmonic_centrality(G, sources)
    expected = of_networkx(nx.harmonic_centrality, to_networkx(G), sources=sources)
    assert_vertex_values(found, expected, rtol=1e-13)


def check_weighted(G, sources=None, rtol=1e-13, **options):
    found = gl.harmonic_centrality_weighted(G, sources, **options)
    expected = of_networkx(
        nx.harmonic_centrality, to_networkx(G), distance="weight", sources=sources
    )
    assert_vertex_values(found, expected, rtol=rtol)


@on_edge_cases
def test_edge_cases(G):
    check(G)
    check_weighted(G)


@given(graphs(max_n=15, max_m=40, weights=small_weights), st.data())
@FEW
def test_random_graphs_sources_and_batches(G, data):
    sources = data.draw(st.sets(st.integers(0, G.n - 1)))
    check(G, sources)
    check_weighted(G, sources, batch=data.draw(st.integers(1, 16)))


@given(graphs(max_n=12, max_m=40, weights=float_weights))
@FEW
def test_weights_of_floats(G):
    if G.A.nvals == 0 or G.A.select(">", 0).new().nvals == G.A.nvals:
        check_weighted(G, rtol=1e-6)


test_weights_of_every_dtype = on_dtypes(check_weighted, n=40, m=160)


@pytest.mark.parametrize("kind", ["directed", "undirected"])
def test_more_vertices_than_a_word_has_bits(kind):
    check(random_graph(150, 300, kind=kind, seed=1))


def test_a_source_given_twice_counts_twice():
    G = random_graph(30, 60, seed=1)
    for function in (gl.harmonic_centrality, gl.harmonic_centrality_weighted):
        once, twice = (function(G, sources).to_dense() for sources in ([4], [4, 4]))
        np.testing.assert_allclose(twice, 2 * once)
        assert once.any()


def test_refused():
    for function in (gl.harmonic_centrality, gl.harmonic_centrality_weighted):
        with pytest.raises(InvalidIndex, match="n=3"):
            function(random_graph(3, 3), [3])
        with pytest.raises(DomainMismatch, match=r"graphla\.Graph"):
            function(random_graph(3, 3).A)
    with pytest.raises(NegativeWeight, match="harmonic_centrality_weighted"):
        gl.harmonic_centrality_weighted(edges([0], [1], [-1], n=2))
    with pytest.raises(InvalidValue, match="batch=0"):
        gl.harmonic_centrality_weighted(random_graph(3, 3), batch=0)
