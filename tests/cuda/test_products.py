"""mxv and vxm, by pull and by push, against python-graphblas."""

from __future__ import annotations

import graphblas as gb
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphla import cuda
from graphla.cuda import csr, matrix, sliced, slices, vector
from graphla.cuda.device import Device, device
from graphla.cuda.operations import products, pulls
from tests.cuda.both import MASKS, masked, same
from tests.cuda.drawn import (
    EXAMPLES,
    FLOATS,
    INTEGERS,
    REAL,
    SMALL,
    both_runs,
    equivalent,
    make,
    objects,
    turned,
    update,
)
from tests.cuda.lanes import Lanes
from tests.cuda.simulator import Simulator

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
    for name in ("MANY", "PATIENCE", "SHARE", "SKEW", "GAIN"):
        monkeypatch.setattr(sliced, name, getattr(sliced, name))
    for name in ("WIDEST", "PIECE", "WORKS", "STRETCH"):
        monkeypatch.setattr(slices, name, getattr(slices, name))
    monkeypatch.setattr(pulls, "HUB_BYTES", pulls.HUB_BYTES)
    monkeypatch.setattr(products, "FEW", products.FEW)


@both_runs(SEMIRINGS)
@given(data=st.data())
@EXAMPLES
def test_product(case, data):
    """In all spellings; where any value will do, one of the right ones."""
    matrix.FLAT_ROWS = data.draw(st.sampled_from([0, 64]), "FLAT_ROWS")
    products.FEW = data.draw(st.sampled_from([0.0, np.inf]), "whether claims are bits")
    by_slices = data.draw(st.booleans(), "slices")
    sliced.MANY, sliced.PATIENCE = (0, 1) if by_slices else (1 << 25, 8)
    sliced.SHARE, sliced.SKEW, sliced.GAIN = (
        0.0,
        0.0,
        data.draw(st.sampled_from([0.0, 9.0]), "GAIN"),
    )
    slices.WIDEST, slices.PIECE, slices.WORKS, slices.STRETCH = 3, 5, 5, 4
    pulls.HUB_BYTES = 16 if by_slices else 192 << 10
    size = st.integers(0, data.draw(st.sampled_from([4, 40])))
    n, m = data.draw(size), data.draw(size)
    op = getattr(gb.semiring, case.op)
    if data.draw(st.booleans(), "typed") and case.dtypes[0] == case.dtypes[1]:
        op = op[case.dtypes[0]]
    right = data.draw(st.booleans(), "A u")
    plain = any(t in FLOATS for t in (*case.dtypes, case.out))  # sums of huge floats round
    A = turned(data, data.draw(objects((n, m), case.dtypes[1 - right], plain)))
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


@pytest.fixture
def lanes(monkeypatch):
    """Put warps of 32 lanes in the place of the simulator's one thread."""
    if isinstance(device.now, Simulator):
        monkeypatch.setattr(device, "now", Lanes())


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
    monkeypatch.setattr(products, "FEW", few)
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


@pytest.fixture
def small(monkeypatch):
    """Let small matrices have several blocks of columns, pieces of rows and works."""
    sizes = (
        {"MANY": 1, "SHARE": 0.0, "SKEW": 0.0, "PATIENCE": 2, "STEP": 1},
        {"WIDEST": 40, "PIECE": 9, "WORKS": 5},
    )
    for module, values in zip((sliced, slices), sizes, strict=True):
        for name, value in values.items():
            monkeypatch.setattr(module, name, value)


def few_columns(n=90, m=200, dtype=np.int32, seed=8):
    """Return a matrix on both engines three columns of which have most entries."""
    rng = np.random.default_rng(seed)
    present = rng.random((n, m)) < 0.05
    present[:, [50, 120, 199]] = True
    present[::7] = False
    weights = rng.integers(-9, 9, (n, m)).astype(dtype)
    return [
        M.from_coo(*present.nonzero(), weights[present], nrows=n, ncols=m)
        for M in (matrix.Matrix, gb.Matrix)
    ]


