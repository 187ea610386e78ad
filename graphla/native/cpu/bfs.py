"""Direction-optimising breadth-first search (native).

Formulas:
    top-down    level(v) = depth, parent(v) = u   for edges u -> v, u on the frontier, v unvisited
    bottom-up   the same, from each unvisited v: stop at its first visited in-neighbour u

In a bottom-up level, a neighbour that was visited before the level is on the frontier: otherwise
v would have been visited earlier. The direction of the next level: with f = edges / n / 2, v the
number of vertices visited so far and e the number of edges that leave the frontier

    frontier grows, top-down      stay top-down while e < ((n - v) f + n) / alpha
    frontier shrinks, bottom-up   go top-down if |frontier| < ((n - v) f + n) / (f beta)

Parallel split: threads take CHUNK places of the queue (top-down) or CHUNK words of 32 vertices
(bottom-up) at a time from an atomic counter. Consecutive top-down levels run in one parallel loop:
a thread whose places belong to the next level waits until the last vertex of this one is expanded,
so a level of some hundred vertices costs no start of threads. The thread that has the first places
never waits, so all end, however many threads there really are.
Conflicts: top-down, a vertex is claimed by compare-and-swap on `parent`; claimed vertices are
collected in a buffer per thread, which is appended to the queue by one atomic addition. The thread
that expands the last vertex of a level ends the level for all.
Bottom-up, each thread writes its own vertices and words only.

Source: A. Kolganov, 2018; S. Beamer, K. Asanovic, D. Patterson, SC 2012.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numba import get_num_threads, njit, prange

from graphla.core.properties import derive
from graphla.core.results import BFS
from graphla.native.vectors import bitmap_vector, full_vector
from graphla.numba_support.atomics import compare_and_swap, fence, fetch_add
from graphla.numba_support.bits import lowest
from graphla.numba_support.large_arrays import less
from graphla.numba_support.prefetch import prefetch
from graphla.numba_support.shared_list import append_buffer
from graphla.numba_support.waiting import wait_until_above

if TYPE_CHECKING:
    from graphla.core.graph import Graph

ALPHA, BETA = 15.0, 18.0
CHUNK = 64  # places of the queue, or words of 32 vertices, that a thread takes at a time
# With fewer than MANY threads, one thread expands top-down levels of less than SHARED vertices; the
# others join from there on, and leave below half of it, so that few levels change it.
SHARED, MANY = 1024, 8
FEW = 1 << 16  # vertices that one thread marks faster than several threads start
ENTRIES_IN_PAGE = 512  # of 8 bytes; twice as many of 4
AHEAD = 8  # prefetch distance, in frontier vertices
ROWS_AHEAD = 32  # prefetch distance of a pull, in vertices
BUFFER = 1024  # vertices that a thread collects before it appends them to the queue


class SearchState(NamedTuple):
    """The arrays of a search; the constants below index its last two fields.

    `parent` of an unvisited vertex is ~d, which is negative, with its out-degree d: so the edges of
    a new frontier are counted without a read of `indptr` for each vertex. A vertex that was visited
    top-down gets its level when it is expanded, one level later. `visited` and `visited_before`,
    valid bottom-up, are bitmaps of the vertices visited so far and before the current level. The
    frontier is queue[HEAD:TAIL], valid top-down.
    """

    level: Any
    parent: Any
    visited: Any
    visited_before: Any
    queue: Any
    count: Any
    state: Any


# count, each on a cache line of its own: work handed out, end of the queue, edges of the new
# frontier, places of the queue that are done, the end of those that may be expanded or CLOSED
NEXT, END, SCOUT, DONE, OPEN = range(0, 40, 8)
CLOSED = -1
NO_EDGES = -1  # `parent` of an unvisited vertex of out-degree 0
HEAD, TAIL, DEPTH, VISITED, SIZE, EDGES, TOP_DOWN = range(7)  # state


@njit(cache=True, nogil=True)
def end_top_down_level(indptr, count, state, may_pull):
    """Record the new frontier that count[END] and count[SCOUT] describe; choose its direction."""
    n = indptr.size - 1
    state[HEAD], state[TAIL], state[EDGES] = state[TAIL], count[END], count[SCOUT]
    num_visited = state[TAIL] - state[HEAD]
    grows = num_visited > state[SIZE]
    state[VISITED] += num_visited
    state[SIZE] = num_visited
    if grows and may_pull:
        remaining = (n - state[VISITED]) * (indptr[n] / max(n, 1) / 2) + n
        state[TOP_DOWN] = state[EDGES] < remaining / ALPHA


@njit(cache=True, nogil=True)
def _end_shared_level(indptr, count, state, last_depth, least, most):
    """End a level that is expanded; open the new frontier, or close the queue.

    It is closed, too, if the frontier has less than `least` vertices or more than `most`.
    """
    end_top_down_level(indptr, count, state, True)
    stops = state[SIZE] == 0 or state[TOP_DOWN] == 0 or state[DEPTH] == last_depth
    stops |= not least <= state[SIZE] <= most
    opened = CLOSED if stops else state[TAIL]
    if not stops:
        state[DEPTH] += 1
        count[SCOUT] = 0
    fence()
    fetch_add(count, OPEN, opened - count[OPEN])


@njit(cache=True, nogil=True)
def _expand_places(
    indptr, indices, level, parent, queue, count, state, last_depth, least, most, alone
):  # fmt: skip
    """Expand places of the queue, in this thread, until it is closed."""
    buffer = np.empty(BUFFER, queue.dtype)
    while True:
        first = fetch_add(count, NEXT, CHUNK)
        last = first + CHUNK
        while first < last:
            tail = wait_until_above(count, OPEN, first)
            if tail == CLOSED:
                return
            depth, end, size, edges = state[DEPTH], min(last, tail), 0, 0
            for q in range(first, end):
                if q + 2 * AHEAD < tail:
                    prefetch(indptr, queue[q + 2 * AHEAD])
                    prefetch(level, queue[q + 2 * AHEAD])
                if q + AHEAD < tail:
                    prefetch(indices, indptr[queue[q + AHEAD]])
                u = queue[q]
                row = np.uint64(u)
                level[row] = depth - 1
                for k in range(np.uint64(indptr[row]), np.uint64(indptr[row + np.uint64(1)])):
                    v = np.uint64(indices[k])
                    before = parent[v]
                    if before >= 0:
                        continue
                    if alone:
                        parent[v] = u
                    elif not compare_and_swap(parent, v, before, u):  # type: ignore[arg-type]
                        continue
                    edges += ~before
                    buffer[size] = v
                    size += 1
                    if size == BUFFER:
                        append_buffer(queue, count, END, buffer, size)
                        size = 0
            if size:
                append_buffer(queue, count, END, buffer, size)
            fetch_add(count, SCOUT, edges)
            fence()
            done = fetch_add(count, DONE, end - first) + end - first
            if done == tail:
                fence()
                _end_shared_level(indptr, count, state, last_depth, least, most)
            first = end


@njit(parallel=True, cache=True, nogil=True)
def _expand_in_threads(indptr, indices, search, last_depth, least, threads):
    level, parent, _, _, queue, count, state = search  # no named tuple can enter a prange
    for _ in prange(threads):
        _expand_places(
            indptr, indices, level, parent, queue, count, state, last_depth, least, queue.size,
            False,
        )  # fmt: skip


@njit(cache=True, nogil=True)
def _expand(indptr, indices, search, last_depth, threads):
    """Run top-down levels until depth `last_depth`, an empty frontier, or one to be pulled.

    It may end earlier, where one thread is to go on in place of all, or all in place of one.
    """
    level, parent, _, _, queue, count, state = search
    count[NEXT] = count[DONE] = state[HEAD]
    count[END] = count[OPEN] = state[TAIL]
    count[SCOUT] = 0
    state[DEPTH] += 1
    shared = SHARED if threads < MANY else 0
    if threads == 1 or state[SIZE] < shared:
        most = queue.size if threads == 1 else shared
        _expand_places(
            indptr, indices, level, parent, queue, count, state, last_depth, 0, most, True
        )
    else:
        _expand_in_threads(indptr, indices, search, last_depth, shared // 2, threads)


@njit(cache=True, nogil=True)
def _end_top_down(in_ptr, depth, level, parent, visited, queue, head, tail, first, last):
    """Write the levels of queue[head:tail], and words first..last - 1 of the bitmap.

    Vertices without edges count as visited.
    """
    for q in range(head, tail):
        level[queue[q]] = depth
    for w in range(first, last):
        word = np.uint32(0)
        for v in range(w << 5, min((w + 1) << 5, parent.size)):
            isolated = parent[v] == NO_EDGES and in_ptr[v] == in_ptr[v + 1]
            word |= np.uint32(isolated or parent[v] >= 0) << np.uint32(v & 31)
        visited[w] = word


@njit(parallel=True, cache=True, nogil=True)
def _end_top_down_parallel(in_ptr, depth, search, head, tail, threads):
    """Run _end_top_down; each thread takes a range of the queue and of the words."""
    level, parent, visited, _, queue, _, _ = search
    size, words = tail - head, visited.size
    for t in prange(threads):
        _end_top_down(
            in_ptr, depth, level, parent, visited, queue,
            head + size * t // threads, head + size * (t + 1) // threads,
            words * t // threads, words * (t + 1) // threads,
        )  # fmt: skip


@njit(cache=True, nogil=True)
def _pull_words(indptr, indices, depth, level, parent, visited, visited_before, first, last):
    """Bottom-up in words first..last - 1: visit vertices with a visited in-neighbour; count them.

    The scan of a vertex's neighbours stops at the first one that is visited.
    """
    num_visited, n = 0, level.size
    for w in range(first, last):
        unvisited, found = ~visited_before[w], np.uint32(0)
        while unvisited:
            j = lowest(unvisited)
            v = (w << 5) + j
            if v >= n:
                break
            prefetch(indices, indptr[min(v + ROWS_AHEAD, n)])
            for k in range(np.uint64(indptr[v]), np.uint64(indptr[v + 1])):
                u = np.uint64(indices[k])
                if visited_before[u >> np.uint64(5)] >> np.uint32(u & np.uint64(31)) & np.uint32(1):
                    level[v], parent[v] = depth, u
                    found |= np.uint32(1) << np.uint32(j)
                    num_visited += 1
                    break
            unvisited &= unvisited - np.uint32(1)
        visited[w] |= found
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


@njit(cache=True, nogil=True)
def _mark_unvisited(indptr, parent, level, first, last):
    """Mark vertices first..last - 1, and write to each page of their part of `level`.

    The system clears a page when it is first written. If that happened in a narrow level, its few
    threads would wait: 2 ms of 18, on a random graph of 2^22 vertices with 16 threads.
    """
    for v in range(first, last):
        parent[v] = ~(indptr[v + 1] - indptr[v])
    for v in range(first, last, ENTRIES_IN_PAGE):
        level[v] = 0


@njit(parallel=True, cache=True, nogil=True)
def _mark_unvisited_parallel(indptr, parent, level, threads):
    n = parent.size
    for t in prange(threads):
        _mark_unvisited(indptr, parent, level, n * t // threads, n * (t + 1) // threads)


def start_search(source: int, indptr: Any, threads: int, buffers: Buffers) -> SearchState:
    """Return the state of a search whose frontier is the source."""
    visited, visited_before, queue = buffers
    level, parent = np.empty_like(queue), np.empty_like(queue)
    if threads == 1 or parent.size < FEW:
        _mark_unvisited(indptr, parent, level, 0, parent.size)
    else:
        _mark_unvisited_parallel(indptr, parent, level, threads)
    parent[source] = queue[0] = source
    count, state = np.zeros(40, np.int64), np.zeros(7, np.int64)
    state[TAIL] = state[VISITED] = state[SIZE] = state[TOP_DOWN] = 1
    state[EDGES] = indptr[source + 1] - indptr[source]
    return SearchState(level, parent, visited, visited_before, queue, count, state)


@njit(cache=True, nogil=True)
def start_pulling(in_ptr, search, threads):
    """Prepare the first bottom-up level: levels of the frontier, and the bitmap of visited ones."""
    level, parent, visited, _, queue, _, state = search
    head, tail = state[HEAD], state[TAIL]
    if threads == 1:
        _end_top_down(
            in_ptr, state[DEPTH], level, parent, visited, queue, head, tail, 0, visited.size
        )  # fmt: skip
    else:
        _end_top_down_parallel(in_ptr, state[DEPTH], search, head, tail, threads)


@njit(cache=True, nogil=True)
def end_pull(out_ptr, search, num_visited):
    """Record that a bottom-up level visited `num_visited` vertices; choose the next direction."""
    _, _, visited, visited_before, queue, _, state = search
    n = queue.size
    mean_degree_half = out_ptr[n] / max(n, 1) / 2
    state[VISITED] += num_visited
    remaining = (n - state[VISITED]) * mean_degree_half + n
    shrinks = num_visited <= state[SIZE]
    if shrinks and num_visited < remaining / (mean_degree_half * BETA):
        state[HEAD], state[TAIL] = 0, _queue_new_vertices(visited_before, visited, queue)
        state[TOP_DOWN] = 1
    state[SIZE] = num_visited


@njit(cache=True, nogil=True)
def _run(out_ptr, out_idx, in_ptr, in_idx, search, last_depth, threads):
    """Run levels up to depth `last_depth`: all top-down ones in a row, or one bottom-up."""
    level, parent, visited, visited_before, _, count, state = search
    if state[TOP_DOWN]:
        _expand(out_ptr, out_idx, search, last_depth, threads)
        if not state[TOP_DOWN]:
            start_pulling(in_ptr, search, threads)
        return
    state[DEPTH] += 1
    if threads == 1:
        visited_before[:] = visited
        num_visited = _pull_words(
            in_ptr, in_idx, state[DEPTH], level, parent, visited, visited_before, 0, visited.size
        )
    else:
        _pull(in_ptr, in_idx, state[DEPTH], search, threads)
        num_visited = count[END]
    end_pull(out_ptr, search, num_visited)


@njit(cache=True, nogil=True)
def run_level(out_ptr, out_idx, in_ptr, in_idx, search, threads):
    """Run one level and choose the direction of the next; state[SIZE] == 0 ends the search.

    With threads == 1 no parallel loop runs, so that several searches can run at once.
    """
    _run(out_ptr, out_idx, in_ptr, in_idx, search, search.state[DEPTH] + 1, threads)


@njit(cache=True, nogil=True)
def _run_levels(out_ptr, out_idx, in_ptr, in_idx, search, threads):
    while search.state[SIZE]:
        _run(out_ptr, out_idx, in_ptr, in_idx, search, -1, threads)


def results(search: SearchState, dtype: Any, threads: int) -> BFS:
    """Return the levels and parents of a finished search; the vectors take over its arrays."""
    count, parent = int(search.state[VISITED]), search.parent
    if count == parent.size:
        return BFS(
            *(full_vector(x.astype(dtype.np_type, copy=False)) for x in (search.level, parent))
        )
    unsigned = parent.view(f"u{parent.itemsize}")  # negative numbers are the largest
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
