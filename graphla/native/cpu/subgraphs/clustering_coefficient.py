"""Clustering coefficients and triangles of each vertex (native).

    c(v) = 2 t(v) / (d(v) (d(v) - 1)),    t(v) = triangles at v

:mod:`.triangle_count` counts t. In a directed graph, with S = A + A' and N(u) the neighbours of u
below u in the order of falling degree,

    c(v) = 2 T(v) / (2 (d (d - 1) - 2 b)),    T = sum S(u, v) S(v, w) S(u, w) over triangles at v

where d counts the edges of both directions, and b the neighbours joined by two. For each u, a
thread scatters S(u, w) into a dense array and looks up there the w in N(v) of each v in N(u).

Parallel split: threads take blocks of vertices u from an atomic counter, and then parts of the
vertices for the division. Conflicts: none, each thread has its own dense array and its own sums of
all vertices.

Source: D. Watts, S. Strogatz, Nature 393 (1998); directed G. Fagiolo, Phys. Rev. E 76 (2007).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import get_num_threads, njit, prange

from graphla.native.cpu.subgraphs.core_number import subtract_self_loops
from graphla.native.cpu.subgraphs.packed_rows import BLOCKS, order_by_degree
from graphla.native.cpu.subgraphs.triangle_count import sum_of_threads, triangles_at_vertices
from graphla.native.vectors import full_vector
from graphla.numba_support.atomics import fetch_add
from graphla.numba_support.blocks import equal_blocks

if TYPE_CHECKING:
    from graphla.core.graph import Graph


@njit(cache=True, nogil=True)
def _unite_rows(out_ptr, out_idx, in_ptr, in_idx, indptr, indices, value):
    """Write the rows of A + A' without its diagonal, merged from the sorted rows of A and A'."""
    end = 0
    for v in range(out_ptr.size - 1):
        i, j = out_ptr[v], in_ptr[v]
        while i < out_ptr[v + 1] or j < in_ptr[v + 1]:
            from_out = j == in_ptr[v + 1] or (i < out_ptr[v + 1] and out_idx[i] <= in_idx[j])
            from_in = i == out_ptr[v + 1] or (j < in_ptr[v + 1] and in_idx[j] <= out_idx[i])
            w = out_idx[i] if from_out else in_idx[j]
            i += from_out
            j += from_in
            if w != v:
                indices[end], value[end] = w, 2 if from_out and from_in else 1
                end += 1
        indptr[v + 1] = end


@njit(cache=True, nogil=True)
def _renumber_lower(indptr, indices, value, new, old, first, lower, lower_value):
    """Write N(u) and S(u, w) of each u; `first` gets the starts of the rows."""
    end = 0
    for u in range(old.size):
        v = old[u]
        for k in range(indptr[v], indptr[v + 1]):
            w = new[indices[k]]
            if w < u:
                lower[end], lower_value[end] = w, value[k]
                end += 1
        first[u + 1] = end


@njit(parallel=True, cache=True, nogil=True)
def _sum_products(first, lower, value, blocks, counter, dense, sums):
    """Add to sums[k] the products at the vertices of the triangles that thread k finds."""
    counter[0] = 0
    for thread in prange(sums.shape[0]):
        row, own = dense[thread], sums[thread]
        block = fetch_add(counter, 0, 1)
        while block < blocks.size - 1:
            for u in range(blocks[block], blocks[block + 1]):
                for k in range(first[u], first[u + 1]):
                    row[lower[k]] = value[k]
                for k in range(first[u], first[u + 1]):
                    v = lower[k]
                    at_edge = np.int64(0)
                    for j in range(first[v], first[v + 1]):
                        w = lower[j]
                        product = np.int64(value[k]) * value[j] * row[w]
                        own[w] += product
                        at_edge += product
                    own[u] += at_edge
                    own[v] += at_edge
                for k in range(first[u], first[u + 1]):
                    row[lower[k]] = 0
            block = fetch_add(counter, 0, 1)


def _products_at_vertices(G: Graph) -> tuple[Any, Any, Any]:
    """Return T of each vertex of a directed graph, d, and the number of its neighbours."""
    (out_ptr, out_idx, _), (in_ptr, in_idx, _) = G.csr, G.csr_transposed
    indptr = np.zeros(G.n + 1, np.int64)
    indices, value = np.empty(2 * out_idx.size, out_idx.dtype), np.empty(2 * out_idx.size, np.int8)
    _unite_rows(out_ptr, out_idx, in_ptr, in_idx, indptr, indices, value)
    new, old = order_by_degree(indptr, indices)
    first = np.zeros(G.n + 1, np.int64)
    lower, lower_value = (
        np.empty(indptr[-1] // 2, indices.dtype),
        np.empty(indptr[-1] // 2, np.int8),
    )
    _renumber_lower(indptr, indices, value, new, old, first, lower, lower_value)
    counter, threads = np.zeros(1, np.int64), get_num_threads()
    dense, sums = np.zeros((threads, G.n), np.int8), np.zeros((threads, G.n), np.int64)
    _sum_products(first, lower, lower_value, equal_blocks(first, BLOCKS), counter, dense, sums)
    degree = np.add(_degrees(out_ptr, out_idx, G), _degrees(in_ptr, in_idx, G), dtype=np.int64)
    return sum_of_threads(sums)[new], degree, np.diff(indptr)


def _degrees(indptr: Any, indices: Any, G: Graph) -> Any:
    """Return the entries of each row that are not on the diagonal."""
    degree = np.diff(indptr)
    if G.nself_edges:
        subtract_self_loops(indptr, indices, degree)
    return degree


@njit(parallel=True, cache=True, nogil=True)
def _coefficients(closed, factor, degree, neighbors, coefficient, threads):
    """Write factor * closed / (d (d - 1) - 2 b), or 0 if there are no pairs of neighbours."""
    n = degree.size
    for t in prange(threads):
        for v in range(n * t // threads, n * (t + 1) // threads):
            d = np.int64(degree[v])
            pairs = d * (d - 1) - 2 * (d - neighbors[v])
            coefficient[v] = factor * closed[v] / pairs if pairs else 0.0


def triangles(G: Graph) -> Any:
    """Count the triangles at each vertex: the native kernel of :func:`graphla.triangles`."""
    return full_vector(triangles_at_vertices(G))


def clustering_coefficient(G: Graph) -> Any:
    """Find clustering coefficients: the native :func:`graphla.clustering_coefficient`."""
    if G.is_symmetric:
        indptr, indices, _ = G.csr
        degree = neighbors = _degrees(indptr, indices, G)
        closed, factor = triangles_at_vertices(G), 2
    else:
        (closed, degree, neighbors), factor = _products_at_vertices(G), 1
    coefficient = np.empty(G.n)
    _coefficients(closed, factor, degree, neighbors, coefficient, get_num_threads())
    return full_vector(coefficient)