def full(m, dtype, seed=9, extreme=()):
    """Return a full vector on both engines."""
    dense = np.random.default_rng(seed).integers(-9, 9, m).astype(dtype)
    dense[: len(extreme)] = extreme
    return [V.from_dense(dense) for V in (vector.Vector, gb.Vector)]


def forms(A):
    """Return the slices that a matrix has."""
    kept = A._store._sliced
    return [x for x in kept.found.values() if isinstance(x, sliced.Form)] if kept else []


@pytest.mark.parametrize("gain", [0.0, 99.0], ids=["renumbered", "in order"])
@pytest.mark.parametrize(
    "name", ["plus_times", "min_plus", "plus_second", "max_first", "times_max"]
)
def test_slices(small, monkeypatch, name, gain):
    """They are made for the second product; results stay what they are."""
    monkeypatch.setattr(sliced, "GAIN", gain)
    A, u = few_columns(), full(200, np.int32)
    op = getattr(gb.semiring, name)
    for _ in range(3):
        same(A[0].mxv(u[0], op).new(), A[1].mxv(u[1], op).new())
    by_slices = name in ("plus_times", "min_plus", "plus_second")
    assert bool(forms(A[0])) == by_slices
    if by_slices and not gain:
        assert sorted(forms(A[0])[0].columns.order[:3].tolist()) == [50, 120, 199]


EDGES = [np.nan, np.inf, -np.inf, -0.0]
WEIGHTS = ["INT8", "UINT8", "INT32", "UINT64", "FP32", "FP64"]


@pytest.mark.parametrize("of_u", ["BOOL", "INT16", "INT32", "INT64", "FP32", "FP64"])
@pytest.mark.parametrize("of_a", WEIGHTS)
@pytest.mark.parametrize("name", ["plus_times", "min_plus", "max_minus"])
def test_slices_of_every_dtype(small, name, of_a, of_u):
    """Weights, vectors and sums of different sizes; floats that no number follows."""
    A = few_columns(dtype=gb.dtypes.lookup_dtype(of_a).np_type)
    edges = EDGES if of_u.startswith("F") and name != "plus_times" else []
    u = full(200, gb.dtypes.lookup_dtype(of_u).np_type, extreme=edges)
    op = getattr(gb.semiring, name)
    for _ in range(2):
        same(A[0].mxv(u[0], op).new(), A[1].mxv(u[1], op).new())
    wide = A[1].mxv(u[1], op).new().dtype.np_type.itemsize >= 4
    assert bool(forms(A[0])) == wide


@pytest.mark.parametrize("kind", MASKS)
@pytest.mark.parametrize("name", ["plus_times", "min_second"])
def test_slices_write_as_rows_do(small, lanes, monkeypatch, kind, name):
    """Masks, accumulators and `replace`, in warps of 32 lanes; rows without entries keep C's."""
    monkeypatch.setattr(sliced, "PATIENCE", 1)
    A, u, op = few_columns(), full(200, np.int32), getattr(gb.semiring, name)
    mask = make(3, (90,), "INT32", "bitmap", 0.5)
    cases = ((None, False), (None, kind != "none"), (gb.binary.plus, False), (gb.binary.min, True))
    for accum, replace in cases:
        w = make(2, (90,), "FP64", "bitmap", 0.3)
        for C, B, x, M in zip(w, A, u, mask, strict=True):
            C(mask=masked(kind, M), accum=accum, replace=replace and kind != "none") << B.mxv(x, op)
        same(*w)
    assert forms(A[0])


