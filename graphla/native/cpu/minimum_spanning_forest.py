"""Minimum spanning forest (native): Boruvka's rounds over neighbour lists sorted by weight.

Each round:
    1. find_lightest  every vertex moves a mark along its list to the first neighbour in another
                      tree, which is the other end of its lightest edge out of its tree
       choose         each tree takes the least of these edges by (weight, src, dst)
    2. hook           each tree hooks below the tree that its edge leads to; of two trees that
                      chose each other, the one with the smaller number stays a root
    3. compress       pointer jumping to the roots
    4. relabel        vertices take the new roots, and leave the active list if no edge leads out
                      of their tree

The lists are never rearranged. Once a tree has more than SHARE of the vertices, it waits: it
makes no more choices, as its last edge is chosen from the other side. So its vertices, most of
the graph, scan no more of their lists.

Parallel split: the active vertices, and the roots, are lists in blocks of BLOCK elements; a thread
takes a block, and compacts it in place. `block_sizes` is the number of elements left in each block.
Conflicts: a tree's choice is set by compare-and-swap; all else is written by the thread of the
vertex, or the root, that owns it.

Source: A. Kolganov, a parallel minimum spanning tree algorithm for a GPU, 2015; the
tree that waits: V. Osipov, P. Sanders, J. Singler, "The filter-Kruskal minimum
spanning tree algorithm", ALENEX 2009 (an edge inside a component is never chosen).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import njit, prange

from graphla.core import validation
from graphla.core.properties import CSR
from graphla.core.results import Edges, Forest
from graphla.native.cpu.connected_components import most_frequent
from graphla.native.vectors import full_vector
from graphla.numba_support.atomics import compare_and_swap, fetch_add
from graphla.transform.sort_rows import csr_by_weight, rows_by_weight

if TYPE_CHECKING:
    from graphla.core.graph import Graph

BLOCK = 1024  # elements of a block of the active vertices, or of the roots
SHARE = 0.1  # of the vertices: a larger tree waits
SAMPLE = 1024  # vertices whose trees are sampled to find such a tree


@njit(parallel=True, cache=True, nogil=True)
def find_lightest(indptr, indices, weight, tree, mark, target, cost, active, block_sizes):
    """Find for each active vertex the lightest edge out of its tree: target (-1: none), cost."""
    for block in prange(block_sizes.size):
        for i in range(block * BLOCK, block * BLOCK + block_sizes[block]):
            v = active[i]
            own_tree = tree[v]
            if target[v] < 0 or tree[target[v]] != own_tree:
                continue
            edge, end = mark[v], indptr[v + 1]
            while edge < end and tree[indices[edge]] == own_tree:
                edge += 1
            mark[v] = edge
            if edge < end:
                target[v], cost[v] = indices[edge], weight[edge]
            else:
                target[v] = -1


@njit(cache=True, nogil=True)
def _precedes(target, cost, a, b):
    """Return whether the edge of vertex a precedes the edge of b by (weight, src, dst)."""
    if cost[a] != cost[b]:
        return cost[a] < cost[b]
    u, v = target[a], target[b]
    src_a, src_b = min(a, u), min(b, v)
    return src_a < src_b or (src_a == src_b and max(a, u) < max(b, v))


@njit(parallel=True, cache=True, nogil=True)
def _choose(tree, target, cost, best, active, block_sizes):
    """Set best[t] to the vertex with the lightest edge out of tree t."""
    for block in prange(block_sizes.size):
        for i in range(block * BLOCK, block * BLOCK + block_sizes[block]):
            v = active[i]
            if target[v] >= 0:
                own_tree = tree[v]
                least = best[own_tree]
                while least < 0 or _precedes(target, cost, v, least):
                    if compare_and_swap(best, own_tree, least, v):
                        break
                    least = best[own_tree]


@njit(parallel=True, cache=True, nogil=True)
def _hook(tree, target, cost, best, parent, src, dst, price, roots, block_sizes):
    """Hook each root along the edge that its tree chose; store the edge at the root's index."""
    for block in prange(block_sizes.size):
        for i in range(block * BLOCK, block * BLOCK + block_sizes[block]):
            root = roots[i]
            v = best[root]
            if v >= 0:
                u = target[v]
                other_root = tree[u]
                other_best = best[other_root]
                mutual = other_best >= 0 and tree[target[other_best]] == root
                if not mutual or other_root < root:
                    parent[root] = other_root
                    src[root], dst[root], price[root] = min(u, v), max(u, v), cost[v]


# No atomics are needed, as in connected_components._compress.
@njit(parallel=True, cache=True, nogil=True)
def _compress(parent, roots, block_sizes):
    for block in prange(block_sizes.size):
        for i in range(block * BLOCK, block * BLOCK + block_sizes[block]):
            root = roots[i]
            while parent[root] != parent[parent[root]]:
                parent[root] = parent[parent[root]]


