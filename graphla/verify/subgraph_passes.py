"""Triangles and peeling on SciPy matrices, for :mod:`graphla.verify`: plain loops of one thread.

They call no algorithm of graphla. A matrix of neighbours is symmetric and has no diagonal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import njit

from graphla.verify.edge_passes import scipy_pattern

if TYPE_CHECKING:
    from graphla.core.graph import Graph


def neighbors(G: Graph, *, directions: int) -> Any:
    """Return A, or A + A' if `directions` is 2, of a graph on engine "cpu", without self-loops.

    A has ones; a value of A + A' is the number of edges between two vertices.
    """
    from scipy.sparse import csr_array

    S = scipy_pattern(G).tocoo()
    other = S.row != S.col
    ends = S.row[other], S.col[other]
    S = csr_array((np.ones(ends[0].size, np.int64), ends), shape=S.shape)
    return S if directions == 1 else (S + S.T).tocsr()


def entries(S: Any) -> tuple[Any, Any, Any]:
    """Return the rows, columns and values of a SciPy matrix."""
    S = S.tocoo()
    return S.row, S.col, S.data


def orient_upwards(S: Any) -> tuple[Any, Any]:
    """Return U, the edges directed to the end of higher degree, and the vertex of each row of U."""
    from scipy.sparse import csr_array

    order = np.argsort(np.diff(S.indptr), kind="stable")
    rank = np.empty_like(order)
    rank[order] = np.arange(order.size)
    src, dst, values = entries(S)
    src, dst = rank[src], rank[dst]
    up = src < dst
    return csr_array((values[up], (src[up], dst[up])), shape=S.shape), order


@njit(cache=True, nogil=True)
def _add_triangles(indptr, indices, values, position, total):
    """Add the product of each triangle's values to its three edges; position[v] is -1 at first."""
    for u in range(indptr.size - 1):
        first, end = indptr[u], indptr[u + 1]
        for a in range(first, end):
            position[indices[a]] = a
        for a in range(first, end):
            v = indices[a]
            for b in range(indptr[v], indptr[v + 1]):
                c = position[indices[b]]
                if c >= first:  # of this row: u - v, v - w and u - w are edges
                    product = values[a] * values[b] * values[c]
                    total[a] += product
                    total[b] += product
                    total[c] += product


def edge_triangles(U: Any) -> Any:
    """Return, for each edge of U, the products of the values of its triangles, summed."""
    position, total = np.full(U.shape[0], -1), np.zeros(U.nnz, np.int64)
    _add_triangles(U.indptr, U.indices, U.data, position, total)
    return total


def vertex_triangles(S: Any) -> Any:
    """Return, for each vertex, the products of the values of its triangles, summed."""
    U, order = orient_upwards(S)
    U.data = edge_triangles(U)
    count = np.empty(order.size, np.int64)
    count[order] = (U.sum(axis=0) + U.sum(axis=1)) // 2  # a triangle has two edges at a vertex
    return count


def truss(S: Any, k: int) -> Any:
    """Return the k-truss as a SciPy matrix of the triangles on each edge, both directions stored.

    Columns ascend. Edges on less than k - 2 triangles are removed until none is left.
    """
    from scipy.sparse import csr_array

    U, order = orient_upwards(S)
    while True:
        U.data[:] = 1
        support = edge_triangles(U)
        kept = support >= k - 2
        if kept.all():
            break
        src, dst, _ = entries(U)
        U = csr_array((support[kept], (src[kept], dst[kept])), shape=U.shape)
    src, dst, _ = entries(U)
    ends = np.concatenate((order[src], order[dst])), np.concatenate((order[dst], order[src]))
    T = csr_array((np.concatenate((support, support)), ends), shape=U.shape)
    T.sort_indices()
    return T


@njit(cache=True, nogil=True)
def _peel(indptr, indices, values, level, degree, removed):
    """Remove vertices with degree(v) <= level(v), lowering their neighbours' degrees, repeatedly.

    Only neighbours of the same level are in the matrix.
    """
    stack = [v for v in range(degree.size) if degree[v] <= level[v]]
    for v in stack:
        removed[v] = True
    while len(stack) > 0:
        v = stack.pop()
        for e in range(indptr[v], indptr[v + 1]):
            u = indices[e]
            degree[u] -= values[e]
            if not removed[u] and degree[u] <= level[u]:
                removed[u] = True
                stack.append(u)


def degrees_in_cores(S: Any, core: Any) -> tuple[Any, Any]:
    """Return the degree of each vertex among those of at least its level, and what peeling removes.

    `core` is a level for each vertex. Peeling removes vertices of each level while their degree
    among the vertices left of that level, and all of higher ones, is at most the level.
    """
    from scipy.sparse import csr_array

    src, dst, values = entries(S)
    inside = core[dst] >= core[src]
    degree = np.bincount(src[inside], values[inside], core.size).astype(np.int64)
    equal = core[dst] == core[src]
    E = csr_array((values[equal], (src[equal], dst[equal])), shape=S.shape)
    removed = np.zeros(core.size, bool)
    _peel(E.indptr, E.indices, E.data, core, degree.copy(), removed)
    return degree, removed


def neighbor_labels(S: Any, label: Any) -> Any:
    """Return the matrix of counts: how many neighbours of each vertex have each label."""
    from scipy.sparse import csr_array

    columns = int(label.max(initial=-1)) + 1
    ones, starts = np.ones(label.size, np.int64), np.arange(label.size + 1)
    return S @ csr_array((ones, label, starts), shape=(label.size, columns))
