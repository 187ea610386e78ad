"""Single-source shortest paths (native): delta-stepping with bucket fusion.

    dist(v) = min(dist(v), dist(u) + w(u, v))   over the edges u -> v of the vertices to expand

The vertices to expand are the set bits of `active`; `summary` has a bit for each of its words that
may not be 0. A bucket is those with a distance of at most
`high`. A thread expands its part of the bucket and then, without a barrier, the vertices that this
brought into the bucket (bucket fusion), which it keeps in its own ring buffer. A vertex that
does not fit there, or has a larger distance, is set in `active`. A ring buffer entry is a vertex
and its distance at that time; if the distance is smaller by now, the thread that lowered it has
queued the vertex again, and the entry is skipped.

A thread that fuses much delays all others: with many threads its ring buffer is short if some
vertices have many edges. On a grid, where a bucket is small and rounds are many, it is long.

Parallel split: threads take CHUNK vertices of the bucket, or WORDS words of `summary`, at a time
from an atomic counter; small buckets run on one thread.
Conflicts: distances are lowered by an atomic minimum, bits set by an atomic OR.

Source: U. Meyer, P. Sanders, J. Algorithms 49 (2003); bucket fusion: Y. Zhang et al.,
"Optimizing ordered graph algorithms with GraphIt", CGO 2020.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from graphblas.dtypes import INT64
from numba import get_num_threads, njit, prange

from graphla.core import validation
from graphla.core.results import SSSP
from graphla.native.cpu.bfs import bfs
from graphla.native.vectors import bitmap_vector
from graphla.numba_support.atomics import fetch_add, fetch_min, fetch_or
from graphla.numba_support.bits import lowest
from graphla.numba_support.large_arrays import full, less
from graphla.numba_support.prefetch import prefetch
from graphla.numba_support.shared_list import append_buffer

if TYPE_CHECKING:
    from graphla.core.graph import Graph


class Tuning(NamedTuple):
    """What changes the time of a search and not its result."""

    breadth: float  # default delta, in mean weights over the square of the mean degree
    queue: int  # entries of a thread's ring buffer; a power of two
    few: int  # with fewer active vertices, one thread fills the bucket


FEW_THREADS = Tuning(100.0, 4096, 4096)
MANY = 8  # threads from which another tuning pays:
SKEWED = Tuning(50.0, 32, 1024)  # if the largest degree is many times the mean degree,
FLAT = Tuning(200.0, 4096, 1024)  # if no vertex has many edges,
OTHER = Tuning(100.0, 4096, 1024)  # and otherwise
SKEWNESS, FLAT_DEGREE = 16, 8
CHUNK = 64  # bucket vertices that a thread takes at a time
WORDS = 4  # words of `summary` that a thread takes at a time
BUFFER = 1024  # vertices that a thread collects before it appends them to the bucket
SERIAL = 256  # a bucket with fewer vertices is expanded by one thread
AHEAD = 4  # prefetch distance, in bucket vertices
NEXT, TAIL, ACTIVE = range(3)  # count: work handed out, vertices in the bucket, bits set
ORPHANS = 1  # count in _find_parents: vertices without a parent


@njit(cache=True, nogil=True)
def _relax(
    indptr, indices, weights, u, du, high, dist, active, summary, vertex, length, ring
):  # fmt: skip
    """Relax the edges of u; queue or activate the vertices whose distance decreases.

    ring[0], ring[1] are head and tail of the ring buffer, ring[2] counts bits set in `active`.
    """
    mask = vertex.size - 1
    for k in range(indptr[u], indptr[u + 1]):
        v, new = indices[k], du + weights[k]
        if new < dist[v] and new < fetch_min(dist, v, new):
            if new <= high and ring[1] - ring[0] <= mask:
                slot = ring[1] & mask
                vertex[slot], length[slot] = v, new
                ring[1] += 1
            else:
                w, bit = v >> 6, np.uint64(1) << np.uint64(v & 63)
                if active[w] & bit:
                    continue
                before = fetch_or(active, w, bit)
                ring[2] += not before & bit
                if not before:
                    fetch_or(summary, w >> 6, np.uint64(1) << np.uint64(w & 63))


@njit(cache=True, nogil=True)
def _expand(
    indptr, indices, weights, bucket, size, high, dist, active, summary, count, vertex, length
):  # fmt: skip
    """Expand the bucket, a chunk at a time, then the thread's ring buffer (vertex, length)."""
    ring = np.zeros(3, np.int64)
    mask = vertex.size - 1
    while True:
        first = fetch_add(count, NEXT, CHUNK)
        if first >= size:
            break
        for i in range(first, min(first + CHUNK, size)):
            u = bucket[i]
            if i + 2 * AHEAD < size:
                prefetch(indptr, bucket[i + 2 * AHEAD])
                prefetch(dist, bucket[i + 2 * AHEAD])
            if i + AHEAD < size:
                edge = indptr[bucket[i + AHEAD]]
                prefetch(indices, edge)
                prefetch(weights, edge)
            _relax(
                indptr, indices, weights, u, dist[u], high, dist, active, summary, vertex, length,
                ring,
            )  # fmt: skip
    while ring[0] < ring[1]:
        slot = ring[0] & mask
        u, du = vertex[slot], length[slot]
        ring[0] += 1
        if du == dist[u]:
            _relax(
                indptr, indices, weights, u, du, high, dist, active, summary, vertex, length, ring
            )
    fetch_add(count, ACTIVE, ring[2])


