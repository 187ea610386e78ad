"""Katz centrality against NetworkX's iteration and the solution of its linear system."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.errors import ConvergenceFailure, DomainMismatch, InvalidValue
from tests.graphs import (
    DTYPES,
    assert_vertex_values,
    edge_cases,
    edges,
    of_networkx,
    random_graph,
    to_networkx,
    to_scipy,
)
from tests.strategies import FEW, graphs, small_weights


def check(G, **options):
    r = gl.katz_centrality(G, **options)
    expected = of_networkx(nx.katz_centrality, to_networkx(G), weight="weight", **options)
    assert_vertex_values(r.score, expected, rtol=1e-10, atol=1e-15)


@pytest.mark.parametrize("kind", ["directed", "undirected"])
@pytest.mark.parametrize("name", [k for k in edge_cases() if k != "empty"])
def test_edge_cases(name, kind):
    check(edge_cases(kind)[name], alpha=0.02)


def test_no_vertices():
    assert gl.katz_centrality(edges([], [], n=0)).score.size == 0


@given(graphs(max_n=15, max_m=60), st.floats(0, 0.02), st.floats(0.1, 3), st.booleans())
@FEW
def test_random_graphs(G, alpha, beta, normalized):
    check(G, alpha=alpha, beta=beta, normalized=normalized)


@given(graphs(max_n=12, max_m=40, weights=small_weights))
@FEW
def test_weights_are_the_matrix(G):
    check(G, alpha=0.001)


@pytest.mark.parametrize("dtype", DTYPES)
def test_weights_of_every_dtype(dtype):
    check(random_graph(50, 200, dtype=dtype), alpha=1e-5)


def test_it_solves_the_linear_system():
    G = random_graph(60, 300, seed=4)
    matrix = np.eye(G.n) - 0.05 * to_scipy(G).todense().T
    r = gl.katz_centrality(G, alpha=0.05, tol=1e-15, normalized=False)
    np.testing.assert_allclose(r.score.to_dense(), np.linalg.solve(matrix, np.ones(G.n)))


def test_too_large_an_alpha_does_not_converge():
    G = random_graph(20, 200, seed=1)
    with pytest.raises(ConvergenceFailure, match=r"katz_centrality.*max_iter=50") as failure:
        gl.katz_centrality(G, alpha=0.5, max_iter=50)
    assert failure.value.iterations == 50
    assert failure.value.result.nvals == G.n


def test_bad_arguments_are_refused():
    for bad in ({"tol": -1}, {"max_iter": 0}):
        with pytest.raises(InvalidValue, match=next(iter(bad))):
            gl.katz_centrality(random_graph(3, 3), **bad)
    for bad in ({"alpha": "0.1"}, {"beta": None}, {"max_iter": 2.0}):
        with pytest.raises(DomainMismatch, match=next(iter(bad))):
            gl.katz_centrality(random_graph(3, 3), **bad)
    with pytest.raises(InvalidValue, match="katz_centrality: a weight is NaN"):
        gl.katz_centrality(edges([0], [1], [np.nan], n=2))
    for bad in ({"alpha": np.nan}, {"beta": np.inf}):
        with pytest.raises(InvalidValue, match="is not finite"):
            gl.katz_centrality(random_graph(3, 3), **bad)


@pytest.mark.parametrize("beta", [1e-250, 1e250])
def test_the_norm_of_extreme_scores_neither_overflows_nor_vanishes(beta):
    G = random_graph(5, 9)
    wanted = gl.katz_centrality(G, tol=1e-14).score.to_dense()
    found = gl.katz_centrality(G, beta=beta, tol=beta * 1e-12).score.to_dense()
    np.testing.assert_allclose(found, wanted, rtol=1e-9)


def test_integers_beyond_floats_are_refused():
    for bad in ("alpha", "tol"):
        with pytest.raises(InvalidValue, match=f"{bad}=1000"):
            gl.katz_centrality(random_graph(3, 3), **{bad: 10**400})


@given(graphs(max_n=12, max_m=40), st.booleans())
@FEW
def test_beta_and_start_by_vertex(G, normalized):
    beta, start = G.vector("FP64"), G.vector("INT64")
    beta.build(range(0, G.n, 2), 1.0 + np.arange(0, G.n, 2))  # elsewhere 0
    start.build(range(G.n), np.arange(G.n) % 5)
    options = {"alpha": 0.02, "normalized": normalized}
    expected = of_networkx(
        nx.katz_centrality,
        to_networkx(G),
        weight=None,
        beta=dict(enumerate(beta.to_dense(fill_value=0.0).tolist())),
        nstart=dict(enumerate(start.to_dense().tolist())),
        **options,
    )
    found = gl.katz_centrality(G, beta=beta, start=start, **options).score
    np.testing.assert_allclose(found.to_dense(), expected, rtol=1e-10, atol=1e-15)
