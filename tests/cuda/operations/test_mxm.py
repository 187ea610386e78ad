"""mxm in all its methods against python-graphblas, and the laws of a semiring."""

from __future__ import annotations

import graphblas as gb
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphla.cuda import from_graphblas, to_graphblas
from graphla.cuda.objects import matrix
from tests.cuda.object_pairs import same
from tests.cuda.operations.spmv.test_dispatch import SEMIRINGS, any_product
from tests.cuda.random_updates import (
    EXAMPLES,
    FLOATS,
    equivalent,
    make,
    maybe_transposed,
    objects,
    parametrize_cases,
    update,
)


@pytest.fixture(autouse=True)
def restore(monkeypatch):
    monkeypatch.setattr(matrix, "FLAT_ROWS", 64)


@parametrize_cases(SEMIRINGS)
@given(data=st.data())
@EXAMPLES
def test_product(case, data):
    """Transposed views, flat and in rows; `any` may return any of the valid values."""
    matrix.FLAT_ROWS = data.draw(st.sampled_from([0, 5, 64]), "FLAT_ROWS")
    size = st.integers(0, data.draw(st.sampled_from([3, 12, 24])))
    n, m, k = data.draw(size), data.draw(size), data.draw(size)
    if data.draw(st.booleans(), "square"):
        m = k = n
    op = getattr(gb.semiring, case.op)
    if data.draw(st.booleans(), "typed") and case.dtypes[0] == case.dtypes[1]:
        op = op[case.dtypes[0]]
    plain = any(t in FLOATS for t in (*case.dtypes, case.out))  # sums of huge floats round
    A = maybe_transposed(data, data.draw(objects((n, m), case.dtypes[0], plain)))
    B = maybe_transposed(data, data.draw(objects((m, k), case.dtypes[1], plain)))
    formula = data.draw(st.sampled_from([lambda A, B: A.mxm(B, op), lambda A, B: op(A @ B)]))
    if case.op.startswith("any_") and case.op != "any_pair":
        any_product(case, formula, A, B, data.draw(st.integers(0, 99)))
        return
    update(data, case, formula, [A, B], (n, k), check=equivalent(case), plain=plain)


@pytest.mark.parametrize("name", ["min_firsti", "min_secondi", "min_secondj1"])
def test_positions_of_a_flat_sparse_matrix(name):
    """A product along the rows of B gives the positions in B, not in its transpose."""
    op = getattr(gb.semiring.ss, name)
    A = gb.Matrix.from_coo([0, 2], [3, 1], [1, 1], nrows=3, ncols=5)
    B = gb.Matrix.from_coo([1, 3, 3], [6, 2, 7], [1, 1, 1], nrows=5, ncols=9)
    same(from_graphblas(A).mxm(from_graphblas(B), op).new(), A.mxm(B, op).new())


@pytest.mark.thorough
@given(data=st.data())
@EXAMPLES
def test_laws(data):
    """A (B + C) = A B + A C;  (A B)' = B' A';  (A B) D = A (B D), over integers that wrap."""
    matrix.FLAT_ROWS = data.draw(st.sampled_from([0, 64]))
    dtype = data.draw(st.sampled_from(["INT8", "UINT64"]))
    n, m, k, p = (data.draw(st.integers(0, 15)) for _ in range(4))
    A, B, C, D = (data.draw(objects(shape, dtype))[0] for shape in ((n, m), (m, k), (m, k), (k, p)))
    both = A.mxm(B.ewise_add(C, "plus").new(), "plus_times").new()
    each = A.mxm(B, "plus_times").new().ewise_add(A.mxm(C, "plus_times").new(), "plus").new()
    same(both, each)
    AB = A.mxm(B, "plus_times").new()
    same(AB.T.new(), B.T.mxm(A.T, "plus_times").new())
    for op in ("plus_times", "min_max", "max_min"):
        left = A.mxm(B, op).new().mxm(D, op).new()
        same(left, A.mxm(B.mxm(D, op).new(), op).new())


@given(data=st.data())
@EXAMPLES
def test_a_product_with_a_vector_is_one_with_a_column(data):
    n, m = data.draw(st.integers(1, 30)), data.draw(st.integers(1, 30))
    A, u = data.draw(objects((n, m), "INT32"))[0], data.draw(objects((m,), "INT32"))[0]
    column = matrix.Matrix("INT32", m, 1)
    column[:, 0] = u
    for op in ("plus_times", "min_plus", "any_pair"):
        same(A.mxm(column, op).new()[:, 0].new(), A.mxv(u, op).new())


@pytest.mark.thorough
@pytest.mark.parametrize("mask", [None, "S", "~S"])
@pytest.mark.parametrize("name", ["plus_times", "min_plus", "any_pair", "plus_pair"])
def test_hundreds(monkeypatch, name, mask):
    """More rows and entries than one table or warp takes."""
    shape, op = (600, 600), getattr(gb.semiring, name)
    A, B = make(1, shape, "INT32", density=0.02), make(2, shape, "INT32", density=0.02)
    M = make(3, shape, "BOOL", density=0.05)
    got, want = (
        a.mxm(b, op).new(mask=None if mask is None else m.S if mask == "S" else ~m.S)
        for a, b, m in zip(A, B, M, strict=True)
    )
    same(got, want)


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