@njit(parallel=True, cache=True, nogil=True)
def _expand_parallel(
    indptr, indices, weights, bucket, size, high, dist, active, summary, count, vertex, length
):  # fmt: skip
    """Expand the bucket by all threads, each with its own ring buffer."""
    for thread in prange(vertex.shape[0]):
        _expand(
            indptr, indices, weights, bucket, size, high, dist, active, summary, count,
            vertex[thread], length[thread],
        )  # fmt: skip


@njit(cache=True, nogil=True)
def _fill_bucket(active, summary, first, last, high, dist, bucket, count, buffer, least):
    """Move the vertices of summary[first:last] with a distance of at most `high` to the bucket.

    Return the minimum of `least` and the distances of the vertices that stay.
    """
    size = 0
    for s in range(first, last):
        words = not_empty = summary[s]
        while words:
            w = (s << 6) + lowest(words)
            words &= words - np.uint64(1)
            rest = kept = active[w]
            while rest:
                v = (w << 6) + lowest(rest)
                rest &= rest - np.uint64(1)
                if dist[v] <= high:
                    kept ^= np.uint64(1) << np.uint64(v & 63)
                    buffer[size] = v
                    size += 1
                else:
                    least = min(least, dist[v])
                if size == buffer.size:
                    append_buffer(bucket, count, TAIL, buffer, size)
                    size = 0
            active[w] = kept
            if not kept:
                not_empty ^= np.uint64(1) << np.uint64(w & 63)
        summary[s] = not_empty
    append_buffer(bucket, count, TAIL, buffer, size)
    return least


@njit(parallel=True, cache=True, nogil=True)
def _fill_bucket_parallel(active, summary, high, dist, bucket, count, buffers, least):
    """Fill the bucket by all threads; least[k] is the minimum of thread k."""
    count[NEXT] = 0
    for thread in prange(least.size):
        while True:
            first = fetch_add(count, NEXT, WORDS)
            if first >= summary.size:
                break
            last = min(first + WORDS, summary.size)
            least[thread] = _fill_bucket(
                active, summary, first, last, high, dist, bucket, count, buffers[thread],
                least[thread],
            )  # fmt: skip


@njit(cache=True, nogil=True)
def _delta_stepping(indptr, indices, weights, source, delta, infinity, queue, few, dist, threads):
    """Lower `dist` to the shortest distances; at first it is 0 at the source, else infinity.

    `queue` and `few` are those of Tuning.
    """
    n = dist.size
    active = np.zeros((n + 63) >> 6, np.uint64)
    summary = np.zeros((active.size + 63) >> 6, np.uint64)
    bucket = np.empty(n, indices.dtype)
    buffers = np.empty((threads, BUFFER), indices.dtype)
    vertex = np.empty((threads, queue), indices.dtype)
    length = np.empty((threads, queue), dist.dtype)
    least = np.full(threads, infinity, dist.dtype)
    count = np.zeros(3, np.int64)
    active[source >> 6] = np.uint64(1) << np.uint64(source & 63)
    summary[source >> 12] = np.uint64(1) << np.uint64(source >> 6 & 63)
    count[ACTIVE] = 1
    least[0] = high = dist[source]
    while count[ACTIVE]:
        if count[TAIL] == 0:
            low = least.min()
            high = infinity if infinity - low <= delta else low + delta
        least[:] = infinity
        count[TAIL] = 0
        if threads == 1 or count[ACTIVE] < few:
            least[0] = _fill_bucket(
                active, summary, 0, summary.size, high, dist, bucket, count, buffers[0], infinity
            )
        else:
            _fill_bucket_parallel(active, summary, high, dist, bucket, count, buffers, least)
        size = count[TAIL]
        count[ACTIVE] -= size
        count[NEXT] = 0
        if threads == 1 or size < SERIAL:
            _expand(
                indptr, indices, weights, bucket, size, high, dist, active, summary, count,
                vertex[0], length[0],
            )  # fmt: skip
        else:
            _expand_parallel(
                indptr, indices, weights, bucket, size, high, dist, active, summary, count,
                vertex, length,
            )  # fmt: skip


