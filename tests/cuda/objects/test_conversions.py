"""Objects of other libraries: SciPy's and CuPy's sparse matrices, arrays by their protocols."""

import sys

import graphblas as gb
import numpy as np
import pytest
import scipy.sparse
from scipy.sparse import coo_array, csc_array, csr_array, random_array

import graphla as gl
from graphla import cuda
from graphla.cuda import Matrix
from graphla.cuda.runtime.device import device
from graphla.errors import (
    DimensionMismatch,
    DomainMismatch,
    InvalidGraph,
    InvalidIndex,
    InvalidValue,
)
from tests.cuda.array_protocols import CudaArray

FORMATS = ("csr", "csc", "coo", "bsr", "lil")
DTYPES = ("bool", "int8", "uint64", "float32", "float64")


def dense(A):
    """The entries of a Matrix on the host; 0 for no entry."""
    return device.to_host(A.to_dense(fill_value=0))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("form", FORMATS)
def test_sparse_matrices(form, dtype):
    values = (np.arange(6 * 70).reshape(6, 70) % 5 == 1) * 3
    S = csr_array(values.astype(dtype)).asformat(form)
    A = cuda.from_sparse(S)
    assert (A.shape, A.dtype.np_type) == (S.shape, np.dtype(dtype))
    np.testing.assert_array_equal(dense(A), values.astype(dtype))
    assert A.nvals == S.nnz or form == "bsr"  # which pads with zeros


def test_large_random_matrix_in_every_format():
    S = random_array((200, 300), density=0.05, random_state=1)
    want = gb.io.from_scipy_sparse(S)
    for form in FORMATS:
        A = cuda.from_sparse(S.asformat(form))
        assert cuda.to_graphblas(A).isequal(want)
        assert cuda.to_graphblas(A.T.new()).isequal(want.T.new())


def test_unsorted_rows_are_sorted_and_stored_zeros_stay():
    S = csr_array((np.array([3.0, 0.0]), np.array([4, 1]), np.array([0, 2])), (1, 5))
    A = cuda.from_sparse(S)
    assert [device.to_host(x).tolist() for x in A.to_coo()[1:]] == [[1, 4], [0.0, 3.0]]
    assert S.indices.tolist() == [4, 1]


def test_memory_is_shared_only_on_request_and_if_possible():
    S = csr_array(np.ones((100, 4), np.float32))
    indices, indptr, data = (device.xp.asarray(x) for x in (S.indices, S.indptr, S.data))
    S.indices, S.indptr, S.data = indices, indptr, data
    kept, copied = cuda.from_sparse(S, copy=False)._csr(), cuda.from_sparse(S)._csr()
    share = device.xp.shares_memory
    for name in ("indptr", "indices"):
        assert share(getattr(kept, name), getattr(S, name))
        assert not share(getattr(copied, name), getattr(S, name))
    assert share(kept.values, S.data)
    assert not share(copied.values, S.data)
    S.indices = S.indices.astype(np.int64)  # wider than the Matrix takes
    assert not share(cuda.from_sparse(S, copy=False)._csr().indices, S.indices)


@pytest.mark.parametrize(
    ("S", "error", "says"),
    [
        (coo_array(([1, 2], ([0, 0], [1, 1])), (2, 2)), InvalidValue, "twice"),
        (csr_array(([1, 2], [1, 1], [0, 2, 2]), (2, 2)), InvalidValue, "row 0 has column 1 twice"),
        (csr_array(([1j], [1], [0, 1, 1]), (2, 2)), DomainMismatch, "must be real numbers"),
        (np.eye(2), DomainMismatch, "ndarray is not a sparse matrix"),
        (3, DomainMismatch, "int is not a sparse matrix"),
    ],
)
def test_refused(S, error, says):
    with pytest.raises(error, match=says):
        cuda.from_sparse(S)


def test_refused_csr_and_csc_that_are_not_valid():
    for form in ("csr", "csc"):
        S = csr_array(np.eye(3)).asformat(form)
        S.indices[1] = 7
        with pytest.raises(InvalidIndex, match="7"):
            cuda.from_sparse(S)
        S.indices[1], S.indptr[1] = 1, 3
        with pytest.raises(InvalidValue, match="indptr"):
            cuda.from_sparse(S)


@pytest.fixture
def cupyx(monkeypatch):
    """Let SciPy's matrices stand for CuPy's where there is no device."""
    if device.xp.ndarray is np.ndarray:
        monkeypatch.setitem(sys.modules, "cupyx.scipy.sparse", scipy.sparse)
        return scipy.sparse
    return pytest.importorskip("cupyx.scipy.sparse")


def test_graph_of_a_sparse_matrix_of_the_device(cupyx):
    S = cupyx.csr_matrix(device.xp.asarray([[0.0, 2.0, 0.0], [0.0, 0.0, 5.0], [0.0] * 3]))
    for form in ("csr", "csc", "coo"):
        G = gl.Graph(S.asformat(form))
        assert (G.engine, G.n, G.nedges) == ("cuda", 3, 2)
        assert gl.sssp(G, 0).distance[2].new().value == 7
    H = gl.Graph(S.astype(bool))
    assert (H.weighted, H.nedges) == (False, 2)


def test_graph_refuses_what_is_no_graph(cupyx):
    S = cupyx.csr_matrix(device.xp.asarray([[0.0, 2.0, 0.0], [0.0, 0.0, 5.0]]))
    with pytest.raises(DimensionMismatch, match="square; got 2 x 3"):
        gl.Graph(S)
    S = cupyx.csr_matrix(device.xp.asarray([[0.0, 2.0], [0.0, 0.0]]))
    with pytest.raises(InvalidGraph, match="not symmetric"):
        gl.Graph(S, kind="undirected")
    twice = cupyx.csr_matrix(device.xp.eye(2))
    twice.indices[:] = 0
    twice.indptr[:] = device.xp.asarray([0, 2, 2])
    with pytest.raises(InvalidGraph, match="twice"):
        gl.Graph(twice)


# ---- arrays


def test_dense_matrices():
    x = np.arange(6).reshape(2, 3)
    for array in (x, CudaArray(device.xp.asarray(x)), x[:, ::-1][:, ::-1], np.asfortranarray(x)):
        np.testing.assert_array_equal(dense(Matrix.from_dense(array, missing_value=0)), x)
    assert Matrix.from_dense(x, missing_value=0).nvals == 5
    assert gl.Graph(CudaArray(device.xp.eye(3))).nedges == 3


def test_csc_keeps_both_forms():
    S = csc_array(random_array((100, 80), density=0.1, random_state=2))
    A = cuda.from_sparse(S)
    assert A._csr()._transposed.indices.size == S.nnz
    np.testing.assert_array_equal(dense(A), S.toarray())
