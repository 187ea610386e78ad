"""The loop of iterations for a fixed point, on one that is known."""

from __future__ import annotations

import graphblas as gb
import numpy as np
import pytest

from graphla.algorithms.ranking.fixed_point import (
    compute_l2_norm,
    fill_with_zeros,
    iterate_to_fixed_point,
    normalize_distribution,
    prepare_product,
)
from graphla.errors import ConvergenceFailure, InvalidValue
from tests.graphs import random_graph


def halving():
    x = gb.Vector.from_dense(np.array([8.0, -8.0]))
    return x, lambda: x << x.apply(gb.binary.truediv, right=2.0)


def test_stops_at_the_first_change_below_tol():
    x, step = halving()
    assert iterate_to_fixed_point("test", x, step, 1.5, 10, False) == (4, 1.0)
    assert x.to_dense().tolist() == [0.5, -0.5]


def test_not_converged_keeps_the_work():
    x, step = halving()
    with pytest.raises(ConvergenceFailure, match=r"test: .* is 1 after 4 of max_iter=4") as failure:
        iterate_to_fixed_point("test", x, step, 1.0, 4, False)
    assert (failure.value.iterations, failure.value.residual) == (4, 1.0)
    assert failure.value.result is x


def test_norm():
    assert compute_l2_norm(gb.Vector.from_dense(np.array([3.0, -4.0]))) == 5
    assert compute_l2_norm(gb.Vector.from_dense(np.zeros(2))) == 1


@pytest.mark.parametrize("dtype", [None, "int8", "float32"])
def test_weights(dtype):
    G = random_graph(9, 30, dtype=dtype, high=100)
    H, multiply = prepare_product(G)
    ones = gb.Vector.from_scalar(1.0, G.n)
    rows, _, values = G.A.to_coo()
    expected = np.bincount(rows, values if dtype else None, G.n)
    np.testing.assert_allclose(H.A.mxv(ones, multiply).new().to_dense(fill_value=0), expected)


def vector(G, entries):
    v = G.vector("FP32")
    v.build(list(entries), list(entries.values()))
    return v


def test_values_are_zero_where_there_is_none():
    G = random_graph(4, 4)
    found = fill_with_zeros(G, vector(G, {1: 2.5, 3: -1.0}), "start")
    assert found.dtype == "FP64"
    assert found.to_dense().tolist() == [0, 2.5, 0, -1]


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_values_that_are_not_finite_are_refused(bad):
    G = random_graph(4, 4)
    with pytest.raises(InvalidValue, match="start"):
        fill_with_zeros(G, vector(G, {0: bad}), "start")


def test_a_distribution_has_sum_one():
    G = random_graph(4, 4)
    assert normalize_distribution(G, None, "start").to_dense().tolist() == [0.25] * 4
    assert normalize_distribution(G, vector(G, {0: 3, 2: 1}), "start").to_dense().tolist() == [
        0.75,
        0,
        0.25,
        0,
    ]
    for entries in ({}, {0: 2.0, 1: -1.0}):
        with pytest.raises(InvalidValue, match="start must be >= 0"):
            normalize_distribution(G, vector(G, entries), "start")
