"""Minimum spanning forest by hand: Boruvka's rounds over neighbour lists sorted by weight.

    1. lightest   every vertex moves a mark along its list to the first neighbour in
                  another tree; the least of these edges, by (weight, src, dst), is
                  the choice of the vertex's tree
    2. hook       each tree hooks below the one that its edge leads to; of two that
                  chose each other the smaller number stays a root
    3. merge      pointer jumping to the roots
    4. relabel    vertices take the new roots, and leave the active list where their
                  tree has no way out

Lists never move. Once a tree holds a fair share of the vertices it only waits for the
others: a tree need not choose, as its last edge comes from the other side. So its
vertices, most of the graph, read no more of their lists.

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
from graphla.native.cpu.vectors import full
from graphla.numba_support.atomics import compare_and_swap, fetch_add
from graphla.transform.sort_rows import rows_by_weight

if TYPE_CHECKING:
    from graphla.core.graph import Graph

BLOCK = 1024  # vertices of one part of a list of vertices, which shrinks in its place
SHARE, SAMPLE = 0.1, 1024  # of the vertices: a tree that waits; how many are asked for theirs


@njit(parallel=True, cache=True, nogil=True)
def _lightest(indptr, indices, weight, tree, mark, goal, cost, active, held):
    """Find the lightest way out of its tree for each vertex: goal, or -1, and cost."""
    for b in prange(held.size):
        for k in range(b * BLOCK, b * BLOCK + held[b]):
            v = active[k]
            mine = tree[v]
            if goal[v] < 0 or tree[goal[v]] != mine:
                continue
            at, end = mark[v], indptr[v + 1]
            while at < end and tree[indices[at]] == mine:
                at += 1
            mark[v] = at
            if at < end:
                goal[v], cost[v] = indices[at], weight[at]
            else:
                goal[v] = -1


@njit(cache=True, nogil=True)
def _before(goal, cost, a, b):
    """Whether the edge of vertex a comes before the edge of b by (weight, src, dst)."""
    if cost[a] != cost[b]:
        return cost[a] < cost[b]
    u, v = goal[a], goal[b]
    src, other = min(a, u), min(b, v)
    return src < other or (src == other and max(a, u) < max(b, v))


@njit(parallel=True, cache=True, nogil=True)
def _choose(tree, goal, cost, best, active, held):
    """Let each tree find the vertex with its lightest way out."""
    for b in prange(held.size):
        for k in range(b * BLOCK, b * BLOCK + held[b]):
            v = active[k]
            if goal[v] >= 0:
                mine = tree[v]
                least = best[mine]
                while least < 0 or _before(goal, cost, v, least):
                    if compare_and_swap(best, mine, least, v):
                        break
                    least = best[mine]


@njit(parallel=True, cache=True, nogil=True)
def _hook(tree, goal, cost, best, parent, src, dst, price, roots, held):
    """Hook roots along the edges chosen, and keep the edge under the root's number."""
    for b in prange(held.size):
        for k in range(b * BLOCK, b * BLOCK + held[b]):
            r = roots[k]
            v = best[r]
            if v >= 0:
                u = goal[v]
                other = tree[u]
                theirs = best[other]
                mutual = theirs >= 0 and tree[goal[theirs]] == r
                if not mutual or other < r:
                    parent[r] = other
                    src[r], dst[r], price[r] = min(u, v), max(u, v), cost[v]


# parent[r] is written by r's own iteration alone; a word read is old or new but an
# ancestor of r either way, and no root moves, so each iteration ends at its root.
@njit(parallel=True, cache=True, nogil=True)
def _merge(parent, roots, held):
    for b in prange(held.size):
        for k in range(b * BLOCK, b * BLOCK + held[b]):
            r = roots[k]
            while parent[r] != parent[parent[r]]:
                parent[r] = parent[parent[r]]


@njit(parallel=True, cache=True, nogil=True)
def _relabel(tree, parent, best, waits, active, held):
    """Give vertices their roots, and keep those whose tree has still to choose."""
    for b in prange(held.size):
        kept = b * BLOCK
        for k in range(b * BLOCK, b * BLOCK + held[b]):
            v = active[k]
            root = parent[tree[v]]
            tree[v] = root
            if root != waits and best[root] >= 0:
                active[kept] = v
                kept += 1
        held[b] = kept - b * BLOCK


