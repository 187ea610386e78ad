"""Greedy colouring (native), largest degree first: the colours of :func:`graphla.greedy_color`.

    color(v) = the smallest one that no neighbour earlier in the order has

The order is by falling degree and, among equal degrees, by vertex number. Self-loops do not count.

Parallel split: threads take blocks of the order, of equal work, from an atomic counter; to make
this order, they take equal parts of the vertices. Conflicts: a thread that needs the colour of an
earlier vertex first reads the rest of the row, then waits for that colour. The thread that has the
earliest vertices never waits, so all end.

Source: D. Welsh, M. Powell, Computer J. 10 (1967).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import get_num_threads, njit, prange

from graphla.native.vectors import full_vector
from graphla.numba_support.atomics import fetch_add, load
from graphla.numba_support.counting_sort import inverse, sort_by_value
from graphla.numba_support.waiting import give_way

if TYPE_CHECKING:
    from graphla.core.graph import Graph

WORK_PER_BLOCK = 1024  # vertices and entries of their rows that a thread takes at a time


@njit(parallel=True, cache=True, nogil=True)
def _order_by_degree(begin, end, indices, threads):
    """Return the vertices by falling degree, their ranks, and where each degree starts."""
    n = begin.size
    degree = np.empty(n, indices.dtype)
    for v in prange(n):
        d = end[v] - begin[v]
        for e in range(np.uint64(begin[v]), np.uint64(end[v])):
            d -= indices[e] == v
        degree[v] = d
    largest = degree.max() if n else 0
    order, starts = sort_by_value(largest - degree, largest + 1, threads)
    return order, inverse(order), starts


@njit(cache=True, nogil=True)
def _equal_blocks(starts):
    """Return the bounds of blocks of vertices of one degree that are about the same work."""
    num_degrees, bounds = starts.size - 1, [0]
    for i in range(num_degrees):
        degree = num_degrees - 1 - i
        size = max(1, WORK_PER_BLOCK // (degree + 1))
        for end in range(starts[i] + size, starts[i + 1], size):
            bounds.append(end)
        if starts[i] < starts[i + 1]:
            bounds.append(starts[i + 1])
    return np.array(bounds)


@njit(parallel=True, cache=True, nogil=True)
def _color(begin, end, indices, order, rank, blocks, color, used, uncolored, counter):
    """Set color[v], which is -1 for all v at first.

    used[t] are marks of thread t, -1 at first, and uncolored[t] its place for earlier neighbours
    that have no colour yet.
    """
    counter[0] = 0
    for t in prange(used.shape[0]):
        mark, waits_for = used[t], uncolored[t]
        while True:
            block = fetch_add(counter, 0, 1)
            if block >= blocks.size - 1:
                break
            for i in range(blocks[block], blocks[block + 1]):
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
    order, rank, starts = _order_by_degree(begin, end, indices, threads)
    color = np.full(order.size, -1, indices.dtype)
    used = np.full((threads, starts.size - 1), -1, indices.dtype)
    uncolored, counter = np.empty_like(used), np.zeros(1, np.int64)
    blocks = _equal_blocks(starts)
    _color(begin, end, indices, order, rank, blocks, color, used, uncolored, counter)
    return color


def greedy_color(G: Graph) -> Any:
    """Colour the vertices: the native kernel of :func:`graphla.greedy_color`."""
    indptr, indices = G.csr.indptr.astype(np.int64, copy=False), G.csr.indices
    color = color_vertices(indptr[:-1], indptr[1:], indices, get_num_threads())
    return full_vector(color.astype(G.index_dtype.np_type, copy=False))
