"""Shortest paths by hand: delta-stepping with fused buckets.

The vertices that wait to be expanded are the bits of `active`; a bucket takes those
with a distance up to `high`. Each thread expands its share and then, without waiting
for the others, what it has brought into the bucket itself (bucket fusion), held in a
queue of its own. What does not fit there, and what lies beyond the bucket, is active.
A queue holds a vertex with the distance that it was put there with: where the vertex
has a smaller one by now, whoever lowered it has queued it, and the entry is void.

Source: U. Meyer, P. Sanders, J. Algorithms 49 (2003); bucket fusion: Y. Zhang et al.,
"Optimizing ordered graph algorithms with GraphIt", CGO 2020.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from graphblas.dtypes import INT64
from numba import get_num_threads, njit, prange

from graphla.core import validation
from graphla.core.results import SSSP
from graphla.native.cpu.bfs import bfs
from graphla.native.cpu.vectors import masked
from graphla.numba_support.atomics import fetch_add, fetch_min, fetch_or
from graphla.numba_support.bits import lowest
from graphla.numba_support.prefetch import prefetch

if TYPE_CHECKING:
    from graphla.core.graph import Graph

BREADTH = 100.0  # default delta, in mean weights over the square of the mean degree
CHUNK = 64  # vertices of the frontier that a thread takes at a time
QUEUE = 4096  # vertices of the bucket that a thread holds; a power of two
WORDS = 1024  # words of `active` that a thread takes at a time
SERIAL = 256  # a frontier of fewer vertices is expanded by one thread
FEW = 4096  # fewer active vertices are looked through by one thread
AHEAD = 4  # vertices of the frontier by which memory is asked for what they need
NEXT, TAIL, ACTIVE = 0, 1, 2  # counters: work handed out, frontier so far, bits set
LEFT = 1  # counter of _hook: vertices without a parent


@njit(cache=True, nogil=True)
def _relax(indptr, indices, weights, u, du, high, dist, active, vertex, length, ends):
    """Lower the distances beyond u; queue or activate what came lower."""
    mask = vertex.size - 1
    for k in range(indptr[u], indptr[u + 1]):
        v, new = indices[k], du + weights[k]
        if new < dist[v] and new < fetch_min(dist, v, new):
            if new <= high and ends[1] - ends[0] <= mask:
                at = ends[1] & mask
                vertex[at], length[at] = v, new
                ends[1] += 1
            else:
                bit = np.uint64(1) << np.uint64(v & 63)
                if not active[v >> 6] & bit and not fetch_or(active, v >> 6, bit) & bit:
                    ends[2] += 1


@njit(cache=True, nogil=True)
def _expand(indptr, indices, weights, frontier, size, high, dist, active, count, vertex, length):
    """Expand the frontier, a chunk at a time, then what of the bucket came of it."""
    ends = np.zeros(3, np.int64)  # of the queue: head, tail; bits set in `active`
    mask = vertex.size - 1
    while True:
        first = fetch_add(count, NEXT, CHUNK)
        if first >= size:
            break
        for at in range(first, min(first + CHUNK, size)):
            u = frontier[at]
            if at + 2 * AHEAD < size:
                prefetch(indptr, frontier[at + 2 * AHEAD])
                prefetch(dist, frontier[at + 2 * AHEAD])
            if at + AHEAD < size:
                soon = indptr[frontier[at + AHEAD]]
                prefetch(indices, soon)
                prefetch(weights, soon)
            _relax(indptr, indices, weights, u, dist[u], high, dist, active, vertex, length, ends)
    while ends[0] < ends[1]:
        at = ends[0] & mask
        u, du = vertex[at], length[at]
        ends[0] += 1
        if du == dist[u]:
            _relax(indptr, indices, weights, u, du, high, dist, active, vertex, length, ends)
    fetch_add(count, ACTIVE, ends[2])


@njit(parallel=True, cache=True, nogil=True)
def _expand_all(
    indptr, indices, weights, frontier, size, high, dist, active, count, vertex, length
):
    """Expand the frontier by all threads."""
    for t in prange(vertex.shape[0]):
        _expand(
            indptr, indices, weights, frontier, size, high, dist, active, count,
            vertex[t], length[t],
        )  # fmt: skip


@njit(cache=True, nogil=True)
def _gather(active, first, last, high, dist, frontier, count, taken, least):
    """Move what of words[first:last] lies up to `high` to the frontier.

    Return the smallest distance of the others, or `least` where that is smaller.
    """
    held = 0
    for w in range(first, last):
        rest = active[w]
        if not rest:
            continue
        kept = rest
        while rest:
            v = (w << 6) + lowest(rest)
            rest &= rest - np.uint64(1)
            if dist[v] <= high:
                kept ^= np.uint64(1) << np.uint64(v & 63)
                taken[held] = v
                held += 1
            else:
                least = min(least, dist[v])
            if held == taken.size:
                at = fetch_add(count, TAIL, held)
                frontier[at : at + held] = taken
                held = 0
        active[w] = kept
    at = fetch_add(count, TAIL, held)
    frontier[at : at + held] = taken[:held]
    return least


@njit(parallel=True, cache=True, nogil=True)
def _gather_all(active, high, dist, frontier, count, taken, least):
    """Gather from all words by all threads; leave in `least` what each has found."""
    count[NEXT] = 0
    for t in prange(least.size):
        while True:
            first = fetch_add(count, NEXT, WORDS)
            if first >= active.size:
                break
            last = min(first + WORDS, active.size)
            least[t] = _gather(active, first, last, high, dist, frontier, count, taken[t], least[t])


@njit(cache=True, nogil=True)
def _settle(indptr, indices, weights, source, delta, infinity, dist, threads):
    """Lower dist, which is `infinity` but at the source, to the lengths of shortest paths."""
    n = dist.size
    active = np.zeros((n + 63) >> 6, np.uint64)
    frontier = np.empty(n, indices.dtype)
    vertex = np.empty((threads, QUEUE), indices.dtype)
    length = np.empty((threads, QUEUE), dist.dtype)
    least = np.full(threads, infinity, dist.dtype)
    count = np.zeros(3, np.int64)
    active[source >> 6] = np.uint64(1) << np.uint64(source & 63)
    count[ACTIVE] = 1
    least[0] = high = dist[source]
    while count[ACTIVE]:
        if count[TAIL] == 0:
            low = least.min()
            high = infinity if infinity - low <= delta else low + delta
        least[:] = infinity
        count[TAIL] = 0
        if threads == 1 or count[ACTIVE] < FEW:
            least[0] = _gather(
                active, 0, active.size, high, dist, frontier, count, vertex[0], infinity
            )
        else:
            _gather_all(active, high, dist, frontier, count, vertex, least)
        size = count[TAIL]
        count[ACTIVE] -= size
        count[NEXT] = 0
        if threads == 1 or size < SERIAL:
            _expand(
                indptr, indices, weights, frontier, size, high, dist, active, count,
                vertex[0], length[0],
            )  # fmt: skip
        else:
            _expand_all(
                indptr, indices, weights, frontier, size, high, dist, active, count, vertex, length
            )


@njit(parallel=True, cache=True, nogil=True)
def _hook(indptr, indices, weights, source, infinity, dist, parent, count, threads):
    """Give every reached vertex a parent that is closer to the source and on its path.

    Where none is closer, it is left at -1; count[LEFT] says how many are.
    """
    n = dist.size
    count[NEXT] = count[LEFT] = 0
    for _ in prange(threads):
        left = 0
        while True:
            start = fetch_add(count, NEXT, CHUNK)
            if start >= n:
                break
            for v in range(start, min(start + CHUNK, n)):
                parent[v] = -1
                if dist[v] == infinity or v == source:
                    continue
                for k in range(indptr[v], indptr[v + 1]):
                    u = indices[k]
                    if dist[u] < dist[v] and dist[u] + weights[k] == dist[v]:
                        parent[v] = u
                        break
                if parent[v] < 0:
                    left += 1
        fetch_add(count, LEFT, left)
    parent[source] = source


@njit(cache=True, nogil=True)
def _hook_rest(indptr, indices, weights, dist, parent):
    """Search from the vertices with a parent along edges that add nothing to a distance."""
    stack = np.flatnonzero(parent >= 0)
    stack = np.concatenate((stack, np.empty(dist.size - stack.size, stack.dtype)))
    top = np.count_nonzero(parent >= 0)
    while top:
        top -= 1
        u = stack[top]
        for k in range(indptr[u], indptr[u + 1]):
            v = indices[k]
            if parent[v] < 0 and dist[v] == dist[u] and dist[u] + weights[k] == dist[v]:
                parent[v] = u
                stack[top] = v
                top += 1


def sssp(G: Graph, source: int, *, delta: float | None) -> SSSP:
    """Find the shortest paths from one vertex: the hand-written kernel."""
    if not G.weighted:
        level, parent = bfs(G, source)
        return SSSP(level.dup(INT64), parent)
    dist, infinity, dtype = _distances(G, source, delta)
    out, into = G.csr, G.csr_transposed
    parent = np.empty(G.n, G.index_dtype.np_type)
    count = np.zeros(2, np.int64)
    _hook(
        into.indptr, into.indices, _signed(into.values), source, infinity, dist, parent, count,
        get_num_threads(),
    )  # fmt: skip
    if count[LEFT]:
        _hook_rest(out.indptr, out.indices, _signed(out.values), dist, parent)
    reached = dist < infinity
    return SSSP(masked(dist.astype(dtype, copy=False), reached), masked(parent, reached))


def sssp_distances(G: Graph, source: int, *, delta: float | None) -> Any:
    """Find the distances from one vertex: the hand-written kernel."""
    if not G.weighted:
        return bfs(G, source).level.dup(INT64)
    dist, infinity, dtype = _distances(G, source, delta)
    return masked(dist.astype(dtype, copy=False), dist < infinity)


def _distances(G: Graph, source: int, delta: float | None) -> tuple[Any, Any, Any]:
    """Return the distances, what stands for "not reached" in them, and their dtype."""
    search, dtype = searcher(G, delta)
    dist, infinity = search(source, get_num_threads())
    return dist, infinity, dtype


def searcher(G: Graph, delta: float | None = None) -> tuple[Any, Any]:
    """Return a function that searches from a vertex, and the dtype of distances.

    It takes the source and the number of threads, 1 where others search too, and returns distances
    and what stands for "not reached" in them.
    """
    validation.no_nan(G, "sssp")
    validation.nonnegative(G, "sssp", "bellman_ford")
    T, infinity = validation.distances(G, "sssp")
    dtype = T.np_type
    wide = dtype if dtype in (np.int32, np.float32, np.float64) else np.dtype(np.int64)
    if delta is None:
        delta = BREADTH * (G.mean_weight or 0) * (G.n / max(G.A.nvals, 1)) ** 2
    infinity = wide.type(infinity)
    step, (indptr, indices, weights) = wide.type(min(delta, infinity)), G.csr
    weights = _signed(weights)

    def search(source: int, threads: int) -> tuple[Any, Any]:
        dist = np.full(G.n, infinity)
        dist[source] = 0
        _settle(indptr, indices, weights, source, step, infinity, dist, threads)
        return dist, infinity

    return search, dtype


def _signed(weights: Any) -> Any:
    """View UINT64 weights, which are below 2^63, as INT64: the two do not mix in Numba."""
    return weights.view(np.int64) if weights.dtype == np.uint64 else weights
