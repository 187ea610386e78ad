"""Native PageRank against the algebra: ranks, iterations, failures, and its races."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.core import results
from graphla.errors import ConvergenceFailure, DomainMismatch, InvalidValue
from graphla.numba_support.blocks import equal_blocks
from tests.every_graph import on_atlas, on_dtypes, on_edge_cases
from tests.graphs import hubs_and_isolated, random_graph
from tests.native.threads import COUNTS, RUNS, compiled, threads
from tests.strategies import float_weights, graphs

NAMES = ["pagerank", "pagerank_gap"]


def call(function, G, **options):
    """Return the result, and whether it converged."""
    try:
        return function(G, **options), True
    except ConvergenceFailure as failure:
        return results.PageRank(failure.result, failure.iterations, failure.residual), False


def check(G, **options):
    for name in NAMES:
        own, converged = call(getattr(gl.native, name), G, dtype="FP64", **options)
        twin, expected = call(getattr(gl, name), G, dtype="FP64", **options)
        assert (own.iterations, converged) == (twin.iterations, expected)
        assert own.rank.dtype == "FP64"
        assert own.rank.nvals == G.n
        assert type(own.residual) is float
        assert type(own.iterations) is int
        np.testing.assert_allclose(own.rank.to_dense(), twin.rank.to_dense(), 1e-12)
        assert own.residual == pytest.approx(twin.residual, rel=1e-6, abs=1e-14)


def check_single(G, max_iter=20):
    """Compare ranks after equal iterations: rounding decides when the change reaches tol.

    Either may converge exactly earlier, at a change of 0; its ranks no longer change.
    """
    for name in NAMES:
        options = {"dtype": "FP32", "tol": 1e-30, "max_iter": max_iter}
        own, _ = call(getattr(gl.native, name), G, **options)
        twin, _ = call(getattr(gl, name), G, **options)
        assert own.rank.dtype == "FP32"
        np.testing.assert_allclose(own.rank.to_dense(), twin.rank.to_dense(), 4e-6)
        assert own.residual == pytest.approx(twin.residual, rel=1e-3, abs=1e-6)


@on_edge_cases
def test_edge_cases(G):
    check(G)


@pytest.mark.thorough
@on_edge_cases
def test_edge_cases_in_single_precision(G):
    check_single(G)


@on_atlas
def test_atlas(G):
    check(G)
    check_single(G)


@given(graphs(max_n=30, max_m=90), st.floats(0, 0.99), st.integers(1, 40))
def test_random_graphs(G, damping, max_iter):
    check(G, damping=damping, max_iter=max_iter)


@pytest.mark.thorough
@given(graphs(max_n=30, max_m=90), st.integers(1, 20))
def test_single_precision_of_random_graphs(G, max_iter):
    check_single(G, max_iter)


@given(graphs(max_n=15, max_m=40, weights=float_weights))
def test_weights_are_ignored_and_a_stored_zero_is_an_edge(G):
    check(G)


test_weights_of_every_dtype = on_dtypes(check, n=50, m=150)


@compiled
@pytest.mark.parametrize("kind", ["directed", "undirected"])
def test_long_rows_and_many_iterations(kind):
    """Rows with half of all vertices, and dangling vertices."""
    G = hubs_and_isolated(kind)
    check(G, tol=1e-6)
    check(G, tol=1e-13, max_iter=500)


@compiled
@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["directed", "undirected"])
def test_long_rows_in_single_precision(kind):
    G = hubs_and_isolated(kind)
    check_single(G)
    for name in NAMES:
        function = getattr(gl.native, name)
        assert function(G, dtype="FP32").iterations == function(G, dtype="FP64").iterations


@pytest.mark.thorough
@compiled
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("n", COUNTS)
def test_races(name, n):
    G = gl.generate.kronecker(12, seed=1)
    twin = getattr(gl, name)(G, dtype="FP64", tol=1e-9)
    with threads(n):
        for _ in range(RUNS):
            own = getattr(gl.native, name)(G, dtype="FP64", tol=1e-9)
            assert own.iterations == twin.iterations
            np.testing.assert_allclose(own.rank.to_dense(), twin.rank.to_dense(), 1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_not_converged_keeps_the_work(name):
    G = random_graph(50, 200)
    with pytest.raises(ConvergenceFailure, match=r"max_iter=3 .* tol=1e-12") as failure:
        getattr(gl.native, name)(G, tol=1e-12, max_iter=3)
    assert failure.value.iterations == 3
    assert failure.value.residual > 1e-12
    assert failure.value.result.nvals == G.n


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "bad",
    [{"damping": 1.0}, {"damping": -0.1}, {"tol": 0}, {"max_iter": 0}, {"dtype": "INT64"}],
    ids=str,
)
def test_values_outside_are_refused(name, bad):
    with pytest.raises(InvalidValue, match=next(iter(bad))):
        getattr(gl.native, name)(random_graph(3, 3), **bad)


def test_other_types_are_refused():
    with pytest.raises(DomainMismatch, match="max_iter"):
        gl.native.pagerank(random_graph(3, 3), max_iter=5.0)


@given(st.lists(st.integers(0, 50), max_size=60), st.integers(1, 20))
def test_blocks_cover_the_rows_once_and_evenly(lengths, k):
    indptr = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]).astype(np.int64)
    bounds = equal_blocks(indptr, k)
    assert (bounds[0], bounds[-1], bounds.size) == (0, len(lengths), k + 1)
    assert (np.diff(bounds) >= 0).all()
    work = np.diff((indptr + np.arange(indptr.size))[bounds])
    total = indptr[-1] + len(lengths)
    assert (work <= total // k + k + max(lengths, default=0) + 1).all()