@pytest.mark.parametrize(("n", "m"), [(700, 150), (60, 900)])
@pytest.mark.parametrize("kind", ["none", "~V"])
@pytest.mark.parametrize("name", ["plus_times", "max_second"])
def test_slices_number_rows_that_have_entries(small, lanes, monkeypatch, n, m, kind, name):
    """Most have none: they get none, and C keeps its own there; long rows come first."""
    for key, value in (("PATIENCE", 1), ("GAIN", 0.0)):
        monkeypatch.setattr(sliced, key, value)
    rng = np.random.default_rng(11)
    lengths = rng.choice([0, 0, 0, 0, 1, 2, 20, 140], n)
    columns = np.concatenate([rng.choice(m, k, replace=False) for k in lengths])
    arguments = np.repeat(np.arange(n), lengths), columns, rng.integers(1, 9, columns.size)
    A = [M.from_coo(*arguments, nrows=n, ncols=m) for M in (matrix.Matrix, gb.Matrix)]
    u, mask, op = (
        full(m, np.int64),
        make(3, (n,), "INT32", "bitmap", 0.5),
        getattr(gb.semiring, name),
    )
    for _ in range(2):
        w = make(2, (n,), "INT64", "bitmap", 0.3)
        for C, B, x, M in zip(w, A, u, mask, strict=True):
            C(mask=masked(kind, M), accum=gb.binary.minus) << B.mxv(x, op)
        same(*w)
    found = forms(A[0])[0]
    order, rank = (device.to_host(x) for x in (found.rows.order, found.rows.rank))
    assert found.rows.size == np.count_nonzero(lengths)
    assert lengths[order].tolist() == sorted(lengths[lengths > 0], reverse=True)
    assert rank[order].tolist() == list(range(order.size))
    assert (rank[lengths == 0] == -1).all()


@pytest.mark.parametrize("patience", [1, 99], ids=["slices", "rows"])
@pytest.mark.parametrize("kind", ["none", "S", "~V"])
@pytest.mark.parametrize("name", ["plus_times", "any_pair"])
def test_old_entries_are_read_and_written_in_place(small, monkeypatch, name, kind, patience):
    """The bits of a bitmap change word by word while those of later rows are still asked for."""
    monkeypatch.setattr(sliced, "PATIENCE", patience)
    A, u, op = few_columns(), full(200, np.int32), getattr(gb.semiring, name)
    mask = make(3, (90,), "INT32", "bitmap", 0.5)
    for accum, replace in ((None, False), (gb.binary.plus, False), (gb.binary.plus, True)):
        w = make(2, (90,), "INT32", "bitmap", 0.6)
        for C, B, x, M in zip(w, A, u, mask, strict=True):
            C(mask=masked(kind, M), accum=accum, replace=replace and kind != "none") << B.mxv(x, op)
        same(*w)


def test_slices_are_shared_and_given_back(small):
    """Those with values have the items of those without; memory that ends takes all of them."""
    A, u = few_columns()[0], full(200, np.int32)[0]
    for op in (gb.semiring.plus_second, gb.semiring.plus_times):
        for _ in range(2):
            A.mxv(u, op).new()
    bare, valued = forms(A)
    assert bare.slices is valued.slices
    assert bare.near is None
    assert valued.near.size == valued.slices.near.items.size
    cuda.clear_workspaces()
    assert not forms(A)


@pytest.mark.parametrize(
    "change", [{"MANY": 10**9}, {"SHARE": 1.1}, {"SKEW": 9.0}, {"PATIENCE": 9}], ids=str
)
def test_no_slices_where_they_do_not_pay(small, monkeypatch, change):
    for name, value in change.items():
        monkeypatch.setattr(sliced, name, value)
    A, u = few_columns(), full(200, np.int32)
    for _ in range(4):
        same(*(B.mxv(x, gb.semiring.plus_times).new() for B, x in zip(A, u, strict=True)))
    assert not forms(A[0])


def test_a_product_does_without_memory_for_slices(small):
    if isinstance(device.now, Device):
        pytest.skip("there is a device")
    n, m = 30, 4000
    columns = range(100, 100 + n)
    A = matrix.Matrix.from_coo(range(n), columns, np.ones(n, np.float32), nrows=n, ncols=m)
    u = vector.Vector.from_dense(np.arange(m, dtype=np.float32))
    device.now.limit = 4 * m - 1  # a rank for each column does not fit
    try:
        for _ in range(4):
            assert A.mxv(u, gb.semiring.plus_times).new().to_coo()[1].tolist() == list(columns)
    finally:
        device.now.limit = None
    assert not forms(A)


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
