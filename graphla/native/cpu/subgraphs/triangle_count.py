"""Triangle count (native): intersect the neighbour lists at both ends of each edge.

    count = sum |N(u) & N(v)| over the edges (u, v), v in N(u),    N(u) = neighbours of u below u

The lists are words of bitmaps in the order of falling degree (:mod:`.packed_rows`), so that
N(u) is short. If no degree exceeds SHORT, the numbers stay and the sorted lists are merged.
The count at each vertex, for :mod:`.clustering_coefficient`, takes every common neighbour w one
by one: a triangle is counted at u, v and w.

Parallel split: threads take blocks of vertices u from an atomic counter, and then parts of the
vertices to add the counts of all threads. Conflicts: none, each thread has its own bitmap, and its
own sum or its own counts of all vertices. Those are of 16 bits where lists are merged, since the
first write to each page takes longer than the merges beside it.

Source: M. Latapy, Theoretical Computer Science 407 (2008), for the order; S. Beamer et
al., "The GAP benchmark suite", arXiv:1508.03619, for the merge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import get_num_threads, njit, prange

from graphla.native.cpu.subgraphs.packed_rows import (
    BLOCKS,
    dense_bitmaps,
    order_by_degree,
    pack_rows,
)
from graphla.numba_support.atomics import fetch_add
from graphla.numba_support.bits import lowest, popcount
from graphla.numba_support.blocks import equal_blocks

if TYPE_CHECKING:
    from graphla.core.graph import Graph

SHORT = 32  # largest degree up to which lists are merged: at most 496 triangles at a vertex


@njit(parallel=True, cache=True, nogil=True)
def _count_packed(first, last, number, word, blocks, counter, dense, at_vertex, counts):
    """Add to counts[k] the triangles of the vertices u that thread k takes.

    In all, counts[k, 0], or at each of their vertices.
    """
    counter[0] = 0
    for thread in prange(counts.shape[0]):
        bitmap, own = dense[thread], counts[thread]
        total = np.uint64(0)
        block = fetch_add(counter, 0, 1)
        while block < blocks.size - 1:
            for u in range(blocks[block], blocks[block + 1]):
                begin, end = np.uint64(first[u]), np.uint64(last[u])
                before = total
                for q in range(begin, end):
                    bitmap[np.uint64(number[q])] = word[q]
                for q in range(begin, end):
                    unread = word[q]
                    while unread:
                        v = (np.uint64(number[q]) << np.uint64(6)) + np.uint64(lowest(unread))
                        unread &= unread - np.uint64(1)
                        before_v = total
                        for k in range(np.uint64(first[v]), np.uint64(last[v])):
                            both = bitmap[np.uint64(number[k])] & word[k]
                            total += np.uint64(popcount(both))
                            if at_vertex:
                                base = np.uint64(number[k]) << np.uint64(6)
                                while both:
                                    own[base + np.uint64(lowest(both))] += np.uint64(1)
                                    both &= both - np.uint64(1)
                        if at_vertex:
                            own[v] += total - before_v
                if at_vertex:
                    own[u] += total - before
                for q in range(begin, end):
                    bitmap[np.uint64(number[q])] = 0
            block = fetch_add(counter, 0, 1)
        if not at_vertex:
            own[0] = total


@njit(parallel=True, cache=True, nogil=True)
def _count_merging(indptr, indices, blocks, counter, at_vertex, counts):
    """The same by merging the sorted lists."""
    counter[0] = 0
    for thread in prange(counts.shape[0]):
        own = counts[thread]
        total = np.uint64(0)
        block = fetch_add(counter, 0, 1)
        while block < blocks.size - 1:
            for u in range(blocks[block], blocks[block + 1]):
                begin, end = np.uint64(indptr[u]), np.uint64(indptr[u + 1])
                before = total
                for k in range(begin, end):
                    v = np.uint64(indices[k])
                    if v >= np.uint64(u):
                        break
                    before_v = total
                    # merge u's neighbours below v with v's neighbours: v itself is in v's list
                    # only as a self-loop, and u's part ends before v
                    i, j, stop = begin, np.uint64(indptr[v]), np.uint64(indptr[v + np.uint64(1)])
                    while i < k and j < stop:
                        a, b = indices[i], indices[j]
                        total += np.uint64(a == b)
                        if at_vertex:
                            own[a] += np.uint64(a == b)
                        i += np.uint64(a <= b)
                        j += np.uint64(b <= a)
                    if at_vertex:
                        own[v] += total - before_v
                if at_vertex:
                    own[u] += total - before
            block = fetch_add(counter, 0, 1)
        if not at_vertex:
            own[0] = total


@njit(parallel=True, cache=True, nogil=True)
def _add_counts(counts, total, threads):
    """Write the sums of the counts of all threads."""
    n = total.size
    for t in prange(threads):
        for v in range(n * t // threads, n * (t + 1) // threads):
            own_total = np.int64(0)
            for thread in range(counts.shape[0]):
                own_total += np.int64(counts[thread, v])
            total[v] = own_total


def sum_of_threads(counts: Any) -> Any:
    """Return the sums of the integers that the threads have counted, counts[k] by thread k."""
    total = np.empty(counts.shape[1], np.int64)
    _add_counts(counts, total, get_num_threads())
    return total


def _count(G: Graph, *, at_vertex: bool) -> Any:
    """Return the number of triangles in all, or at each vertex."""
    indptr, indices, _ = G.csr
    counter, shape = np.zeros(1, np.int64), (get_num_threads(), G.n if at_vertex else 1)
    if G.max_out_degree > SHORT:
        new, old = order_by_degree(indptr, indices)
        rows = pack_rows(indptr, indices, new, old, whole=False)
        blocks = equal_blocks(rows.first, BLOCKS)
        dense, counts = dense_bitmaps(G.n), np.zeros(shape, np.uint64)
        _count_packed(*rows, blocks, counter, dense, at_vertex, counts)
        total = sum_of_threads(counts)
        return total[new] if at_vertex else total
    blocks, longest = equal_blocks(indptr, BLOCKS), G.max_out_degree
    fits_16_bits = at_vertex and longest * (longest - 1) // 2 < 1 << 16
    counts = np.zeros(shape, np.uint16 if fits_16_bits else np.uint64)
    _count_merging(indptr, indices, blocks, counter, at_vertex, counts)
    return sum_of_threads(counts)


def triangle_count(G: Graph) -> int:
    """Count the triangles of an undirected graph: the native kernel."""
    return int(_count(G, at_vertex=False)[0])


def triangles_at_vertices(G: Graph) -> Any:
    """Count the triangles at each vertex of an undirected graph: an INT64 array."""
    return _count(G, at_vertex=True)
