"""Clustering coefficients against NetworkX, with and without renumbering by degree."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

import graphla as gl
from graphla.algorithms.triangles import triangle_count
from graphla.errors import DomainMismatch, InvalidValue, SymmetricStructureRequired
from tests.every_graph import on_atlas, on_edge_cases
from tests.graphs import (
    DTYPES,
    assert_vertex_values,
    edges,
    from_networkx,
    of_networkx,
    random_graph,
    to_networkx,
)
from tests.strategies import FEW, float_weights, graphs, small_weights


def check(G):
    H = to_networkx(G)
    found = gl.clustering_coefficient(G)
    assert_vertex_values(found, of_networkx(nx.clustering, H), rtol=1e-14)
    if G.kind == "undirected":
        count = gl.triangles(G)
        assert count.dtype == "INT64"
        np.testing.assert_array_equal(count.to_dense(), of_networkx(nx.triangles, H))


def check_weighted(G):
    expected = of_networkx(nx.clustering, to_networkx(G), weight="weight")
    found = gl.clustering_coefficient_weighted(G)
    assert found.nvals == G.n
    np.testing.assert_allclose(found.to_dense(), expected, rtol=1e-10, atol=1e-12)


@pytest.fixture(params=[0, 8, 10**9], ids=["always renumbered", "default", "never renumbered"])
def skewed(request, monkeypatch):
    monkeypatch.setattr(triangle_count, "SKEWED", request.param)


@on_edge_cases
def test_edge_cases(G, skewed):
    check(G)


@on_atlas(step=5)
def test_a_fifth_of_the_atlas(G, skewed):
    check(G)


@given(graphs(max_n=14, max_m=70))
@FEW
def test_random_graphs_with_loops(G):
    check(G)


@given(graphs(max_n=12, max_m=50, weights=small_weights))
@FEW
def test_stored_zeros_are_edges(G):
    check(G)


def positive(G):
    return not G.A.nvals or G.max_weight > 1e-30


@given(graphs(max_n=12, max_m=50, weights=small_weights).filter(positive))
@FEW
def test_weighted(G):
    check_weighted(G)


@given(graphs(max_n=12, max_m=50, weights=float_weights).filter(positive))
@FEW
def test_weighted_by_floats(G):
    check_weighted(G)


@given(graphs(max_n=12, max_m=50))
@FEW
def test_an_unweighted_graph_has_weights_of_one(G):
    check_weighted(G)


@pytest.mark.parametrize("dtype", DTYPES)
def test_weights_of_every_dtype(dtype):
    G = random_graph(40, 200, dtype=dtype)
    check(G)
    check_weighted(G)


@pytest.mark.parametrize("seed", range(2))
def test_skewed_degrees(seed, skewed):
    check(from_networkx(nx.barabasi_albert_graph(300, 5, seed=seed)))


def test_triangles_of_a_directed_graph_are_refused():
    with pytest.raises(SymmetricStructureRequired, match="triangles"):
        gl.triangles(edges([0, 1, 2], [1, 2, 0], n=3))


@pytest.mark.parametrize(
    "weights", [[0, 0], [-1, -2], [1.0, np.inf], [1.0, -np.inf], [1.0, np.nan]], ids=str
)
def test_weights_without_a_scale_are_refused(weights):
    with pytest.raises(InvalidValue, match="clustering_coefficient_weighted"):
        gl.clustering_coefficient_weighted(edges([0, 1], [1, 2], weights, n=3))


def test_a_matrix_is_refused():
    with pytest.raises(DomainMismatch, match=r"graphla\.Graph"):
        gl.clustering_coefficient(random_graph(3, 3).A)
