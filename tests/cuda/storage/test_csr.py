"""CSR matrices: one value stored once, pieces of long rows, transposes in bounded memory."""

import graphblas as gb
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.cuda import Matrix
from graphla.cuda.runtime.device import device
from graphla.cuda.storage import csr as csr_module
from graphla.cuda.storage import vector_formats
from graphla.cuda.storage.csr import CSR, LONG
from tests.cuda.failed_allocations import check, counting
from tests.cuda.object_pairs import objects, shapes
from tests.strategies import examples


def test_equal_values_of_a_matrix_stay_one(monkeypatch):
    """The value is stored once: no product and no search expands it."""

    def spread(A):
        raise AssertionError(f"{A.nvals} values")

    G = gl.generate.kronecker(7, seed=1).astype("BOOL").to("cuda")
    assert G.A._store.iso
    monkeypatch.setattr(CSR, "full_values", spread)
    for search in (gl.bfs, gl.bfs_levels):
        assert search(G, 0) is not None
    for whole in (gl.connected_components, gl.pagerank):
        assert whole(G) is not None
    assert G.A.mxm(G.A, gb.semiring.any_pair).nvals


def test_long_rows_begin_at_their_least_length():
    """Every entry of the long rows is in one piece."""
    lengths = [LONG - 1, LONG, LONG + 1, 0, 2 * LONG]
    indptr = np.concatenate([[0], np.cumsum(lengths)])
    columns = np.concatenate([np.arange(length) for length in lengths])
    csr = CSR(
        *(device.xp.asarray(x, np.int32) for x in (indptr, columns)),
        device.xp.ones(1, np.int64),
        ncols=2 * LONG,
        iso=True,
    )
    pieces = csr.long_row_pieces
    assert device.to_host(pieces.rows).tolist() == [1, 2, 4]
    assert device.to_host(pieces.ends).tolist() == [1, 3, 5]


# ---- transposes in parts


def check_transpose(A, expected):
    """Check the transpose of a CSR matrix against one of python-graphblas."""
    T = A.transposed()
    for found, array in zip((T.indptr, T.indices, T.full_values()), expected.to_csr(), strict=True):
        np.testing.assert_array_equal(device.to_host(found), array)
    types = [vector_formats.kernel_index_dtype(size) for size in (A.nvals, A.nrows)]
    assert [T.indptr.dtype, T.indices.dtype] == types
    assert (T.iso, T.values.dtype) == (A.iso, A.values.dtype)
    assert T.transposed() is A


@pytest.mark.parametrize("part", [1, 3, 64])
@pytest.mark.parametrize("dtype", ["BOOL", "INT16", "FP64"])
@examples(60)
@given(data=st.data())
def test_transposes_in_parts(monkeypatch, dtype, part, data):
    monkeypatch.setattr(csr_module, "PART", part)
    ours, theirs = data.draw(objects(data.draw(shapes()), dtype))
    check_transpose(ours._csr(), theirs.T.new())


@pytest.mark.parametrize("warp", ["one lane", "32 lanes"])
@pytest.mark.parametrize("longest", [5, 1 << 20], ids=["64 bits", "32 bits"])
@pytest.mark.parametrize("columns", [[2], [0, 2], [2, 6], range(7)])
def test_columns_longer_than_a_part(monkeypatch, request, columns, longest, warp):
    """Each is a part of its own, or is one with shorter columns before it."""
    if warp == "32 lanes":
        request.getfixturevalue("warps")
    monkeypatch.setattr(csr_module, "PART", 3)
    monkeypatch.setattr(vector_formats, "MAX_INT32_SIZE", longest)
    rows = np.tile(np.arange(1, 11), len(columns))
    args = rows, np.repeat(columns, 10), np.arange(rows.size), "INT64"
    theirs = gb.Matrix.from_coo(*args, nrows=12, ncols=7)
    check_transpose(Matrix.from_coo(*args, nrows=12, ncols=7)._csr(), theirs.T.new())


@pytest.mark.parametrize("value", [1, None], ids=["iso", "values"])
def test_memory_of_a_transpose_in_parts(monkeypatch, value):
    """Beyond the result, it depends on the part and the shape, not on the number of entries."""
    part, n = 64, 100
    monkeypatch.setattr(csr_module, "PART", part)
    rows, columns = (x.ravel() for x in np.indices((n, n)))
    with counting() as allocations:
        A = Matrix.from_coo(rows, columns, rows if value is None else value, "INT64")._csr()
        before, peak = allocations.used, 0

        def record(nbytes):
            nonlocal peak
            peak = max(peak, allocations.used + nbytes)

        monkeypatch.setattr(allocations, "check", record)
        T = A.transposed()
        result = T.indptr.nbytes + T.indices.nbytes + (0 if A.iso else T.values.nbytes)
    assert A.iso == (value is not None)
    assert peak - before - result < 64 * (part + 2 * n) < 2 * A.nvals


@pytest.mark.parametrize("value", [1, None], ids=["iso", "values"])
def test_a_failed_allocation_leaves_the_matrix_as_it_was(monkeypatch, value):
    monkeypatch.setattr(csr_module, "PART", 4)
    rows, columns = np.arange(66, 78), np.arange(12) % 5
    values = rows if value is None else value

    def make():
        return {"A": Matrix.from_coo(rows, columns, values, "INT64", nrows=80, ncols=6)}

    assert check(make, lambda x: x["A"].T.new()) > 20
