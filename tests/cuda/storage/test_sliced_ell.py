"""Products of a matrix and a full vector by slices of its columns, against python-graphblas."""

from __future__ import annotations

import graphblas as gb
import numpy as np
import pytest

from graphla import cuda
from graphla.cuda.objects import matrix, vector
from graphla.cuda.runtime.device import Device, device
from graphla.cuda.storage import sliced_ell
from tests.cuda.object_pairs import MASKS, masked, same
from tests.cuda.random_updates import (
    make,
)


@pytest.fixture(autouse=True)
def restore(monkeypatch):
    monkeypatch.setattr(matrix, "FLAT_ROWS", 64)


@pytest.fixture
def small(monkeypatch):
    """Let small matrices have several blocks of columns, pieces of rows and works."""
    sizes = (
        {"MIN_ENTRIES": 1, "MIN_SHARE": 0.0, "MIN_SKEW": 0.0, "BREAK_EVEN": 2, "COUNT_STEP": 1},
        {"MAX_BLOCK_COLUMNS": 40, "PIECE": 9, "TASKS": 5},
    )
    for module, values in zip((sliced_ell, sliced_ell), sizes, strict=True):
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
    return [x for x in kept.forms.values() if isinstance(x, sliced_ell.SlicedForm)] if kept else []


@pytest.mark.parametrize("gain", [0.0, 99.0], ids=["renumbered", "in order"])
@pytest.mark.parametrize(
    "name", ["plus_times", "min_plus", "plus_second", "max_first", "times_max"]
)
def test_slices(small, monkeypatch, name, gain):
    """Slices are built at the second product; the results are unchanged."""
    monkeypatch.setattr(sliced_ell, "RELABEL_GAIN", gain)
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


@pytest.mark.thorough
@pytest.mark.parametrize("kind", MASKS)
@pytest.mark.parametrize("name", ["plus_times", "min_second"])
def test_slices_write_as_rows_do(small, warps, monkeypatch, kind, name):
    """Masks, accumulators and `replace`, by warps of 32 lanes; empty rows keep C's entries."""
    monkeypatch.setattr(sliced_ell, "BREAK_EVEN", 1)
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
def test_slices_number_rows_that_have_entries(small, warps, monkeypatch, n, m, kind, name):
    """Empty rows, the majority, get no number and keep C's entries; long rows come first."""
    for key, value in (("BREAK_EVEN", 1), ("RELABEL_GAIN", 0.0)):
        monkeypatch.setattr(sliced_ell, key, value)
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


@pytest.mark.parametrize("break_even", [1, 99], ids=["slices", "rows"])
@pytest.mark.parametrize("kind", ["none", "S", "~V"])
@pytest.mark.parametrize("name", ["plus_times", "any_pair"])
def test_old_entries_are_read_and_written_in_place(small, monkeypatch, name, kind, break_even):
    """Words of the bitmap are overwritten while the bits of later rows are still to be read."""
    monkeypatch.setattr(sliced_ell, "BREAK_EVEN", break_even)
    A, u, op = few_columns(), full(200, np.int32), getattr(gb.semiring, name)
    mask = make(3, (90,), "INT32", "bitmap", 0.5)
    for accum, replace in ((None, False), (gb.binary.plus, False), (gb.binary.plus, True)):
        w = make(2, (90,), "INT32", "bitmap", 0.6)
        for C, B, x, M in zip(w, A, u, mask, strict=True):
            C(mask=masked(kind, M), accum=accum, replace=replace and kind != "none") << B.mxv(x, op)
        same(*w)


def test_slices_are_shared_and_given_back(small):
    """Slices with values share the items of those without; on out-of-memory all are released."""
    A, u = few_columns()[0], full(200, np.int32)[0]
    for op in (gb.semiring.plus_second, gb.semiring.plus_times):
        for _ in range(2):
            A.mxv(u, op).new()
    bare, valued = forms(A)
    assert bare.slices is valued.slices
    assert bare.near_values is None
    assert valued.near_values.size == valued.slices.near.items.size
    cuda.clear_workspaces()
    assert not forms(A)


@pytest.mark.parametrize(
    "change",
    [{"MIN_ENTRIES": 10**9}, {"MIN_SHARE": 1.1}, {"MIN_SKEW": 9.0}, {"BREAK_EVEN": 9}],
    ids=str,
)
def test_no_slices_where_they_do_not_pay(small, monkeypatch, change):
    for name, value in change.items():
        monkeypatch.setattr(sliced_ell, name, value)
    A, u = few_columns(), full(200, np.int32)
    for _ in range(4):
        same(*(B.mxv(x, gb.semiring.plus_times).new() for B, x in zip(A, u, strict=True)))
    assert not forms(A[0])


def test_a_product_does_without_memory_for_slices(small):
    if isinstance(device.active, Device):
        pytest.skip("tests the simulator, which a GPU replaces")
    n, m = 30, 4000
    columns = range(100, 100 + n)
    A = matrix.Matrix.from_coo(range(n), columns, np.ones(n, np.float32), nrows=n, ncols=m)
    u = vector.Vector.from_dense(np.arange(m, dtype=np.float32))
    device.active.limit = 4 * m - 1  # a rank for each column does not fit
    try:
        for _ in range(4):
            assert A.mxv(u, gb.semiring.plus_times).new().to_coo()[1].tolist() == list(columns)
    finally:
        device.active.limit = None
    assert not forms(A)
