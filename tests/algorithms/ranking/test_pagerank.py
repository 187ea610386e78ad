"""PageRank against the solution of its linear system, and against NetworkX."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.errors import ConvergenceFailure, DomainMismatch, InvalidValue
from tests.every_graph import on_atlas, on_dtypes
from tests.graphs import edge_cases, edges, random_graph, to_networkx
from tests.strategies import float_weights, graphs

TIGHT = {"tol": 1e-12, "max_iter": 2000}


def solved(G, damping=0.85, refill=True):
    """Solve r = (1 - d)/n + d P'r, where P has uniform rows at dangling vertices (or none)."""
    step = np.zeros((G.n, G.n))
    rows, cols, _ = G.A.to_coo()
    step[rows, cols] = 1.0
    degree = step.sum(axis=1, keepdims=True)
    step /= np.maximum(degree, 1)
    if refill:
        step[degree[:, 0] == 0] = 1 / G.n
    return np.linalg.solve(np.eye(G.n) - damping * step.T, np.full(G.n, (1 - damping) / G.n))


def check(G, damping=0.85):
    for function, refill in ((gl.pagerank, True), (gl.pagerank_gap, False)):
        r = function(G, damping=damping, dtype="FP64", **TIGHT)
        np.testing.assert_allclose(r.rank.to_dense(), solved(G, damping, refill), atol=3e-11)
        assert r.residual < TIGHT["tol"]
        assert r.rank.nvals == G.n
        assert r.rank.dtype == "FP64"
        assert type(r.residual) is float
        assert not refill or r.rank.to_dense().sum() == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("kind", ["directed", "undirected"])
@pytest.mark.parametrize("name", [k for k in edge_cases() if k != "empty"])
def test_edge_cases(name, kind):
    check(edge_cases(kind)[name])


@pytest.mark.parametrize("function", [gl.pagerank, gl.pagerank_gap])
def test_no_vertices(function):
    r = function(edges([], [], n=0))
    assert (r.rank.size, r.iterations, r.residual) == (0, 0, 0.0)


test_a_tenth_of_the_atlas = on_atlas(check, step=10, empty=False)


test_atlas = on_atlas(check, empty=False)


@given(graphs(max_n=20, max_m=60), st.floats(0, 0.95))
def test_random_graphs(G, damping):
    check(G, damping)


@given(graphs(max_n=15, max_m=40, weights=float_weights))
def test_weights_are_ignored_and_a_stored_zero_is_an_edge(G):
    check(G)


@given(graphs(max_n=20, max_m=60))
def test_networkx_agrees(G):
    expected = nx.pagerank(to_networkx(G), weight=None, tol=1e-12, max_iter=1000)
    rank = gl.pagerank(G, **TIGHT).rank.to_dense()
    np.testing.assert_allclose(rank, [expected[v] for v in range(G.n)], atol=1e-10)


test_weights_of_every_dtype = on_dtypes(check, n=50, m=150)


@pytest.mark.parametrize("function", [gl.pagerank, gl.pagerank_gap])
def test_single_precision(function):
    G = random_graph(3000, 20000, seed=3)
    single, double = function(G, dtype="FP32"), function(G, dtype="FP64")
    assert single.rank.dtype == "FP32"
    assert single.iterations == double.iterations
    np.testing.assert_allclose(single.rank.to_dense(), double.rank.to_dense(), rtol=1e-4)


def test_the_gap_variant_loses_what_the_full_one_keeps():
    G = edges([0, 1], [1, 2], n=3)
    assert gl.pagerank_gap(G).rank.dtype == "FP32"
    assert gl.pagerank_gap(G).rank.to_dense().sum() < 0.3
    assert gl.pagerank(G).rank.to_dense().sum() == pytest.approx(1)


def test_stops_at_the_first_change_below_tol():
    G = random_graph(200, 900, seed=5)
    r = gl.pagerank(G, tol=1e-6)
    with pytest.raises(ConvergenceFailure) as before:
        gl.pagerank(G, tol=1e-6, max_iter=r.iterations - 1)
    assert before.value.residual >= 1e-6 > r.residual


@pytest.mark.parametrize("function", [gl.pagerank, gl.pagerank_gap])
def test_not_converged_keeps_the_work(function):
    G = random_graph(50, 200)
    with pytest.raises(ConvergenceFailure, match=r"max_iter=3 .* tol=1e-12") as failure:
        function(G, tol=1e-12, max_iter=3)
    assert failure.value.iterations == 3
    assert failure.value.residual > 1e-12
    assert failure.value.result.nvals == G.n
    assert isinstance(failure.value, RuntimeError)


@pytest.mark.parametrize("function", [gl.pagerank, gl.pagerank_gap])
@pytest.mark.parametrize(
    "bad",
    [
        {"damping": 1.0},
        {"damping": -0.1},
        {"damping": float("nan")},
        {"tol": 0},
        {"tol": -1e-4},
        {"tol": float("inf")},
        {"max_iter": 0},
        {"dtype": "INT64"},
        {"dtype": None},
    ],
    ids=str,
)
def test_values_outside_are_refused(function, bad):
    with pytest.raises(InvalidValue, match=next(iter(bad))):
        function(random_graph(3, 3), **bad)


@pytest.mark.parametrize("bad", [{"damping": "0.85"}, {"tol": None}, {"max_iter": 5.0}], ids=str)
def test_other_types_are_refused(bad):
    with pytest.raises(DomainMismatch, match=next(iter(bad))):
        gl.pagerank(random_graph(3, 3), **bad)


def test_result_reads_well():
    assert repr(gl.pagerank(random_graph(5, 9))).startswith("PageRank(rank=[FP64 5, 5 entries]")
