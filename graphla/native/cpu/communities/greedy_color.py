"""Greedy colouring (native), largest degree first: the colours of :func:`graphla.greedy_color`.

    color(v) = the smallest one that no neighbour earlier in the order has

The order is by falling degree and, among equal degrees, by vertex number. Self-loops do not count.

Parallel split: threads take a hub, or some other vertices, at a time from an atomic counter, in the
order of the colouring; to make this order, they take equal parts of the vertices. Conflicts: a
thread that needs the colour of an earlier vertex first reads the rest of the row, then waits for
that colour. The thread that has the earliest vertices never waits, so all end.

Source: D. Welsh, M. Powell, Computer J. 10 (1967).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import get_num_threads, njit, prange

from graphla.native.vectors import full_vector
from graphla.numba_support.atomics import fetch_add, load
from graphla.numba_support.counting_sort import sort_by_value
from graphla.numba_support.waiting import give_way

if TYPE_CHECKING:
    from graphla.core.graph import Graph

BLOCK = 32  # vertices that a thread takes at a time, if they are no hubs
HUB = 128  # least degree of a hub


@njit(parallel=True, cache=True, nogil=True)
def _order_by_degree(begin, end, indices, threads):
    """Return the vertices by falling degree, their ranks, the largest degree, how many are hubs."""
    n = begin.size
    degree, rank = np.empty(n, indices.dtype), np.empty(n, indices.dtype)
    for v in prange(n):
        d = end[v] - begin[v]
        for e in range(np.uint64(begin[v]), np.uint64(end[v])):
            d -= indices[e] == v
        degree[v] = d
    largest = degree.max() if n else 0
    order, starts = sort_by_value(largest - degree, largest + 1, threads)
    for i in prange(n):
        rank[order[i]] = i
    return order, rank, largest, starts[max(largest + 1 - HUB, 0)]


@njit(parallel=True, cache=True, nogil=True)
def _color(begin, end, indices, order, rank, hubs, color, used, uncolored, counter):
    """Set color[v], which is -1 for all v at first.

    used[t] are marks of thread t, -1 at first, and uncolored[t] its place for earlier neighbours
    that have no colour yet.
    """
    counter[0] = 0
    for t in prange(used.shape[0]):
        mark, waits_for = used[t], uncolored[t]
        while True:
            block = fetch_add(counter, 0, 1)
            if block < hubs:
                first, last = block, block + 1
            else:
                first = hubs + (block - hubs) * BLOCK
                last = min(first + BLOCK, order.size)
            if first >= order.size:
                break
            for i in range(first, last):
                v, num_uncolored = order[i], 0
                for e in range(np.uint64(begin[v]), np.uint64(end[v])):
                    u = np.uint64(indices[e])
                    if rank[u] < i:
                        c = color[u]
                        if c < 0:
                            waits_for[num_uncolored] = u
                            num_uncolored += 1
                        else:
                            mark[np.uint64(c)] = i
                for k in range(num_uncolored):
                    u = waits_for[k]
                    c = load(color, u)
                    while c < 0:
                        give_way()
                        c = load(color, u)
                    mark[np.uint64(c)] = i
                c = color.dtype.type(0)
                while mark[np.uint64(c)] == i:
                    c += color.dtype.type(1)
                color[v] = c


def color_vertices(begin: Any, end: Any, indices: Any, threads: int) -> Any:
    """Return the colour of each vertex; its neighbours are indices[begin[v] : end[v]]."""
    order, rank, largest, hubs = _order_by_degree(begin, end, indices, threads)
    color = np.full(order.size, -1, indices.dtype)
    used = np.full((threads, largest + 1), -1, indices.dtype)
    uncolored, counter = np.empty_like(used), np.zeros(1, np.int64)
    _color(begin, end, indices, order, rank, hubs, color, used, uncolored, counter)
    return color


def greedy_color(G: Graph) -> Any:
    """Colour the vertices: the native kernel of :func:`graphla.greedy_color`."""
    indptr, indices = G.csr.indptr.astype(np.int64, copy=False), G.csr.indices
    color = color_vertices(indptr[:-1], indptr[1:], indices, get_num_threads())
    return full_vector(color.astype(G.index_dtype.np_type, copy=False))
