"""Rows and columns of compressed sparse rows by lists of indices; a negative index takes nothing.

To take A[P, Q] is one thing, to put Z back at (P, Q) the same: the inverse lists, of which -1 is
"nowhere", take the rows and columns of Z. Columns are relabelled by a map; only where they come
in another order must the rows be sorted, by one sort of all positions.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.cuda.runtime.compile import Kernel, kernel
from graphla.cuda.runtime.device import device
from graphla.cuda.storage.csr import CSR, prefix_sum_and_total, row_offsets
from graphla.cuda.storage.vector_formats import cuda_type, kernel_index_dtype


def _kernel(A: CSR, name: str, **types: Any) -> Kernel:
    types = {"Rows": "i32", "Target": "i32", "Label": "i32", "X": cuda_type(A.values.dtype)} | {
        name: cuda_type(array.dtype) for name, array in types.items()
    }
    names = "".join(f"typedef {text} {name};\n" for name, text in types.items())
    return kernel("csr_extract", f"{A.typedefs()}{names}enum {{ ISO = {A.iso:d} }};\n", name)


def rows(A: CSR, P: Any) -> CSR:
    """Return the rows of A that P lists."""
    return merged((A, P))


def merged(*parts: tuple[CSR, Any]) -> CSR:
    """Return rows from several matrices: one list at most is not negative at each place."""
    xp = device.xp
    A, values = parts[0][0], common([A for A, _ in parts])
    lengths = sum(row_lengths(*part) for part in parts)
    starts, total = row_offsets(lengths)
    indices = xp.empty(total, A.indices.dtype)
    found = xp.empty(total, A.values.dtype) if values is None else None
    for B, Q in parts:
        run = _kernel(B, "extract_rows", Rows=Q, Target=starts)
        run(total, Q.size, Q, B.indptr, B.indices, B.values, starts, indices, found)
    if found is None:
        return CSR(starts, indices, values, A.ncols, True)
    return CSR(starts, indices, found, A.ncols)


def row_lengths(A: CSR, P: Any) -> Any:
    """Return how many entries the listed rows have."""
    lengths = device.xp.empty(P.size, np.int64)
    _kernel(A, "row_lengths", Rows=P)(P.size, P.size, P, A.indptr, lengths)
    return lengths


def common(matrices: list[CSR]) -> Any:
    """Return the one value of all entries, as an array, if it is known to be one."""
    first, *others = [A for A in matrices if A.nvals] or matrices
    if not all(A.iso for A in (first, *others)):
        return None
    same = all(bool(device.read_scalar(A.values == first.values)) for A in others)
    return first.values if same else None


def columns(A: CSR, Q: Any) -> CSR:
    """Return the columns of A that Q lists, which may name one several times."""
    xp = device.xp
    kind = kernel_index_dtype(Q.size)
    order = xp.arange(Q.size, dtype=kind)
    starts, places = None, xp.full(A.ncols + 1, -1, kind)  # the last is written by what is negative
    places[Q] = order
    if device.read_scalar(((places[Q] == order) | (Q < 0)).all()):
        places = places[:-1]
        labels = places[places >= 0]
    else:
        places = labels = Q.argsort(kind="stable").astype(kind)
        starts = xp.searchsorted(Q[places], xp.arange(A.ncols + 1)).astype(np.int64)
        labels = places[int(device.read_scalar(starts[0])) :]
    found = _relabelled(A, starts, places, Q.size, labels.size == A.ncols and starts is None)
    if labels.size and not device.read_scalar((labels[1:] > labels[:-1]).all()):
        return sorted_rows(found)
    return found


def _relabelled(A: CSR, starts: Any, places: Any, ncols: int, is_permutation: bool) -> CSR:
    if is_permutation:
        return CSR(A.indptr, places[A.indices], A.values, ncols, A.iso)
    xp = device.xp
    n = A.nvals
    counts = xp.empty(n, np.int64)
    _kernel(A, "count_column_copies", Label=places)(n, n, A.indices, starts, places, counts)
    cumulated, total = prefix_sum_and_total(counts)
    indices = xp.empty(total, places.dtype)
    values = A.values if A.iso else xp.empty(total, A.values.dtype)
    run = _kernel(A, "extract_columns", Label=places)
    run(n, n, A.indices, A.values, starts, places, cumulated[1:], indices, values)
    return CSR(cumulated[A.indptr].astype(kernel_index_dtype(total)), indices, values, ncols, A.iso)


def sorted_rows(A: CSR) -> CSR:
    """Return A with its columns in order."""
    keys = A.keys()
    if A.iso:
        keys.sort()
        keys %= keys.dtype.type(A.ncols)
        return CSR(A.indptr, keys.astype(A.indices.dtype), A.values, A.ncols, True)
    order = keys.argsort(kind="stable")
    return CSR(A.indptr, A.indices[order], A.values[order], A.ncols)


def region(A: CSR, P: Any, Q: Any) -> CSR:
    """Return A[P, Q], the axes P and Q being of any kind."""
    if not P.whole:
        A = rows(A, P.list())
    return A if Q.whole else columns(A, Q.list())


def put(A: CSR, P: Any, Q: Any, Z: CSR) -> CSR:
    """Return A with Z in the place of A[P, Q]."""
    xp = device.xp
    if not Q.whole:
        there = Q.inverse()
        others = xp.where(there < 0, xp.arange(Q.size, dtype=there.dtype), there.dtype.type(-1))
        here = A if P.whole else rows(A, P.list())
        Z = _disjoint(columns(here, others), columns(Z, there))
    if P.whole:
        return Z
    there = P.inverse()
    kept = xp.where(there < 0, xp.arange(P.size, dtype=there.dtype), there.dtype.type(-1))
    return merged((A, kept), (Z, there))


def _disjoint(A: CSR, B: CSR) -> CSR:
    """Return the union of two matrices that have no position in common."""
    xp = device.xp
    if not A.nvals or not B.nvals:
        return B if B.nvals else A
    keys = xp.concatenate([A.keys(), B.keys()])
    values = xp.concatenate([A.full_values(), B.full_values()])
    order = keys.argsort(kind="stable")
    return CSR.from_keys(keys[order], values[order], A.nrows, A.ncols)
