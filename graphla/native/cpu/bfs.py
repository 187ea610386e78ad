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
from numba import get_num_threads, get_thread_id, njit, prange

from graphla.native.cpu.atomics import fetch_add, fetch_or
from graphla.native.cpu.bits import lowest
from graphla.native.cpu.vectors import bitmap
from graphla.results import BFS

if TYPE_CHECKING:
    from graphla.graph import Graph

ALPHA, BETA = 15.0, 18.0
SERIAL = 300  # a frontier of fewer vertices is expanded by one thread
BUFFER = 1024  # vertices that a thread collects before it appends them to the next frontier


@njit(cache=True, nogil=True)
def _expand(indptr, indices, u, depth, visited, level, parent, queue, tail):
    """Top-down, one thread: claim the unvisited neighbours of u."""
    edges = 0
    for k in range(indptr[u], indptr[u + 1]):
        v = indices[k]
        bit = np.uint32(1) << np.uint32(v & 31)
        if not visited[v >> 5] & bit:
            visited[v >> 5] |= bit
            parent[v] = u
            level[v] = depth
            queue[tail] = v
            tail += 1
            edges += indptr[v + 1] - indptr[v]
    return tail, edges


@njit(parallel=True, cache=True, nogil=True)
def _top_down(indptr, indices, depth, visited, level, parent, queue, head, end, counters, buffers):
    """Expand queue[head:end] by all threads; counters: next tail, edges of the next frontier."""
    counters[0] = end
    counters[1] = 0
    chunk = 64
    for c in prange((end - head + chunk - 1) // chunk):
        mine = buffers[get_thread_id()]
        held = 0
        edges = 0
        for q in range(head + c * chunk, min(head + (c + 1) * chunk, end)):
            u = queue[q]
            for k in range(indptr[u], indptr[u + 1]):
                v = indices[k]
                bit = np.uint32(1) << np.uint32(v & 31)
                if visited[v >> 5] & bit or fetch_or(visited, v >> 5, bit) & bit:
                    continue
                parent[v] = u
                level[v] = depth
                edges += indptr[v + 1] - indptr[v]
                mine[held] = v
                held += 1
                if held == BUFFER:
                    at = fetch_add(counters, 0, held)
                    queue[at : at + held] = mine[:held]
                    held = 0
        if held:
            at = fetch_add(counters, 0, held)
            queue[at : at + held] = mine[:held]
        fetch_add(counters, 1, edges)


@njit(parallel=True, cache=True, nogil=True)
def _bottom_up(indptr, indices, depth, before, visited, level, parent):
    """Let every unvisited vertex look for a visited neighbour; return how many found one."""
    found = 0
    n = level.size
    block = 128
    for b in prange((before.size + block - 1) // block):
        for w in range(b * block, min((b + 1) * block, before.size)):
            open_bits = ~before[w]
            new = np.uint32(0)
            while open_bits:
                v = (w << 5) + lowest(open_bits)
                low = open_bits & (~open_bits + np.uint32(1))
                open_bits ^= low
                if v >= n:
                    break
                for k in range(indptr[v], indptr[v + 1]):
                    u = indices[k]
                    if before[u >> 5] >> np.uint32(u & 31) & np.uint32(1):
                        parent[v] = u
                        level[v] = depth
                        new |= low
                        found += 1
                        break
            visited[w] |= new
    return found


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


class Search(NamedTuple):
    """A search between two levels; `state` holds the scalars that the names below number."""

    level: Any
    parent: Any
    visited: Any  # bitmaps
    before: Any
    queue: Any  # the frontier is queue[head:tail] while the search runs top-down
    counters: Any
    buffers: Any  # one a thread
    state: Any


HEAD, TAIL, DEPTH, SEEN, SIZE, EDGES, DOWN = range(7)


def start(G: Graph, source: int) -> Search:
    """Return the search whose frontier is the source."""
    n, T, words = G.n, G.csr.indices.dtype, (G.n + 31) >> 5
    level, parent, queue = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, T)
    visited = np.zeros(words, np.uint32)
    visited[source >> 5] = 1 << (source & 31)
    level[source] = 0
    parent[source] = queue[0] = source
    degree = G.csr.indptr[source + 1] - G.csr.indptr[source]
    return Search(
        level, parent, visited, np.empty_like(visited), queue, np.zeros(2, np.int64),
        np.empty((get_num_threads(), BUFFER), T), np.array([0, 1, 0, 1, 1, degree, 1], np.int64),
    )  # fmt: skip


@njit(cache=True, nogil=True)
def advance(out_ptr, out_idx, in_ptr, in_idx, search):
    """Run one level and choose the direction of the next; SIZE 0 means that the search is over."""
    level, parent, visited, before, queue, counters, buffers, state = search
    head, tail, depth, size = state[HEAD], state[TAIL], state[DEPTH] + 1, state[SIZE]
    down = state[DOWN] == 1
    n = level.size
    factor = out_idx.size / max(n, 1) / 2
    if down and size < SERIAL:
        end, edges = tail, 0
        for q in range(head, end):
            tail, more = _expand(
                out_ptr, out_idx, queue[q], depth, visited, level, parent, queue, tail
            )
            edges += more
        state[EDGES] = edges
        head, found = end, tail - end
    elif down:
        end = tail
        _top_down(
            out_ptr, out_idx, depth, visited, level, parent, queue, head, end, counters, buffers
        )
        tail, state[EDGES] = counters[0], counters[1]
        head, found = end, tail - end
    else:
        before[:] = visited
        found = _bottom_up(in_ptr, in_idx, depth, before, visited, level, parent)
    state[SEEN] += found
    left = (n - state[SEEN]) * factor + n
    if found > size:
        if down and state[EDGES] >= left / ALPHA:
            down = False
    elif not down and found < left / (factor * BETA):
        head, tail, down = 0, _new_vertices(before, visited, queue), True
    state[HEAD], state[TAIL], state[DEPTH], state[SIZE] = head, tail, depth, found
    state[DOWN] = 1 if down else 0


@njit(cache=True, nogil=True)
def _finish(out_ptr, out_idx, in_ptr, in_idx, search):
    while search.state[SIZE]:
        advance(out_ptr, out_idx, in_ptr, in_idx, search)


def bfs(G: Graph, source: int) -> BFS:
    """Search breadth-first from one vertex: the hand-written kernel."""
    out, into, search = G.csr, G.csr_transposed, start(G, source)
    _finish(out.indptr, out.indices, into.indptr, into.indices, search)
    return BFS(bitmap(search.level, search.visited), bitmap(search.parent, search.visited))
