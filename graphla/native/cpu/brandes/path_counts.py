"""Forward pass of Brandes's algorithm (native): count shortest paths from a batch of sources.

    paths(v, s) = sum of paths(u, s) over edges u -> v, s in mask(u), v not reached from s before

All sources advance together, level by level. mask(u) has one bit for each source: the sources that
reach u at the current level. One pass over the edges serves all sources.

Parallel split: a level is pushed along the edges of its vertices, or pulled by the vertices that
some source has not reached; threads take CHUNK vertices at a time from an atomic counter. Levels
with few edges run on one thread.
Conflicts: push adds to `paths` and sets mask bits atomically; the thread that sets the first bit
of a vertex appends it to the list. Pull writes a vertex from one thread only.
The vertices and masks of all levels are kept for the backward pass. Path counts are multiples of
2^-800, so that FP64 holds up to 2^1600 of them and their inverses; single_source.py has no such
limit.

Source: M. Then et al., "The more the merrier: efficient multi-source graph traversal",
VLDB 2014; U. Brandes, J. Mathematical Sociology 25 (2001).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit, prange

from graphla.numba_support.atomics import fetch_add, fetch_or
from graphla.numba_support.bits import lowest
from graphla.numba_support.shared_list import append_buffer

FIRST, PEAK = 2.0**-800, 2.0**800  # the count of one path, and the largest
MAX_SOURCES = 32  # sources in a batch: the bits of the widest mask
ALPHA = 6  # push while the frontier has less than 1 / ALPHA of the edges that a pull would read
SERIAL = 8192  # a level with fewer edges, or list entries, is processed by one thread
CHUNK = 256  # vertices that a thread takes at a time
NEXT, TAIL, EDGES, DONE = range(4)  # indices into PathState.count


class PathState(NamedTuple):
    """The arrays that the kernels share. A mask has one bit for each source of the batch.

    Entries of `vertex` and `mask` are listed level after level: a vertex, and the sources that
    reach it at that level. `count`: work handed out, end of the list, edges of the next level,
    edges of the vertices that all sources have reached.
    """

    reached: Any  # mask of each vertex: sources that have reached it, this level included
    frontier: Any  # mask of each vertex: sources that reach it at the level that a kernel looks up
    next_frontier: Any  # mask of each vertex: sources that reach it at the next level
    paths: Any  # n x number of sources, flat
    vertex: Any
    mask: Any
    count: Any


@njit(cache=True, nogil=True)
def _push_serial(indptr, indices, state, width, first, last):
    """Push along the edges of list entries first..last - 1, by one thread."""
    reached, _, next_frontier, paths, vertex, mask, count = state
    tail = last
    for i in range(first, last):
        u, sources = vertex[i], np.int64(mask[i])
        for k in range(indptr[u], indptr[u + 1]):
            v = indices[k]
            new = sources & ~np.int64(reached[v])
            if not new:
                continue
            if not next_frontier[v]:
                vertex[tail] = v
                tail += 1
            next_frontier[v] |= new
            while new:
                j = lowest(new)
                new &= new - 1
                paths[v * width + j] += paths[u * width + j]
    count[TAIL] = tail


@njit(cache=True, nogil=True)
def _push_vertex(
    indptr, indices, reached, next_frontier, paths, vertex, count, width, u, sources, buffer, size
):  # fmt: skip
    """Push along the edges of u, atomically; return the new size of the thread's buffer."""
    for k in range(indptr[u], indptr[u + 1]):
        v = indices[k]
        new = sources & ~np.int64(reached[v])
        if not new:
            continue
        if new & ~np.int64(next_frontier[v]) and not fetch_or(next_frontier, v, new):
            buffer[size] = v
            size += 1
            if size == buffer.size:
                append_buffer(vertex, count, TAIL, buffer, size)
                size = 0
        while new:
            j = lowest(new)
            new &= new - 1
            fetch_add(paths, v * width + j, paths[u * width + j])
    return size


@njit(parallel=True, cache=True, nogil=True)
def _push(indptr, indices, state, width, first, last, threads):
    """Push along the edges of list entries first..last - 1, by all threads."""
    # Numba passes no named tuple into a prange
    reached, _, next_frontier, paths, vertex, mask, count = state
    count[NEXT] = first
    for _ in prange(threads):
        buffer, size = np.empty(CHUNK, vertex.dtype), 0
        while True:
            start = fetch_add(count, NEXT, CHUNK)
            if start >= last:
                break
            for i in range(start, min(start + CHUNK, last)):
                size = _push_vertex(
                    indptr, indices, reached, next_frontier, paths, vertex, count, width,
                    vertex[i], np.int64(mask[i]), buffer, size,
                )  # fmt: skip
        append_buffer(vertex, count, TAIL, buffer, size)


