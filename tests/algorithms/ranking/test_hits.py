"""Hubs and authorities against singular vectors, and against NetworkX."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

import graphla as gl
from graphla.errors import ConvergenceFailure, InvalidValue
from tests.every_graph import on_dtypes, on_edge_cases
from tests.graphs import assert_vertex_values, edges, random_graph, to_networkx, to_scipy
from tests.strategies import FEW, graphs, small_weights

TIGHT = {"tol": 1e-12, "max_iter": 20000}


def unique(G):
    """Whether the singular vectors are unique up to their sign."""
    values = np.linalg.svd(to_scipy(G).todense()).S
    return values[0] > 0 and (G.n == 1 or values[1] < 0.98 * values[0])


def check(G):
    left, _, right = np.linalg.svd(to_scipy(G).todense())
    r = gl.hits(G, **TIGHT)
    for found, vector in ((r.hubs, left[:, 0]), (r.authorities, right[0])):
        assert_vertex_values(found, vector / vector.sum(), atol=1e-7)
    assert r.residual < TIGHT["tol"]


@given(graphs(max_n=12, max_m=40).filter(unique))
@FEW
def test_random_graphs(G):
    check(G)


@given(graphs(max_n=12, max_m=40, weights=small_weights).filter(unique))
@FEW
def test_weights_are_the_matrix(G):
    check(G)


test_weights_of_every_dtype = on_dtypes(check, n=50, m=300)


@on_edge_cases
def test_edge_cases_have_sums_of_one_or_no_edges(G):
    r = gl.hits(G, tol=1e-3)
    for scores in (r.hubs, r.authorities):
        total = 1 if G.A.nvals and (not G.weighted or G.max_weight > 0) else 0
        assert scores.nvals == G.n
        assert scores.to_dense().sum() == pytest.approx(total)


def test_networkx_agrees():
    G = random_graph(300, 3000, dtype="int32", seed=3)
    hubs, authorities = nx.hits(to_networkx(G), tol=1e-12)
    r = gl.hits(G, **TIGHT)
    for found, expected in ((r.hubs, hubs), (r.authorities, authorities)):
        np.testing.assert_allclose(found.to_dense(), [expected[v] for v in range(G.n)], atol=1e-9)


def test_not_converged_keeps_the_work():
    G = random_graph(50, 200)
    with pytest.raises(ConvergenceFailure, match=r"hits.*max_iter=3") as failure:
        gl.hits(G, tol=1e-12, max_iter=3)
    assert failure.value.result.nvals == G.n


def test_bad_arguments_are_refused():
    for bad in ({"tol": 0}, {"max_iter": 0}):
        with pytest.raises(InvalidValue, match=next(iter(bad))):
            gl.hits(random_graph(3, 3), **bad)
    with pytest.raises(InvalidValue, match="hits: a weight is NaN"):
        gl.hits(edges([0], [1], [np.nan], n=2))


def test_result_reads_well():
    assert repr(gl.hits(random_graph(5, 9))).startswith("HITS(hubs=[FP64 5, 5 entries]")


@pytest.mark.parametrize("weight", [np.inf, 1e308])
def test_weights_without_finite_sums_are_refused(weight):
    with pytest.raises(InvalidValue, match="hits: sums of weights"):
        gl.hits(edges([0, 0], [1, 2], [weight, weight], n=3))


def test_a_start_near_the_end_takes_fewer_steps():
    G = random_graph(50, 300, seed=3)
    r = gl.hits(G)
    again = gl.hits(G, start=r.hubs)
    assert again.iterations < r.iterations
    np.testing.assert_allclose(again.hubs.to_dense(), r.hubs.to_dense(), atol=1e-7)
    with pytest.raises(InvalidValue, match="start must be >= 0"):
        gl.hits(G, start=r.hubs.apply("ainv").new())
