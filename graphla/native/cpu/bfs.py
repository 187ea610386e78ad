"""Direction-optimising breadth-first search (native).

Formulas:
    top-down    level(v) = depth, parent(v) = u   for edges u -> v, u on the frontier, v unvisited
    bottom-up   the same, from each unvisited v: stop at its first visited in-neighbour u

In a bottom-up level, a neighbour that was visited before the level is on the frontier: otherwise
v would have been visited earlier. The direction of the next level: with f = edges / n / 2, v the
number of vertices visited so far and e the number of edges that leave the frontier

    frontier grows, top-down      stay top-down while e < ((n - v) f + n) / alpha
    frontier shrinks, bottom-up   go top-down if |frontier| < ((n - v) f + n) / (f beta)

Parallel split: threads take CHUNK frontier vertices (top-down) or CHUNK words of 32 vertices
(bottom-up) at a time from an atomic counter; levels with few edges run on one thread.
Conflicts: top-down, a vertex is claimed by compare-and-swap on `parent`; claimed vertices are
collected in a buffer per thread, which is appended to the queue by one atomic addition.
Bottom-up, each thread writes its own vertices and words only.

Source: A. Kolganov, 2018; S. Beamer, K. Asanovic, D. Patterson, SC 2012.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numba import get_num_threads, njit, prange

from graphla.core.properties import derive
from graphla.core.results import BFS
from graphla.native.vectors import bitmap_vector
from graphla.numba_support.atomics import compare_and_swap, fetch_add
from graphla.numba_support.bits import lowest
from graphla.numba_support.large_arrays import full, less
from graphla.numba_support.prefetch import prefetch
from graphla.numba_support.shared_list import append_buffer

if TYPE_CHECKING:
    from graphla.core.graph import Graph

ALPHA, BETA = 15.0, 18.0
SERIAL = 2048  # a frontier with fewer edges is expanded by one thread
CHUNK = 64  # frontier vertices, or words of 32 vertices, that a thread takes at a time
AHEAD = 8  # prefetch distance, in frontier vertices
BUFFER = 1024  # vertices that a thread collects before it appends them to the queue


class SearchState(NamedTuple):
    """The arrays of a search; the constants below index its last two fields.

    `parent` is -1 for an unvisited vertex. A vertex that was visited top-down gets its level
    when it is expanded, one level later. `visited` and `visited_before`, valid bottom-up, are
    bitmaps of the vertices visited so far and before the current level. The frontier is
    queue[HEAD:TAIL], valid top-down.
    """

    level: Any
    parent: Any
    visited: Any
    visited_before: Any
    queue: Any
    count: Any
    state: Any


NEXT, END, SCOUT = range(3)  # count: work handed out, end of the queue, edges of the new frontier
HEAD, TAIL, DEPTH, VISITED, SIZE, EDGES, TOP_DOWN = range(7)  # state


@njit(cache=True, inline="always")
def _prefetch_vertices(indptr, indices, level, queue, q, tail):
    """Prefetch what the expansion of queue[q + AHEAD] and queue[q + 2 * AHEAD] will read."""
    if q + 2 * AHEAD < tail:
        prefetch(indptr, queue[q + 2 * AHEAD])
        prefetch(level, queue[q + 2 * AHEAD])
    if q + AHEAD < tail:
        prefetch(indices, indptr[queue[q + AHEAD]])


@njit(cache=True, nogil=True)
def _expand_serial(indptr, indices, depth, search, head, tail):
    """Top-down, one thread: claim the unvisited neighbours of queue[head:tail]."""
    level, parent, _, _, queue, count, _ = search
    end, edges = tail, 0
    for q in range(head, tail):
        u = queue[q]
        level[u] = depth - 1
        _prefetch_vertices(indptr, indices, level, queue, q, tail)
        for k in range(indptr[u], indptr[u + 1]):
            v = indices[k]
            if parent[v] < 0:
                parent[v] = u
                queue[end] = v
                end += 1
                edges += indptr[v + 1] - indptr[v]
    count[END], count[SCOUT] = end, edges


@njit(parallel=True, cache=True, nogil=True)
def _expand(indptr, indices, depth, search, head, tail, threads):
    """Top-down, all threads: claim the unvisited neighbours of queue[head:tail]."""
    level, parent, _, _, queue, count, _ = search  # Numba passes no named tuple into a prange
    count[NEXT], count[END], count[SCOUT] = head, tail, 0
    for _ in prange(threads):
        buffer, size, edges = np.empty(BUFFER, queue.dtype), 0, 0
        while True:
            start = fetch_add(count, NEXT, CHUNK)
            if start >= tail:
                break
            for q in range(start, min(start + CHUNK, tail)):
                u = queue[q]
                level[u] = depth - 1
                _prefetch_vertices(indptr, indices, level, queue, q, tail)
                for k in range(indptr[u], indptr[u + 1]):
                    v = indices[k]
                    if parent[v] >= 0 or not compare_and_swap(parent, v, -1, u):
                        continue
                    edges += indptr[v + 1] - indptr[v]
                    buffer[size] = v
                    size += 1
                    if size == BUFFER:
                        append_buffer(queue, count, END, buffer, size)
                        size = 0
        append_buffer(queue, count, END, buffer, size)
        fetch_add(count, SCOUT, edges)


@njit(cache=True, nogil=True)
def _end_top_down(out_ptr, in_ptr, depth, level, parent, visited, queue, head, tail, first, last):
    """Write the levels of queue[head:tail], and words first..last - 1 of the bitmap.

    Vertices without edges count as visited.
    """
    for q in range(head, tail):
        level[queue[q]] = depth
    for w in range(first, last):
        word = np.uint32(0)
        for v in range(w << 5, min((w + 1) << 5, parent.size)):
            isolated = out_ptr[v] == out_ptr[v + 1] and in_ptr[v] == in_ptr[v + 1]
            word |= np.uint32(isolated or parent[v] >= 0) << np.uint32(v & 31)
        visited[w] = word


@njit(parallel=True, cache=True, nogil=True)
def _end_top_down_parallel(out_ptr, in_ptr, depth, search, head, tail, threads):
    """Run _end_top_down; each thread takes a range of the queue and of the words."""
    level, parent, visited, _, queue, _, _ = search
    size, words = tail - head, visited.size
    for t in prange(threads):
        _end_top_down(
            out_ptr, in_ptr, depth, level, parent, visited, queue,
            head + size * t // threads, head + size * (t + 1) // threads,
            words * t // threads, words * (t + 1) // threads,
        )  # fmt: skip


@njit(cache=True, nogil=True)
def _pull_words(indptr, indices, depth, level, parent, visited, visited_before, first, last):
    """Bottom-up in words first..last - 1: visit vertices with a visited in-neighbour; count them.

    The scan of a vertex's neighbours stops at the first one that is visited.
    """
    num_visited = 0
    for w in range(first, last):
        unvisited = ~visited_before[w]
        while unvisited:
            v = (w << 5) + lowest(unvisited)
            if v >= level.size:
                break
            for k in range(indptr[v], indptr[v + 1]):
                u = indices[k]
                if visited_before[u >> 5] >> np.uint32(u & 31) & np.uint32(1):
                    level[v], parent[v] = depth, u
                    visited[w] |= np.uint32(1) << np.uint32(v & 31)
                    num_visited += 1
                    break
            unvisited &= unvisited - np.uint32(1)
    return num_visited


@njit(parallel=True, cache=True, nogil=True)
def _pull(indptr, indices, depth, search, threads):
    """Bottom-up, all threads; count[END] becomes the number of vertices visited."""
    level, parent, visited, visited_before, _, count, _ = search
    words = visited.size
    visited_before[:] = visited
    count[NEXT] = count[END] = 0
    for _ in prange(threads):
        while True:
            start = fetch_add(count, NEXT, CHUNK)
            if start >= words:
                break
            last = min(start + CHUNK, words)
            num_visited = _pull_words(
                indptr, indices, depth, level, parent, visited, visited_before, start, last
            )
            fetch_add(count, END, num_visited)


@njit(cache=True, nogil=True)
def _queue_new_vertices(visited_before, visited, queue):
    """Queue the vertices that the last bottom-up level visited; return their number."""
    tail = 0
    for w in range(visited.size):
        new = visited[w] & ~visited_before[w]
        while new:
            queue[tail] = (w << 5) + lowest(new)
            new &= new - np.uint32(1)
            tail += 1
    return tail


class Buffers(NamedTuple):
    """The arrays of a search that are no results: their pages are touched once for a graph."""

    visited: Any
    visited_before: Any
    queue: Any


def new_buffers(n: int, dtype: Any) -> Buffers:
    """Allocate the buffers of a search in n vertices."""
    words = (n + 31) >> 5
    return Buffers(np.empty(words, np.uint32), np.empty(words, np.uint32), np.empty(n, dtype))


def start_search(source: int, indptr: Any, threads: int, buffers: Buffers) -> SearchState:
    """Return the state of a search whose frontier is the source."""
    visited, visited_before, queue = buffers
    level, parent = np.empty_like(queue), full(queue.size, -1, queue.dtype, threads)
    parent[source] = queue[0] = source
    count, state = np.zeros(3, np.int64), np.zeros(7, np.int64)
    state[TAIL] = state[VISITED] = state[SIZE] = state[TOP_DOWN] = 1
    state[EDGES] = indptr[source + 1] - indptr[source]
    return SearchState(level, parent, visited, visited_before, queue, count, state)


@njit(cache=True, nogil=True)
def end_level(out_ptr, in_ptr, search, num_visited, may_pull, threads):
    """Record that a level visited `num_visited` vertices; choose the direction of the next one.

    Top-down, count[END] and count[SCOUT] describe the new frontier.
    """
    level, parent, visited, visited_before, queue, count, state = search
    n = level.size
    mean_degree_half = out_ptr[n] / max(n, 1) / 2
    top_down = state[TOP_DOWN] == 1
    if top_down:
        state[HEAD], state[TAIL], state[EDGES] = state[TAIL], count[END], count[SCOUT]
    state[VISITED] += num_visited
    remaining = (n - state[VISITED]) * mean_degree_half + n
    if num_visited > state[SIZE]:
        if top_down and may_pull and state[EDGES] >= remaining / ALPHA:
            state[TOP_DOWN] = 0
            head, tail = state[HEAD], state[TAIL]
            if threads == 1:
                _end_top_down(
                    out_ptr, in_ptr, state[DEPTH], level, parent, visited, queue, head, tail,
                    0, visited.size,
                )  # fmt: skip
            else:
                _end_top_down_parallel(out_ptr, in_ptr, state[DEPTH], search, head, tail, threads)
    elif not top_down and num_visited < remaining / (mean_degree_half * BETA):
        state[HEAD], state[TAIL] = 0, _queue_new_vertices(visited_before, visited, queue)
        state[TOP_DOWN] = 1
        state[EDGES] = SERIAL  # the edges are not counted: expand with all threads
    state[SIZE] = num_visited


@njit(cache=True, nogil=True)
def run_level(out_ptr, out_idx, in_ptr, in_idx, search, threads):
    """Run one level and choose the direction of the next; state[SIZE] == 0 ends the search.

    With threads == 1 no parallel loop runs, so that several searches can run at once.
    """
    level, parent, visited, visited_before, _, count, state = search
    state[DEPTH] += 1
    depth = state[DEPTH]
    if state[TOP_DOWN]:
        head, tail = state[HEAD], state[TAIL]
        if threads == 1 or state[EDGES] < SERIAL:
            _expand_serial(out_ptr, out_idx, depth, search, head, tail)
        else:
            _expand(out_ptr, out_idx, depth, search, head, tail, threads)
        num_visited = count[END] - tail
    elif threads == 1:
        visited_before[:] = visited
        num_visited = _pull_words(
            in_ptr, in_idx, depth, level, parent, visited, visited_before, 0, visited.size
        )
    else:
        _pull(in_ptr, in_idx, depth, search, threads)
        num_visited = count[END]
    end_level(out_ptr, in_ptr, search, num_visited, True, threads)


@njit(cache=True, nogil=True)
def _run_levels(out_ptr, out_idx, in_ptr, in_idx, search, threads):
    while search.state[SIZE]:
        run_level(out_ptr, out_idx, in_ptr, in_idx, search, threads)


def results(search: SearchState, dtype: Any, threads: int) -> BFS:
    """Return the levels and parents of a finished search; the vectors take over its arrays."""
    count, parent = int(search.state[VISITED]), search.parent
    unsigned = parent.view(f"u{parent.itemsize}")  # -1 is the largest number
    return BFS(*(
        bitmap_vector(
            x.astype(dtype.np_type, copy=False), less(unsigned, parent.size, threads), count
        )
        for x in (search.level, parent)
    ))  # fmt: skip


def _buffers_to_reuse(G: Graph) -> list[Buffers]:
    """Return the buffers that no search uses now; see :func:`graphla.core.properties.derive`."""
    return []


def run_search(G: Graph, source: int, threads: int) -> SearchState:
    """Search from a vertex to the end and return the state, whose buffers others may reuse."""
    (out_ptr, out_idx, _), (in_ptr, in_idx, _) = G.csr, G.csr_transposed
    unused = derive(G, _buffers_to_reuse)
    try:
        buffers = unused.pop()
    except IndexError:
        buffers = new_buffers(G.n, out_idx.dtype)
    search = start_search(source, out_ptr, threads, buffers)
    _run_levels(out_ptr, out_idx, in_ptr, in_idx, search, threads)
    unused.append(buffers)
    return search


def bfs(G: Graph, source: int) -> BFS:
    """Search breadth-first from one vertex: the native kernel."""
    threads = get_num_threads()
    return results(run_search(G, source, threads), G.index_dtype, threads)
