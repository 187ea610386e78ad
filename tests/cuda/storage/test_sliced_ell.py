"""Products of a matrix and a full vector by slices of its columns, against python-graphblas."""

from __future__ import annotations

import graphblas as gb
import numpy as np
import pytest

from graphla import cuda
from graphla.cuda.objects import matrix, vector
from graphla.cuda.runtime.device import Device, device
from graphla.cuda.storage import csr, sliced_ell
from tests.cuda import failed_allocations
from tests.cuda.object_pairs import MASKS, masked, same
from tests.cuda.random_updates import make
from tests.cuda.simulator import Simulator


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


# ---- the form in parts


def long_and_empty_rows(n=120, m=300, longest=250, seed=4):
    """Return a matrix on both engines; many rows are empty, one is longer than a part."""
    rng = np.random.default_rng(seed)
    lengths = rng.choice([0, 0, 1, 3, 30], n)
    lengths[[0, n - 1]], lengths[n // 2] = 0, longest
    share = 1 / np.arange(1, m + 1)  # the first columns have most entries
    columns = [rng.choice(m, k, replace=False, p=share / share.sum()) for k in lengths]
    columns = rng.permutation(m)[np.concatenate(columns)]
    arguments = np.repeat(np.arange(n), lengths), columns, rng.integers(1, 9, columns.size)
    return [M.from_coo(*arguments, nrows=n, ncols=m) for M in (matrix.Matrix, gb.Matrix)]


def entries(form):
    """Return (row, column) of each item of a form, sorted; check that tasks cover the slices."""
    found = []
    near, far, tasks, columns = (
        *(tuple(map(device.to_host, x)) for x in form.slices[:2]),
        device.to_host(form.slices.tasks),
        form.slices.columns,
    )
    blocks = tasks[:, 0].tolist()
    assert blocks == sorted(blocks, key=lambda block: (block < 0, block))
    for (offsets, rows, items), padding, mine in (
        (near, columns, tasks[tasks[:, 0] >= 0]),
        (far, form.columns.size, tasks[tasks[:, 0] < 0]),
    ):
        assert mine[:, 1].tolist() == [0, *mine[:-1, 2]][: len(mine)]
        assert (mine[-1, 2] if len(mine) else 0) == offsets.size - 1
        for block, first, last in mine:
            for s in range(first, last):
                part = items[offsets[s] : offsets[s + 1]].astype(np.int64)
                width = part.size // 32
                fours = width // 4 * 128
                by_lane = np.hstack(
                    [
                        part[:fours].reshape(-1, 32, 4).transpose(1, 0, 2).reshape(32, -1),
                        part[fours:].reshape(-1, 32).T,
                    ]
                )
                lanes, _ = np.nonzero(by_lane != padding)
                row = rows[32 * s + lanes]
                column = by_lane[by_lane != padding] + max(block, 0) * columns
                found.append(np.column_stack([row, column]))
    pairs = np.concatenate(found)
    return pairs[np.lexsort(pairs.T[::-1])].tolist()


@pytest.mark.parametrize("gain", [0.0, 99.0], ids=["renumbered", "in order"])
@pytest.mark.parametrize("part", [1, 64, 500])
@pytest.mark.parametrize("name", ["plus_times", "min_second"])
def test_parts(small, warps, monkeypatch, name, part, gain):
    """Parts of one row or of several make the form that one part makes, and the same product."""
    monkeypatch.setattr(sliced_ell, "RELABEL_GAIN", gain)
    u, op, forms_made = full(300, np.int64), getattr(gb.semiring, name), []
    for size in (part, 1 << 28):
        monkeypatch.setattr(sliced_ell, "PART", size)
        A = long_and_empty_rows()
        for _ in range(2):
            same(A[0].mxv(u[0], op).new(), A[1].mxv(u[1], op).new())
        forms_made.append(forms(A[0])[0])
    in_parts, whole = forms_made
    assert entries(in_parts) == entries(whole)
    assert (in_parts.near_values is None) == (name == "min_second")
    blocks = -(-in_parts.columns.size // in_parts.slices.columns)
    most = 2 * (sliced_ell.TASKS * device.multiprocessors + blocks + 1)
    assert len(in_parts.slices.tasks) <= most


def test_bounds_of_parts(monkeypatch):
    """A part ends with the row that completes PART entries and rows, or earlier by less than it."""
    lengths = [0, 3, 50, 0, 0, 2, 2, 2, 2, 9]
    offsets = device.xp.asarray(np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32))
    for part, rows in (
        (1, list(range(11))),
        (10, [0, 3, 6, 9, 10]),
        (1000, [0, 10]),
    ):
        monkeypatch.setattr(sliced_ell, "PART", part)
        found = sliced_ell._bounds_of_parts(offsets, 70)
        assert found == [(row, sum(lengths[:row])) for row in rows]
    nothing = device.xp.zeros(1, np.int32)
    assert sliced_ell._bounds_of_parts(nothing, 0) == [(0, 0), (0, 0)]


def crowded(n=4000, m=500, nvals=160_000):
    """Return a matrix with many entries in a row, most in few columns."""
    rng = np.random.default_rng(6)
    columns = rng.permutation(m)[(m * rng.random(2 * nvals) ** 3).astype(int)]
    keys = np.unique(rng.integers(0, n, columns.size) * m + columns)[:nvals]
    return matrix.Matrix.from_coo(keys // m, keys % m, 1, dtype="INT32", nrows=n, ncols=m)


@pytest.mark.parametrize("gain", [0.0, 99.0], ids=["renumbered", "in order"])
def test_memory_of_parts(small, monkeypatch, gain):
    """No array but those of the form grows with the entries, and all fit into the estimate."""
    if not isinstance(device.active, Simulator):
        pytest.skip("counts the arrays of the simulator")
    for name, value in {
        "RELABEL_GAIN": gain,
        "SAMPLE": 500,
        "PART": 20_000,
        "MAX_BLOCK_COLUMNS": 256,
        "PIECE": 128,
    }.items():
        monkeypatch.setattr(sliced_ell, name, value)
    monkeypatch.setattr(csr, "SAMPLE", 500)
    with failed_allocations.counting() as allocations:
        A = crowded()._csr()
        before, sizes, used, see = allocations.used, [], [], allocations.see

        def record(array):
            see(array)
            sizes.append(array.nbytes)
            used.append(allocations.used)

        def sort(array, **options):
            _second_buffer = array.copy()  # as on a GPU
            np.ndarray.sort(array, **options)

        def join(*args):
            before_joins.append(allocations.used)
            return made(*args)

        before_joins, made = [], sliced_ell._join
        monkeypatch.setattr(sliced_ell, "_join", join)
        monkeypatch.setattr(failed_allocations.CountedArray, "sort", sort)
        monkeypatch.setattr(allocations, "see", record)
        form = sliced_ell._make(A, {}, 256, valued=False)
        slices = form.slices
        kept = sum(x.nbytes for part in slices[:2] for x in part)
        assert kept < sliced_ell.FORM_BYTES * A.nvals
        assert max(sizes) == slices.near.items.nbytes < 3 * A.nvals
        near_joined, far_joined = before_joins
        assert far_joined - near_joined < 0.1 * slices.near.items.nbytes  # parts are released
        assert max(used) - before <= sliced_ell.build_bytes(A) < 12 * A.nvals


def test_no_slices_without_memory_for_a_part(small, monkeypatch):
    """The estimate is compared to what is free; smaller parts need less."""
    A, u = few_columns()[0], full(200, np.int32)[0]
    for part, fits in ((1 << 28, False), (100, True)):
        monkeypatch.setattr(sliced_ell, "PART", 1 << 28)
        free = sliced_ell.build_bytes(A._csr()) - 1
        monkeypatch.setattr(sliced_ell, "PART", part)
        monkeypatch.setattr(device.active, "free", lambda free=free: free, raising=False)
        A = few_columns()[0]
        for _ in range(2):
            A.mxv(u, gb.semiring.plus_times).new()
        assert bool(forms(A)) == fits


@pytest.mark.parametrize("gain", [0.0, 99.0], ids=["renumbered", "in order"])
def test_memory_ends_between_parts(small, monkeypatch, gain):
    """The product uses the rows; no part stays allocated."""
    for name, value in {"RELABEL_GAIN": gain, "BREAK_EVEN": 1, "PART": 200}.items():
        monkeypatch.setattr(sliced_ell, name, value)

    def operands():
        return {"A": few_columns()[0], "u": full(200, np.int32)[0]}

    def product(x):
        return x["A"].mxv(x["u"], gb.semiring.plus_times).new()

    failed_allocations.check(operands, product)