@njit(parallel=True, cache=True, nogil=True)
def _find_parents(indptr, indices, weights, source, infinity, dist, parent, count, threads):
    """Give every reached vertex a parent on a shortest path that is closer to the source.

    A vertex without one (its edge has weight 0, or is lost in rounding) keeps -1; count[ORPHANS]
    is their number.
    """
    n = dist.size
    count[NEXT] = count[ORPHANS] = 0
    for _ in prange(threads):
        orphans = 0
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
                    orphans += 1
        fetch_add(count, ORPHANS, orphans)
    parent[source] = source


@njit(cache=True, nogil=True)
def _find_parents_at_equal_distance(indptr, indices, weights, dist, parent):
    """Give the other reached vertices parents: search along edges that do not change the distance.

    The search starts at the vertices with a parent, and runs on one thread.
    """
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
    """Find the shortest paths from one vertex: the native kernel."""
    if not G.weighted:
        level, parent = bfs(G, source)
        return SSSP(level.dup(INT64), parent)
    dist, infinity, dtype = _distances(G, source, delta)
    out, into = G.csr, G.csr_transposed
    parent = np.empty(G.n, G.index_dtype.np_type)
    count = np.zeros(2, np.int64)
    _find_parents(
        into.indptr, into.indices, _signed(into.values), source, infinity, dist, parent, count,
        get_num_threads(),
    )  # fmt: skip
    if count[ORPHANS]:
        _find_parents_at_equal_distance(out.indptr, out.indices, _signed(out.values), dist, parent)
    reached = (less(dist, infinity, get_num_threads()) for _ in range(2))
    return SSSP(*map(bitmap_vector, (dist.astype(dtype, copy=False), parent), reached))


def sssp_distances(G: Graph, source: int, *, delta: float | None) -> Any:
    """Find the distances from one vertex: the native kernel."""
    if not G.weighted:
        return bfs(G, source).level.dup(INT64)
    dist, infinity, dtype = _distances(G, source, delta)
    reached = less(dist, infinity, get_num_threads())
    return bitmap_vector(dist.astype(dtype, copy=False), reached)


def _distances(G: Graph, source: int, delta: float | None) -> tuple[Any, Any, Any]:
    """Return the distances, the value of unreached vertices among them, and their dtype."""
    search, dtype = distance_search(G, delta)
    dist, infinity = search(source, get_num_threads())
    return dist, infinity, dtype


def distance_search(G: Graph, delta: float | None = None) -> tuple[Any, Any]:
    """Return search(source, threads) and the dtype of distances.

    search returns the distances and the value of unreached vertices among them. With threads == 1
    it runs no parallel loop, so that several searches can run at once.
    """
    validation.refuse_nan(G, "sssp")
    validation.require_nonnegative(G, "sssp", "bellman_ford")
    graphblas_dtype, infinity = validation.distance_dtype(G, "sssp")
    dtype = graphblas_dtype.np_type
    kernel_dtype = dtype if dtype in (np.int32, np.float32, np.float64) else np.dtype(np.int64)
    mean_degree = max(G.A.nvals, 1) / max(G.n, 1)
    tuning = _choose_tuning(G, mean_degree, get_num_threads())
    if delta is None:
        delta = tuning.breadth * (G.mean_weight or 0) / mean_degree**2
    infinity = kernel_dtype.type(infinity)
    bucket_width = kernel_dtype.type(min(delta, infinity))
    indptr, indices, weights = G.csr
    weights = _signed(weights)

    def search(source: int, threads: int) -> tuple[Any, Any]:
        dist = full(G.n, infinity, kernel_dtype, threads)
        dist[source] = 0
        _delta_stepping(
            indptr, indices, weights, source, bucket_width, infinity, tuning.queue, tuning.few,
            dist, threads,
        )  # fmt: skip
        return dist, infinity

    return search, dtype


def _choose_tuning(G: Graph, mean_degree: float, threads: int) -> Tuning:
    if threads < MANY:
        return FEW_THREADS
    if G.max_out_degree > SKEWNESS * mean_degree:
        return SKEWED
    return FLAT if G.max_out_degree <= FLAT_DEGREE else OTHER


def _signed(weights: Any) -> Any:
    """View UINT64 weights, which are below 2^63, as INT64: Numba adds UINT64 to INT64 as FP64."""
    return weights.view(np.int64) if weights.dtype == np.uint64 else weights
