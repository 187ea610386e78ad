"""Breadth-first search by hand: direction-optimised over bitmaps.

A level runs top-down (each frontier vertex claims its unvisited neighbours) or
bottom-up (each unvisited vertex looks for a visited neighbour and stops at the
first; a neighbour visited before this level lies on the frontier, as otherwise
the vertex would have been reached earlier). With f = arcs / n / 2, v the vertices
visited so far and e the edges that the frontier holds:

    growing, top-down    stay while e < ((n - v) f + n) / alpha
    shrinking            top-down if |next| < ((n - v) f + n) / (f beta)

Source: A. Kolganov, 2018; S. Beamer, K. Asanovic, D. Patterson, SC 2012.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numba import get_num_threads, njit, prange

from graphla.core.results import BFS
from graphla.native.cpu.vectors import masked
from graphla.numba_support.atomics import compare_and_swap, fetch_add
from graphla.numba_support.bits import lowest
from graphla.numba_support.prefetch import prefetch

if TYPE_CHECKING:
    from graphla.core.graph import Graph

ALPHA, BETA = 15.0, 18.0
SERIAL = 2048  # a frontier of fewer edges is expanded by one thread
CHUNK = 64  # vertices of the frontier, or words of 32 vertices, that a thread takes at a time
AHEAD = 8  # vertices of the frontier by which memory is asked for what they need
BUFFER = 1024  # vertices that a thread collects before it appends them to the next frontier


class Search(NamedTuple):
    """A search between two levels; the names below number the elements of its last two fields.

    The parent of a vertex that is not visited is -1. A vertex found top-down gets its
    level when it is expanded.
    """

    level: Any
    parent: Any
    visited: Any  # bitmaps, used while the search runs bottom-up
    before: Any
    queue: Any  # the frontier is queue[head:tail] while the search runs top-down
    count: Any
    state: Any


NEXT, END, SCOUT = range(3)  # work handed out; end of the queue and edges of the next frontier
HEAD, TAIL, DEPTH, SEEN, SIZE, EDGES, DOWN = range(7)


@njit(cache=True, inline="always")
def _look_ahead(indptr, indices, level, queue, q, tail):
    """Bring near what the vertices of the frontier after queue[q] will need."""
    if q + 2 * AHEAD < tail:
        prefetch(indptr, queue[q + 2 * AHEAD])
        prefetch(level, queue[q + 2 * AHEAD])
    if q + AHEAD < tail:
        prefetch(indices, indptr[queue[q + AHEAD]])


@njit(cache=True, nogil=True)
def _expand_few(indptr, indices, depth, search, head, tail):
    """Top-down, one thread: claim the unvisited neighbours of queue[head:tail]."""
    level, parent, _, _, queue, count, _ = search
    end, edges = tail, 0
    for q in range(head, tail):
        u = queue[q]
        level[u] = depth - 1
        _look_ahead(indptr, indices, level, queue, q, tail)
        for k in range(indptr[u], indptr[u + 1]):
            v = indices[k]
            if parent[v] < 0:
                parent[v] = u
                queue[end] = v
                end += 1
                edges += indptr[v + 1] - indptr[v]
    count[END], count[SCOUT] = end, edges


@njit(cache=True, nogil=True)
def _append(queue, count, held, size):
    at = fetch_add(count, END, size)
    queue[at : at + size] = held[:size]


@njit(parallel=True, cache=True, nogil=True)
def _expand(indptr, indices, depth, search, head, tail, threads):
    """Do so by all threads."""
    level, parent, _, _, queue, count, _ = search  # Numba passes no named tuple into a prange
    count[NEXT], count[END], count[SCOUT] = head, tail, 0
    for _ in prange(threads):
        held, size, edges = np.empty(BUFFER, queue.dtype), 0, 0
        while True:
            start = fetch_add(count, NEXT, CHUNK)
            if start >= tail:
                break
            for q in range(start, min(start + CHUNK, tail)):
                u = queue[q]
                level[u] = depth - 1
                _look_ahead(indptr, indices, level, queue, q, tail)
                for k in range(indptr[u], indptr[u + 1]):
                    v = indices[k]
                    if parent[v] >= 0 or not compare_and_swap(parent, v, -1, u):
                        continue
                    edges += indptr[v + 1] - indptr[v]
                    held[size] = v
                    size += 1
                    if size == BUFFER:
                        _append(queue, count, held, size)
                        size = 0
        _append(queue, count, held, size)
        fetch_add(count, SCOUT, edges)


@njit(cache=True, nogil=True)
def _bits(out_ptr, in_ptr, parent, visited, first, last):
    """Write words[first:last] of the vertices that have been visited, or have no edge at all."""
    for w in range(first, last):
        word = np.uint32(0)
        for v in range(w << 5, min((w + 1) << 5, parent.size)):
            alone = out_ptr[v] == out_ptr[v + 1] and in_ptr[v] == in_ptr[v + 1]
            word |= np.uint32(alone or parent[v] >= 0) << np.uint32(v & 31)
        visited[w] = word


@njit(parallel=True, cache=True, nogil=True)
def _bits_all(out_ptr, in_ptr, parent, visited, threads):
    """Do so with all words, by all threads."""
    words = visited.size
    for t in prange(threads):
        first, last = words * t // threads, words * (t + 1) // threads
        _bits(out_ptr, in_ptr, parent, visited, first, last)


@njit(cache=True, nogil=True)
def _look(indptr, indices, depth, level, parent, visited, before, first, last):
    """Bottom-up: let the unvisited vertices of words[first:last] look for a visited neighbour."""
    found = 0
    for w in range(first, last):
        unvisited = ~before[w]
        while unvisited:
            v = (w << 5) + lowest(unvisited)
            if v >= level.size:
                break
            for k in range(indptr[v], indptr[v + 1]):
                u = indices[k]
                if before[u >> 5] >> np.uint32(u & 31) & np.uint32(1):
                    level[v], parent[v] = depth, u
                    visited[w] |= np.uint32(1) << np.uint32(v & 31)
                    found += 1
                    break
            unvisited &= unvisited - np.uint32(1)
    return found


@njit(parallel=True, cache=True, nogil=True)
def _look_all(indptr, indices, depth, search, threads):
    """Do so in all words, by all threads; leave in count[END] how many vertices found one."""
    level, parent, visited, before, _, count, _ = search
    words = visited.size
    before[:] = visited
    count[NEXT] = count[END] = 0
    for _ in prange(threads):
        while True:
            start = fetch_add(count, NEXT, CHUNK)
            if start >= words:
                break
            last = min(start + CHUNK, words)
            found = _look(indptr, indices, depth, level, parent, visited, before, start, last)
            fetch_add(count, END, found)


@njit(cache=True, nogil=True)
def _new_vertices(before, visited, queue):
    """Queue the vertices visited since `before`; return how many."""
    tail = 0
    for w in range(visited.size):
        new = visited[w] & ~before[w]
        while new:
            queue[tail] = (w << 5) + lowest(new)
            new &= new - np.uint32(1)
            tail += 1
    return tail


def start(G: Graph, source: int) -> Search:
    """Return the search whose frontier is the source."""
    indptr, indices, _ = G.csr
    return search_from(source, indptr, indices.dtype)


def search_from(source: int, indptr: Any, T: Any) -> Search:
    """Return the search whose frontier is the source, in lists that begin at `indptr`."""
    n = indptr.size - 1
    words = (n + 31) >> 5
    level, parent, queue = np.empty(n, T), np.full(n, -1, T), np.empty(n, T)
    visited, before = np.empty(words, np.uint32), np.empty(words, np.uint32)
    parent[source] = queue[0] = source
    state = np.array([0, 1, 0, 1, 1, indptr[source + 1] - indptr[source], 1])
    return Search(level, parent, visited, before, queue, np.zeros(3, np.int64), state)


@njit(cache=True, nogil=True)
def advance(out_ptr, out_idx, in_ptr, in_idx, search, threads):
    """Run one level and choose the direction of the next; SIZE 0 means that the search is over.

    One thread shares out no loop: others may be searching too.
    """
    level, parent, visited, before, queue, count, state = search
    head, tail, depth, size = state[HEAD], state[TAIL], state[DEPTH] + 1, state[SIZE]
    down = state[DOWN] == 1
    n = level.size
    factor = out_idx.size / max(n, 1) / 2
    if down:
        if threads == 1 or state[EDGES] < SERIAL:
            _expand_few(out_ptr, out_idx, depth, search, head, tail)
        else:
            _expand(out_ptr, out_idx, depth, search, head, tail, threads)
        head, tail, state[EDGES] = tail, count[END], count[SCOUT]
        found = tail - head
    elif threads == 1:
        before[:] = visited
        found = _look(
            in_ptr, in_idx, depth, level, parent, visited, before, 0, visited.size
        )  # fmt: skip
    else:
        _look_all(in_ptr, in_idx, depth, search, threads)
        found = count[END]
    state[SEEN] += found
    left = (n - state[SEEN]) * factor + n
    if found > size:
        if down and state[EDGES] >= left / ALPHA:
            down = False
            level[queue[head:tail]] = depth
            if threads == 1:
                _bits(out_ptr, in_ptr, parent, visited, 0, visited.size)
            else:
                _bits_all(out_ptr, in_ptr, parent, visited, threads)
    elif not down and found < left / (factor * BETA):
        head, tail, down = 0, _new_vertices(before, visited, queue), True
        state[EDGES] = SERIAL  # not counted
    state[HEAD], state[TAIL], state[DEPTH], state[SIZE] = head, tail, depth, found
    state[DOWN] = 1 if down else 0


@njit(cache=True, nogil=True)
def _finish(out_ptr, out_idx, in_ptr, in_idx, search, threads):
    while search.state[SIZE]:
        advance(out_ptr, out_idx, in_ptr, in_idx, search, threads)


@njit(parallel=True, cache=True, nogil=True)
def _visited(parent, present, threads):
    """Say which vertices are visited."""
    n = parent.size
    for t in prange(threads):
        for v in range(n * t // threads, n * (t + 1) // threads):
            present[v] = parent[v] >= 0


def results(search: Search, dtype: Any, threads: int) -> BFS:
    """Return the levels and parents of a search that is over; they own its arrays from now on."""
    level, parent = (x.astype(dtype.np_type, copy=False) for x in (search.level, search.parent))
    present = np.empty(parent.size, bool)
    _visited(parent, present, threads)
    return BFS(masked(level, present), masked(parent, present.copy()))


def found(G: Graph, source: int, threads: int) -> Search:
    """Return the search from a vertex when it is over."""
    (out_ptr, out_idx, _), (in_ptr, in_idx, _) = G.csr, G.csr_transposed
    search = start(G, source)
    _finish(out_ptr, out_idx, in_ptr, in_idx, search, threads)
    return search


def bfs(G: Graph, source: int) -> BFS:
    """Search breadth-first from one vertex: the hand-written kernel."""
    threads = get_num_threads()
    return results(found(G, source, threads), G.index_dtype, threads)
