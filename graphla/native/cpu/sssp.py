"""Single-source shortest paths (native): distances by delta-stepping, then parents.

    parent(v) = a vertex u with dist(u) + w(u, v) = dist(v)

Each reached vertex takes the first such in-neighbour that is closer to the source; vertices that
have none, as their edge has weight 0, are reached from the others by a search along such edges.

Parallel split: threads take CHUNK vertices at a time from an atomic counter. In searches from many
sources each thread takes one source at a time.
Conflicts: none; the search along edges of weight 0 runs on one thread.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from graphblas.dtypes import INT64
from numba import get_num_threads, njit, prange

from graphla.core import validation
from graphla.core.results import SSSP
from graphla.native.cpu.bfs import bfs
from graphla.native.cpu.delta_stepping import lower_to_shortest
from graphla.native.vectors import bitmap_vector, sparse_vector
from graphla.numba_support.atomics import fetch_add
from graphla.numba_support.large_arrays import full, less
from graphla.numba_support.thread_pool import run_in_threads

if TYPE_CHECKING:
    from collections.abc import Sequence
    from threading import Event

    from graphla.core.graph import Graph


# The default delta is BREADTH * mean weight / (mean degree)^2. On graphs without hubs, whose
# buckets are small, it grows with the number of threads from FEW to MANY: on a grid of 2000 x 2000
# and 16 threads a breadth of 16 takes 70 ms, one of 64 takes 55 ms.
BREADTH, FEW, MANY = 16.0, 4, 16
HUB = 8  # a vertex with this many times the mean degree is a hub
SMALLEST_DELTA = 1e-300  # has a finite inverse
CHUNK = 512  # vertices that a thread takes at a time
FEW_REACHED = 16  # parents are a list of vertices where this many times their number is at most n
WORK_PER_CALL = 1 << 23  # vertices and entries that a thread searches until it may be interrupted
NEXT, ORPHANS = range(2)  # count in _find_parents: work handed out, vertices without a parent


@njit(cache=True, nogil=True)
def _find_parents(
    indptr, indices, weights, source, infinity, dist, listed, vertices, parent, count
):  # fmt: skip
    """Give every reached vertex a parent on a shortest path that is closer to the source.

    parent[i] is that of vertices[i] if they are `listed`, else that of vertex i. A vertex without
    one (its edge has weight 0, or is lost in rounding) gets -1; count[ORPHANS] is their number.
    """
    orphans = 0
    while True:
        start = fetch_add(count, NEXT, CHUNK)
        if start >= parent.size:
            break
        for i in range(start, min(start + CHUNK, parent.size)):
            v = vertices[i] if listed else i
            d = dist[v]
            found: Any = -1
            if d != infinity:
                if v == source:
                    found = source
                else:
                    for k in range(np.uint64(indptr[v]), np.uint64(indptr[v + 1])):
                        u = np.uint64(indices[k])
                        # Seldom true, and so seldom mispredicted; the other condition is, often
                        if dist[u] + weights[k] == d and dist[u] < d:
                            found = np.int64(u)
                            break
                orphans += found < 0
            parent[i] = found
    fetch_add(count, ORPHANS, orphans)


@njit(parallel=True, cache=True, nogil=True)
def _find_parents_parallel(
    indptr, indices, weights, source, infinity, dist, listed, vertices, parent, count, threads
):  # fmt: skip
    """Run `_find_parents` in all threads."""
    for _ in prange(threads):
        _find_parents(
            indptr, indices, weights, source, infinity, dist, listed, vertices, parent, count
        )


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
    reached = less(dist, infinity, get_num_threads())
    number = int(np.count_nonzero(reached))
    if number * FEW_REACHED <= G.n:  # no second array of n elements, whose pages take most time
        vertices = np.flatnonzero(reached)
        tree = sparse_vector(vertices, _parents(G, source, dist, infinity, vertices), G.n)
    else:
        is_in_tree = less(dist, infinity, get_num_threads())
        tree = bitmap_vector(_parents(G, source, dist, infinity), is_in_tree, number)
    return SSSP(bitmap_vector(dist.astype(dtype, copy=False), reached, number), tree)


def _parents(G: Graph, source: int, dist: Any, infinity: Any, vertices: Any = None) -> Any:
    """Return the parents of some vertices, which are all that are reached; by default of all."""
    out, into = G.csr, G.csr_transposed
    listed, size = (False, G.n) if vertices is None else (True, vertices.size)
    parent, count = np.empty(size, G.index_dtype.np_type), np.zeros(2, np.int64)
    search = (
        *(into.indptr, into.indices, _signed(into.values), source, infinity, dist),
        *(listed, vertices if listed else np.empty(0, np.int64), parent, count),
    )
    if size <= CHUNK:  # no other thread would have work
        _find_parents(*search)
    else:
        _find_parents_parallel(*search, get_num_threads())
    if not count[ORPHANS]:
        return parent
    of_all = parent
    if listed:
        of_all = np.full(G.n, -1, parent.dtype)
        of_all[vertices] = parent
    _find_parents_at_equal_distance(out.indptr, out.indices, _signed(out.values), dist, of_all)
    return of_all[vertices] if listed else of_all


def sssp_distances(G: Graph, source: int, *, delta: float | None) -> Any:
    """Find the distances from one vertex: the native kernel."""
    if not G.weighted:
        return bfs(G, source).level.dup(INT64)
    dist, infinity, dtype = _distances(G, source, delta)
    reached = less(dist, infinity, get_num_threads())
    return bitmap_vector(dist.astype(dtype, copy=False), reached)


def _distances(G: Graph, source: int, delta: float | None) -> tuple[Any, Any, Any]:
    """Return the distances, the value of unreached vertices among them, and their dtype."""
    search = DistanceSearch(G, delta)
    return search.from_one(source, get_num_threads()), search.unreached, search.dtype


class DistanceSearch:
    """Searches for the distances from vertices of a graph with weights.

    Attributes
    ----------
    dtype : dtype
        Of distances in results; that of the arrays is `unreached.dtype`.
    unreached : number
        The value of unreached vertices.
    """

    def __init__(self, G: Graph, delta: float | None = None) -> None:
        validation.refuse_nan(G, "sssp")
        validation.require_nonnegative(G, "sssp", "bellman_ford")
        graphblas_dtype, infinity = validation.distance_dtype(G, "sssp")
        self.dtype = dtype = graphblas_dtype.np_type
        known = dtype in (np.int32, np.float32, np.float64)
        self.unreached = (dtype if known else np.dtype(np.int64)).type(infinity)
        indptr, indices, weights = G.csr
        self.csr = indptr, indices, _signed(weights)
        self.size, self.work = G.n, G.n + G.A.nvals
        self._width, self._grows = _default_delta(G) if delta is None else (delta, False)

    def from_one(self, source: int, threads: int) -> Any:
        """Return the distances from a vertex, found by several threads."""
        dist = full(self.size, self.unreached, self.unreached.dtype, threads)
        dist[source] = 0
        lower_to_shortest(*self.csr, source, self._inverse(threads), self.unreached, dist, threads)
        return dist

    def from_each(self, sources: Sequence[int], values: Any, present: Any, threads: int) -> None:
        """Search from each source by one thread; write its row of distances, and what is reached.

        The threads are Python's: Numba drops an error in a thread of a parallel loop, such as a
        lack of memory. They may be interrupted after some tenths of a second, or after a search
        that takes longer.
        """
        starts, counter = np.asarray(sources, np.int64), np.zeros(1, np.int64)
        arguments = *self.csr, starts, self._inverse(1), self.unreached, values, present, counter
        most = max(1, WORK_PER_CALL // self.work)

        def search(t: int, stopped: Event) -> None:
            while not stopped.is_set() and _search_from_each(*arguments, most):
                pass

        run_in_threads(search, threads)

    def _inverse(self, threads: int) -> float:
        """Return 1 / delta."""
        width = self._width * max(1, min(threads, MANY) / FEW) if self._grows else self._width
        return 1 / max(width, SMALLEST_DELTA) if width else 0.0


@njit(cache=True, nogil=True)
def _search_from_each(
    indptr, indices, weights, sources, inverse, unreached, values, present, counter, most
):
    """Search from up to `most` sources that no thread has taken yet; return whether some are left.

    Write the distances from sources[row] to values[row], and which vertices are reached.
    """
    n = values.shape[1]
    dist = np.empty(n, type(unreached))
    for _ in range(most):
        row = fetch_add(counter, 0, 1)
        if row >= sources.size:
            return False
        dist[:] = unreached
        dist[sources[row]] = 0
        lower_to_shortest(indptr, indices, weights, sources[row], inverse, unreached, dist, 1)
        own_values, own_present = values[row], present[row]
        for v in range(n):
            own_values[v] = dist[v]
            own_present[v] = dist[v] < unreached
    return True


def _default_delta(G: Graph) -> tuple[float, bool]:
    """Return the default delta of few threads, and whether it grows with their number."""
    mean_degree = max(G.A.nvals, 1) / max(G.n, 1)
    delta = float(BREADTH * (G.mean_weight or 0) / mean_degree**2)
    return delta, get_num_threads() > FEW and G.max_out_degree < HUB * mean_degree


def _signed(weights: Any) -> Any:
    """View UINT64 weights, which are below 2^63, as INT64: Numba adds UINT64 to INT64 as FP64."""
    return weights.view(np.int64) if weights.dtype == np.uint64 else weights
