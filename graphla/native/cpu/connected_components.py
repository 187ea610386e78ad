"""Weakly connected components (native): Afforest.

A forest over the vertices, with parent[v] <= v. At first the parent of a vertex is its first
neighbour if that is smaller; then linking the roots of both ends of the second edge of every vertex
joins most of the largest component. Its label is guessed from a sample; only vertices outside it
link the rest of their neighbours. (In a directed graph the edges of both directions are linked.) A
root is the smallest vertex of its tree, so the labels are the smallest vertices of the components.

Parallel split: threads take BLOCK vertices at a time from an atomic counter.
Conflicts: first parents are written by their own vertices only; later a root is hooked by
compare-and-swap on its own parent. Compression runs without atomics: see `_set_roots`.

Source: M. Sutton, T. Ben-Nun, A. Barak, "Optimizing parallel graph connectivity
computation via subgraph sampling", IPDPS 2018.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import get_num_threads, njit, prange

from graphla.native.vectors import full_vector
from graphla.numba_support.atomics import compare_and_swap, fetch_add
from graphla.numba_support.prefetch import prefetch

if TYPE_CHECKING:
    from graphla.core.graph import Graph

SAMPLE = 1024
BLOCK = 4096  # vertices that a thread takes at a time
AHEAD = 8  # prefetch distance, in vertices
LONG = 8  # prefetch if the mean degree is larger: the row starts are far apart in memory then


@njit(cache=True, nogil=True)
def _link(parent, u, v):
    """Join the trees of u and v: hook the larger root below the smaller."""
    a, b = parent[np.uint64(u)], parent[np.uint64(v)]
    while a != b:
        high, low = np.uint64(max(a, b)), np.uint64(min(a, b))
        above = np.uint64(parent[high])
        if above == low or (above == high and compare_and_swap(parent, high, high, low)):  # type: ignore[arg-type]
            return
        a, b = parent[np.uint64(parent[high])], parent[low]


@njit(parallel=True, cache=True, nogil=True)
def _set_first_parents(indptr, indices, parent, threads):
    """Set parent[v] to the first neighbour of v if that is smaller, else to v."""
    n, end = parent.size, indices.size - 1
    long_rows = indices.size > LONG * n
    for t in prange(threads):
        first, last = n * t // threads, n * (t + 1) // threads
        own, rows = parent[first:last], indptr[first : last + 1]
        for i in range(own.size):
            v = first + i
            if long_rows:
                prefetch(indices, min(indptr[min(v + 2 * AHEAD, n - 1)], end))
            own[i] = min(v, indices[np.uint64(rows[i])]) if rows[i] < rows[i + 1] else v


# No atomics are needed: parent[v] is written by the iteration of v only, any value read (old or
# new) is an ancestor of v, and no root changes. So each iteration climbs a finite path to its root.
@njit(parallel=True, cache=True, nogil=True)
def _set_roots(parent, counter, threads):
    """Set parent[v] to the root of v."""
    n = parent.size
    counter[0] = 0
    for _ in prange(threads):
        while True:
            first = fetch_add(counter, 0, BLOCK)
            if first >= n:
                break
            own = parent[first : first + BLOCK]
            for i in range(own.size):
                root = np.uint64(own[i])
                above = np.uint64(parent[root])
                if above == root:
                    continue
                while above != root:
                    root = above
                    above = np.uint64(parent[root])
                own[i] = root


@njit(parallel=True, cache=True, nogil=True)
def _link_neighbour(indptr, indices, parent, k, counter, threads):
    """Link each vertex to its k-th neighbour."""
    n, last = parent.size, indices.size - 1
    long_rows = indices.size > LONG * n
    counter[0] = 0
    for _ in prange(threads):
        while True:
            first = fetch_add(counter, 0, BLOCK)
            if first >= n:
                break
            rows = indptr[first : first + BLOCK + 1]
            for i in range(rows.size - 1):
                v = first + i
                if long_rows:
                    prefetch(indices, min(indptr[min(v + 2 * AHEAD, n - 1)] + k, last))
                    edge = np.uint64(min(indptr[min(v + AHEAD, n - 1)] + k, last))
                    prefetch(parent, indices[edge])
                edge = np.uint64(rows[i] + k)
                if edge < np.uint64(rows[i + 1]):
                    _link(parent, v, indices[edge])


@njit(parallel=True, cache=True, nogil=True)
def _link_rest(indptr, indices, parent, giant, counter, threads):
    """Link the vertices outside the largest component to all neighbours but the second.

    A first neighbour that is smaller has been linked as the first parent.
    """
    n = parent.size
    counter[0] = 0
    for _ in prange(threads):
        while True:
            first = fetch_add(counter, 0, BLOCK)
            if first >= n:
                break
            rows = indptr[first : first + BLOCK + 1]
            for i in range(rows.size - 1):
                v = first + i
                if parent[v] != giant and rows[i] < rows[i + 1]:
                    if indices[rows[i]] > v:
                        _link(parent, v, indices[rows[i]])
                    for edge in range(rows[i] + 2, rows[i + 1]):
                        _link(parent, v, indices[edge])


def most_frequent(sample: Any) -> tuple[int, int]:
    """Return the most frequent label of a sample, and how often it occurs."""
    labels, counts = np.unique(sample, return_counts=True)
    i = counts.argmax()
    return int(labels[i]), int(counts[i])


def connected_components(G: Graph) -> Any:
    """Label weak components: the native kernel of :func:`graphla.connected_components`."""
    sides = [G.csr] if G.is_symmetric else [G.csr, G.csr_transposed]
    parent = np.empty(G.n, sides[0].indices.dtype)
    work = np.zeros(1, np.int64), get_num_threads()
    _set_first_parents(sides[0].indptr, sides[0].indices, parent, work[1])
    if sides[0].indices.size:
        for csr in sides[1:]:
            _link_neighbour(csr.indptr, csr.indices, parent, 0, *work)
        _set_roots(parent, *work)
        for csr in sides:
            _link_neighbour(csr.indptr, csr.indices, parent, 1, *work)
        _set_roots(parent, *work)
        sample = np.random.default_rng(0).integers(0, G.n, SAMPLE)
        giant, _ = most_frequent(parent[sample])  # any label gives the right result
        for csr in sides:
            _link_rest(csr.indptr, csr.indices, parent, giant, *work)
        _set_roots(parent, *work)
    return full_vector(parent.astype(G.index_dtype.np_type, copy=False))
