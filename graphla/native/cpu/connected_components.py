"""Connected components by hand: Afforest.

A forest over the vertices, `parent[v] <= v`, grows by linking roots with
compare-and-swap. The first few neighbours of every vertex join most of a
component; its label is then guessed from a sample, and only vertices outside it
look at the rest of their neighbours. A root is the smallest vertex of its tree, so
the labels are the smallest vertices.

Source: M. Sutton, T. Ben-Nun, A. Barak, "Optimizing parallel graph connectivity
computation via subgraph sampling", IPDPS 2018.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import njit, prange

from graphla.native.cpu.vectors import full
from graphla.numba_support.atomics import compare_and_swap
from graphla.numba_support.prefetch import prefetch

if TYPE_CHECKING:
    from graphla.core.graph import Graph

ROUNDS = 2  # neighbours of every vertex that are linked before the sample
SAMPLE = 1024
AHEAD = 8  # vertices by which memory is asked for what they need,
LONG = 8  # where rows have more edges than this in the mean, so that their starts lie apart


@njit(cache=True, nogil=True)
def _link(parent, u, v):
    """Join the trees of u and v: hook the larger root below the smaller."""
    a, b = parent[u], parent[v]
    while a != b:
        high, low = max(a, b), min(a, b)
        above = parent[high]
        if above == low or (above == high and compare_and_swap(parent, high, high, low)):
            return
        a, b = parent[parent[high]], parent[low]


# Threads may compress at once: parent[v] is written by v's own iteration alone, a word
# read is old or new but an ancestor of v either way, and no root moves; so each
# iteration climbs its own finite path and ends at the root.
@njit(parallel=True, cache=True, nogil=True)
def _compress(parent):
    for v in prange(parent.size):
        while parent[v] != parent[parent[v]]:
            parent[v] = parent[parent[v]]


@njit(parallel=True, cache=True, nogil=True)
def _link_neighbour(indptr, indices, parent, k):
    n, last = parent.size, indices.size - 1
    far = indices.size > LONG * n
    for v in prange(n):
        if far:
            prefetch(indices, min(indptr[min(v + 2 * AHEAD, n - 1)] + k, last))
            prefetch(parent, indices[min(indptr[min(v + AHEAD, n - 1)] + k, last)])
        at = indptr[v] + k
        if at < indptr[v + 1]:
            _link(parent, v, indices[at])


@njit(parallel=True, cache=True, nogil=True)
def _link_rest(indptr, indices, parent, k, giant):
    """Link the neighbours from the k-th on, where the vertex is outside the giant component."""
    block = 256
    for b in prange((parent.size + block - 1) // block):
        for v in range(b * block, min((b + 1) * block, parent.size)):
            if parent[v] != giant:
                for at in range(indptr[v] + k, indptr[v + 1]):
                    _link(parent, v, indices[at])


def _most_frequent(parent: Any) -> int:
    """Return the label that most of a sample carry (any guess is right, a good one fast)."""
    sample = np.random.default_rng(0).integers(0, parent.size, SAMPLE)
    labels, counts = np.unique(parent[sample], return_counts=True)
    return int(labels[counts.argmax()])


@njit(parallel=True, cache=True, nogil=True)
def _roots(parent):
    """Put every vertex right below its root."""
    for v in prange(parent.size):
        root = parent[v]
        while root != parent[root]:
            root = parent[root]
        parent[v] = root  # shortens the way of others, as in _compress


def connected_components(G: Graph) -> Any:
    """Label weak components: the hand-written twin of :func:`graphla.connected_components`."""
    sides = [G.csr] if G.is_symmetric else [G.csr, G.csr_transposed]
    parent = np.arange(G.n, dtype=sides[0].indices.dtype)
    if sides[0].indices.size:
        for k in range(ROUNDS):
            for csr in sides:
                _link_neighbour(csr.indptr, csr.indices, parent, k)
            _compress(parent)
        giant = _most_frequent(parent)
        for csr in sides:
            _link_rest(csr.indptr, csr.indices, parent, ROUNDS, giant)
    _roots(parent)
    return full(parent.astype(G.index_dtype.np_type, copy=False))
