"""The way out of Brandes's algorithm: shortest paths from several sources, counted together.

All sources go in step, level by level. A mask says which of them have just reached a
vertex; one product of masks serves them all:

    paths(v, s) = sum of paths(u, s) over edges u -> v, s in mask(u), v not seen by s

A level is pushed by its own vertices or pulled by those that some source has not seen.
Its vertices and their masks are kept for the way back. Path counts above 2^960 are
scaled down, level by level and source by source.

Source: M. Then et al., "The more the merrier: efficient multi-source graph traversal",
VLDB 2014; U. Brandes, J. Mathematical Sociology 25 (2001).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit, prange

from graphla.numba_support.atomics import fetch_add, fetch_or
from graphla.numba_support.bits import lowest

PEAK, LOW, SCALE = 2.0**960, 2.0**-480, 2.0**-480
WIDE = 32  # most sources in a batch: bits of the widest mask
ALPHA = 6  # push while the frontier has less than this part of the edges that a pull reads
SERIAL = 8192  # a level of fewer edges is done by one thread
ALONE = 0  # threads: this one, which is not the only one to search, so that no loop is shared out
CHUNK = 256  # vertices that a thread takes at a time
NEXT, TAIL, EDGES, DONE = 0, 1, 2, 3  # counters: see Search.count


class Search(NamedTuple):
    """What the kernels share; a mask has one bit a source, `paths` one column."""

    seen: Any  # sources that have reached each vertex, this level included
    now: Any  # sources that reach each vertex at this level, or at the one after in the way back
    new: Any  # sources that reach it at the next level
    paths: Any  # n x width, flat
    vertex: Any  # the vertices of all levels, one level after another,
    mask: Any  # with the sources that reach them there
    count: Any  # work handed out, end of the list, edges of the next level, of finished vertices


@njit(cache=True, nogil=True)
def _push_few(indptr, indices, s, width, first, last):
    """Carry the paths of the list's vertices first..last along their edges, by one thread."""
    seen, _, new, paths, vertex, mask, count = s
    tail = last
    for at in range(first, last):
        u, here = vertex[at], np.int64(mask[at])
        for k in range(indptr[u], indptr[u + 1]):
            v = indices[k]
            reached = here & ~np.int64(seen[v])
            if not reached:
                continue
            if not new[v]:
                vertex[tail] = v
                tail += 1
            new[v] |= reached
            while reached:
                j = lowest(reached)
                reached &= reached - 1
                paths[v * width + j] += paths[u * width + j]
    count[TAIL] = tail


@njit(cache=True, nogil=True)
def _push_one(indptr, indices, seen, new, paths, vertex, count, width, u, here, held, size):
    """Carry the paths of u along its edges, among other threads; hold what is new."""
    for k in range(indptr[u], indptr[u + 1]):
        v = indices[k]
        reached = here & ~np.int64(seen[v])
        if not reached:
            continue
        if reached & ~np.int64(new[v]) and not fetch_or(new, v, reached):
            held[size] = v
            size += 1
            if size == held.size:
                _append(vertex, count, held, size)
                size = 0
        while reached:
            j = lowest(reached)
            reached &= reached - 1
            fetch_add(paths, v * width + j, paths[u * width + j])
    return size


@njit(cache=True, nogil=True)
def _append(vertex, count, held, size):
    at = fetch_add(count, TAIL, size)
    vertex[at : at + size] = held[:size]


@njit(parallel=True, cache=True, nogil=True)
def _push(indptr, indices, s, width, first, last, threads):
    """Do so by all threads."""
    seen, _, new, paths, vertex, mask, count = s  # Numba passes no named tuple into a prange
    count[NEXT] = first
    for _ in prange(threads):
        held, size = np.empty(CHUNK, vertex.dtype), 0
        while True:
            start = fetch_add(count, NEXT, CHUNK)
            if start >= last:
                break
            for at in range(start, min(start + CHUNK, last)):
                size = _push_one(
                    indptr, indices, seen, new, paths, vertex, count, width,
                    vertex[at], np.int64(mask[at]), held, size,
                )  # fmt: skip
        _append(vertex, count, held, size)


@njit(parallel=True, cache=True, nogil=True)
def _pull(indptr, indices, s, width, threads):
    """Let every vertex that a source has not seen look for it among its in-neighbours."""
    seen, now, new, paths, vertex, _, count = s
    everyone, n = (1 << width) - 1, seen.size
    count[NEXT] = 0
    for _ in prange(threads):
        held = np.empty(CHUNK, vertex.dtype)
        while True:
            start = fetch_add(count, NEXT, CHUNK)
            if start >= n:
                break
            size = 0
            for v in range(start, min(start + CHUNK, n)):
                wanted = everyone & ~np.int64(seen[v])
                if not wanted:
                    continue
                found = 0
                for k in range(indptr[v], indptr[v + 1]):
                    u = indices[k]
                    reached = np.int64(now[u]) & wanted
                    found |= reached
                    while reached:
                        j = lowest(reached)
                        reached &= reached - 1
                        paths[v * width + j] += paths[u * width + j]
                if found:
                    new[v] = found
                    held[size] = v
                    size += 1
            _append(vertex, count, held, size)


