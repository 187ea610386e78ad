"""Triangle count by hand: each vertex against its neighbours' neighbours, numbers falling.

    count = sum |N(u) & N(v)| over the edges (u, v),    N(u) = neighbours of u below u

Vertices are renumbered by falling degree first: N(u) is then short, and hubs have the
lowest numbers, so that its bitmap is a few dense words. Each N(u) is packed as the list
of its words that are not 0. A thread spreads the words of u over an array, and
intersects with those of v by AND and a count of bits. Where no degree is large the
numbers stay, and the sorted lists are merged.

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

SHORT = 32  # lists are merged where no degree is larger
BLOCKS = 2048


@njit(cache=True, nogil=True)
def _order(indptr, indices):
    """Sort vertices by falling degree, counting: the new number of each, and the old."""
    n = indptr.size - 1
    top = 0
    for v in range(n):
        top = max(top, indptr[v + 1] - indptr[v])
    at = np.zeros(top + 2, np.int64)
    for v in range(n):
        at[top - (indptr[v + 1] - indptr[v]) + 1] += 1
    for j in range(top + 1):
        at[j + 1] += at[j]
    new, old = np.empty(n, indices.dtype), np.empty(n, indices.dtype)
    for v in range(n):
        j = top - (indptr[v + 1] - indptr[v])
        new[v], old[at[j]] = at[j], v
        at[j] += 1
    return new, old


@njit(parallel=True, cache=True, nogil=True)
def _pack(indptr, indices, new, old, first, last, blocks, counter, spread, number, word):
    """Write the words of every N(u), u the new number, to first[u]..last[u] - 1."""
    counter[0] = 0
    for t in prange(spread.shape[0]):
        mine = spread[t]
        block = fetch_add(counter, 0, 1)
        while block < blocks.size - 1:
            for u in range(blocks[block], blocks[block + 1]):
                v = old[u]
                end = np.uint64(first[u])
                for k in range(np.uint64(indptr[v]), np.uint64(indptr[v + 1])):
                    w = new[np.uint64(indices[k])]
                    if w < u:
                        j = np.uint64(w) >> np.uint64(6)
                        if not mine[j]:
                            number[end] = j
                            end += np.uint64(1)
                        mine[j] |= np.uint64(1) << (np.uint64(w) & np.uint64(63))
                for q in range(np.uint64(first[u]), end):
                    j = np.uint64(number[q])
                    word[q] = mine[j]
                    mine[j] = 0
                last[u] = end
            block = fetch_add(counter, 0, 1)


@njit(parallel=True, cache=True, nogil=True)
def _count_packed(first, last, number, word, blocks, counter, spread, found):
    """Each thread adds up |N(u) & N(v)| over the blocks of u that it takes."""
    counter[0] = 0
    for t in prange(found.size):
        mine = spread[t]
        total = np.uint64(0)
        block = fetch_add(counter, 0, 1)
        while block < blocks.size - 1:
            for u in range(blocks[block], blocks[block + 1]):
                begin, end = np.uint64(first[u]), np.uint64(last[u])
                for q in range(begin, end):
                    mine[np.uint64(number[q])] = word[q]
                for q in range(begin, end):
                    left = word[q]
                    while left:
                        v = (np.uint64(number[q]) << np.uint64(6)) + np.uint64(lowest(left))
                        left &= left - np.uint64(1)
                        for k in range(np.uint64(first[v]), np.uint64(last[v])):
                            both = mine[np.uint64(number[k])] & word[k]
                            total += np.uint64(popcount(both))
                for q in range(begin, end):
                    mine[np.uint64(number[q])] = 0
            block = fetch_add(counter, 0, 1)
        found[t] = total


@njit(parallel=True, cache=True, nogil=True)
def _count_merging(indptr, indices, blocks, counter, found):
    """Each thread adds up |N(u) & N(v)| over the blocks of u that it takes."""
    counter[0] = 0
    for t in prange(found.size):
        total = np.uint64(0)
        block = fetch_add(counter, 0, 1)
        while block < blocks.size - 1:
            for u in range(blocks[block], blocks[block + 1]):
                begin, end = np.uint64(indptr[u]), np.uint64(indptr[u + 1])
                for k in range(begin, end):
                    v = indices[k]
                    if v >= u:
                        break
                    # v ends its own part of the list of u, and is never in that of v,
                    # but for a loop, where both lists stop
                    i, j, stop = begin, np.uint64(indptr[v]), np.uint64(indptr[v + 1])
                    while i < k and j < stop:
                        a, b = indices[i], indices[j]
                        total += np.uint64(a == b)
                        i += np.uint64(a <= b)
                        j += np.uint64(b <= a)
            block = fetch_add(counter, 0, 1)
        found[t] = total


def triangle_count(G: Graph) -> int:
    """Count the triangles of an undirected graph: the hand-written kernel."""
    indptr, indices, _ = G.csr
    n, threads = G.n, get_num_threads()
    counter, found = np.zeros(1, np.int64), np.zeros(threads, np.uint64)
    degree = np.diff(indptr)
    if n and degree.max() > SHORT:
        new, old = _order(indptr, indices)
        first = np.zeros(n + 1, np.int64)  # room for the words of N(u): one a neighbour,
        np.cumsum(np.minimum(degree[old], np.arange(n) // 64 + 1), out=first[1:])  # or all
        last = first[:-1].copy()
        number, word = np.empty(first[n], indices.dtype), np.empty(first[n], np.uint64)
        spread = np.zeros((threads, (n + 63) // 64), np.uint64)
        blocks = equal_blocks(first, BLOCKS)
        _pack(indptr, indices, new, old, first, last, blocks, counter, spread, number, word)
        _count_packed(first, last, number, word, blocks, counter, spread, found)
    else:
        _count_merging(indptr, indices, equal_blocks(indptr, BLOCKS), counter, found)
    return int(found.sum())
