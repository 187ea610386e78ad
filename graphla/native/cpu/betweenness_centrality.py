"""Betweenness by hand: Brandes over a batch of sources, one bit of a mask for each.

Once the paths are counted (path_counts.py), with the vertices and masks of each level,
from the farthest level up

    delta(u, s) = paths(u, s) * sum of (1 + delta(v, s)) / paths(v, s) over edges
                  u -> v, s in mask(u) of this level and in mask(v) of the next

so mask(u) & mask(v) are the successor bits of the edge, and need no storage. The factor
(1 + delta) / paths takes the place of paths(v, s) when v is done.

Source: U. Brandes, J. Mathematical Sociology 25 (2001).
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import get_num_threads, njit, prange

from graphla.errors import InvalidValue
from graphla.native.cpu.path_counts import (
    ALONE,
    CHUNK,
    NEXT,
    SERIAL,
    WIDE,
    Search,
    count_paths,
    mark,
)
from graphla.native.cpu.vectors import full
from graphla.numba_support.atomics import fetch_add
from graphla.numba_support.bits import lowest

if TYPE_CHECKING:
    from graphla.core.graph import Graph

DENSE = 8  # mean degree below which the fronts of sources rarely meet: a thread takes a source


@njit(cache=True, nogil=True)
def _carry(indptr, indices, now, paths, vertex, mask, width, first, last, scale, centrality):
    """Sum what the list's vertices first..last carry, the next level being marked in `now`."""
    total = np.empty(width)
    for at in range(first, last):
        u, here = vertex[at], np.int64(mask[at])
        for j in range(width):
            total[j] = 0.0
        for k in range(indptr[u], indptr[u + 1]):
            v = indices[k]
            both = here & np.int64(now[v])
            while both:
                j = lowest(both)
                both &= both - 1
                total[j] += paths[v * width + j]
        while here:
            j = lowest(here)
            here &= here - 1
            delta = paths[u * width + j] * total[j] * scale[j]
            centrality[u] += delta
            paths[u * width + j] = (1.0 + delta) / paths[u * width + j]


@njit(parallel=True, cache=True, nogil=True)
def _carry_all(indptr, indices, s, width, first, last, scale, centrality, threads):
    """Do so by all threads; a vertex stands once in a level, so no two write the same place."""
    _, now, _, paths, vertex, mask, count = s
    count[NEXT] = first
    for _ in prange(threads):
        while True:
            at = fetch_add(count, NEXT, CHUNK)
            if at >= last:
                break
            _carry(
                indptr,
                indices,
                now,
                paths,
                vertex,
                mask,
                width,
                at,
                min(at + CHUNK, last),
                scale,
                centrality,
            )


@njit(cache=True, nogil=True)
def _return(indptr, indices, s, width, ends, scales, levels, centrality, threads):
    """Sum what the vertices carry, from the farthest level up to the first."""
    mean = indices.size / (indptr.size - 1)
    for level in range(levels - 1, 0, -1):
        first, last = ends[level], ends[level + 1]
        if threads == ALONE or (last - first) * mean < SERIAL:
            _carry(
                indptr,
                indices,
                s.now,
                s.paths,
                s.vertex,
                s.mask,
                width,
                first,
                last,
                scales[level + 1],
                centrality,
            )
        else:
            _carry_all(
                indptr, indices, s, width, first, last, scales[level + 1], centrality, threads
            )
        mark(s, last, ends[level + 2], True, threads)
        mark(s, first, last, False, threads)


def betweenness_centrality(G: Graph, sources: list[int], *, batch: int) -> Any:
    """Sum over sources of the share of shortest paths through each vertex: the kernel."""
    out, into, threads = G.csr, G.csr_transposed, get_num_threads()
    if out.indices.size >= DENSE * G.n or len(sources) < threads:
        centrality = np.zeros(G.n)
        for first in range(0, len(sources), min(batch, WIDE)):
            _add(out, into, sources[first : first + min(batch, WIDE)], centrality, threads)
        return full(centrality)

    stopped = Event()

    def some(t: int) -> Any:
        part = np.zeros(G.n)
        for source in sources[t::threads]:
            if not stopped.is_set():
                _add(out, into, [source], part, ALONE)
        return part

    with ThreadPoolExecutor(threads) as pool:
        try:
            return full(sum(pool.map(some, range(threads)), np.zeros(G.n)))
        except BaseException:  # the others need not go on
            stopped.set()
            raise


def _add(out: Any, into: Any, sources: list[int], centrality: Any, threads: int) -> None:
    """Add what a batch of sources gives."""
    n, width = centrality.size, len(sources)
    word = np.dtype(f"u{max(1, 1 << (width - 1).bit_length() >> 3)}")
    seen, now, new = (np.zeros(n, word) for _ in range(3))
    paths = np.zeros(n * width)
    vertex, mask = np.empty(n * width, out.indices.dtype), np.empty(n * width, word)
    for j, source in enumerate(sources):
        paths[source * width + j] = 1.0
        seen[source] |= 1 << j
    starts = sorted(set(sources))
    vertex[: len(starts)], mask[: len(starts)] = starts, seen[starts]
    edges = sum(int(out.indptr[v + 1] - out.indptr[v]) for v in starts)
    ends, scales = np.empty(n + 3, np.int64), np.empty((n + 2, width))
    ends[0], ends[1] = 0, len(starts)
    s = Search(seen, now, new, paths, vertex, mask, np.array([0, 0, edges, 0]))
    levels = count_paths(
        out.indptr, out.indices, into.indptr, into.indices, s, width, ends, scales, threads
    )
    if not levels:
        raise InvalidValue(
            "betweenness_centrality: numbers of shortest paths to vertices at equal distance "
            "differ by more than 2^1440, which FP64 does not hold"
        )
    _return(out.indptr, out.indices, s, width, ends, scales, levels, centrality, threads)
