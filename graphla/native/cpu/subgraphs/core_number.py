"""Core numbers (native): peel by levels, each removal followed at once by those that it causes.

    left = all vertices
    for k = 0, 1, ...:  remove each v in left with d(v) = k:  core(v) = k, and
                        d(u) -= 1 for its neighbours u with d(u) > k; if d(u) = k, remove u, too

Degrees become core numbers in place: none falls below the level at which its vertex is removed.
The pass over `left` drops the vertices removed before, so that all passes together read at most
2m vertices, the sum of the core numbers. A pass that finds no degree k gives the smallest degree
left, which is the next level. In a directed graph a degree counts the edges of both directions.

One thread: every removal lowers degrees that others may lower at the same time, and atomic
updates of the hubs' degrees by several threads take longer than the loop.

Source: V. Batagelj, M. Zaversnik, arXiv:cs/0310049, for the order; H. Kabir, K. Madduri,
"Parallel k-core decomposition on multicore platforms", IPDPSW 2017, for the levels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import njit

from graphla.native.vectors import full_vector
from graphla.numba_support.prefetch import prefetch

if TYPE_CHECKING:
    from graphla.core.graph import Graph

AHEAD = 4  # prefetch distance, in removed vertices
ROW = 4  # neighbours of which degrees are prefetched, without a branch that ends short rows
NO_DEGREE = 1 << 62


@njit(cache=True, nogil=True)
def subtract_self_loops(indptr: Any, indices: Any, degree: Any) -> None:
    """Subtract 1 from the degree of each vertex with an edge to itself."""
    for v in range(degree.size):
        for e in range(indptr[v], indptr[v + 1]):
            degree[v] -= indices[e] == v


@njit(cache=True, nogil=True)
def _lower(indptr, indices, v, k, degree, queue, tail):
    """Lower the neighbours' degrees above k; queue those that reach k; return the new tail."""
    for e in range(np.uint64(indptr[v]), np.uint64(indptr[v + np.uint64(1)])):
        u = np.uint64(indices[e])
        d = degree[u]
        queue[tail] = u  # kept if the tail moves on
        tail += d == k + 1
        degree[u] = d - (d > k)
    return tail


@njit(cache=True, nogil=True)
def _prefetch_rows(indptr, indices, degree, queue, head, tail):
    """Prefetch what the next removals read: of a row, ROW entries, be they those of later rows."""
    if head + 2 * AHEAD < tail:
        prefetch(indptr, queue[head + 2 * AHEAD])
    if head + AHEAD < tail:
        prefetch(indices, indptr[queue[head + AHEAD]])
    if head + AHEAD // 2 < tail:
        first, last = np.uint64(indptr[queue[head + AHEAD // 2]]), np.uint64(indices.size - 1)
        for i in range(ROW):
            prefetch(degree, indices[min(first + np.uint64(i), last)])


@njit(cache=True, nogil=True)
def peel(
    out_ptr: Any, out_idx: Any, in_ptr: Any, in_idx: Any, directed: Any, degree: Any, left: Any
) -> None:
    """Turn the degrees, without self-loops, into core numbers; `left` has all vertices at first."""
    size, k = left.size, 0
    queue, head, tail = np.empty(size + 1, left.dtype), 0, 0  # one more, which `_lower` may write
    while size:
        kept, least = 0, NO_DEGREE
        for i in range(size):
            v = left[i]
            d = degree[v]
            if d > k:
                left[kept] = v
                kept += 1
                least = min(least, d)
            elif d == k:
                queue[tail] = v
                tail += 1
        size, following = kept, k + 1 if head < tail else least
        while head < tail:
            v = np.uint64(queue[head])
            _prefetch_rows(out_ptr, out_idx, degree, queue, head, tail)
            head += 1
            tail = _lower(out_ptr, out_idx, v, k, degree, queue, tail)
            if directed:
                tail = _lower(in_ptr, in_idx, v, k, degree, queue, tail)
        k = following


def core_numbers(G: Graph, *, directed: bool) -> Any:
    """Return the core numbers as an array; only if `directed`, degrees count in-edges, too."""
    out_ptr, out_idx, _ = G.csr
    in_ptr, in_idx, _ = G.csr_transposed if directed else G.csr
    degree = np.diff(out_ptr).astype(np.int32 if G.n < 1 << 30 else np.int64, copy=False)
    if directed:
        degree += np.diff(in_ptr)
    if G.nself_edges:
        for _ in range(1 + directed):
            subtract_self_loops(out_ptr, out_idx, degree)
    if out_idx.size:
        left = np.arange(G.n, dtype=out_idx.dtype)
        peel(out_ptr, out_idx, in_ptr, in_idx, directed, degree, left)
    return degree


def core_number(G: Graph) -> Any:
    """Find core numbers: the native kernel of :func:`graphla.core_number`."""
    return full_vector(core_numbers(G, directed=G.kind == "directed").astype(np.int64))
