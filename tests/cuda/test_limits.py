"""Sizes at which a kernel's types or buffers change: hubs, many rows at once, 2^31 positions."""

import graphblas as gb
import numpy as np
import pytest

from graphla.cuda import Vector, from_graphblas, to_graphblas
from graphla.errors import DomainMismatch, EngineMismatch


def product(A, B, op="plus_times"):
    ours = to_graphblas(from_graphblas(A).mxm(from_graphblas(B), op).new())
    return ours.isequal(A.mxm(B, op).new())


def test_many_rows_meet_one_hub():
    n = 3000
    rows, columns = np.r_[np.zeros(n, int), np.arange(1, n)], np.r_[np.arange(n), np.arange(1, n)]
    B = gb.Matrix.from_coo(rows, columns, 1.0, nrows=n, ncols=n)
    A = gb.Matrix.from_coo(np.arange(64), np.zeros(64, int), 1.0, nrows=64, ncols=n)
    assert product(A, B)


def test_positions_of_the_operand_need_64_bits_and_those_of_the_result_do_not():
    n = 1 << 25
    A = gb.Matrix.from_coo([0, 3, 63], [1, n - 1, n - 2], [1, 2, 3], nrows=64, ncols=n)
    B = gb.Matrix.from_coo([1, n - 1, n - 2], [2, 4, 6], [10, 20, 30], nrows=n, ncols=10)
    assert product(A, B)


@pytest.mark.parametrize("op", ["min_second", "max_second"])
@pytest.mark.parametrize("form", ["sparse", "bitmap"])
def test_nothing_but_nan_sums_to_nan(op, form):
    A = gb.Matrix.from_coo([0, 0, 1, 1], [0, 1, 1, 2], 1.0, nrows=3, ncols=3)
    v = gb.Vector.from_dense([np.nan, np.nan, 7.0])
    u = from_graphblas(v)
    u.store(form)
    ours, theirs = from_graphblas(A).mxv(u, op).new(), A.mxv(v, op).new()
    assert to_graphblas(ours).isclose(theirs) or np.array_equal(
        to_graphblas(ours).to_dense(fill_value=0), theirs.to_dense(fill_value=0), equal_nan=True
    )


@pytest.mark.parametrize(
    ("mask", "error"),
    [
        (lambda u: u, DomainMismatch),
        (lambda u: 3, DomainMismatch),
        (lambda u: gb.Vector.from_coo([0], [True], size=2).S, EngineMismatch),
    ],
)
def test_a_kept_plan_does_not_let_a_wrong_mask_pass(mask, error):
    u, w = Vector.from_dense(np.ones(2)), Vector("FP64", 2)
    e = u.apply("abs")
    w << e
    w.clear()
    with pytest.raises(error):
        w(mask=mask(u)) << e
    assert w.nvals == 0
