"""Brandes's dependencies on a SciPy matrix, for :mod:`graphla.verify`: one thread.

They call no algorithm of graphla. Numba finds the edges of each level; it has no longest floats, in
which NumPy counts the shortest paths.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import njit

from graphla.errors import InvalidValue
from graphla.verify.edge_passes import bfs_order_and_depths, scipy_pattern

if TYPE_CHECKING:
    from graphla.core.graph import Graph

PATH_COUNT = np.longdouble  # up to 2^16384 on most machines


def brandes_dependencies(G: Graph, sources: list[int]) -> tuple[Any, int]:
    """Return Brandes's dependencies summed over the sources, and the expected total of all.

    delta(v) = sum_w sigma(v) / sigma(w) (1 + delta(w)) over the edges v -> w to the next level,
    with sigma(v) the number of shortest paths from the source to v. The total is the number of
    inner vertices on one shortest path from each source to each vertex it reaches.
    """
    S = scipy_pattern(G)
    total, inner = np.zeros(G.n), 0
    for source in sources:
        order, depth = bfs_order_and_depths(S, source)
        inner += int((depth[order[1:]] - 1).sum())
        levels = edges_of_levels(S, order, depth)
        sigma, delta = np.zeros(G.n, PATH_COUNT), np.zeros(G.n)
        sigma[source] = 1
        with np.errstate(over="ignore"):
            for v, w in levels:
                np.add.at(sigma, w, sigma[v])
        if np.isinf(sigma).any():
            raise InvalidValue(f"too many shortest paths from {source} to count")
        for v, w in reversed(levels):
            np.add.at(delta, v, (sigma[v] / sigma[w]).astype(float) * (1 + delta[w]))
        delta[source] = 0
        total += delta
    return total, inner


def edges_of_levels(S: Any, order: Any, depth: Any) -> list[tuple[Any, Any]]:
    """Return, for each level, the edges to the next one as arrays (src, dst).

    `order` are the vertices that a search reaches, by level, `depth` the levels of all vertices.
    """
    first_of_level = np.searchsorted(depth[order], np.arange(depth[order[-1]] + 2))
    rows = S.indptr, S.indices, order, depth
    ends = _count_edges_to_next_level(*rows)
    src, dst = np.empty(ends[-1], order.dtype), np.empty(ends[-1], S.indices.dtype)
    _find_edges_to_next_level(*rows, src, dst)
    return [(src[low:high], dst[low:high]) for low, high in pairwise(ends[first_of_level].tolist())]


@njit(cache=True, nogil=True)
def _count_edges_to_next_level(indptr, indices, order, depth):
    """Return how many edges to the next level the first k vertices of `order` have, for each k."""
    ends = np.zeros(order.size + 1, np.int64)
    for k in range(order.size):
        v, count = order[k], 0
        for e in range(indptr[v], indptr[v + 1]):
            count += depth[indices[e]] == depth[v] + 1
        ends[k + 1] = ends[k] + count
    return ends


@njit(cache=True, nogil=True)
def _find_edges_to_next_level(indptr, indices, order, depth, src, dst):
    """Write all edges to the next level, in the order of their first vertices."""
    size = 0
    for v in order:
        for e in range(indptr[v], indptr[v + 1]):
            if depth[indices[e]] == depth[v] + 1:
                src[size], dst[size] = v, indices[e]
                size += 1
