"""A[P, Q] and A[P, Q] = Z for compressed sparse rows and lists P, Q of indices (csr_extract.cu).

The index :func:`no_index` means an empty row or column. Assignment is extraction, too: the inverse
lists, in which it means "not in P", extract from Z the row and column of each place of the result.
Columns are renumbered by a map; rows are sorted again, by one sort of all positions, only if the
map does not ascend.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.cuda.operations.definitions import constants, typedefs
from graphla.cuda.runtime.device import device
from graphla.cuda.runtime.kernel import Kernel, kernel
from graphla.cuda.storage.csr import CSR, prefix_sum_and_total, row_offsets
from graphla.cuda.storage.vector_formats import kernel_index_dtype, no_index


def _kernel(A: CSR, name: str, **arrays: Any) -> Kernel:
    """Return a kernel; `arrays` are those whose types it does not take from A."""
    types = {"RowIndex": "i32", "OutOffset": "i32", "Label": "i32", "X": A.values.dtype}
    types |= {type_name: array.dtype for type_name, array in arrays.items()}
    return kernel("csr_extract", A.typedefs() + typedefs(**types) + constants(ISO=A.iso), name)


def extract(A: CSR, rows: Any, columns: Any) -> CSR:
    """Return A[rows, columns] for index axes."""
    if not rows.whole:
        A = extract_rows(A, rows.list())
    return A if columns.whole else extract_columns(A, columns.list())


def assign(A: CSR, rows: Any, columns: Any, Z: CSR) -> CSR:
    """Return A with Z in the place of A[rows, columns]."""
    if not columns.whole:
        place = columns.inverse()
        region = A if rows.whole else extract_rows(A, rows.list())
        Z = _disjoint_union(
            extract_columns(region, _indices_outside(columns, place)), extract_columns(Z, place)
        )
    if rows.whole:
        return Z
    place = rows.inverse()
    return _merge_rows((A, _indices_outside(rows, place)), (Z, place))


def _indices_outside(axis: Any, place: Any) -> Any:
    """Return for each index of a dimension the index itself, or no index if the axis has it."""
    index = device.xp.arange(axis.size, dtype=kernel_index_dtype(axis.size))
    index[place != no_index(place.dtype)] = no_index(index.dtype)
    return index


# ---- rows


def extract_rows(A: CSR, rows: Any) -> CSR:
    """Return the listed rows of A; no index gives an empty row."""
    return _merge_rows((A, rows))


def _merge_rows(*parts: tuple[CSR, Any]) -> CSR:
    """Return rows from several matrices: at each place, one list at most has an index."""
    xp = device.xp
    A, value = parts[0][0], _common_value([A for A, _ in parts])
    indptr, total = row_offsets(sum(_row_lengths(*part) for part in parts))
    indices = xp.empty(total, A.indices.dtype)
    values = xp.empty(total, A.values.dtype) if value is None else None
    for B, rows in parts:
        run = _kernel(B, "extract_rows", RowIndex=rows, OutOffset=indptr)
        run(total, rows.size, rows, *B.arrays, indptr, indices, values)
    if values is None:
        return CSR(indptr, indices, value, A.ncols, True)
    return CSR(indptr, indices, values, A.ncols)


def _row_lengths(A: CSR, rows: Any) -> Any:
    """Return the numbers of entries of the listed rows."""
    lengths = device.xp.empty(rows.size, np.int64)
    _kernel(A, "row_lengths", RowIndex=rows)(rows.size, rows.size, rows, A.indptr, lengths)
    return lengths


def _common_value(matrices: list[CSR]) -> Any:
    """Return the one value of all entries, as an array, if it is known that they have one."""
    first, *others = [A for A in matrices if A.nvals] or matrices
    if not all(A.iso for A in (first, *others)):
        return None
    is_common = all(bool(device.read_scalar(A.values == first.values)) for A in others)
    return first.values if is_common else None


# ---- columns


def extract_columns(A: CSR, columns: Any) -> CSR:
    """Return the listed columns of A; a column may be listed several times.

    Column j of A becomes the column `labels[j]`, or the columns
    ``labels[label_offsets[j]:label_offsets[j + 1]]`` if a column is listed twice.
    """
    xp = device.xp
    kind = kernel_index_dtype(columns.size)
    order = xp.arange(columns.size, dtype=kind)
    columns = xp.where(columns == no_index(columns.dtype), columns.dtype.type(A.ncols), columns)
    label_offsets, labels = None, xp.full(A.ncols + 1, no_index(kind), kind)
    labels[columns] = order
    if device.read_scalar(((labels[columns] == order) | (columns == A.ncols)).all()):
        labels = labels[:-1]
        used = labels[labels != no_index(kind)]
    else:
        labels = columns.argsort(kind="stable").astype(kind)
        label_offsets = xp.searchsorted(columns[labels], xp.arange(A.ncols + 1)).astype(np.int64)
        used = labels[: int(device.read_scalar(label_offsets[-1]))]
    if label_offsets is None and used.size == A.ncols:
        result = CSR(A.indptr, labels[A.indices], A.values, columns.size, A.iso)
    else:
        result = _renumber_columns(A, label_offsets, labels, columns.size)
    if used.size and not device.read_scalar((used[1:] > used[:-1]).all()):
        return _sort_rows(result)
    return result


def _renumber_columns(A: CSR, label_offsets: Any, labels: Any, ncols: int) -> CSR:
    """Return rows with the new columns of each entry, in the order of the old ones."""
    xp = device.xp
    n = A.nvals
    copies = xp.empty(n, np.int64)
    count = _kernel(A, "count_column_copies", Label=labels)
    count(n, n, A.indices, label_offsets, labels, copies)
    ends, total = prefix_sum_and_total(copies)
    indices = xp.empty(total, labels.dtype)
    values = A.values if A.iso else xp.empty(total, A.values.dtype)
    run = _kernel(A, "extract_columns", Label=labels)
    run(n, n, A.indices, A.values, label_offsets, labels, ends[1:], indices, values)
    return CSR(ends[A.indptr].astype(kernel_index_dtype(total)), indices, values, ncols, A.iso)


def _sort_rows(A: CSR) -> CSR:
    """Return A with ascending columns in each row."""
    keys = A.positions()
    if A.iso:
        keys.sort()
        keys %= keys.dtype.type(A.ncols)
        return CSR(A.indptr, keys.astype(A.indices.dtype), A.values, A.ncols, True)
    order = keys.argsort(kind="stable")
    return CSR(A.indptr, A.indices[order], A.values[order], A.ncols)


def _disjoint_union(A: CSR, B: CSR) -> CSR:
    """Return the union of two matrices that have no position in common."""
    xp = device.xp
    if not A.nvals or not B.nvals:
        return B if B.nvals else A
    keys = xp.concatenate([A.positions(), B.positions()])
    values = xp.concatenate([A.full_values(), B.full_values()])
    order = keys.argsort(kind="stable")
    return CSR.from_positions(keys[order], values[order], A.nrows, A.ncols)
