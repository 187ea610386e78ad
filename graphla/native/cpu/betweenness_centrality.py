"""Betweenness centrality (native): Brandes's algorithm over batches of sources.

After path_counts.py has counted the paths, the backward pass runs from the farthest level up:

    delta(u, s) = paths(u, s) * sum of (1 + delta(v, s)) / paths(v, s)
                  over edges u -> v, s in mask(u) of this level and in mask(v) of the next

mask(u) & mask(v) are the sources for which v is a successor of u, so no successor lists are
stored. When v is done, (1 + delta) / paths overwrites paths(v, s).

Parallel split: with few sources on a sparse graph, each thread runs whole searches; otherwise the
threads share each level, CHUNK vertices at a time. Conflicts: none, as a vertex occurs once in a
level and is written by one thread; each thread sums its searches into its own array.

Source: U. Brandes, J. Mathematical Sociology 25 (2001).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import get_num_threads, njit, prange

from graphla.errors import InvalidValue
from graphla.native.cpu.path_counts import (
    CHUNK,
    MAX_SOURCES,
    NEXT,
    NO_PARALLEL,
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
    indptr, indices, frontier, paths, vertex, mask, width, first, last, scale, centrality
):  # fmt: skip
    """Add delta of list entries first..last - 1; `frontier` has the masks of the next level."""
    total = np.empty(width)
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
            delta = paths[u * width + j] * total[j] * scale[j]
            centrality[u] += delta
            paths[u * width + j] = (1.0 + delta) / paths[u * width + j]


@njit(parallel=True, cache=True, nogil=True)
def _accumulate_parallel(indptr, indices, state, width, first, last, scale, centrality, threads):
    """Run _accumulate by all threads."""
    _, frontier, _, paths, vertex, mask, count = state
    count[NEXT] = first
    for _ in prange(threads):
        while True:
            start = fetch_add(count, NEXT, CHUNK)
            if start >= last:
                break
            _accumulate(
                indptr, indices, frontier, paths, vertex, mask, width,
                start, min(start + CHUNK, last), scale, centrality,
            )  # fmt: skip


@njit(cache=True, nogil=True)
def _run_backward(indptr, indices, state, width, ends, scales, levels, centrality, threads):
    """Run the backward pass from the farthest level to the first."""
    mean_degree = indices.size / (indptr.size - 1)
    for level in range(levels - 1, 0, -1):
        first, last, scale = ends[level], ends[level + 1], scales[level + 1]
        if threads == NO_PARALLEL or (last - first) * mean_degree < SERIAL:
            _accumulate(
                indptr, indices, state.frontier, state.paths, state.vertex, state.mask, width,
                first, last, scale, centrality,
            )  # fmt: skip
        else:
            _accumulate_parallel(
                indptr, indices, state, width, first, last, scale, centrality, threads
            )
        set_frontier(state, last, ends[level + 2], True, threads)
        set_frontier(state, first, last, False, threads)


def betweenness_centrality(G: Graph, sources: list[int], *, batch: int) -> Any:
    """Sum over sources of the share of shortest paths through each vertex: the native kernel."""
    out, into, threads = G.csr, G.csr_transposed, get_num_threads()
    if out.indices.size >= DENSE * G.n or len(sources) < threads:
        centrality = np.zeros(G.n)
        step = min(batch, MAX_SOURCES)
        for first in range(0, len(sources), step):
            _add_batch(out, into, sources[first : first + step], centrality, threads)
        return full_vector(centrality)

    def add_sources(t: int, stopped: Event) -> Any:
        partial = np.zeros(G.n)
        for source in sources[t::threads]:
            if not stopped.is_set():
                _add_batch(out, into, [source], partial, NO_PARALLEL)
        return partial

    return full_vector(sum(run_in_threads(add_sources, threads), np.zeros(G.n)))


def _add_batch(out: Any, into: Any, sources: list[int], centrality: Any, threads: int) -> None:
    """Add the contributions of a batch of sources to `centrality`."""
    n, width = centrality.size, len(sources)
    mask_dtype = np.dtype(f"u{max(1, 1 << (width - 1).bit_length() >> 3)}")
    reached, frontier, next_frontier = (np.zeros(n, mask_dtype) for _ in range(3))
    paths = np.zeros(n * width)
    vertex, mask = np.empty(n * width, out.indices.dtype), np.empty(n * width, mask_dtype)
    for j, source in enumerate(sources):
        paths[source * width + j] = 1.0
        reached[source] |= 1 << j
    starts = sorted(set(sources))
    vertex[: len(starts)], mask[: len(starts)] = starts, reached[starts]
    edges = sum(int(out.indptr[v + 1] - out.indptr[v]) for v in starts)
    ends, scales = np.empty(n + 3, np.int64), np.empty((n + 2, width))
    ends[0], ends[1] = 0, len(starts)
    count = np.array([0, 0, edges, 0])
    state = PathState(reached, frontier, next_frontier, paths, vertex, mask, count)
    levels = count_paths(
        out.indptr, out.indices, into.indptr, into.indices, state, width, ends, scales, threads
    )
    if not levels:
        raise InvalidValue(
            "betweenness_centrality: numbers of shortest paths to vertices at equal distance "
            "differ by more than 2^1440, which FP64 cannot represent"
        )
    _run_backward(out.indptr, out.indices, state, width, ends, scales, levels, centrality, threads)