@njit(parallel=True, cache=True, nogil=True)
def _relabel(tree, parent, best, waiting, active, block_sizes):
    """Give vertices their new roots; keep those active whose tree still has to choose."""
    for block in prange(block_sizes.size):
        kept = block * BLOCK
        for i in range(block * BLOCK, block * BLOCK + block_sizes[block]):
            v = active[i]
            root = parent[tree[v]]
            tree[v] = root
            if root != waiting and best[root] >= 0:
                active[kept] = v
                kept += 1
        block_sizes[block] = kept - block * BLOCK


@njit(parallel=True, cache=True, nogil=True)
def _compact_roots(parent, best, waiting, roots, block_sizes):
    """Keep the roots that remain and still have to choose; clear their choices."""
    for block in prange(block_sizes.size):
        kept = block * BLOCK
        for i in range(block * BLOCK, block * BLOCK + block_sizes[block]):
            root = roots[i]
            if parent[root] == root and best[root] >= 0:
                best[root] = -1
                if root != waiting:
                    roots[kept] = root
                    kept += 1
        block_sizes[block] = kept - block * BLOCK


def span(rows: CSR) -> tuple[Any, Any, Any, Any]:
    """Return the tree of each vertex, and src (-1: no edge), dst and weight of up to n edges."""
    indptr, indices, weight = rows
    if weight is None:
        weight = np.broadcast_to(np.int8(1), indices.shape)
    n = indptr.size - 1
    active = np.arange(n, dtype=indices.dtype)
    tree, parent, roots, target = active.copy(), active.copy(), active.copy(), active.copy()
    best, src, dst = np.full_like(tree, -1), np.full_like(tree, -1), np.zeros_like(tree)
    cost, price = np.zeros((2, n), weight.dtype)
    mark = indptr[:-1].copy()
    vertices_per_block = np.diff(np.append(np.arange(0, n, BLOCK), n))
    roots_per_block = vertices_per_block.copy()
    sample = np.random.default_rng(0).integers(0, max(n, 1), SAMPLE if n else 0)
    waiting = -1
    while vertices_per_block.any():
        find_lightest(indptr, indices, weight, tree, mark, target, cost, active, vertices_per_block)
        _choose(tree, target, cost, best, active, vertices_per_block)
        _hook(tree, target, cost, best, parent, src, dst, price, roots, roots_per_block)
        _compress(parent, roots, roots_per_block)
        if waiting < 0:
            label, count = most_frequent(parent[tree[sample]])
            if count > SHARE * SAMPLE:
                waiting = label
        _relabel(tree, parent, best, waiting, active, vertices_per_block)
        _compact_roots(parent, best, waiting, roots, roots_per_block)
    return tree, src, dst, price


@njit(parallel=True, cache=True, nogil=True)
def _count_sources(src, count):
    for k in prange(src.size):
        if src[k] >= 0:
            fetch_add(count, src[k], 1)


@njit(parallel=True, cache=True, nogil=True)
def _scatter_edges(src, dst, next_free, ends, order):
    """Write the edges of each source together, in any order."""
    for k in prange(src.size):
        if src[k] >= 0:
            i = fetch_add(next_free, src[k], 1)
            ends[i], order[i] = dst[k], k


def _sort_edges(dtype: Any, src: Any, dst: Any, price: Any) -> tuple[Any, Any, Any]:
    """Return the edges with src >= 0, sorted by (src, dst), with their ends in a dtype."""
    n = src.size
    indptr = np.zeros(n + 1, src.dtype)
    _count_sources(src, indptr[1:])
    np.cumsum(indptr, out=indptr)
    ends, order = np.empty((2, indptr[-1]), src.dtype)
    _scatter_edges(src, dst, indptr[:-1].copy(), ends, order)
    rows: Any = rows_by_weight(CSR(indptr, order, ends), 0, n)
    src = np.repeat(np.arange(n, dtype=dtype), np.diff(indptr))
    return src, rows.values.astype(dtype), price[rows.indices]


@njit(cache=True, nogil=True)
def _smallest_vertices(tree):
    """Return for each vertex the smallest vertex of its tree."""
    first = np.full(tree.size, -1, tree.dtype)
    label = np.empty(tree.size, tree.dtype)
    for v in range(tree.size):
        if first[tree[v]] < 0:
            first[tree[v]] = v
        label[v] = first[tree[v]]
    return label


def prepare(G: Graph) -> None:
    """Compute what the calls for a graph share: its rows sorted by weight."""
    csr_by_weight(G)


def minimum_spanning_forest(G: Graph) -> Forest:
    """Find a minimum spanning forest: the native kernel."""
    total = validation.total_weight_dtype(G, "minimum_spanning_forest")
    tree, *edges = span(csr_by_weight(G))
    dtype = G.index_dtype.np_type
    src, dst, weight = _sort_edges(dtype, *edges)
    weight = weight.astype(G.dtype.np_type, copy=False)
    component = full_vector(_smallest_vertices(tree).astype(dtype, copy=False))
    return Forest(
        Edges(full_vector(src), full_vector(dst), full_vector(weight)),
        weight.sum(dtype=total).item(),
        component,
    )
