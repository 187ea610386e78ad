"""An undirected graph's matrix from a list of its edges that lies on the device."""

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

PART = 1 << 29  # entries that are sorted together


def needed(m: int, weighted: bool) -> int:
    """Return about how many bytes :func:`symmetric` takes for m edges, beside the list of them."""
    entry, sorting, choosing = (8, 72, 5) if weighted else (4, 32, 5)
    if 2 * m <= PART:
        return 2 * m * sorting
    return PART * sorting + 2 * m * (2 * entry + choosing)


def symmetric(src: Any, dst: Any, weight: Any, n: int) -> Any:
    """Return the symmetric Matrix of edges, each given once; of equal ones the lightest stays.

    Parameters
    ----------
    src, dst : array of the device, shape (m,)
        Ends, in 0..n-1. Self-loops and duplicates, in either direction, are allowed.
    weight : array of the device, shape (m,), or None
        None makes a matrix of BOOL that is True at every edge.
    n : int

    Raises
    ------
    OutOfDeviceMemory
        It does not fit: about :func:`needed` bytes.
    """
    m = src.size
    with device.allocation(needed(m, weight is not None), f"a graph of {m:,} edges"):
        parts = [_part(src, dst, weight, *rows, n) for rows in pairwise(_cuts(src, dst, n))]
        dtype = BOOL if weight is None else lookup_dtype(weight.dtype)
        return matrix_from_csr(_stacked(parts), dtype)


def _cuts(src: Any, dst: Any, n: int) -> list[int]:
    """Return rows between which there are about PART entries, from 0 to n."""
    xp, size = device.xp, 2 * src.size
    if size <= PART:
        return [0, n]
    ends = (xp.bincount(src, minlength=n) + xp.bincount(dst, minlength=n)).cumsum()
    inner = xp.searchsorted(ends, xp.arange(PART, size, PART))
    return sorted({0, *device.to_host(inner).tolist(), n})


def _part(src: Any, dst: Any, weight: Any, low: int, high: int, n: int) -> CSR:
    """Return the rows low..high-1 of the matrix."""
    xp, whole = device.xp, high - low == n
    pieces: list[tuple[Any, ...]] = []
    for row, column in ((src, dst), (dst, src)):
        here = slice(None) if whole else (row >= low) & (row < high)
        if weight is None:
            keys = row[here].astype(np.int64)
            keys -= low
            keys *= n
            keys += column[here]
            pieces.append((keys,))
        else:
            pieces.append((row[here] - row.dtype.type(low), column[here], weight[here]))
    columns = [xp.concatenate(both) for both in zip(*pieces, strict=True)]
    del pieces
    if weight is not None:
        rows, ends, both = columns
        A = Matrix.from_coo(rows, ends, both, nrows=high - low, ncols=n, dup_op=binary.min)
        return csr_of(A)
    (keys,) = columns
    keys.sort()
    new = xp.ones(keys.size, bool)
    xp.not_equal(keys[1:], keys[:-1], out=new[1:])
    return CSR.from_keys(keys[new], xp.ones(1, bool), high - low, n, True)


def _stacked(parts: list[CSR]) -> CSR:
    """Return the rows of all parts, one below the other."""
    if len(parts) == 1:
        return parts[0]
    xp, iso, ncols = device.xp, parts[0].iso, parts[0].ncols
    size = sum(part.nvals for part in parts)
    ends, before = [xp.zeros(1, kernel_index_dtype(size))], 0
    for part in parts:
        ends.append(
            part.indptr[1:].astype(kernel_index_dtype(size)) + kernel_index_dtype(size)(before)
        )
        before += part.nvals
    values = parts[0].values if iso else xp.concatenate([part.values for part in parts])
    indices = xp.concatenate([part.indices for part in parts])
    return CSR(xp.concatenate(ends), indices, values, ncols, iso)
