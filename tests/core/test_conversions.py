"""Any matrix to an adjacency matrix: from SciPy, python-graphblas and dense arrays."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as ss
from graphblas import Matrix
from graphblas.dtypes import register_anonymous

from graphla import Graph
from graphla.errors import (
    DimensionMismatch,
    DomainMismatch,
    InvalidGraph,
    InvalidIndex,
)
from tests.core.arrays import assert_holds, dense
from tests.graphs import DTYPES

FORMATS = ["csr", "csc", "coo", "lil", "dok", "bsr", "dia"]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("make", [ss.coo_array, ss.coo_matrix])
def test_from_scipy(dtype, form, make):
    D = dense(dtype)
    assert_holds(Graph(make(D).asformat(form)), D)


@pytest.mark.filterwarnings("ignore:the matrix subclass")
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("wrap", [np.asarray, np.asfortranarray, np.asmatrix, pd.DataFrame])
def test_from_dense(dtype, wrap):
    D = dense(dtype)
    assert_holds(Graph(wrap(D)), D)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("keep", [True, False])
def test_from_graphblas(dtype, keep):
    D = dense(dtype)
    A = Matrix.from_coo(*np.nonzero(D), D[D != 0], nrows=7, ncols=7)
    assert_holds(Graph(A, copy=not keep), D)
    assert_holds(Graph(A.T, copy=not keep), D.T)
    A.ss.config["format"] = "by_col"
    assert_holds(Graph(A), D)
    assert A.ss.orientation == "columnwise"


def test_from_nested_lists():
    assert_holds(Graph([[0, 2], [3, 0]]), np.array([[0, 2], [3, 0]]))
    assert_holds(Graph(((0, 0.5), (0, np.nan))), np.array([[0, 0.5], [0, np.nan]]))
    assert_holds(Graph([[False, True], [True, True]]), np.array([[False, True], [True, True]]))


@pytest.mark.parametrize("n", [0, 1, 5])
@pytest.mark.parametrize("form", FORMATS)
def test_without_edges(n, form):
    for empty in (np.zeros((n, n), np.int8), ss.csr_array((n, n), dtype=np.int8)):
        S = ss.csr_array(empty).asformat(form) if n else empty
        for A in (empty, S, Matrix("INT8", n, n)):
            G = Graph(A, kind="undirected")
            assert (G.n, G.nedges, G.dtype) == (n, 0, "INT8")
            assert G.out_degree.to_dense().tolist() == [0] * n


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("form", ["csr", "csc", "coo"])
def test_index_dtypes_of_scipy(index, form):
    D = dense(float)
    S = ss.coo_array(D).asformat(form)
    for name in ("indptr", "indices", "row", "col"):
        if hasattr(S, name):
            setattr(S, name, getattr(S, name).astype(index))
    assert_holds(Graph(S), D)


@pytest.mark.parametrize("make", [ss.csr_array, ss.csc_array])
def test_unsorted_scipy_with_excess_capacity_and_wrong_flags(make):
    S = make(
        (np.array([1.0, 2, 3, 9]), np.array([2, 0, 1, 9]), np.array([0, 2, 2, 3])), shape=(3, 3)
    )
    S.has_sorted_indices = S.has_canonical_format = True
    expected = np.array([[2, 0, 1], [0, 0, 0], [0, 3, 0]])
    assert_holds(Graph(S), (expected if S.format == "csr" else expected.T).astype(float))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("form", ["csr", "csc", "coo"])
def test_stored_zeros_are_edges(dtype, form):
    S = ss.coo_array((np.zeros(3, dtype), ([0, 1, 2], [1, 2, 0])), shape=(3, 3)).asformat(form)
    G = Graph(S)
    assert sorted(zip(*(x.tolist() for x in G.A.to_coo()[:2]), strict=True)) == [
        (0, 1), (1, 2), (2, 0),
    ]  # fmt: skip
    assert (G.A.to_coo()[2] == (dtype == "bool")).all()


@pytest.mark.parametrize("form", ["bsr", "dia"])
def test_the_padding_of_bsr_and_dia_is_no_edge(form):
    D = np.zeros((4, 4))
    D[0, 1] = D[3, 3] = 2
    S = ss.bsr_array(D, blocksize=(2, 2)) if form == "bsr" else ss.dia_array(D)
    assert (S.data == 0).any()
    stored = S.data.copy()
    assert_holds(Graph(S), D)
    np.testing.assert_array_equal(S.data, stored)


@pytest.mark.parametrize("values", [[True, False], [False, False], [True, True]])
@pytest.mark.parametrize("keep", [True, False])
def test_boolean_matrices_are_iso_and_true(values, keep):
    A = Matrix.from_coo([0, 1], [1, 2], values, nrows=3, ncols=3)
    for M in (A, Matrix.from_coo([0, 1], [1, 2], values[1], nrows=3, ncols=3)):
        G = Graph(M, copy=not keep)
        assert G.A.ss.is_iso
        assert G.A.to_coo()[2].tolist() == [True, True]
    assert A.to_coo()[2].tolist() == values


def test_other_byte_order():
    D = dense(">f4")
    assert_holds(Graph(D), D.astype("f4"))


def broken(**changes):
    S = ss.csr_array(np.eye(3))
    for name, value in changes.items():
        setattr(S, name, np.array(value))
    return S


def unrelated():
    return Matrix(register_anonymous(np.dtype((np.float64, 2))), 2, 2)


@pytest.mark.parametrize(
    ("A", "error", "match"),
    [
        (np.ones((2, 3)), DimensionMismatch, "2 x 3"),
        (ss.coo_array(np.ones((2, 3))), DimensionMismatch, "2 x 3"),
        (Matrix(int, 2, 3), DimensionMismatch, "2 x 3"),
        (np.ones(3), DimensionMismatch, "2 dimensions; got 1"),
        ([], DimensionMismatch, "2 dimensions; got 1"),
        (np.ones((2, 2, 2)), DimensionMismatch, "2 dimensions; got 3"),
        (ss.coo_array(np.ones(3)), DimensionMismatch, "2 dimensions; got 1"),
        ([[0, 1], [1]], DomainMismatch, "is not an array"),
        (np.ma.array(np.eye(2), mask=np.eye(2)), DomainMismatch, "masked"),
        (np.eye(2) * 1j, DomainMismatch, "complex128"),
        (np.eye(2, dtype=np.float16), DomainMismatch, "float16"),
        (np.eye(2, dtype=object), DomainMismatch, "object"),
        (ss.csr_array(np.eye(2) * 1j), DomainMismatch, "complex128"),
        (ss.coo_array(np.eye(2, dtype=np.longdouble)), DomainMismatch, "longdouble|float128"),
        (Matrix("FC64", 2, 2), DomainMismatch, "complex128"),
        (unrelated(), DomainMismatch, "float64"),
        ("graph", DomainMismatch, "not from str"),
        (None, DomainMismatch, "not from NoneType"),
        (broken(indices=[0, 1, 3]), InvalidIndex, r"indices\[2\] = 3"),
        (broken(indices=[0, -1, 2]), InvalidIndex, r"indices\[1\] = -1"),
        (broken(indptr=[0, 2, 1, 3]), InvalidGraph, "indptr of the 3 x 3 matrix"),
        (broken(indptr=[1, 1, 2, 3]), InvalidGraph, "indptr"),
        (broken(indptr=[0, 1, 2, 9]), InvalidGraph, "indptr"),
        (broken(indptr=[0, 1, 3]), InvalidGraph, "indptr"),
        (broken(data=[1.0]), InvalidGraph, "indptr"),
        ([(0, 1), (1, 2)], InvalidGraph, "may be edges or the rows"),
        (((0, 1), (1, 2)), InvalidGraph, "may be edges or the rows"),
        ([(0, 1, 5), (1, 2, 5), (2, 0, 5)], InvalidGraph, "may be edges or the rows"),
    ],
)
def test_bad_matrices(A, error, match):
    with pytest.raises(error, match=match):
        Graph(A)


def test_bad_coo_index():
    S = ss.coo_array(np.eye(3))
    S.col[1] = 4
    with pytest.raises(InvalidIndex, match=r"col\[1\] = 4"):
        Graph(S)


@pytest.mark.parametrize("dtype", [bool, float])
def test_duplicates_of_scipy_are_refused(dtype):
    twice = np.ones(3, dtype), ([0, 1, 1], [1, 0, 0])
    with pytest.raises(InvalidGraph, match=r"edge \(1, 0\) occurs twice"):
        Graph(ss.coo_array(twice, shape=(2, 2)))
    arrays = np.ones(3, dtype), np.array([1, 0, 0]), np.array([0, 1, 3])
    with pytest.raises(InvalidGraph, match=r"edge \(1, 0\) occurs twice"):
        Graph(ss.csr_array(arrays, shape=(2, 2)))
    with pytest.raises(InvalidGraph, match=r"edge \(0, 1\) occurs twice"):
        Graph(ss.csc_array(arrays, shape=(2, 2)))


def test_copies_and_references():
    A = Matrix.from_coo([0, 1], [1, 0], [5, 5], nrows=2, ncols=2)
    assert Graph(A, copy=False).A is A
    G = Graph(A)
    A[0, 1] = 9
    assert G.A[0, 1].new() == 5

    D, S = dense(float), ss.csr_array(dense(float))
    S64 = ss.csr_array((S.data.copy(), S.indices.astype(np.int64), S.indptr.astype(np.int64)))
    for source, held in ((D, D), (S, S.data), (S64, S64.data)):
        G = Graph(source, copy=False)
        held[:] = -1
        assert G.min_weight >= 1
    S64.indices[:] = 0
    assert_holds(G, dense(float))


def test_read_only_input():
    S = ss.csr_array(dense(float))
    for x in (S.data, S.indices, S.indptr):
        x.flags.writeable = False
    assert_holds(Graph(S), dense(float))
