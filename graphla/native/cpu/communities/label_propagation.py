"""Label propagation (native): each vertex gets the most frequent label of its neighbours.

    label(i) = argmax_l |{j in N(i) : label(j) = l}|

Vertices are updated in the order of their colours, so the result is that of the algebraic form. A
vertex keeps its label if that is among the most frequent; otherwise it gets the largest of these.
Only active vertices are updated: at first all, then the neighbours of those whose label changed. An
update of any other vertex would change nothing.

Parallel split: threads take blocks of the order, of equal work, from an atomic counter, and wait
until the colours before that of a vertex are done. A sweep with little work is left to one thread.
Conflicts: none on labels, since vertices of one colour are not adjacent. Several threads may
activate one vertex: they write the same value, and do not update that vertex.

Source: G. Cordasco, L. Gargano, "Community detection via semi-synchronous label propagation
algorithms", BASNA 2010; active vertices as in C. Staudt, H. Meyerhenke, "Engineering parallel
algorithms for community detection in massive networks", IEEE TPDS 27 (2016).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import get_num_threads, njit, prange

from graphla.native.cpu.communities.greedy_color import color_vertices
from graphla.native.vectors import full_vector
from graphla.numba_support.atomics import fence, fetch_add, load
from graphla.numba_support.blocks import blocks_of_vertices
from graphla.numba_support.counting_sort import sort_by_value
from graphla.numba_support.waiting import give_way

if TYPE_CHECKING:
    from graphla.core.graph import Graph

LITTLE = 1 << 14  # entries of rows that one thread reads faster than several threads start
VERTICES_PER_ENTRY = 4  # that a thread looks at, active or not, while one reads an entry of a list
WORK_PER_BLOCK = 1024  # vertices and entries of their rows that a thread takes at a time
NEXT, DONE = 0, 8  # counters of vertices, each on a cache line of its own


@njit(cache=True, nogil=True)
def _most_frequent(indptr, indices, label, v, count, seen):
    """Return the most frequent label of the neighbours of v; its own or the largest if several are.

    `count` is 0 for all labels, before and after the call.
    """
    num_seen, most = 0, np.int32(1)
    for e in range(np.uint64(indptr[v]), np.uint64(indptr[v + 1])):
        u = indices[e]
        if u == v:
            continue
        x = label[np.uint64(u)]
        c = count[np.uint64(x)] + np.int32(1)
        count[np.uint64(x)] = c
        seen[num_seen] = x  # without a branch, which would often be mispredicted
        num_seen += c == 1
        most = max(most, c)
    own = label[v]
    best = own
    if count[np.uint64(own)] != most and num_seen:
        best = -1
        for i in range(num_seen):
            x = seen[i]
            if count[np.uint64(x)] == most and x > best:
                best = x
    for i in range(num_seen):
        count[np.uint64(seen[i])] = 0
    return best


@njit(cache=True, nogil=True)
def _update(indptr, indices, label, active, vertices, count, seen):
    """Update the active vertices of a list."""
    for i in range(vertices.size):
        v = vertices[i]
        if not active[v]:
            continue
        active[v] = False
        best = _most_frequent(indptr, indices, label, v, count, seen)
        if best != label[v]:
            label[v] = best
            for e in range(np.uint64(indptr[v]), np.uint64(indptr[v + 1])):
                active[np.uint64(indices[e])] = True


@njit(parallel=True, cache=True, nogil=True)
def _sweep_in_threads(
    indptr, indices, label, active, order, color, starts, blocks, count, seen, counters
):
    """Update the active vertices in the order of their colours.

    A thread begins with a colour when the number of vertices done is large enough.
    """
    counters[:] = 0
    for t in prange(count.shape[0]):
        while True:
            block = fetch_add(counters, NEXT, 1)
            if block >= blocks.size - 1:
                break
            first, last = blocks[block], blocks[block + 1]
            while first < last:
                c = color[order[first]]
                end = min(last, starts[c + 1])
                while load(counters, DONE) < starts[c]:
                    give_way()
                fence()
                vertices = order[first:end]
                _update(indptr, indices, label, active, vertices, count[t], seen[t])
                fence()
                fetch_add(counters, DONE, end - first)
                first = end


@njit(cache=True, nogil=True)
def _work(indptr, active):
    """Return the number of entries in the rows of the active vertices."""
    work = 0
    for v in range(active.size):
        if active[v]:
            work += indptr[v + 1] - indptr[v]
    return work


@njit(cache=True, nogil=True)
def _update_listed(indptr, indices, label, active, color, num_colors, count, seen, little):
    """Do sweeps over lists of the active vertices until none is left, or a sweep is much work.

    It is if the rows of the active vertices have `little` entries or more.

    first[c] and after[v] are linked lists, one of each colour, that end with -1.
    """
    first, after = np.full(num_colors, -1, label.dtype), np.empty(label.size, label.dtype)
    for v in range(label.size):
        if active[v]:
            after[v], first[color[v]] = first[color[v]], v
    work = 1
    while 0 < work < little:
        work = 0
        for c in range(num_colors):
            v, first[c] = first[c], -1
            while v >= 0:
                active[v] = False
                work += indptr[v + 1] - indptr[v]
                best = _most_frequent(indptr, indices, label, v, count, seen)
                if best != label[v]:
                    label[v] = best
                    for e in range(np.uint64(indptr[v]), np.uint64(indptr[v + 1])):
                        u = indices[e]
                        if u != v and not active[u]:
                            active[u] = True
                            after[u], first[color[u]] = first[color[u]], u
                v = after[v]


@njit(cache=True, nogil=True)
def _propagate(indptr, indices, label, color, order, starts, blocks, threads):
    """Update labels until none changes."""
    n, longest = label.size, 0
    for v in range(n):
        longest = max(longest, indptr[v + 1] - indptr[v])
    active = np.ones(n, np.bool_)
    count = np.zeros((threads, n), np.int32)
    seen = np.empty((threads, longest), label.dtype)
    counters = np.zeros(16, np.int64)
    little = max(LITTLE, n // (threads * VERTICES_PER_ENTRY))
    work = _work(indptr, active)
    while work:
        if work < little:
            num_colors = starts.size - 1
            _update_listed(
                indptr, indices, label, active, color, num_colors, count[0], seen[0], little
            )
        elif threads == 1:
            _update(indptr, indices, label, active, order, count[0], seen[0])
        else:
            _sweep_in_threads(
                indptr, indices, label, active, order, color, starts, blocks, count, seen, counters
            )
        work = _work(indptr, active)


@njit(cache=True, nogil=True)
def smallest_members(label):
    """Replace each label by the smallest vertex that has it."""
    smallest = np.full(label.size, -1, label.dtype)
    for v in range(label.size):
        x = label[v]
        if smallest[x] < 0:
            smallest[x] = v
        label[v] = smallest[x]


def label_propagation(G: Graph) -> Any:
    """Label each vertex with its community: see :func:`graphla.label_propagation`."""
    indptr, indices = G.csr.indptr.astype(np.int64), G.csr.indices
    label = np.arange(G.n, dtype=indices.dtype)
    threads = get_num_threads()
    color = color_vertices(indptr[:-1], indptr[1:], indices, threads)
    num_colors = int(color.max(initial=-1)) + 1
    order, starts = sort_by_value(color, num_colors, threads)
    blocks = blocks_of_vertices(indptr[:-1], indptr[1:], order, WORK_PER_BLOCK)
    _propagate(indptr, indices, label, color, order, starts, blocks, threads)
    smallest_members(label)
    return full_vector(label.astype(G.index_dtype.np_type, copy=False))
