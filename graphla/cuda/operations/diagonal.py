"""Diagonals: a Vector as the k-th diagonal of a Matrix, and the k-th diagonal as a Vector."""

from __future__ import annotations

from typing import Any

from graphla.core.validation import real_dtype
from graphla.cuda.expressions.arguments import integer
from graphla.cuda.expressions.index_keys import Axis
from graphla.cuda.expressions.statement import OUTPUTS
from graphla.cuda.operations import assign_extract
from graphla.cuda.runtime.device import device
from graphla.cuda.storage.csr import CSR
from graphla.cuda.storage.vector_formats import Dense, kernel_index_dtype, to_sorted_list


def diagonal_matrix(v: Any, k: int = 0, dtype: Any = None, name: str | None = None) -> Any:
    """Return the square Matrix with a Vector's entries on its k-th diagonal."""
    xp, k = device.xp, integer(k, "k")
    n = v.size + abs(k)
    keys, values = to_sorted_list(v._store, v.size).sorted_arrays()
    kind = kernel_index_dtype(n)
    row, column = kind(max(0, -k)), kind(max(0, k))
    indptr = xp.searchsorted(keys.astype(kind) + row, xp.arange(n + 1, dtype=kind))
    indptr = indptr.astype(kernel_index_dtype(keys.size))
    D = OUTPUTS[2]._of(CSR(indptr, keys.astype(kind) + column, values.copy(), n), v.dtype, n, n)
    if dtype is not None and real_dtype(dtype) != v.dtype:
        D = D.dup(dtype)
    D.name = name
    return D


def diagonal_vector(A: Any, k: int = 0, dtype: Any = None, name: str | None = None) -> Any:
    """Return the k-th diagonal of a Matrix as a Vector."""
    A, k = A._matrix(), integer(k, "k")
    row, column = max(0, -k), max(0, k)
    size = max(0, min(A.nrows - row, A.ncols - column))
    v = OUTPUTS[1](A.dtype, size)
    if size and isinstance(A._store, Dense):
        positions = Axis(A._positions, size, row * A.ncols + column, A.ncols + 1)
        v._store = assign_extract.extract_dense(A._store, (positions,))
    elif size:
        v._store = assign_extract.extract_column(A._csr(), Axis(A.nrows, size, row), column, 1)
    v = v if dtype is None else v.dup(dtype)
    v.name = name
    return v
