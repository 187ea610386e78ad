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

from graphla import checks
from graphla.native.cpu.atomics import compare_and_swap
from graphla.native.cpu.vectors import full
from graphla.results import Edges, Forest

if TYPE_CHECKING:
    from graphla.graph import Graph
    from graphla.properties import CSR

BLOCK = 1024  # vertices of one part of the active list, which shrinks in its place
SHARE, SAMPLE = 0.1, 1024  # of the vertices: a tree that waits; how many are asked for theirs


@njit(cache=True, nogil=True)
def _lighter(indices, weight, mark, a, b):
    """Whether the marked edge of vertex a comes before b's by (weight, src, dst)."""
    p, q = mark[a], mark[b]
    if weight[p] != weight[q]:
        return weight[p] < weight[q]
    u, v = indices[p], indices[q]
    src, other = min(a, u), min(b, v)
    return src < other or (src == other and max(a, u) < max(b, v))


@njit(parallel=True, cache=True, nogil=True)
def _advance(indptr, indices, tree, mark, best, active, held):
    """Move the marks past neighbours in the same tree; forget the choices of the last round."""
    for b in prange(held.size):
        for k in range(b * BLOCK, b * BLOCK + held[b]):
            v = active[k]
            at, end, mine = mark[v], indptr[v + 1], tree[v]
            while at < end and tree[indices[at]] == mine:
                at += 1
            mark[v] = at
            if mine == v:
                best[v] = -1


@njit(parallel=True, cache=True, nogil=True)
def _choose(indptr, indices, weight, tree, mark, best, active, held):
    """Let each tree find the vertex with its lightest way out."""
    for b in prange(held.size):
        for k in range(b * BLOCK, b * BLOCK + held[b]):
            v = active[k]
            if mark[v] < indptr[v + 1]:
                mine = tree[v]
                least = best[mine]
                while least < 0 or _lighter(indices, weight, mark, v, least):
                    if compare_and_swap(best, mine, least, v):
                        break
                    least = best[mine]


@njit(parallel=True, cache=True, nogil=True)
def _hook(indices, tree, mark, best, parent, via, active, held):
    """Hook the roots; via[root] is the place of the edge by which it hooked."""
    for b in prange(held.size):
        for k in range(b * BLOCK, b * BLOCK + held[b]):
            r = active[k]
            if tree[r] == r and best[r] >= 0:
                other = tree[indices[mark[best[r]]]]
                theirs = best[other]
                mutual = theirs >= 0 and tree[indices[mark[theirs]]] == r
                if not mutual or other < r:
                    parent[r] = other
                    via[r] = mark[best[r]]


# parent[r] is written by r's own iteration alone; a word read is old or new but an
# ancestor of r either way, and no root moves, so each iteration ends at its root.
@njit(parallel=True, cache=True, nogil=True)
def _merge(tree, parent, active, held):
    for b in prange(held.size):
        for k in range(b * BLOCK, b * BLOCK + held[b]):
            r = active[k]
            if tree[r] == r:
                while parent[r] != parent[parent[r]]:
                    parent[r] = parent[parent[r]]


@njit(parallel=True, cache=True, nogil=True)
def _relabel(tree, parent, best, waits, active, held):
    """Give the vertices their roots, and keep those whose tree has still to choose."""
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


def span(rows: CSR) -> tuple[Any, Any, Any]:
    """Return the tree of each vertex, and for each edge one end and its place in the rows."""
    indptr, indices, weight = rows
    if weight is None:
        weight = np.broadcast_to(np.int8(1), indices.shape)
    n = indptr.size - 1
    active = np.arange(n, dtype=indices.dtype)
    tree, parent = active.copy(), active.copy()
    mark = indptr[:-1].copy()
    best, via = np.empty_like(tree), np.full_like(mark, -1)
    held = np.diff(np.append(np.arange(0, n, BLOCK), n))
    sample = np.random.default_rng(0).integers(0, max(n, 1), SAMPLE if n else 0)
    waits = -1
    while held.any():
        _advance(indptr, indices, tree, mark, best, active, held)
        _choose(indptr, indices, weight, tree, mark, best, active, held)
        _hook(indices, tree, mark, best, parent, via, active, held)
        _merge(tree, parent, active, held)
        if waits < 0:
            waits = _largest(parent[tree[sample]])
        _relabel(tree, parent, best, waits, active, held)
        if waits >= 0:
            best[waits] = -1
    hooked = np.flatnonzero(via >= 0)
    return tree, best[hooked], via[hooked]


def _largest(labels: Any) -> int:
    """Return the label that most of a sample carry, where that is a fair share; else -1."""
    values, counts = np.unique(labels, return_counts=True)
    return int(values[counts.argmax()]) if counts.max() > SHARE * labels.size else -1


@njit(cache=True, nogil=True)
def _order(key, n, order):
    """Return `order` stably sorted by a key in 0..n-1."""
    place = np.zeros(n + 1, np.int64)
    for k in range(key.size):
        place[key[k] + 1] += 1
    for i in range(n):
        place[i + 1] += place[i]
    result = np.empty_like(order)
    for k in order:
        result[place[key[k]]] = k
        place[key[k]] += 1
    return result


@njit(cache=True, nogil=True)
def _smallest(tree):
    """Return the smallest vertex of each vertex's tree: the first one that is met."""
    first = np.full(tree.size, -1, np.int64)
    label = np.empty(tree.size, np.int64)
    for v in range(tree.size):
        if first[tree[v]] < 0:
            first[tree[v]] = v
        label[v] = first[tree[v]]
    return label


def minimum_spanning_forest(G: Graph) -> Forest:
    """Find a minimum spanning forest: the hand-written kernel."""
    total = checks.total_weight(G, "minimum_spanning_forest")
    rows = G.csr_by_weight
    tree, end, place = span(rows)
    other = rows.indices[place]
    src, dst = np.minimum(end, other), np.maximum(end, other)
    order = _order(src, G.n, _order(dst, G.n, np.arange(src.size)))
    weight = np.ones(src.size, bool) if rows.values is None else rows.values[place[order]]
    edges = Edges(full(src[order].astype(np.int64)), full(dst[order].astype(np.int64)), full(weight))
    return Forest(edges, weight.sum(dtype=total).item(), full(_smallest(tree)))
