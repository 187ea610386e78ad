"""Matrices of more than 2^31 entries, whose row offsets are unsigned: on a device that has room."""

import numpy as np
import pytest
from graphblas import select

from graphla.cuda import Matrix, Vector
from graphla.cuda.runtime.device import device

pytestmark = pytest.mark.gpu
NROWS, NCOLS = 66_000, 33_000  # row i has all columns but i % NCOLS
NEEDED = 100 << 30  # bytes
LAST = NROWS - 1


@pytest.fixture(scope="module")
def A():
    from graphla.errors import EngineUnavailable

    try:
        free = device.free()
    except EngineUnavailable:
        pytest.skip("there is no CUDA device")
    if free < NEEDED:
        pytest.skip(f"{free:,} bytes of device memory are free, {NEEDED:,} are needed")
    xp = device.xp
    indices = xp.empty((NROWS, NCOLS - 1), np.int32)
    column = xp.arange(NCOLS - 1, dtype=np.int32)
    for i in range(0, NROWS, 6000):
        left_out = xp.arange(i, i + 6000, dtype=np.int32)[:, None] % NCOLS
        indices[i : i + 6000] = column + (column >= left_out)
    indptr = xp.arange(NROWS + 1, dtype=np.int64) * (NCOLS - 1)
    yield Matrix.from_csr(indptr, indices.ravel(), 1, dtype="INT64", ncols=NCOLS)
    device.pool_bytes(release=True)


@pytest.fixture
def u():
    return Vector.from_dense(np.arange(1, NCOLS + 1))


LEFT_OUT = np.arange(NROWS) % NCOLS
TOTAL = NCOLS * (NCOLS + 1) // 2


def dense(v):
    return device.to_host(v.to_dense())


def test_entries(A):
    assert A.nvals == NROWS * (NCOLS - 1) > 2**31
    assert A._store.indptr.dtype == np.uint32
    assert A[LAST, 1].new().value == 1
    assert A[LAST, LAST % NCOLS].new().value is None


def test_pull(A, u):
    np.testing.assert_array_equal(dense(A.mxv(u, "plus_times").new()), TOTAL - LEFT_OUT - 1)
    least = np.where(LEFT_OUT == 0, 2, 1)
    np.testing.assert_array_equal(dense(A.mxv(u, "min_second").new()), least)


def test_push(A):
    v = Vector.from_coo([0, LAST], [5, 7], size=NROWS)
    expected = np.full(NCOLS, 12)
    expected[0] -= 5
    expected[LAST % NCOLS] -= 7
    np.testing.assert_array_equal(dense(v.vxm(A, "plus_times").new()), expected)


def test_transposed(A):
    v = Vector.from_dense(np.arange(NROWS))
    got = dense(A.T.new().mxv(v, "plus_times").new())
    expected = np.full(NCOLS, NROWS * (NROWS - 1) // 2)
    np.subtract.at(expected, LEFT_OUT, np.arange(NROWS))
    np.testing.assert_array_equal(got, expected)


def test_sums(A):
    assert A.reduce_scalar("plus").new().value == NROWS * (NCOLS - 1)
    assert (dense(A.reduce_rowwise("plus").new()) == NCOLS - 1).all()


def test_parts(A):
    row = A[LAST, :].new()
    assert row.nvals == NCOLS - 1
    below = A.select(select.rowgt, LAST - 2).new()
    assert below.nvals == 2 * (NCOLS - 1)
    rows, columns, _ = (device.to_host(x) for x in below.to_coo())
    assert rows.min() == LAST - 1
    assert LAST % NCOLS not in columns[rows == LAST]


def test_values(A):
    B = A.apply("plus", right=2).new()
    assert B.nvals == A.nvals
    assert B[LAST, 1].new().value == 3


def test_masked_product(A):
    rows = np.array([0, 1, LAST])
    M = Matrix.from_coo(rows, [0, 0, 0], True, nrows=NROWS, ncols=1)
    ones = Matrix.from_coo(np.arange(NCOLS), np.zeros(NCOLS, int), np.arange(1, NCOLS + 1))
    C = A.mxm(ones, "plus_times").new(mask=M.S)
    assert C.nvals == 3
    np.testing.assert_array_equal(device.to_host(C.to_coo()[2]), TOTAL - LEFT_OUT[rows] - 1)


def test_product_of_more_than_two_to_the_31_entries():
    n = 47_000
    everywhere, zeros = np.arange(n), np.zeros(n, int)
    column = Matrix.from_coo(everywhere, zeros, everywhere % 7 == 0, nrows=n, ncols=1)
    row = Matrix.from_coo(zeros, everywhere, True, nrows=1, ncols=n)
    C = column.mxm(row, "lor_land").new()
    assert C.nvals == n * n > 2**31
    assert C[n - 1, n - 1].new().value == ((n - 1) % 7 == 0)
    true = C.reduce_rowwise("lor").new()
    np.testing.assert_array_equal(dense(true), everywhere % 7 == 0)
