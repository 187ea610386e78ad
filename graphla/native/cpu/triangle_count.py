"""Triangle count (native): intersect the neighbour lists at both ends of each edge.

    count = sum |N(u) & N(v)| over the edges (u, v), v in N(u),    N(u) = neighbours of u below u

Vertices are renumbered by descending degree first: N(u) is short then, and the hubs have the
lowest numbers, so the bitmap of N(u) has few nonzero words. These words are stored as a list. For
each u, a thread scatters them into a dense array, and intersects with the words of each v by AND
and popcount. If no degree exceeds SHORT, the numbers stay and the sorted lists are merged.

Parallel split: threads take blocks of vertices u from an atomic counter. Conflicts: none, each
thread has its own dense array and its own sum.

Source: M. Latapy, Theoretical Computer Science 407 (2008), for the order; S. Beamer et
al., "The GAP benchmark suite", arXiv:1508.03619, for the merge; M. Bisson, M. Fatica,
"High performance exact triangle counting on GPUs", IEEE TPDS 28 (2017), for the bitmap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import get_num_threads, njit, prange

from graphla.numba_support.atomics import fetch_add
from graphla.numba_support.bits import lowest, popcount
from graphla.numba_support.blocks import equal_blocks

if TYPE_CHECKING:
    from graphla.core.graph import Graph

SHORT = 32  # largest degree up to which lists are merged
BLOCKS = 2048


@njit(cache=True, nogil=True)
def _order_by_degree(indptr, indices):
    """Counting sort by descending degree: return new number of each vertex, and the inverse."""
    n = indptr.size - 1
    max_degree = 0
    for v in range(n):
        max_degree = max(max_degree, indptr[v + 1] - indptr[v])
    start = np.zeros(max_degree + 2, np.int64)
    for v in range(n):
        start[max_degree - (indptr[v + 1] - indptr[v]) + 1] += 1
    for j in range(max_degree + 1):
        start[j + 1] += start[j]
    new, old = np.empty(n, indices.dtype), np.empty(n, indices.dtype)
    for v in range(n):
        j = max_degree - (indptr[v + 1] - indptr[v])
        new[v], old[start[j]] = start[j], v
        start[j] += 1
    return new, old


@njit(parallel=True, cache=True, nogil=True)
def _pack(indptr, indices, new, old, first, last, blocks, counter, dense, number, word):
    """Write the nonzero words of N(u), u a new number, to entries first[u]..last[u] - 1.

    number[q] is the index of word[q] in the bitmap.
    """
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
                    if w < u:
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


@njit(parallel=True, cache=True, nogil=True)
def _count_packed(first, last, number, word, blocks, counter, dense, totals):
    """Set totals[k] to the sum of |N(u) & N(v)| over the vertices u that thread k takes."""
    counter[0] = 0
    for thread in prange(totals.size):
        bitmap = dense[thread]
        total = np.uint64(0)
        block = fetch_add(counter, 0, 1)
        while block < blocks.size - 1:
            for u in range(blocks[block], blocks[block + 1]):
                begin, end = np.uint64(first[u]), np.uint64(last[u])
                for q in range(begin, end):
                    bitmap[np.uint64(number[q])] = word[q]
                for q in range(begin, end):
                    unread = word[q]
                    while unread:
                        v = (np.uint64(number[q]) << np.uint64(6)) + np.uint64(lowest(unread))
                        unread &= unread - np.uint64(1)
                        for k in range(np.uint64(first[v]), np.uint64(last[v])):
                            both = bitmap[np.uint64(number[k])] & word[k]
                            total += np.uint64(popcount(both))
                for q in range(begin, end):
                    bitmap[np.uint64(number[q])] = 0
            block = fetch_add(counter, 0, 1)
        totals[thread] = total


@njit(parallel=True, cache=True, nogil=True)
def _count_merging(indptr, indices, blocks, counter, totals):
    """The same by merging the sorted lists."""
    counter[0] = 0
    for thread in prange(totals.size):
        total = np.uint64(0)
        block = fetch_add(counter, 0, 1)
        while block < blocks.size - 1:
            for u in range(blocks[block], blocks[block + 1]):
                begin, end = np.uint64(indptr[u]), np.uint64(indptr[u + 1])
                for k in range(begin, end):
                    v = indices[k]
                    if v >= u:
                        break
                    # merge u's neighbours below v with v's neighbours: v itself is in v's list
                    # only as a self-loop, and u's part ends before v
                    i, j, stop = begin, np.uint64(indptr[v]), np.uint64(indptr[v + 1])
                    while i < k and j < stop:
                        a, b = indices[i], indices[j]
                        total += np.uint64(a == b)
                        i += np.uint64(a <= b)
                        j += np.uint64(b <= a)
            block = fetch_add(counter, 0, 1)
        totals[thread] = total


def triangle_count(G: Graph) -> int:
    """Count the triangles of an undirected graph: the native kernel."""
    indptr, indices, _ = G.csr
    n, threads = G.n, get_num_threads()
    counter, totals = np.zeros(1, np.int64), np.zeros(threads, np.uint64)
    if G.max_out_degree > SHORT:
        degree = np.diff(indptr)
        new, old = _order_by_degree(indptr, indices)
        first = np.zeros(n + 1, np.int64)
        most_words = np.minimum(degree[old], np.arange(n) // 64 + 1)  # that N(u) can take
        np.cumsum(most_words, out=first[1:])
        last = first[:-1].copy()
        number, word = np.empty(first[n], indices.dtype), np.empty(first[n], np.uint64)
        dense = np.zeros((threads, (n + 63) // 64), np.uint64)
        blocks = equal_blocks(first, BLOCKS)
        _pack(indptr, indices, new, old, first, last, blocks, counter, dense, number, word)
        _count_packed(first, last, number, word, blocks, counter, dense, totals)
    else:
        _count_merging(indptr, indices, equal_blocks(indptr, BLOCKS), counter, totals)
    return int(totals.sum())
