"""The device arrays of a Matrix and a Vector, for packages that launch their own kernels.

Nothing is copied. A new object takes over the arrays that it is made of; the arrays that
:func:`csr_of` returns belong to the Matrix, and only it may write them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from graphblas.dtypes import BOOL

from graphla.cuda.objects.matrix import Matrix, TransposedMatrix
from graphla.cuda.objects.vector import Vector
from graphla.cuda.runtime.device import device
from graphla.cuda.storage.bit_matrix import BitMatrix
from graphla.cuda.storage.csr import CSR
from graphla.cuda.storage.vector_formats import (
    Dense,
    ReorderedDense,
    Sparse,
    bitmap_words,
)


def csr_of(A: Matrix | TransposedMatrix) -> CSR:
    """Return a Matrix, or its transposed view, as compressed sparse rows.

    Other formats are converted. If all values are equal (``iso``), ``values`` has one element.
    """
    return A._csr()


def matrix_from_csr(rows: CSR, dtype: Any) -> Matrix:
    """Return a Matrix of compressed sparse rows; the columns of each row must ascend."""
    return Matrix._of(rows, dtype, rows.nrows, rows.ncols)


def matrix_from_bits(bits: BitMatrix) -> Matrix:
    """Return a Matrix of BOOL whose entries, all True, are the bits that are set."""
    return Matrix._of(bits, BOOL, bits.nrows, bits.ncols)


def matrix_from_bitmap(entries: Dense, dtype: Any, nrows: int, ncols: int) -> Matrix:
    """Return a Matrix of entries in row-major order, which keeps the bitmap format."""
    A = Matrix._of(entries, dtype, nrows, ncols)
    A.store("bitmap")
    return A


def empty_bitmap(size: int, dtype: Any) -> Dense:
    """Allocate the values and the presence bits of a Vector for a kernel to write."""
    xp = device.xp
    return Dense(xp.empty(size, dtype), xp.empty(bitmap_words(size), np.uint32))


def vector_from_bitmap(entries: Dense, dtype: Any) -> Vector:
    """Return a Vector of entries in bitmap or full format, one value for each position."""
    return Vector._of(entries, dtype, entries.values.size)


def vector_from_array(values: Any, dtype: Any) -> Vector:
    """Return a full Vector of an array whose elements are of `dtype`."""
    return Vector._of(Dense(values), dtype, values.size)


def vector_from_reordered(values: Any, order: Any, dtype: Any, size: int) -> Vector:
    """Return a full Vector of the values at the positions in `order`; no other one may be read."""
    return Vector._of(ReorderedDense(values, order, size), dtype, size)


def vector_from_list(
    indices: Any, values: Any, dtype: Any, size: int, *, ascending: bool = True
) -> Vector:
    """Return a Vector of indices, of dtype ``kernel_index_dtype(size)``, and values.

    No index occurs twice. `ascending` says that they do.
    """
    return Vector._of(Sparse(indices, values, None, indices.size, ascending), dtype, size)
