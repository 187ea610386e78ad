"""Closeness against NetworkX, by edges and by weights."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.errors import DomainMismatch, InvalidValue, NegativeWeight
from tests.every_graph import on_atlas, on_dtypes, on_edge_cases
from tests.graphs import (
    assert_vertex_values,
    edges,
    from_networkx,
    of_networkx,
    random_graph,
    to_networkx,
)
from tests.strategies import FEW, float_weights, graphs, small_weights


def check(G, wf_improved=True):
    found = gl.closeness_centrality(G, wf_improved=wf_improved)
    expected = of_networkx(nx.closeness_centrality, to_networkx(G), wf_improved=wf_improved)
    assert_vertex_values(found, expected, rtol=1e-14)


def check_weighted(G, wf_improved=True, rtol=1e-14, **options):
    found = gl.closeness_centrality_weighted(G, wf_improved=wf_improved, **options)
    expected = of_networkx(
        nx.closeness_centrality, to_networkx(G), distance="weight", wf_improved=wf_improved
    )
    assert_vertex_values(found, expected, rtol=rtol)


@on_edge_cases
def test_edge_cases(G):
    check(G)
    check_weighted(G)


test_a_tenth_of_the_atlas = on_atlas(check, step=10)


@given(graphs(max_n=15, max_m=40, weights=small_weights), st.booleans(), st.integers(1, 16))
@FEW
def test_random_graphs_and_batches(G, wf_improved, batch):
    check(G, wf_improved)
    check_weighted(G, wf_improved, batch=batch)


@given(graphs(max_n=12, max_m=40, weights=float_weights))
@FEW
def test_weights_of_floats(G):
    check_weighted(G, rtol=1e-6)


test_weights_of_every_dtype = on_dtypes(check_weighted, n=40, m=160)


@pytest.mark.parametrize("kind", ["directed", "undirected"])
def test_more_vertices_than_a_word_has_bits(kind):
    check(random_graph(150, 300, kind=kind, seed=1))
    check(random_graph(128, 1000, kind=kind, seed=2))


def test_long_paths():
    check(from_networkx(nx.path_graph(200)))


def test_refused():
    with pytest.raises(NegativeWeight, match="closeness_centrality_weighted"):
        gl.closeness_centrality_weighted(edges([0], [1], [-1], n=2))
    with pytest.raises(InvalidValue, match="NaN"):
        gl.closeness_centrality_weighted(edges([0], [1], [np.nan], n=2))
    with pytest.raises(InvalidValue, match="batch=0"):
        gl.closeness_centrality_weighted(random_graph(3, 3), batch=0)
    for function in (gl.closeness_centrality, gl.closeness_centrality_weighted):
        with pytest.raises(DomainMismatch, match=r"graphla\.Graph"):
            function(random_graph(3, 3).A)
