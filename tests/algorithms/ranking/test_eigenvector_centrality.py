"""Eigenvector centrality against NetworkX's iteration."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

import graphla as gl
from graphla.errors import ConvergenceFailure, DomainMismatch, InvalidValue
from tests.every_graph import on_dtypes
from tests.graphs import edge_cases, edges, of_networkx, random_graph, to_networkx
from tests.strategies import FEW, graphs, small_weights


def check(G, tol=1e-6, max_iter=300):
    """The same iterates as NetworkX, which stops at the same one or gives up too."""
    H = to_networkx(G)
    options = {"tol": tol, "max_iter": max_iter}
    try:
        expected = of_networkx(nx.eigenvector_centrality, H, weight="weight", **options)
    except nx.PowerIterationFailedConvergence:
        with pytest.raises(ConvergenceFailure, match="eigenvector_centrality"):
            gl.eigenvector_centrality(G, **options)
        return
    r = gl.eigenvector_centrality(G, **options)
    assert r.score.dtype == "FP64"
    assert r.score.nvals == G.n
    assert r.residual < G.n * tol
    assert 1 <= r.iterations <= max_iter
    np.testing.assert_allclose(r.score.to_dense(), expected, rtol=1e-9, atol=1e-13)


@pytest.mark.parametrize("kind", ["directed", "undirected"])
@pytest.mark.parametrize("name", [k for k in edge_cases() if k != "empty"])
def test_edge_cases(name, kind):
    check(edge_cases(kind)[name])


def test_no_vertices():
    r = gl.eigenvector_centrality(edges([], [], n=0))
    assert (r.score.size, r.iterations, r.residual) == (0, 0, 0.0)


@given(graphs(max_n=15, max_m=60))
@FEW
def test_random_graphs(G):
    check(G)


@given(graphs(max_n=15, max_m=60, weights=small_weights))
@FEW
def test_weights_are_the_matrix(G):
    check(G)


test_weights_of_every_dtype = on_dtypes(check, n=60, m=400)


def test_weights_can_be_left_out():
    G = random_graph(60, 400, dtype="int32")
    expected = of_networkx(nx.eigenvector_centrality, to_networkx(G))
    found = gl.eigenvector_centrality(G.astype(bool)).score.to_dense()
    np.testing.assert_allclose(found, expected, rtol=1e-9)


def test_of_an_undirected_graph_it_is_the_eigenvector():
    G = random_graph(80, 900, kind="undirected", seed=2)
    dense = G.A.to_dense(fill_value=0).astype(float)
    vector = np.abs(np.linalg.eigh(dense)[1][:, -1])
    found = gl.eigenvector_centrality(G, tol=1e-13, max_iter=1000).score.to_dense()
    np.testing.assert_allclose(found, vector, atol=1e-9)


@pytest.mark.parametrize("bad", [{"tol": 0}, {"tol": np.nan}, {"max_iter": 0}], ids=str)
def test_values_outside_are_refused(bad):
    with pytest.raises(InvalidValue, match=next(iter(bad))):
        gl.eigenvector_centrality(random_graph(3, 3), **bad)


def test_other_types_and_nan_are_refused():
    with pytest.raises(DomainMismatch, match="max_iter"):
        gl.eigenvector_centrality(random_graph(3, 3), max_iter=2.5)
    with pytest.raises(InvalidValue, match="NaN"):
        gl.eigenvector_centrality(edges([0], [1], [np.nan], n=2))


def test_result_reads_well():
    r = gl.eigenvector_centrality(random_graph(5, 9))
    assert repr(r).startswith("Centrality(score=[FP64 5, 5 entries]")
    assert "<caption>Centrality</caption>" in r._repr_html_()


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_weights_of_any_scale(scale):
    G = edges([0, 1, 2, 2], [1, 2, 0, 3], [scale] * 4, n=4, kind="undirected")
    r = gl.eigenvector_centrality(G)
    assert r.score.to_dense() @ r.score.to_dense() == pytest.approx(1)


@pytest.mark.parametrize("weight", [np.inf, 1e308])
def test_weights_without_finite_sums_are_refused(weight):
    with pytest.raises(InvalidValue, match="eigenvector_centrality: sums of weights"):
        gl.eigenvector_centrality(edges([0, 1], [1, 2], [1.0, weight], n=3))


@given(graphs(max_n=10, max_m=40))
@FEW
def test_the_iterates_from_a_start_are_those_of_networkx(G):
    x = 1.0 + np.arange(G.n) % 3
    start = G.vector("FP64")
    start.build(range(G.n), x)
    options = {"tol": 1e-3, "max_iter": 300}
    H = to_networkx(G)
    given = dict(enumerate(x.tolist()))
    try:
        expected = of_networkx(nx.eigenvector_centrality, H, nstart=given, **options)
    except nx.PowerIterationFailedConvergence:
        return
    found = gl.eigenvector_centrality(G, start=start, **options).score
    np.testing.assert_allclose(found.to_dense(), expected, rtol=1e-9, atol=1e-13)


def test_a_start_of_sum_zero_is_refused():
    G = random_graph(3, 3)
    for values in ([1, -1], [0, 0]):
        start = G.vector("FP64")
        start.build([0, 1], values)
        with pytest.raises(InvalidValue, match="start: the sum of its values is 0"):
            gl.eigenvector_centrality(G, start=start)
    with pytest.raises(DomainMismatch, match="start must be a Vector"):
        gl.eigenvector_centrality(G, start=[1, 2, 3])
