"""mxv and vxm, by pull and by push, against python-graphblas."""

from __future__ import annotations

import graphblas as gb
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphla.cuda.objects import matrix, vector
from graphla.cuda.operations.spmv import pull, spmspv
from graphla.cuda.runtime.device import device
from graphla.cuda.storage import csr, sliced_ell
from tests.cuda.pairs import masked, same
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
    for name in ("MAX_BLOCK_COLUMNS", "PIECE", "TASKS", "STRETCH"):
        monkeypatch.setattr(sliced_ell, name, getattr(sliced_ell, name))
    monkeypatch.setattr(pull, "HUB_BYTES", pull.HUB_BYTES)
    monkeypatch.setattr(spmspv, "BITMAP_EDGES", spmspv.BITMAP_EDGES)


@parametrize_cases(SEMIRINGS)
@given(data=st.data())
@EXAMPLES
def test_product(case, data):
    """In all spellings; where any value will do, one of the right ones."""
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
    """`any` is between `min` and `max`, and is where they are."""
    got = formula(A[0], u[0]).new()
    want = formula(A[1], u[1]).new()
    assert got.dtype == want.dtype
    same(got.apply(gb.unary.one).new(), want.apply(gb.unary.one).new())
    M = make(seed, got.shape, case.mask_dtype)
    for kind in ("S", "~V"):
        got, want = (formula(A[k], u[k]).new(mask=masked(kind, M[k])) for k in (0, 1))
        same(got.apply(gb.unary.one).new(), want.apply(gb.unary.one).new())


@pytest.mark.parametrize("form", ["bitmap", "full"])
@pytest.mark.parametrize("name", ["plus_times", "min_second"])
@pytest.mark.parametrize("length", [3, 20, 250])
def test_lanes_sum_a_row_together(lanes, monkeypatch, name, form, length):
    """As many of a warp as rows are long; those that are cut have their pieces added."""
    monkeypatch.setattr(csr, "LONG", 200)
    rng = np.random.default_rng(5)
    n, m = 100, 300
    lengths = rng.integers(0, length, n)
    columns = np.concatenate([rng.choice(m, k, replace=False) for k in lengths])
    arguments = np.repeat(np.arange(n), lengths), columns, rng.integers(-9, 9, columns.size)
    A = [M.from_coo(*arguments, nrows=n, ncols=m) for M in (matrix.Matrix, gb.Matrix)]
    u, op = make(1, (m,), "INT32", form, 1.0 if form == "full" else 0.3), getattr(gb.semiring, name)
    mask = make(3, (n,), "INT32", "bitmap", 0.5)
    same(A[0].mxv(u[0], op).new(), A[1].mxv(u[1], op).new())
    same(A[0].mxv(u[0], op).new(mask=~mask[0].S), A[1].mxv(u[1], op).new(mask=~mask[1].S))


ENTRY = ["any_secondi", "any_second", "lor_land", "any_pair", "land_second"]


@pytest.mark.parametrize("kind", ["none", "S", "~S", "~V"])
@pytest.mark.parametrize("name", ENTRY)
@pytest.mark.parametrize("density", [0.004, 0.1, 1.0])
def test_rows_of_each_length(lanes, name, kind, density):
    """A thread begins them and a warp ends the long ones; C has old entries."""
    rng = np.random.default_rng(7)
    n, m = 700, 300
    lengths = rng.choice([0, 1, 2, 3, 9, 40, 290], n)
    columns = np.concatenate([rng.choice(m, k, replace=False) for k in lengths])
    arguments = np.repeat(np.arange(n), lengths), columns, True
    A = [M.from_coo(*arguments, nrows=n, ncols=m) for M in (matrix.Matrix, gb.Matrix)]
    dtype = "BOOL" if name.startswith("l") else "INT32"
    u = make(1, (m,), dtype, "full" if density == 1 else "bitmap", density)
    mask = make(3, (n,), "INT32", "bitmap", 0.5)
    op = getattr(gb.semiring.ss if name.endswith("i") else gb.semiring, name)
    for accum, replace in ((None, False), (None, kind != "none"), (gb.binary.second, False)):
        w = make(2, (n,), dtype, "bitmap", 0.3)
        for C, B, x, M in zip(w, A, u, mask, strict=True):
            C(mask=masked(kind, M), accum=accum, replace=replace) << B.mxv(x, op)
        assert w[0].nvals == w[1].nvals
        if name in ("any_secondi", "any_second"):
            same(*(C.apply(gb.unary.one).new() for C in w))
        else:
            same(*w)
        if name != "any_secondi" or kind != "none" or accum:
            continue
        keys, values = map(device.to_host, w[0].to_coo())
        there = set(zip(*(x.tolist() for x in arguments[:2]), strict=True))
        assert there.issuperset(zip(keys.tolist(), values.tolist(), strict=True))