@njit(parallel=True, cache=True, nogil=True)
def _pull(indptr, indices, state, width, threads):
    """Pull into each vertex that some source has not reached, from its in-neighbours."""
    reached, frontier, next_frontier, paths, vertex, _, count = state
    all_sources, n = (1 << width) - 1, reached.size
    count[NEXT] = 0
    for _ in prange(threads):
        buffer = np.empty(CHUNK, vertex.dtype)
        while True:
            start = fetch_add(count, NEXT, CHUNK)
            if start >= n:
                break
            size = 0
            for v in range(start, min(start + CHUNK, n)):
                missing = all_sources & ~np.int64(reached[v])
                if not missing:
                    continue
                arriving = 0
                for k in range(indptr[v], indptr[v + 1]):
                    u = indices[k]
                    new = np.int64(frontier[u]) & missing
                    arriving |= new
                    while new:
                        j = lowest(new)
                        new &= new - 1
                        paths[v * width + j] += paths[u * width + j]
                if arriving:
                    next_frontier[v] = arriving
                    buffer[size] = v
                    size += 1
            append_buffer(vertex, count, TAIL, buffer, size)


@njit(cache=True, nogil=True)
def _finish_entries(
    indptr, reached, next_frontier, vertex, mask, count, all_sources, first, last
):  # fmt: skip
    """Move the masks of list entries first..last - 1 into the list; count their edges."""
    edges, done = 0, 0
    for i in range(first, last):
        v = vertex[i]
        mask[i] = next_frontier[v]
        reached[v] |= next_frontier[v]
        next_frontier[v] = 0
        edges += indptr[v + 1] - indptr[v]
        if reached[v] == all_sources:
            done += indptr[v + 1] - indptr[v]
    fetch_add(count, EDGES, edges)
    fetch_add(count, DONE, done)


@njit(parallel=True, cache=True, nogil=True)
def _finish_parallel(indptr, state, all_sources, first, last, threads):
    """Run _finish_entries; each thread takes a range of the list."""
    reached, _, next_frontier, _, vertex, mask, count = state
    size = last - first
    for t in prange(threads):
        begin, end = first + size * t // threads, first + size * (t + 1) // threads
        _finish_entries(
            indptr, reached, next_frontier, vertex, mask, count, all_sources, begin, end
        )


@njit(cache=True, nogil=True)
def _finish_level(indptr, state, width, first, last, threads):
    """Close a level whose list entries are first..last - 1."""
    all_sources = (1 << width) - 1
    state.count[EDGES] = 0
    if last - first < SERIAL:
        _finish_entries(
            indptr, state.reached, state.next_frontier, state.vertex, state.mask, state.count,
            all_sources, first, last,
        )  # fmt: skip
    else:
        _finish_parallel(indptr, state, all_sources, first, last, threads)


@njit(cache=True, nogil=True)
def _set_frontier_entries(frontier, vertex, mask, first, last, clear):
    for i in range(first, last):
        frontier[vertex[i]] = 0 if clear else mask[i]


@njit(parallel=True, cache=True, nogil=True)
def _set_frontier_parallel(state, first, last, clear, threads):
    _, frontier, _, _, vertex, mask, _ = state
    size = last - first
    for t in prange(threads):
        begin, end = first + size * t // threads, first + size * (t + 1) // threads
        _set_frontier_entries(frontier, vertex, mask, begin, end, clear)


@njit(cache=True, nogil=True)
def set_frontier(state, first, last, clear, threads):
    """Write the masks of list entries first..last - 1 to `frontier`, or zeros to clear them."""
    if last - first < SERIAL:
        _set_frontier_entries(state.frontier, state.vertex, state.mask, first, last, clear)
    else:
        _set_frontier_parallel(state, first, last, clear, threads)


@njit(cache=True, nogil=True)
def _largest_count(state, width, first, last):
    """Return the largest path count of list entries first..last - 1."""
    largest = 0.0
    for i in range(first, last):
        v, sources = state.vertex[i], np.int64(state.mask[i])
        while sources:
            largest = max(largest, state.paths[v * width + lowest(sources)])
            sources &= sources - 1
    return largest


@njit(cache=True, nogil=True)
def count_paths(out_ptr, out_idx, in_ptr, in_idx, state, width, ends, threads):
    """Count the paths from all sources; return the number of levels, or 0 if a count exceeds PEAK.

    Level d is the list entries ends[d]..ends[d + 1] - 1.
    """
    bound, max_in_degree = FIRST, 1.0
    for v in range(state.reached.size):
        max_in_degree = max(max_in_degree, in_ptr[v + 1] - in_ptr[v])
    depth = 1
    while ends[depth - 1] < ends[depth]:
        first, last = ends[depth - 1], ends[depth]
        edges = state.count[EDGES]
        state.count[TAIL] = last
        if edges < SERIAL:
            _push_serial(out_ptr, out_idx, state, width, first, last)
        elif edges < (out_idx.size - state.count[DONE]) / ALPHA:
            _push(out_ptr, out_idx, state, width, first, last, threads)
        else:
            set_frontier(state, first, last, False, threads)
            _pull(in_ptr, in_idx, state, width, threads)
            set_frontier(state, first, last, True, threads)
        ends[depth + 1] = state.count[TAIL]
        _finish_level(out_ptr, state, width, last, state.count[TAIL], threads)
        bound *= max_in_degree  # of the path counts of the next level: look only if it is large
        if bound > PEAK:
            bound = _largest_count(state, width, last, state.count[TAIL])
            if bound > PEAK:
                return 0
        depth += 1
    return depth - 1
