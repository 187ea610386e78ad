"""Betweenness centrality (native): Brandes's algorithm over batches of sources, or single ones.

After path_counts.py has counted the paths from a batch, the backward pass runs from the farthest
level up:

    delta(u, s) = paths(u, s) * sum of (1 + delta(v, s)) / paths(v, s)
                  over edges u -> v, s in mask(u) of this level and in mask(v) of the next

mask(u) & mask(v) are the sources for which v is a successor of u, so no successor lists are
stored. When v is done, (1 + delta) / paths overwrites paths(v, s).

Parallel split: with few sources or on a dense graph the threads share each level of a batch, CHUNK
vertices at a time; otherwise each thread searches from single sources (single_source.py), and so
it does where a vertex has more than 2^1600 shortest paths from a source of a batch.
Conflicts: none, as a vertex occurs once in a level and is written by one thread; each thread sums
its searches into its own array.

Source: U. Brandes, J. Mathematical Sociology 25 (2001).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import get_num_threads, njit, prange

from graphla.native.cpu.brandes import single_source
from graphla.native.cpu.brandes.path_counts import (
    CHUNK,
    FIRST,
    MAX_SOURCES,
    NEXT,
    SERIAL,
    PathState,
    count_paths,
    set_frontier,
)
from graphla.native.vectors import full_vector
from graphla.numba_support.atomics import fetch_add
from graphla.numba_support.bits import lowest
from graphla.numba_support.thread_pool import run_in_threads

if TYPE_CHECKING:
    from threading import Event

    from graphla.core.graph import Graph

DENSE = 8  # mean degree from which the frontiers of sources overlap enough for batches


@njit(cache=True, nogil=True)
def _accumulate(
    indptr, indices, frontier, paths, vertex, mask, width, first, last, centrality, total
):  # fmt: skip
    """Add delta of list entries first..last - 1; `frontier` has the masks of the next level.

    `total` is room for a sum of each source.
    """
    for i in range(first, last):
        u, sources = vertex[i], np.int64(mask[i])
        for j in range(width):
            total[j] = 0.0
        for k in range(indptr[u], indptr[u + 1]):
            v = indices[k]
            successors = sources & np.int64(frontier[v])
            while successors:
                j = lowest(successors)
                successors &= successors - 1
                total[j] += paths[v * width + j]
        while sources:
            j = lowest(sources)
            sources &= sources - 1
            delta = paths[u * width + j] * total[j]
            centrality[u] += delta
            paths[u * width + j] = (1.0 + delta) / paths[u * width + j]


@njit(parallel=True, cache=True, nogil=True)
def _accumulate_parallel(indptr, indices, state, width, first, last, centrality, threads):
    """Run _accumulate by all threads."""
    _, frontier, _, paths, vertex, mask, count = state
    count[NEXT] = first
    for _ in prange(threads):
        total = np.empty(width)
        while True:
            start = fetch_add(count, NEXT, CHUNK)
            if start >= last:
                break
            _accumulate(
                indptr, indices, frontier, paths, vertex, mask, width,
                start, min(start + CHUNK, last), centrality, total,
            )  # fmt: skip


@njit(cache=True, nogil=True)
def _run_backward(indptr, indices, state, width, ends, levels, centrality, threads):
    """Run the backward pass from the farthest level to the first."""
    mean_degree = indices.size / (indptr.size - 1)
    for level in range(levels - 1, 0, -1):
        first, last = ends[level], ends[level + 1]
        if (last - first) * mean_degree < SERIAL:
            _accumulate(
                indptr, indices, state.frontier, state.paths, state.vertex, state.mask, width,
                first, last, centrality, np.empty(width),
            )  # fmt: skip
        else:
            _accumulate_parallel(indptr, indices, state, width, first, last, centrality, threads)
        set_frontier(state, last, ends[level + 2], True, threads)
        set_frontier(state, first, last, False, threads)


def betweenness_centrality(G: Graph, sources: list[int], *, batch: int) -> Any:
    """Sum over sources of the share of shortest paths through each vertex: the native kernel."""
    out, into, threads = G.csr, G.csr_transposed, get_num_threads()
    if out.indices.size < DENSE * G.n and len(sources) >= threads:
        return full_vector(_search_singly(out, sources, threads))
    centrality, step = np.zeros(G.n), min(batch, MAX_SOURCES)
    for first in range(0, len(sources), step):
        if not _add_batch(out, into, sources[first : first + step], centrality, threads):
            return full_vector(centrality + _search_singly(out, sources[first:], threads))
    return full_vector(centrality)


def _search_singly(out: Any, sources: list[int], threads: int) -> Any:
    """Return the dependencies of all sources; each thread searches from one after the other."""
    threads = min(threads, len(sources))

    def add_sources(t: int, stopped: Event) -> Any:
        partial = np.zeros(out.indptr.size - 1)
        for source in sources[t::threads]:
            if not stopped.is_set():
                single_source.add_dependencies(out, source, partial)
        return partial

    return sum(run_in_threads(add_sources, threads))


def _add_batch(out: Any, into: Any, sources: list[int], centrality: Any, threads: int) -> bool:
    """Add the dependencies of a batch to `centrality`; return False if there are too many paths."""
    n, width = centrality.size, len(sources)
    mask_dtype = np.dtype(f"u{max(1, 1 << (width - 1).bit_length() >> 3)}")
    reached, frontier, next_frontier = (np.zeros(n, mask_dtype) for _ in range(3))
    paths = np.zeros(n * width)
    vertex, mask = np.empty(n * width, out.indices.dtype), np.empty(n * width, mask_dtype)
    for j, source in enumerate(sources):
        paths[source * width + j] = FIRST
        reached[source] |= 1 << j
    starts = sorted(set(sources))
    vertex[: len(starts)], mask[: len(starts)] = starts, reached[starts]
    edges = sum(int(out.indptr[v + 1] - out.indptr[v]) for v in starts)
    ends = np.empty(n + 3, np.int64)
    ends[0], ends[1] = 0, len(starts)
    count = np.array([0, 0, edges, 0])
    state = PathState(reached, frontier, next_frontier, paths, vertex, mask, count)
    levels = count_paths(
        out.indptr, out.indices, into.indptr, into.indices, state, width, ends, threads
    )
    _run_backward(out.indptr, out.indices, state, width, ends, levels, centrality, threads)
    return levels > 0
