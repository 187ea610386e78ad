"""Build the symmetric matrix of an undirected graph from an edge list in device memory.

Both directions of every edge are sorted by (row, column), and duplicates are reduced to the
lightest one. A large list is processed in parts of consecutive rows, to bound the memory of the
sort; the parts are concatenated at the end.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from graphblas import binary
from graphblas.dtypes import BOOL, lookup_dtype

from graphla.cuda.device_arrays import csr_of, matrix_from_csr
from graphla.cuda.objects.matrix import Matrix
from graphla.cuda.runtime.device import device
from graphla.cuda.storage.csr import CSR
from graphla.cuda.storage.vector_formats import kernel_index_dtype

PART = 1 << 29  # entries in one sort


def needed_bytes(m: int, weighted: bool) -> int:
    """Return the approximate memory of :func:`symmetric_matrix` for m edges, without the list."""
    entry, sort, select = (8, 72, 5) if weighted else (4, 32, 5)  # bytes an entry
    if 2 * m <= PART:
        return 2 * m * sort
    return PART * sort + 2 * m * (2 * entry + select)


def symmetric_matrix(src: Any, dst: Any, weight: Any, n: int) -> Any:
    """Return the symmetric Matrix of an edge list that has each edge in one direction.

    Parameters
    ----------
    src, dst : device array, shape (m,)
        Ends, in 0..n-1. Self-loops and duplicates in either direction are allowed; the lightest
        of several equal edges is kept.
    weight : device array, shape (m,), or None
        None: the matrix is BOOL and True at every edge.
    n : int

    Raises
    ------
    OutOfDeviceMemory
        About :func:`needed_bytes` are not available.
    """
    m = src.size
    with device.allocation(needed_bytes(m, weight is not None), f"a graph of {m:,} edges"):
        parts = [_part(src, dst, weight, *rows, n) for rows in pairwise(_cuts(src, dst, n))]
        dtype = BOOL if weight is None else lookup_dtype(weight.dtype)
        return matrix_from_csr(_concatenated(parts), dtype)


def _cuts(src: Any, dst: Any, n: int) -> list[int]:
    """Return the rows at which to cut, from 0 to n, with about PART entries between two of them."""
    xp, size = device.xp, 2 * src.size
    if size <= PART:
        return [0, n]
    row_ends = (xp.bincount(src, minlength=n) + xp.bincount(dst, minlength=n)).cumsum()
    inner = xp.searchsorted(row_ends, xp.arange(PART, size, PART))
    return sorted({0, *device.to_host(inner).tolist(), n})


def _part(src: Any, dst: Any, weight: Any, low: int, high: int, n: int) -> CSR:
    """Return the rows low..high-1 of the matrix."""
    xp, all_rows = device.xp, high - low == n
    directions: list[tuple[Any, ...]] = []
    for row, column in ((src, dst), (dst, src)):
        in_part = slice(None) if all_rows else (row >= low) & (row < high)
        if weight is None:
            keys = row[in_part].astype(np.int64)
            keys -= low
            keys *= n
            keys += column[in_part]
            directions.append((keys,))
        else:
            directions.append(
                (row[in_part] - row.dtype.type(low), column[in_part], weight[in_part])
            )
    columns = [xp.concatenate(both) for both in zip(*directions, strict=True)]
    del directions
    if weight is not None:
        A = Matrix.from_coo(*columns, nrows=high - low, ncols=n, dup_op=binary.min)
        return csr_of(A)
    (keys,) = columns
    keys.sort()
    is_first = xp.ones(keys.size, bool)  # of equal keys
    xp.not_equal(keys[1:], keys[:-1], out=is_first[1:])
    return CSR.from_positions(keys[is_first], xp.ones(1, bool), high - low, n, True)


def _concatenated(parts: list[CSR]) -> CSR:
    """Return the rows of all parts, in order."""
    if len(parts) == 1:
        return parts[0]
    xp, iso, ncols = device.xp, parts[0].iso, parts[0].ncols
    size = sum(part.nvals for part in parts)
    index = kernel_index_dtype(size)
    row_ends, offset = [xp.zeros(1, index)], 0
    for part in parts:
        row_ends.append(part.indptr[1:].astype(index) + index(offset))
        offset += part.nvals
    values = parts[0].values if iso else xp.concatenate([part.values for part in parts])
    indices = xp.concatenate([part.indices for part in parts])
    return CSR(xp.concatenate(row_ends), indices, values, ncols, iso)
