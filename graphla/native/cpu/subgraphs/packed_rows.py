"""Neighbour lists as words of a bitmap, shared by the kernels that intersect them.

Vertices are renumbered by descending degree: the hubs, which most lists contain, have the lowest
numbers, so the bitmap of a list has few nonzero words. These are stored as a list. To intersect
N(u) with other lists, a thread scatters its words into a dense bitmap, and the intersection with
a list of words takes one AND for each.

Source: M. Latapy, Theoretical Computer Science 407 (2008), for the order; M. Bisson, M. Fatica,
"High performance exact triangle counting on GPUs", IEEE TPDS 28 (2017), for the bitmap.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import get_num_threads, njit, prange

from graphla.numba_support.atomics import fetch_add
from graphla.numba_support.blocks import equal_blocks
from graphla.numba_support.counting_sort import sort_by_value

BLOCKS = 2048


class PackedRows(NamedTuple):
    """N(u), u a new number, is words first[u]..last[u] - 1: word[q] is number[q] in the bitmap."""

    first: Any
    last: Any
    number: Any
    word: Any


@njit(cache=True, nogil=True)
def order_by_degree(indptr: Any, indices: Any) -> Any:
    """Return the number of each vertex by descending degree, and the vertex of each number."""
    n = indptr.size - 1
    degree = np.empty(n, indices.dtype)
    for v in range(n):
        degree[v] = indptr[v + 1] - indptr[v]
    largest = degree.max() if n else 0
    old, _ = sort_by_value(largest - degree, largest + 1)
    new = np.empty(n, indices.dtype)
    new[old] = np.arange(n)
    return new, old


@njit(parallel=True, cache=True, nogil=True)
def _pack(indptr, indices, new, old, whole, first, last, blocks, counter, dense, number, word):
    """Write the nonzero words of N(u): of all neighbours, or of those below u."""
    counter[0] = 0
    for t in prange(dense.shape[0]):
        bitmap = dense[t]
        block = fetch_add(counter, 0, 1)
        while block < blocks.size - 1:
            for u in range(blocks[block], blocks[block + 1]):
                v = old[u]
                end = np.uint64(first[u])
                for k in range(np.uint64(indptr[v]), np.uint64(indptr[v + 1])):
                    w = new[np.uint64(indices[k])]
                    if w < u or whole:
                        j = np.uint64(w) >> np.uint64(6)
                        if not bitmap[j]:
                            number[end] = j
                            end += np.uint64(1)
                        bitmap[j] |= np.uint64(1) << (np.uint64(w) & np.uint64(63))
                for q in range(np.uint64(first[u]), end):
                    j = np.uint64(number[q])
                    word[q] = bitmap[j]
                    bitmap[j] = 0
                last[u] = end
            block = fetch_add(counter, 0, 1)


def dense_bitmaps(n: int) -> Any:
    """Return an empty bitmap of n vertices for each thread."""
    return np.zeros((get_num_threads(), (n + 63) // 64), np.uint64)


def pack_rows(indptr: Any, indices: Any, new: Any, old: Any, *, whole: bool) -> PackedRows:
    """Return the rows of a symmetric matrix in the new numbers: whole, or what lies below u."""
    n, counter = indptr.size - 1, np.zeros(1, np.int64)
    first = np.zeros(n + 1, np.int64)
    words = (n + 63) // 64 if whole else np.arange(n) // 64 + 1
    np.cumsum(np.minimum(np.diff(indptr)[old], words), out=first[1:])  # the most they can take
    last = first[:-1].copy()
    number, word = np.empty(first[n], indices.dtype), np.empty(first[n], np.uint64)
    blocks = equal_blocks(first, BLOCKS)
    dense = dense_bitmaps(n)
    _pack(indptr, indices, new, old, whole, first, last, blocks, counter, dense, number, word)
    return PackedRows(first, last, number, word)
