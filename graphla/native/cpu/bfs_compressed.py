"""Breadth-first search in compressed lists of neighbours (native).

Formula, parallel split and conflicts are those of bfs.py; the kernels here decode each list while
they read it. The form of the lists is defined in transform/compressed.py.

Source: A. Kolganov, 2018.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import get_num_threads, njit, prange

from graphla.core.validation import index_dtype
from graphla.native.cpu.bfs import (
    BUFFER,
    CHUNK,
    DEPTH,
    EDGES,
    END,
    HEAD,
    NEXT,
    SCOUT,
    SIZE,
    TAIL,
    TOP_DOWN,
    end_pull,
    end_top_down_level,
    new_buffers,
    results,
    start_pulling,
    start_search,
)
from graphla.numba_support.atomics import compare_and_swap, fetch_add
from graphla.numba_support.bits import lowest, read_packed
from graphla.numba_support.shared_list import append_buffer

if TYPE_CHECKING:
    from graphla.core.results import BFS
    from graphla.transform import Compressed

SERIAL = 2048  # a frontier with fewer edges is expanded by one thread


@njit(cache=True, inline="always")
def _locate_list(indptr, starts, widths, v):
    """Return the first bit of the list of v, the width of a neighbour, and its mask."""
    r = v >> 6
    width = np.int64(widths[r])
    bit = (starts[r] << 5) + (np.int64(indptr[v]) - np.int64(indptr[r << 6])) * width
    return bit, width, (np.uint64(1) << np.uint64(width)) - np.uint64(1)


@njit(parallel=True, cache=True, nogil=True)
def _expand(indptr, words, starts, widths, depth, search, head, tail, threads):
    """Top-down: claim the unvisited neighbours of queue[head:tail]."""
    level, parent, _, _, queue, count, _ = search
    count[NEXT], count[END], count[SCOUT] = head, tail, 0
    for _ in prange(threads):
        buffer, size, edges = np.empty(BUFFER, queue.dtype), 0, 0
        while True:
            first = fetch_add(count, NEXT, CHUNK)
            if first >= tail:
                break
            for q in range(first, min(first + CHUNK, tail)):
                u = queue[q]
                level[u] = depth - 1
                bit, width, mask = _locate_list(indptr, starts, widths, u)
                for _k in range(indptr[u], indptr[u + 1]):
                    v = read_packed(words, bit, mask)
                    bit += width
                    before = parent[v]
                    if before >= 0 or not compare_and_swap(parent, v, before, u):
                        continue
                    edges += ~before
                    buffer[size] = v
                    size += 1
                    if size == BUFFER:
                        append_buffer(queue, count, END, buffer, size)
                        size = 0
        append_buffer(queue, count, END, buffer, size)
        fetch_add(count, SCOUT, edges)


@njit(cache=True, nogil=True)
def _pull_words(
    indptr, words, starts, widths, depth, level, parent, visited, visited_before, first, last
):
    """Bottom-up in words first..last - 1: visit vertices with a visited neighbour; count them."""
    num_visited = 0
    for w in range(first, last):
        unvisited = ~visited_before[w]
        while unvisited:
            v = (w << 5) + lowest(unvisited)
            if v >= level.size:
                break
            bit, width, mask = _locate_list(indptr, starts, widths, v)
            for _ in range(indptr[v], indptr[v + 1]):
                u = read_packed(words, bit, mask)
                bit += width
                if visited_before[u >> 5] >> np.uint32(u & 31) & np.uint32(1):
                    level[v], parent[v] = depth, u
                    visited[w] |= np.uint32(1) << np.uint32(v & 31)
                    num_visited += 1
                    break
            unvisited &= unvisited - np.uint32(1)
    return num_visited


@njit(parallel=True, cache=True, nogil=True)
def _pull(indptr, words, starts, widths, depth, search, threads):
    """Bottom-up, all threads; count[END] becomes the number of vertices visited."""
    level, parent, visited, visited_before, _, count, _ = search
    size = visited.size
    visited_before[:] = visited
    count[NEXT] = count[END] = 0
    for _ in prange(threads):
        while True:
            first = fetch_add(count, NEXT, CHUNK)
            if first >= size:
                break
            last = min(first + CHUNK, size)
            num_visited = _pull_words(
                indptr, words, starts, widths, depth, level, parent, visited, visited_before,
                first, last,
            )  # fmt: skip
            fetch_add(count, END, num_visited)


@njit(cache=True, nogil=True)
def _run_levels(indptr, words, starts, widths, may_pull, search, threads):
    """Run all levels; without `may_pull` all of them run top-down."""
    count, state = search.count, search.state
    while state[SIZE]:
        state[DEPTH] += 1
        if state[TOP_DOWN]:
            level_threads = 1 if state[EDGES] < SERIAL else threads
            head, tail = state[HEAD], state[TAIL]
            _expand(indptr, words, starts, widths, state[DEPTH], search, head, tail, level_threads)
            end_top_down_level(indptr, count, state, may_pull)
            if not state[TOP_DOWN]:
                start_pulling(indptr, search, threads)
        else:
            _pull(indptr, words, starts, widths, state[DEPTH], search, threads)
            end_pull(indptr, search, count[END])
            state[EDGES] = SERIAL  # they are not counted: expand with all threads


def bfs_compressed(lists: Compressed, source: int) -> BFS:
    """Search breadth-first from one vertex: the native kernel."""
    dtype, threads = index_dtype(lists.n), get_num_threads()
    buffers = new_buffers(lists.n, dtype.np_type)
    search = start_search(source, lists.indptr, threads, buffers)
    may_pull = lists.kind == "undirected"  # in-neighbours are needed, and the lists are outgoing
    _run_levels(lists.indptr, lists.words, lists.starts, lists.widths, may_pull, search, threads)
    return results(search, dtype, threads)
