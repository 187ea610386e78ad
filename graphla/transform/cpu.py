"""What transforms ask of engine "cpu": arrays of NumPy, and loops that Numba compiles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import get_num_threads, njit, prange

from graphla.core.edge_list import own_csr
from graphla.core.properties import CSR
from graphla.numba_support.blocks import equal_blocks
from graphla.transform import sort_rows

if TYPE_CHECKING:
    from graphla.core.graph import Graph

xp = np


def entries(G: Graph) -> CSR:
    """Return the adjacency matrix as arrays; no values where it is Boolean."""
    return G.csr


def matrix(rows: CSR, like: Any) -> Any:
    """Return a square Matrix of rows with ascending columns; a Boolean one without values."""
    indptr, indices, values = rows
    return own_csr(indptr, indices.astype(np.uint64), values, indptr.size - 1)


def row_numbers(indptr: Any) -> Any:
    """Return the row of each entry."""
    n = indptr.size - 1
    return np.repeat(np.arange(n, dtype=np.int32 if n < 2**31 else np.int64), np.diff(indptr))


def arranged(G: Graph, nrows: int, row: Any, order: Any, names: Any) -> CSR:
    """Return A with other numbers of rows, each row in another order of columns.

    Row u becomes row[u]; columns stand in the order of their places in `order`, where
    the k-th is called names[k], or k. What neither names has no entry.
    """
    into = G.csr_transposed
    values = into.values
    lengths = np.zeros(nrows, np.int64)
    lengths[row[order]] = np.diff(G.csr.indptr)[order]
    indptr = np.append(0, lengths.cumsum()).astype(into.indptr.dtype)
    indices = np.empty_like(into.indices)
    names = np.arange(order.size) if names is None else names
    weighted = values is not None
    source = values if weighted else np.empty(1, bool)
    found = np.empty_like(source)
    row = row.astype(into.indices.dtype)
    threads = get_num_threads()
    parts = equal_blocks(indptr, threads)
    _distribute(
        into.indptr, into.indices, source, weighted, order, row, names, parts, indptr[:-1].copy(),
        indices, found,
    )  # fmt: skip
    return CSR(indptr, indices, found if weighted else None)


@njit(parallel=True, cache=True, nogil=True)
def _distribute(
    indptr, indices, values, weighted, order, row, names, parts, place, out, out_values
):
    """Append each column, in order, to the rows that it has entries in; a thread has its rows."""
    for t in prange(parts.size - 1):
        first, last = parts[t], parts[t + 1]
        for k in range(order.size):
            v, name = order[k], names[k]
            for p in range(indptr[v], indptr[v + 1]):
                i = row[indices[p]]
                if first <= i < last:
                    at = place[i]
                    place[i] = at + 1
                    out[at] = name
                    if weighted:
                        out_values[at] = values[p]


def by_weight(G: Graph) -> CSR:
    """Return the rows of A, each by (weight, column)."""
    return sort_rows.rows_by_weight(G.csr, G.min_weight, G.max_weight)


def queued(G: Graph, seeds: Any, degree: Any) -> Any:
    """Return the vertices as a queue lets them out.

    One that comes out lets its unvisited neighbours in, by number or by degree; when it
    is empty, the first unvisited seed enters. The structure of G is symmetric.
    """
    by_degree = degree is not None
    key = degree if by_degree else np.empty(1, np.int64)
    return _queue(G.csr.indptr, G.csr.indices, np.asarray(seeds), key, by_degree)


@njit(cache=True, nogil=True)
def _queue(indptr, indices, seeds, key, by_key):
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
            if by_key and tail - first > 1:
                new = queue[first:tail].copy()
                queue[first:tail] = new[np.argsort(key[new], kind="mergesort")]
    return queue


def most(indptr: Any, indices: Any, size: int) -> Any:
    """Return the largest index of each `size` rows, 0 where they have none."""
    out = np.zeros(-(-(indptr.size - 1) // size), np.uint32)
    _most(indptr, indices, size, out)
    return out


@njit(cache=True, nogil=True)
def _most(indptr, indices, size, out):
    for i in range(indptr.size - 1):
        for p in range(indptr[i], indptr[i + 1]):
            out[i // size] = max(out[i // size], np.uint32(indices[p]))


def pack(indptr: Any, indices: Any, size: int, starts: Any, widths: Any, words: Any) -> None:
    """Write the indices of each `size` rows as numbers of their width, from their first word."""
    _pack(indptr, indices, size, starts, widths, words)


@njit(cache=True, nogil=True)
def _pack(indptr, indices, size, starts, widths, words):
    for r in range(widths.size):
        bit = starts[r] << 5
        for p in range(indptr[r * size], indptr[min((r + 1) * size, indptr.size - 1)]):
            value = np.uint64(indices[p]) << np.uint64(bit & 31)
            words[bit >> 5] |= np.uint32(value & np.uint64(0xFFFFFFFF))
            words[(bit >> 5) + 1] |= np.uint32(value >> np.uint64(32))
            bit += widths[r]


def unpack(indptr: Any, size: int, starts: Any, widths: Any, words: Any, indices: Any) -> None:
    """Read them back."""
    _unpack(indptr, size, starts, widths, words, indices)


@njit(cache=True, nogil=True)
def _unpack(indptr, size, starts, widths, words, indices):
    for r in range(widths.size):
        bit, mask = starts[r] << 5, (np.uint64(1) << np.uint64(widths[r])) - np.uint64(1)
        for p in range(indptr[r * size], indptr[min((r + 1) * size, indptr.size - 1)]):
            two = np.uint64(words[bit >> 5]) | np.uint64(words[(bit >> 5) + 1]) << np.uint64(32)
            indices[p] = two >> np.uint64(bit & 31) & mask
            bit += widths[r]


def windows(indptr: Any, indices: Any, width: int) -> Any:
    """Return the column of each row from which `width` columns hold most of its entries."""
    base = np.zeros(indptr.size - 1, indices.dtype)
    _windows(indptr, indices, width, base)
    return base


@njit(cache=True, nogil=True)
def _windows(indptr, indices, width, base):
    for i in range(base.size):
        last, most = indptr[i], 0
        for p in range(indptr[i], indptr[i + 1]):
            while last < indptr[i + 1] and indices[last] - indices[p] < width:
                last += 1
            if last - p > most:
                base[i], most = indices[p], last - p
