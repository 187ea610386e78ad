"""The operations of transforms on engine "cpu": NumPy arrays, and loops compiled by Numba.

:class:`graphla.transform.engine.EngineOperations` says what each of them returns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import get_num_threads, njit, prange

from graphla.core.edge_list import own_csr
from graphla.core.properties import CSR
from graphla.numba_support.bits import read_packed
from graphla.numba_support.blocks import equal_blocks
from graphla.transform import sort_rows

if TYPE_CHECKING:
    from graphla.core.graph import Graph

xp = np


def csr_arrays(G: Graph) -> CSR:
    """Return ``G.csr``, which the graph caches."""
    return G.csr


def matrix_from_rows(rows: CSR, dtype: Any) -> Any:
    """Return a Matrix of the dtype of the values."""
    indptr, indices, values = rows
    return own_csr(indptr, indices.astype(np.uint64), values, indptr.size - 1)


def row_numbers(indptr: Any) -> Any:
    """Return the row of each entry."""
    n = indptr.size - 1
    return np.repeat(np.arange(n, dtype=np.int32 if n < 2**31 else np.int64), np.diff(indptr))


def permute(G: Graph, num_rows: int, new_row: Any, column_order: Any, names: Any) -> CSR:
    """Append the entries column by column, in the new order, to their rows: O(n + entries)."""
    columns = G.csr_transposed
    values = columns.values
    lengths = np.zeros(num_rows, np.int64)
    lengths[new_row[column_order]] = np.diff(G.csr.indptr)[column_order]
    indptr = np.append(0, lengths.cumsum()).astype(columns.indptr.dtype)
    indices = np.empty_like(columns.indices)
    names = np.arange(column_order.size) if names is None else names
    weighted = values is not None
    in_values = values if weighted else np.empty(1, np.uint8)
    out_values = np.empty_like(in_values)
    bits = np.dtype(f"u{in_values.itemsize}")  # values are copied: one compiled kernel per width
    new_row = new_row.astype(columns.indices.dtype)
    bounds = equal_blocks(indptr, get_num_threads())
    _append_columns(
        columns.indptr, columns.indices, in_values.view(bits), weighted, column_order, new_row,
        names, bounds, indptr[:-1].copy(), indices, out_values.view(bits),
    )  # fmt: skip
    return CSR(indptr, indices, out_values if weighted else None)


@njit(parallel=True, cache=True, nogil=True)
def _append_columns(
    indptr, indices, values, weighted, column_order, new_row, names, bounds, next_free,
    out_indices, out_values,
):  # fmt: skip
    """Append each column, in order, to its rows.

    Thread t reads all columns and writes the rows bounds[t]..bounds[t + 1] - 1, so that no two
    threads write the same row.
    """
    for thread in prange(bounds.size - 1):
        first, last = bounds[thread], bounds[thread + 1]
        for k in range(column_order.size):
            v, name = column_order[k], names[k]
            for p in range(indptr[v], indptr[v + 1]):
                i = new_row[indices[p]]
                if first <= i < last:
                    position = next_free[i]
                    next_free[i] = position + 1
                    out_indices[position] = name
                    if weighted:
                        out_values[position] = values[p]


def sort_rows_by_weight(G: Graph) -> CSR:
    """Sort by insertion or by radix: see sort_rows.py."""
    return sort_rows.rows_by_weight(G.csr, G.min_weight, G.max_weight)


def breadth_first_order(G: Graph, seeds: Any, degree: Any) -> Any:
    """Run the queue, on one thread."""
    by_degree = degree is not None
    degree = degree if by_degree else np.empty(1, np.int64)
    return _run_queue(G.csr.indptr, G.csr.indices, np.asarray(seeds), degree, by_degree)


@njit(cache=True, nogil=True)
def _run_queue(indptr, indices, seeds, degree, by_degree):
    n = indptr.size - 1
    queue, visited = np.empty(n, indices.dtype), np.zeros(n, np.bool_)
    head, tail = 0, 0
    for seed in seeds:
        if visited[seed]:
            continue
        queue[tail], visited[seed] = seed, True
        tail += 1
        while head < tail:
            u, first = queue[head], tail
            head += 1
            for p in range(indptr[u], indptr[u + 1]):
                v = indices[p]
                if not visited[v]:
                    queue[tail], visited[v] = v, True
                    tail += 1
            if by_degree and tail - first > 1:
                new = queue[first:tail].copy()
                queue[first:tail] = new[np.argsort(degree[new], kind="mergesort")]
    return queue


def largest_columns(indptr: Any, indices: Any, group_rows: int) -> Any:
    """Return the largest column of each group of rows."""
    out = np.zeros(-(-(indptr.size - 1) // group_rows), np.uint32)
    _largest_columns(indptr, indices, group_rows, out)
    return out


@njit(cache=True, nogil=True)
def _largest_columns(indptr, indices, group_rows, out):
    for i in range(indptr.size - 1):
        for p in range(indptr[i], indptr[i + 1]):
            out[i // group_rows] = max(out[i // group_rows], np.uint32(indices[p]))


@njit(cache=True, nogil=True)
def pack_columns(indptr, indices, group_rows, starts, widths, words):
    """Write the columns of each group of rows, on one thread; a number may cross two words."""
    n = indptr.size - 1
    for group in range(widths.size):
        bit = starts[group] << 5
        for p in range(indptr[group * group_rows], indptr[min((group + 1) * group_rows, n)]):
            value = np.uint64(indices[p]) << np.uint64(bit & 31)
            words[bit >> 5] |= np.uint32(value & np.uint64(0xFFFFFFFF))
            words[(bit >> 5) + 1] |= np.uint32(value >> np.uint64(32))
            bit += widths[group]


@njit(cache=True, nogil=True)
def unpack_columns(indptr, group_rows, starts, widths, words, indices):
    """Undo pack_columns, on one thread."""
    n = indptr.size - 1
    for group in range(widths.size):
        bit, mask = starts[group] << 5, (np.uint64(1) << np.uint64(widths[group])) - np.uint64(1)
        for p in range(indptr[group * group_rows], indptr[min((group + 1) * group_rows, n)]):
            indices[p] = read_packed(words, bit, mask)
            bit += widths[group]


def densest_windows(indptr: Any, indices: Any, width: int) -> Any:
    """Slide a window of `width` columns over each row."""
    base = np.zeros(indptr.size - 1, indices.dtype)
    _densest_windows(indptr, indices, width, base)
    return base


@njit(cache=True, nogil=True)
def _densest_windows(indptr, indices, width, base):
    for i in range(base.size):
        last, most_entries = indptr[i], 0
        for p in range(indptr[i], indptr[i + 1]):
            while last < indptr[i + 1] and indices[last] - indices[p] < width:
                last += 1
            if last - p > most_entries:
                base[i], most_entries = indices[p], last - p