@njit(cache=True, nogil=True)
def _finish_some(indptr, seen, new, vertex, mask, count, everyone, first, last):
    """Give the list's new vertices first..last their masks; count their edges."""
    edges, done = 0, 0
    for at in range(first, last):
        v = vertex[at]
        mask[at] = new[v]
        seen[v] |= new[v]
        new[v] = 0
        edges += indptr[v + 1] - indptr[v]
        if seen[v] == everyone:
            done += indptr[v + 1] - indptr[v]
    fetch_add(count, EDGES, edges)
    fetch_add(count, DONE, done)


@njit(parallel=True, cache=True, nogil=True)
def _finish_all(indptr, s, everyone, first, last, threads):
    seen, _, new, _, vertex, mask, count = s
    size = last - first
    for t in prange(threads):
        begin, end = first + size * t // threads, first + size * (t + 1) // threads
        _finish_some(indptr, seen, new, vertex, mask, count, everyone, begin, end)


@njit(cache=True, nogil=True)
def _finish(indptr, s, width, first, last, threads):
    """Give the list's new vertices first..last their masks; count their edges."""
    everyone = (1 << width) - 1
    s.count[EDGES] = 0
    if threads == ALONE or last - first < SERIAL:
        _finish_some(indptr, s.seen, s.new, s.vertex, s.mask, s.count, everyone, first, last)
    else:
        _finish_all(indptr, s, everyone, first, last, threads)


@njit(cache=True, nogil=True)
def _mark_some(now, vertex, mask, first, last, clear):
    for at in range(first, last):
        now[vertex[at]] = 0 if clear else mask[at]


@njit(parallel=True, cache=True, nogil=True)
def _mark_all(s, first, last, clear, threads):
    _, now, _, _, vertex, mask, _ = s
    size = last - first
    for t in prange(threads):
        begin, end = first + size * t // threads, first + size * (t + 1) // threads
        _mark_some(now, vertex, mask, begin, end, clear)


@njit(cache=True, nogil=True)
def mark(s, first, last, clear, threads):
    """Write the masks of the list's entries first..last to `now`, or zeros."""
    if threads == ALONE or last - first < SERIAL:
        _mark_some(s.now, s.vertex, s.mask, first, last, clear)
    else:
        _mark_all(s, first, last, clear, threads)


@njit(cache=True, nogil=True)
def _rescale(s, width, first, last, scale):
    """Scale down the columns of a level that are near the end of FP64.

    Return the largest path count then, or infinity where FP64 does not hold the level.
    """
    _, _, _, paths, vertex, mask, _ = s
    most = 0.0
    for j in range(width):
        high, low = 0.0, np.inf
        for at in range(first, last):
            if mask[at] >> j & 1:
                x = paths[vertex[at] * width + j]
                high, low = max(high, x), min(low, x)
        if high > PEAK:
            if low < LOW:
                return np.inf
            scale[j] = SCALE
            for at in range(first, last):
                if mask[at] >> j & 1:
                    paths[vertex[at] * width + j] *= SCALE
        most = max(most, high * scale[j])
    return most


@njit(cache=True, nogil=True)
def count_paths(out_ptr, out_idx, in_ptr, in_idx, s, width, ends, scales, threads):
    """Count the paths from all sources; return the number of levels, or 0 where FP64 ends."""
    bound, most = 1.0, 1.0
    for v in range(s.seen.size):
        most = max(most, in_ptr[v + 1] - in_ptr[v])
    depth = 1
    while ends[depth - 1] < ends[depth]:
        first, last = ends[depth - 1], ends[depth]
        edges = s.count[EDGES]
        s.count[TAIL] = last
        if threads == ALONE or edges < SERIAL:
            _push_few(out_ptr, out_idx, s, width, first, last)
        elif edges < (out_idx.size - s.count[DONE]) / ALPHA:
            _push(out_ptr, out_idx, s, width, first, last, threads)
        else:
            mark(s, first, last, False, threads)
            _pull(in_ptr, in_idx, s, width, threads)
            mark(s, first, last, True, threads)
        ends[depth + 1] = s.count[TAIL]
        _finish(out_ptr, s, width, last, s.count[TAIL], threads)
        scales[depth, :] = 1.0
        bound *= most
        if bound > PEAK:
            bound = _rescale(s, width, last, s.count[TAIL], scales[depth])
            if bound == np.inf:
                return 0
        depth += 1
    return depth - 1
