"""Bit matrices: to and from rows, transposed, and what leaves the format."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from graphla.cuda import Matrix, from_graphblas, to_graphblas
from graphla.cuda.runtime.device import device
from graphla.errors import InvalidIndex, InvalidValue
from tests.cuda.bit_matrices import EDGES, is_bits, make
from tests.cuda.object_pairs import same


@pytest.mark.parametrize("n", EDGES)
@pytest.mark.parametrize("m", [0, 1, 33, 128, 129])
def test_there_and_back(n, m):
    for density in (0.0, 0.2, 1.0):
        A, expected = make(n, (n, m), density)
        assert is_bits(A)
        same(A, expected)
        same(A.T.new(), expected.T.new())
        assert A.isequal(from_graphblas(expected))
        assert from_graphblas(expected).isequal(A)
        turned = A._store.transposed()
        assert turned.nvals == A.nvals
        same(Matrix._of(turned, A.dtype, m, n), expected.T.new())
        A.store("sparse")
        assert A._store.form == "rows"
        same(A, expected)


def test_false_values_leave_the_form_and_come_back():
    A, expected = make(1, (40, 40), 0.2)
    for x in (A, expected):
        x[3, 4] = False
    assert A._store.form == "rows"
    same(A, expected)
    del A[3, 4], expected[3, 4]
    assert is_bits(A)
    same(A, expected)


def test_what_else_a_matrix_does():
    A, expected = make(1, (70, 70), 0.3)
    for x in (A, expected):
        x.dup().clear()
    same(A, expected)
    same(A.dup("INT8"), expected.dup("INT8"))
    same(A.diag(3), expected.diag(3))
    same(A.reduce_rowwise("lor").new(), expected.reduce_rowwise("lor").new())
    assert A.reduce_scalar("land").new().value is True
    assert to_graphblas(A).isequal(expected, check_dtype=True)
    same(pickle.loads(pickle.dumps(A)), expected)
    np.testing.assert_array_equal(
        device.to_host(A.to_dense(fill_value=False)), expected.to_dense(fill_value=False)
    )
    for x in (A, expected):
        x.resize(40, 129)
    assert is_bits(A)
    same(A, expected)
    A.clear()
    assert A.nvals == 0
    assert A.isequal(Matrix(bool, 40, 129))
    assert repr(A) == "<Matrix: BOOL, 40 x 129, 0 entries, cuda>"


@pytest.mark.thorough
def test_isequal():
    A, B = make(1, (70, 130), 0.3)[0], make(1, (70, 130), 0.3, None)[0]
    assert A.isequal(B)
    assert B.isequal(A.dup())
    B[69, 129] = False
    assert not A.isequal(B)
    assert not B.isequal(A)
    C = A.dup()
    C[0, 0] << (not A.get(0, 0, False) or None)
    C.store("bits")
    assert is_bits(C)
    assert not A.isequal(C)


@pytest.mark.parametrize("form", ["bits", "sparse", "bitmap"])
def test_some_rows(form):
    A, expected = make(1, (70, 130), 0.1, form)
    rows, columns, values = (device.to_host(x) for x in A.to_coo(rows=[60, 2, 3]))
    wanted = [(i, j) for i in (60, 2, 3) for j in expected[i, :].new().to_coo()[0]]
    assert list(zip(rows.tolist(), columns.tolist(), strict=True)) == wanted
    assert values.all()
    assert values.size == len(wanted)
    assert A.to_coo(rows=np.array([], int))[1].size == 0
    assert A.to_coo(rows=False)[0] is None
    with pytest.raises(InvalidIndex, match="index 70 is out of range of a dimension of 70"):
        A.to_coo(rows=[70])


def test_refusals():
    with pytest.raises(InvalidValue, match="'full', 'bits'"):
        Matrix(bool, 3, 3).store("words")
    A = Matrix("FP64", 3, 3)
    A.store("bits")  # a hint that other types cannot follow
    A[0, 0] = 2.5
    assert A.get(0, 0) == 2.5
