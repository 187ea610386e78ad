"""The device arrays of objects, for packages that launch kernels of their own."""

from __future__ import annotations

import numpy as np
import pytest
from graphblas.dtypes import BOOL, FP64, INT32

from graphla.cuda import Matrix, Vector, to_graphblas
from graphla.cuda.device_arrays import (
    csr_of,
    empty_bitmap,
    matrix_from_bitmap,
    matrix_from_bits,
    matrix_from_csr,
    vector_from_array,
    vector_from_bitmap,
    vector_from_list,
)
from graphla.cuda.runtime.device import device
from graphla.cuda.storage.bit_matrix import BitMatrix


def same(x, y):
    assert to_graphblas(x).isequal(to_graphblas(y), check_dtype=True)


@pytest.mark.parametrize("form", ["sparse", "bitmap"])
def test_a_matrix_and_its_rows(form):
    A = Matrix.from_coo([0, 2, 2], [1, 0, 3], [1.5, 2.5, 3.5], nrows=3, ncols=4)
    A.store(form)
    rows = csr_of(A)
    assert device.to_host(rows.indptr).tolist() == [0, 1, 1, 3]
    same(matrix_from_csr(rows, FP64), A)
    columns = csr_of(A.T)
    assert device.to_host(columns.indices).tolist() == [2, 0, 2]
    same(matrix_from_csr(columns, FP64), A.T.new())


def test_a_matrix_of_new_rows_takes_over_their_arrays():
    rows = csr_of(Matrix.from_coo([0], [1], [7.0], nrows=2, ncols=2))
    assert csr_of(matrix_from_csr(rows, FP64)) is rows


def test_a_matrix_of_bits():
    A = Matrix.from_coo([0, 4], [130, 2], True, nrows=5, ncols=131)
    same(matrix_from_bits(BitMatrix.from_csr(csr_of(A))), A)


def test_bitmaps():
    entries = empty_bitmap(6, np.int32)
    entries.values[:] = device.xp.arange(6, dtype=np.int32)
    entries.bits[:] = 0b101001
    same(
        vector_from_bitmap(entries, INT32), Vector.from_coo([0, 3, 5], np.int32([0, 3, 5]), size=6)
    )
    A = matrix_from_bitmap(entries, INT32, 2, 3)
    same(A, Matrix.from_coo([0, 1, 1], [0, 0, 2], np.int32([0, 3, 5]), nrows=2, ncols=3))


def test_vectors():
    xp = device.xp
    values = xp.asarray(np.array([True, False, True]))
    same(vector_from_array(values, BOOL), Vector.from_coo([0, 1, 2], [True, False, True], size=3))
    v = vector_from_list(xp.asarray(np.int32([1, 4])), xp.asarray(np.array([0.5, 2])), FP64, 9)
    same(v, Vector.from_coo([1, 4], [0.5, 2.0], size=9))
