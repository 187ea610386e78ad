"""Breadth-first search in compressed lists of neighbours: bfs.py's, with a decoder inside.

Source: A. Kolganov, 2018 (see transform/compressed.py for the form of the lists).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import get_num_threads, njit, prange

from graphla.core.input_arrays import index_dtype
from graphla.native.cpu import bfs
from graphla.native.cpu.bfs import ALPHA, BETA, BUFFER, CHUNK, END, NEXT, SCOUT, SERIAL
from graphla.numba_support.atomics import compare_and_swap, fetch_add
from graphla.numba_support.bits import lowest

if TYPE_CHECKING:
    from graphla.core.results import BFS
    from graphla.transform import Compressed


@njit(cache=True, inline="always")
def _first(indptr, starts, widths, v):
    """Return where the first neighbour of v begins, the bits of each, and a mask of as many."""
    r = v >> 6
    width = np.int64(widths[r])
    bit = (starts[r] << 5) + (np.int64(indptr[v]) - np.int64(indptr[r << 6])) * width
    return bit, width, (np.uint64(1) << np.uint64(width)) - np.uint64(1)


@njit(cache=True, inline="always")
def _read(words, bit, mask):
    """Return the number that begins at a bit."""
    at = bit >> 5
    two = np.uint64(words[at]) | np.uint64(words[at + 1]) << np.uint64(32)
    return np.int64(two >> np.uint64(bit & 31) & mask)


@njit(parallel=True, cache=True, nogil=True)
def _expand(indptr, words, starts, widths, depth, search, head, tail, threads):
    """Top-down: claim the unvisited neighbours of queue[head:tail]."""
    level, parent, _, _, queue, count, _ = search
    count[NEXT], count[END], count[SCOUT] = head, tail, 0
    for _ in prange(threads):
        held, size, edges = np.empty(BUFFER, queue.dtype), 0, 0
        while True:
            first = fetch_add(count, NEXT, CHUNK)
            if first >= tail:
                break
            for q in range(first, min(first + CHUNK, tail)):
                u = queue[q]
                level[u] = depth - 1
                bit, width, mask = _first(indptr, starts, widths, u)
                for _k in range(indptr[u], indptr[u + 1]):
                    v = _read(words, bit, mask)
                    bit += width
                    if parent[v] >= 0 or not compare_and_swap(parent, v, -1, u):
                        continue
                    edges += indptr[v + 1] - indptr[v]
                    held[size] = v
                    size += 1
                    if size == BUFFER:
                        bfs._append(queue, count, held, size)
                        size = 0
        bfs._append(queue, count, held, size)
        fetch_add(count, SCOUT, edges)


@njit(cache=True, nogil=True)
def _look(indptr, words, starts, widths, depth, level, parent, visited, before, first, last):
    """Bottom-up: let the unvisited vertices of words[first:last] look for a visited neighbour."""
    found = 0
    for w in range(first, last):
        unvisited = ~before[w]
        while unvisited:
            v = (w << 5) + lowest(unvisited)
            if v >= level.size:
                break
            bit, width, mask = _first(indptr, starts, widths, v)
            for _ in range(indptr[v], indptr[v + 1]):
                u = _read(words, bit, mask)
                bit += width
                if before[u >> 5] >> np.uint32(u & 31) & np.uint32(1):
                    level[v], parent[v] = depth, u
                    visited[w] |= np.uint32(1) << np.uint32(v & 31)
                    found += 1
                    break
            unvisited &= unvisited - np.uint32(1)
    return found


@njit(parallel=True, cache=True, nogil=True)
def _look_all(indptr, words, starts, widths, depth, search, threads):
    """Do so in all words, by all threads; leave in count[END] how many vertices found one."""
    level, parent, visited, before, _, count, _ = search
    size = visited.size
    before[:] = visited
    count[NEXT] = count[END] = 0
    for _ in prange(threads):
        while True:
            first = fetch_add(count, NEXT, CHUNK)
            if first >= size:
                break
            last = min(first + CHUNK, size)
            found = _look(
                indptr, words, starts, widths, depth, level, parent, visited, before, first, last
            )
            fetch_add(count, END, found)


@njit(cache=True, nogil=True)
def _run(indptr, words, starts, widths, both, search, threads):
    """Run all levels; where `both` is False, top-down alone. See bfs.advance."""
    level, parent, visited, before, queue, count, _ = search
    n, depth, down, head, tail, size = level.size, 0, True, 0, 1, 1
    seen, factor = 1, indptr[level.size] / max(level.size, 1) / 2
    while size:
        depth += 1
        if down:
            few = count[SCOUT] < SERIAL
            _expand(indptr, words, starts, widths, depth, search, head, tail, 1 if few else threads)
            head, tail = tail, count[END]
            found = tail - head
        else:
            _look_all(indptr, words, starts, widths, depth, search, threads)
            found = count[END]
        seen += found
        left = (n - seen) * factor + n
        if found > size:
            if down and both and count[SCOUT] >= left / ALPHA:
                down = False
                level[queue[head:tail]] = depth
                bfs._bits_all(indptr, indptr, parent, visited, threads)
        elif not down and found < left / (factor * BETA):
            head, tail, down = 0, bfs._new_vertices(before, visited, queue), True
            count[SCOUT] = SERIAL  # not counted
        size = found


def bfs_compressed(lists: Compressed, source: int) -> BFS:
    """Search breadth-first from one vertex: the hand-written kernel."""
    n, indptr, threads = lists.n, lists.indptr, get_num_threads()
    dtype = index_dtype(n)
    search = bfs.search_from(source, indptr, dtype.np_type)
    both = lists.kind == "undirected"
    _run(indptr, lists.words, lists.starts, lists.widths, both, search, threads)
    return bfs.results(search, dtype, threads)
