"""The k-truss (native): count the triangles of each edge, and remove the edges with too few.

    s(u, v) = |N(u) & N(v)|,    remove the edges with s < k - 2, until there are none

Only vertices of the (k - 1)-core can be in the k-truss, so the others are removed first
(:mod:`.core_number`). Then, in rounds,

- if many edges have to go, they are removed, and all counts are computed anew. Neighbour lists are
  words of bitmaps (:mod:`.packed_rows`): for each u, a thread scatters N(u), and intersects with
  the words of the neighbours v after u in the order of falling degree, whose lists are shorter;
- else the triangles of each edge that has to go are found, and 1 is subtracted from the counts of
  their other edges. A triangle with several such edges is subtracted by the first of them.

Parallel split: threads take blocks of vertices, or of edges, from an atomic counter. Conflicts:
counts of edges fall by atomic subtraction; the thread that lowers one to k - 3 lists the edge for
the next round.

Source: J. Cohen, "Trusses: cohesive subgraphs for social network analysis", NSA 2008; H. Kabir,
K. Madduri, "Shared-memory graph truss decomposition", HiPC 2017, for the rounds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from graphblas import Matrix
from numba import get_num_threads, njit, prange

from graphla.native.cpu.subgraphs.core_number import core_numbers
from graphla.native.cpu.subgraphs.packed_rows import (
    BLOCKS,
    dense_bitmaps,
    order_by_degree,
    pack_rows,
)
from graphla.numba_support.atomics import fetch_add
from graphla.numba_support.bits import popcount
from graphla.numba_support.blocks import equal_blocks
from graphla.numba_support.shared_list import append_buffer

if TYPE_CHECKING:
    from graphla.core.graph import Graph

FEW = 8  # triangles are followed if at most one edge in FEW has to go
CHUNK = 64  # edges that a thread takes at a time
BUFFER = 1024  # edges that a thread collects before it lists them
SERIAL = 256  # a round with fewer edges runs in one thread
LEFT, GOING, GONE = range(3)  # states of an edge
NEXT, END = range(2)  # counters: edges taken, and listed for the next round


@njit(cache=True, nogil=True)
def _select_entries(indptr, indices, keep_vertex, keep_entry, new_ptr, new_idx):
    """Write the rows without the diagonal and what is not kept; return their number of entries.

    `keep_entry` may be empty: then only vertices are selected.
    """
    end = 0
    for v in range(indptr.size - 1):
        if keep_vertex[v]:
            for e in range(indptr[v], indptr[v + 1]):
                w = indices[e]
                if w != v and keep_vertex[w] and (keep_entry.size == 0 or keep_entry[e]):
                    new_idx[end] = w
                    end += 1
        new_ptr[v + 1] = end
    return end


@njit(cache=True, nogil=True)
def _number_edges(indptr, indices, new, edge):
    """Set edge[e] to the entry of the same edge in the row of its end of higher degree."""
    following = indptr[:-1].copy()  # rows are sorted, so the entries of column u come in this order
    for u in range(indptr.size - 1):
        for e in range(indptr[u], indptr[u + 1]):
            v = indices[e]
            mirror = following[v]
            following[v] += 1
            edge[mirror] = e if new[u] < new[v] else mirror


@njit(parallel=True, cache=True, nogil=True)
def _count_triangles(
    indptr, indices, new, old, first, last, number, word, blocks, counter, dense, support
):
    """Set support[e] of each edge, e being its entry in the row of the end of higher degree."""
    counter[0] = 0
    for thread in prange(dense.shape[0]):
        bitmap = dense[thread]
        block = fetch_add(counter, 0, 1)
        while block < blocks.size - 1:
            for u in range(blocks[block], blocks[block + 1]):
                begin, end = np.uint64(first[u]), np.uint64(last[u])
                for q in range(begin, end):
                    bitmap[np.uint64(number[q])] = word[q]
                for e in range(np.uint64(indptr[old[u]]), np.uint64(indptr[old[u] + 1])):
                    v = new[indices[e]]
                    if v > u:
                        total = np.uint64(0)
                        for k in range(np.uint64(first[v]), np.uint64(last[v])):
                            both = bitmap[np.uint64(number[k])] & word[k]
                            total += np.uint64(popcount(both))
                        support[e] = total
                for q in range(begin, end):
                    bitmap[np.uint64(number[q])] = 0
            block = fetch_add(counter, 0, 1)


@njit(cache=True, nogil=True)
def _find_edges(indptr, indices, new, support, least, state, going):
    """List the edges with support below `least`, mark them, and return their number."""
    end = 0
    for u in range(indptr.size - 1):
        for e in range(indptr[u], indptr[u + 1]):
            if new[u] < new[indices[e]] and support[e] < least:
                going[end] = e
                state[e] = GOING
                end += 1
    return end


@njit(cache=True, nogil=True)
def _find_entry(indptr, indices, u, w):
    """Return the entry of column w in row u, or -1."""
    low, high = indptr[u], indptr[u + 1]
    while low < high:
        middle = (low + high) >> 1
        if indices[middle] < w:
            low = middle + 1
        else:
            high = middle
    return low if low < indptr[u + 1] and indices[low] == w else -1


@njit(cache=True, nogil=True)
def _subtract(support, e, least, buffer, size, listed, counters):
    """Subtract 1 from an edge's support; list it if it has to go; return the buffer's size."""
    if fetch_add(support, e, -1) == least:
        if size == buffer.size:
            append_buffer(listed, counters, END, buffer, size)
            size = 0
        buffer[size] = e
        size += 1
    return size


@njit(cache=True, nogil=True)
def _remove_edges(
    indptr, indices, edge, row, support, state, least, going, begin, end, buffer, size, listed,
    counters,
):  # fmt: skip
    """Subtract the triangles of going[begin:end] from the support of their other edges."""
    for q in range(begin, end):
        e = going[q]
        u, v, triangles = row[e], indices[e], support[e]
        for k in range(indptr[v], indptr[v + 1]):
            if triangles == 0:
                break
            second = edge[k]
            if state[second] == GONE:
                continue
            entry = _find_entry(indptr, indices, u, indices[k])
            if entry < 0 or state[edge[entry]] == GONE:
                continue
            third = edge[entry]
            triangles -= 1
            if state[second] == LEFT and (state[third] == LEFT or e < third):
                size = _subtract(support, second, least, buffer, size, listed, counters)
            if state[third] == LEFT and (state[second] == LEFT or e < second):
                size = _subtract(support, third, least, buffer, size, listed, counters)
    return size


@njit(parallel=True, cache=True, nogil=True)
def _remove_in_threads(
    indptr, indices, edge, row, support, state, least, going, size, listed, counters, threads
):
    """Run _remove_edges on going[:size] in all threads."""
    counters[NEXT] = 0
    for _ in prange(threads):
        buffer, held = np.empty(BUFFER, going.dtype), 0
        while True:
            begin = fetch_add(counters, NEXT, CHUNK)
            if begin >= size:
                break
            held = _remove_edges(
                indptr, indices, edge, row, support, state, least, going, begin,
                min(begin + CHUNK, size), buffer, held, listed, counters,
            )  # fmt: skip
        append_buffer(listed, counters, END, buffer, held)


@njit(cache=True, nogil=True)
def _peel(indptr, indices, edge, row, support, state, least, going, size, threads):
    """Remove going[:size], and the edges whose support falls below `least` by that."""
    listed, buffer = np.empty_like(going), np.empty(BUFFER, going.dtype)
    counters = np.zeros(2, np.int64)
    while size:
        counters[END] = 0
        if size < SERIAL or threads == 1:
            held = _remove_edges(
                indptr, indices, edge, row, support, state, least, going, 0, size, buffer, 0,
                listed, counters,
            )  # fmt: skip
            append_buffer(listed, counters, END, buffer, held)
        else:
            _remove_in_threads(
                indptr, indices, edge, row, support, state, least, going, size, listed, counters,
                threads,
            )  # fmt: skip
        for q in range(size):
            state[going[q]] = GONE
        going, listed, size = listed, going, counters[END]
        for q in range(size):
            state[going[q]] = GOING


def _select(indptr: Any, indices: Any, keep_vertex: Any, keep_entry: Any) -> tuple[Any, Any]:
    """Return the rows of the vertices and entries that are kept, without the diagonal."""
    new_ptr, new_idx = np.zeros_like(indptr), np.empty_like(indices)
    end = _select_entries(indptr, indices, keep_vertex, keep_entry, new_ptr, new_idx)
    return new_ptr, new_idx[:end]


def _supports(indptr: Any, indices: Any) -> tuple[Any, Any, Any]:
    """Return the order by degree, the edge of each entry, and the triangles of each edge."""
    new, old = order_by_degree(indptr, indices)
    edge, support = np.empty(indices.size, indptr.dtype), np.zeros(indices.size, indices.dtype)
    _number_edges(indptr, indices, new, edge)
    rows = pack_rows(indptr, indices, new, old, whole=True)
    blocks, counter = equal_blocks(rows.first, BLOCKS), np.zeros(1, np.int64)
    dense = dense_bitmaps(old.size)
    _count_triangles(indptr, indices, new, old, *rows, blocks, counter, dense, support)
    return new, edge, support


def k_truss(G: Graph, k: int) -> Any:
    """Find the k-truss: the native kernel of :func:`graphla.k_truss`."""
    indptr, indices, _ = G.csr
    least = min(k, G.n + 1) - 2
    all_entries = np.empty(0, bool)
    in_core = core_numbers(G, directed=False) > least  # all vertices if k <= 1
    indptr, indices = _select(indptr, indices, in_core, all_entries)
    while True:
        new, edge, support = _supports(indptr, indices)
        state, going = np.zeros(indices.size, np.uint8), np.empty(indices.size // 2, edge.dtype)
        size = _find_edges(indptr, indices, new, support, least, state, going)
        if size * FEW <= going.size:
            break
        indptr, indices = _select(indptr, indices, in_core, (state == LEFT)[edge])
    if size:
        row = np.repeat(np.arange(G.n, dtype=indices.dtype), np.diff(indptr))
        _peel(indptr, indices, edge, row, support, state, least, going, size, get_num_threads())
        keep = (state == LEFT)[edge]
        support = support[edge[keep]]
        indptr, indices = _select(indptr, indices, in_core, keep)
    else:
        support = support[edge]
    return Matrix.ss.import_csr(
        nrows=G.n,
        ncols=G.n,
        indptr=indptr.astype(np.uint64),
        col_indices=indices.astype(np.uint64),
        values=support.astype(np.int64),
        sorted_cols=True,
        take_ownership=True,
    )