@pytest.mark.parametrize("few", [0.0, np.inf])
@pytest.mark.parametrize(
    ("name", "kind"), [("any_secondi", "~S"), ("any_pair", "V"), ("min_plus", "none")]
)
def test_pushed_rows_of_each_length(monkeypatch, lanes, name, kind, few):
    """A warp shares the short ones, all warps the long ones; targets are claimed in both ways."""
    monkeypatch.setattr(spmspv, "BITMAP_EDGES", few)
    rng = np.random.default_rng(9)
    n, m = 90, 300
    lengths = rng.choice([0, 1, 2, 9, 40, 127, 128, 129, 290], n)
    columns = np.concatenate([rng.choice(m, k, replace=False) for k in lengths])
    arguments = np.repeat(np.arange(n), lengths), columns, rng.integers(0, 9, columns.size)
    A = [M.from_coo(*arguments, nrows=n, ncols=m) for M in (matrix.Matrix, gb.Matrix)]
    u, mask = make(1, (n,), "INT64", "sparse", 0.2), make(3, (m,), "INT32", "bitmap", 0.5)
    op = getattr(gb.semiring.ss if name.endswith("i") else gb.semiring, name)
    w = []
    for B, x, M in zip(A, u, mask, strict=True):
        w.append(type(x)("INT64", m))
        w[-1](mask=masked(kind, M), replace=kind != "none") << x.vxm(B, op)
    assert w[0].nvals == w[1].nvals
    if name != "any_secondi":
        same(*w)
        return
    same(*(C.apply(gb.unary.one).new() for C in w))
    keys, values = map(device.to_host, w[0].to_coo())
    there = set(zip(*(x.tolist() for x in arguments[:2]), strict=True))
    pushed = set(device.to_host(u[0].to_coo()[0]).tolist())
    assert there.issuperset(zip(values.tolist(), keys.tolist(), strict=True))
    assert pushed.issuperset(values.tolist())


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


@pytest.mark.parametrize("form", ["bitmap", "full"])
@pytest.mark.parametrize("name", ["min_first", "plus_times", "max_firsti", "times_second"])
def test_a_map_needs_no_transpose(name, form):
    """One entry a row at most: sums into columns, many of which have none."""
    rng = np.random.default_rng(5)
    n, m = 500, 70
    rows = np.flatnonzero(rng.random(n) < 0.9)
    arguments = rows, rng.integers(0, m // 2, rows.size), rng.integers(0, 99, rows.size)
    A = [M.from_coo(*arguments, "INT32", nrows=n, ncols=m) for M in (matrix.Matrix, gb.Matrix)]
    u, w = make(1, (n,), "INT32", form, 0.5), make(2, (m,), "INT64", "bitmap", 0.5)
    if form == "full":
        u = [
            V.from_dense(np.arange(n, dtype=np.int32)[::-1].copy())
            for V in (vector.Vector, gb.Vector)
        ]
    op = getattr(gb.semiring.ss if name.endswith("i") else gb.semiring, name)
    got, want = (x.vxm(B, op).new() for x, B in zip(u, A, strict=True))
    same(got, want)
    same(A[0].T.mxv(u[0], op).new(), A[1].T.mxv(u[1], op).new())
    assert A[0]._store._transposed is None
    for B, x, C in zip(A, u, w, strict=True):
        C(~C.V, gb.binary.plus) << x.vxm(B, op)
    same(*w)
