"""mxm in all its methods against python-graphblas, and the laws of a semiring."""

from __future__ import annotations

from operator import attrgetter

import graphblas as gb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphla.cuda.objects import matrix
from tests.cuda.pairs import same
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
from tests.cuda.test_spmv import SEMIRINGS, any_product


@pytest.fixture(autouse=True)
def restore(monkeypatch):
    monkeypatch.setattr(matrix, "FLAT_ROWS", 64)


@parametrize_cases(SEMIRINGS)
@given(data=st.data())
@EXAMPLES
def test_product(case, data):
    """Transposed views, flat and in rows; where any value will do, one of the right ones."""
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


SCALES = ["plus_times", "min_plus", "max_first", "any_le", "plus_pair", "ss.any_secondi"]
SCALES += ["ss.min_firstj"]


@pytest.mark.parametrize("name", SCALES)
@given(data=st.data())
@EXAMPLES
def test_a_diagonal_matrix_scales(name, data):
    matrix.FLAT_ROWS = 0
    n, m = data.draw(st.integers(1, 30)), data.draw(st.integers(1, 30))
    A, d = (
        data.draw(objects((n, m), "FP32")),
        data.draw(st.sampled_from(["dense", "sparse", "iso"])),
    )
    op = attrgetter(name)(gb.semiring)
    rows, columns = (data.draw(objects((k,), "FP32")) for k in (n, m))
    got, want = [], []
    for side, found in ((0, got), (1, want)):
        D, E = (v[side].dup() for v in (rows, columns))
        for v in (D, E):
            if d == "iso":
                v << 2.5
            elif d == "dense":
                v(~v.S) << 2.5
        found += [D.diag().mxm(A[side], op).new(), A[side].mxm(E.diag(), op).new()]
        found.append(D.diag().mxm(D.diag(), op).new())
    for x, y in zip(got, want, strict=True):
        same(x, y)


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