@njit(parallel=True, cache=True, nogil=True)
def _renew(parent, best, waits, roots, held):
    """Keep the roots that are left and have still to choose, their last choice forgotten."""
    for b in prange(held.size):
        kept = b * BLOCK
        for k in range(b * BLOCK, b * BLOCK + held[b]):
            r = roots[k]
            if parent[r] == r and best[r] >= 0:
                best[r] = -1
                if r != waits:
                    roots[kept] = r
                    kept += 1
        held[b] = kept - b * BLOCK


def span(rows: CSR) -> tuple[Any, Any, Any, Any]:
    """Return the tree of each vertex, and src (-1: none), dst and weight of up to n edges."""
    indptr, indices, weight = rows
    if weight is None:
        weight = np.broadcast_to(np.int8(1), indices.shape)
    n = indptr.size - 1
    active = np.arange(n, dtype=indices.dtype)
    tree, parent, roots, goal = active.copy(), active.copy(), active.copy(), active.copy()
    best, src, dst = np.full_like(tree, -1), np.full_like(tree, -1), np.zeros_like(tree)
    cost, price = np.zeros((2, n), weight.dtype)
    mark = indptr[:-1].copy()
    vertices = np.diff(np.append(np.arange(0, n, BLOCK), n))  # held in each block
    trees = vertices.copy()
    sample = np.random.default_rng(0).integers(0, max(n, 1), SAMPLE if n else 0)
    waits = -1
    while vertices.any():
        _lightest(indptr, indices, weight, tree, mark, goal, cost, active, vertices)
        _choose(tree, goal, cost, best, active, vertices)
        _hook(tree, goal, cost, best, parent, src, dst, price, roots, trees)
        _merge(parent, roots, trees)
        if waits < 0:
            waits = _largest(parent[tree[sample]])
        _relabel(tree, parent, best, waits, active, vertices)
        _renew(parent, best, waits, roots, trees)
    return tree, src, dst, price


def _largest(labels: Any) -> int:
    """Return the label that most of a sample carry, where that is a fair share; else -1."""
    values, counts = np.unique(labels, return_counts=True)
    return int(values[counts.argmax()]) if counts.max() > SHARE * labels.size else -1


@njit(parallel=True, cache=True, nogil=True)
def _count(src, count):
    for k in prange(src.size):
        if src[k] >= 0:
            fetch_add(count, src[k], 1)


@njit(parallel=True, cache=True, nogil=True)
def _place(src, dst, following, ends, order):
    for k in prange(src.size):
        if src[k] >= 0:
            at = fetch_add(following, src[k], 1)
            ends[at], order[at] = dst[k], k


def _sorted(dtype: Any, src: Any, dst: Any, price: Any) -> tuple[Any, Any, Any]:
    """Return the edges with src >= 0, sorted by (src, dst), their ends in a dtype."""
    n = src.size
    indptr = np.zeros(n + 1, src.dtype)
    _count(src, indptr[1:])
    np.cumsum(indptr, out=indptr)
    ends, order = np.empty((2, indptr[-1]), src.dtype)
    _place(src, dst, indptr[:-1].copy(), ends, order)
    rows: Any = rows_by_weight(CSR(indptr, order, ends), 0, n)
    src = np.repeat(np.arange(n, dtype=dtype), np.diff(indptr))
    return src, rows.values.astype(dtype), price[rows.indices]


@njit(cache=True, nogil=True)
def _smallest(tree):
    """Return the smallest vertex of each vertex's tree: the first one that is met."""
    first = np.full(tree.size, -1, tree.dtype)
    label = np.empty(tree.size, tree.dtype)
    for v in range(tree.size):
        if first[tree[v]] < 0:
            first[tree[v]] = v
        label[v] = first[tree[v]]
    return label


def minimum_spanning_forest(G: Graph) -> Forest:
    """Find a minimum spanning forest: the hand-written kernel."""
    total = validation.total_weight(G, "minimum_spanning_forest")
    tree, *edges = span(G.csr_by_weight)
    dtype = G.index_dtype.np_type
    src, dst, weight = _sorted(dtype, *edges)
    weight = weight.astype(G.dtype.np_type, copy=False)
    component = full(_smallest(tree).astype(dtype, copy=False))
    return Forest(
        Edges(full(src), full(dst), full(weight)), weight.sum(dtype=total).item(), component
    )
