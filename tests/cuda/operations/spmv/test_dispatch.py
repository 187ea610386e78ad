"""mxv and vxm in all spellings, forms and semirings, against python-graphblas."""

from __future__ import annotations

import graphblas as gb
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphla.cuda import from_graphblas, to_graphblas
from graphla.cuda.objects import matrix
from graphla.cuda.operations.spmv import pull, spmspv
from graphla.cuda.storage import sliced_ell
from tests.cuda.object_pairs import masked, same
from tests.cuda.random_updates import (
    EXAMPLES,
    FLOATS,
    INTEGERS,
    REAL,
    SMALL,
    equivalent,
    make,
    maybe_transposed,
    objects,
    parametrize_cases,
    update,
)

SEMIRINGS = [
    ("plus_times", REAL), ("min_plus", REAL), "any_pair", ("lor_land", ["BOOL"]),
    ("plus_pair", REAL), ("plus_second", REAL), ("min_first", REAL), ("max_second", REAL),
    ("min_secondi", SMALL), ("max_firstj", SMALL), ("plus_first", REAL), ("max_times", REAL),
    ("times_plus", INTEGERS), ("any_secondi", SMALL), ("any_first", SMALL),
    ("bor_band", ["UINT16", "UINT64"]),
    ("land_eq", ["BOOL"]), ("lxor_land", ["BOOL"]), ("plus_minus", REAL), ("plus_iseq", REAL),
]  # fmt: skip


@pytest.fixture(autouse=True)
def restore(monkeypatch):
    monkeypatch.setattr(matrix, "FLAT_ROWS", 64)
    for name in ("MIN_ENTRIES", "BREAK_EVEN", "MIN_SHARE", "MIN_SKEW", "RELABEL_GAIN"):
        monkeypatch.setattr(sliced_ell, name, getattr(sliced_ell, name))
    for name in ("MAX_BLOCK_COLUMNS", "PIECE", "TASKS", "STRETCH", "PART"):
        monkeypatch.setattr(sliced_ell, name, getattr(sliced_ell, name))
    monkeypatch.setattr(pull, "HUB_BYTES", pull.HUB_BYTES)
    monkeypatch.setattr(spmspv, "BITMAP_EDGES", spmspv.BITMAP_EDGES)


@parametrize_cases(SEMIRINGS)
@given(data=st.data())
@EXAMPLES
def test_product(case, data):
    """In all spellings; `any` may return any of the valid values."""
    matrix.FLAT_ROWS = data.draw(st.sampled_from([0, 64]), "FLAT_ROWS")
    spmspv.BITMAP_EDGES = data.draw(st.sampled_from([0.0, np.inf]), "whether claims are bits")
    by_slices = data.draw(st.booleans(), "slices")
    sliced_ell.MIN_ENTRIES, sliced_ell.BREAK_EVEN = (0, 1) if by_slices else (1 << 25, 8)
    sliced_ell.MIN_SHARE, sliced_ell.MIN_SKEW, sliced_ell.RELABEL_GAIN = (
        0.0,
        0.0,
        data.draw(st.sampled_from([0.0, 9.0]), "RELABEL_GAIN"),
    )
    sliced_ell.MAX_BLOCK_COLUMNS, sliced_ell.PIECE, sliced_ell.TASKS, sliced_ell.STRETCH = (
        3,
        5,
        5,
        4,
    )
    sliced_ell.PART = data.draw(st.sampled_from([1 << 28, 9]), "PART")
    pull.HUB_BYTES = 16 if by_slices else 192 << 10
    size = st.integers(0, data.draw(st.sampled_from([4, 40])))
    n, m = data.draw(size), data.draw(size)
    op = getattr(gb.semiring, case.op)
    if data.draw(st.booleans(), "typed") and case.dtypes[0] == case.dtypes[1]:
        op = op[case.dtypes[0]]
    right = data.draw(st.booleans(), "A u")
    plain = any(t in FLOATS for t in (*case.dtypes, case.out))  # sums of huge floats round
    A = maybe_transposed(data, data.draw(objects((n, m), case.dtypes[1 - right], plain)))
    u = data.draw(objects((m if right else n,), case.dtypes[right], plain))
    spellings = [lambda A, u: A.mxv(u, op), lambda A, u: op(A @ u)]
    if not right:
        spellings = [lambda A, u: u.vxm(A, op), lambda A, u: op(u @ A)]
    if data.draw(st.booleans(), "transposed"):
        spellings = [lambda A, u: u.vxm(A.T, op) if right else A.T.mxv(u, op)]
    formula = data.draw(st.sampled_from(spellings))
    if case.op.startswith("any_") and case.op != "any_pair":
        any_product(case, formula, A, u, data.draw(st.integers(0, 99)))
        return
    update(data, case, formula, [A, u], (n if right else m,), check=equivalent(case), plain=plain)


def any_product(case, formula, A, u, seed):
    """`any` has the structure of `min` and `max`, and a value between theirs."""
    got = formula(A[0], u[0]).new()
    want = formula(A[1], u[1]).new()
    assert got.dtype == want.dtype
    same(got.apply(gb.unary.one).new(), want.apply(gb.unary.one).new())
    M = make(seed, got.shape, case.mask_dtype)
    for kind in ("S", "~V"):
        got, want = (formula(A[k], u[k]).new(mask=masked(kind, M[k])) for k in (0, 1))
        same(got.apply(gb.unary.one).new(), want.apply(gb.unary.one).new())


@pytest.mark.parametrize("density", [0.002, 0.5])
@pytest.mark.parametrize("name", ["plus_times", "min_plus", "any_pair", "min_secondi"])
def test_thousands(name, density):
    """Rows beyond what a warp, a piece and a block take at once; a full, a bitmap and a list."""
    rng = np.random.default_rng(3)
    n, m = 3000, 5000
    k = 60_000
    rows, columns = rng.integers(0, n, k), rng.integers(0, m, k)
    rows[: k // 4] = 7  # one long row
    keys = np.unique(rows * m + columns)
    weights = rng.integers(-9, 9, keys.size).astype(np.int32)
    A = [
        M.from_coo(keys // m, keys % m, weights, nrows=n, ncols=m)
        for M in (matrix.Matrix, gb.Matrix)
    ]
    op = getattr(gb.semiring, name)
    for form in ("sparse", "bitmap"):
        u = make(1, (m,), "INT32", form, density)
        v = make(2, (n,), "INT32", form, density)
        mask = make(3, (n,), "INT32", form, 0.5)
        same(A[0].mxv(u[0], op).new(), A[1].mxv(u[1], op).new())
        same(A[0].T.mxv(v[0], op).new(), A[1].T.mxv(v[1], op).new())
        same(v[0].vxm(A[0], op).new(), v[1].vxm(A[1], op).new())
        got = A[0].mxv(u[0], op).new(mask=~mask[0].V)
        same(got, A[1].mxv(u[1], op).new(mask=~mask[1].V))


@pytest.mark.thorough
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
