"""Label propagation (native): each vertex gets the most frequent label of its neighbours.

    label(i) = argmax_l |{j in N(i) : label(j) = l}|

Vertices are updated in the order of their colours, so the result is that of the algebraic form. A
vertex keeps its label if that is among the most frequent; otherwise it gets the largest of these.
Only active vertices are updated: at first all, then the neighbours of those whose label changed. An
update of any other vertex would change nothing. The marks of active vertices are in the order of
the colours, so that a thread passes over several inactive vertices at once.

Parallel split: threads take blocks of the order, of equal work, from an atomic counter, and wait
until the colours before that of a vertex are done. A sweep with little work is left to one thread.
Conflicts: none on labels, since vertices of one colour are not adjacent. Several threads may
activate one vertex: they write the same value, and do not update that vertex. A thread clears eight
marks at once only if all are of its own block and colour; no other thread sets or clears these
then, as all threads update that colour.

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
from graphla.numba_support.counting_sort import inverse, sort_by_value
from graphla.numba_support.prefetch import prefetch
from graphla.numba_support.waiting import give_way

if TYPE_CHECKING:
    from graphla.core.graph import Graph

LITTLE = 1 << 14  # entries of rows that one thread reads faster than several threads start
WORK_PER_BLOCK = 1024  # the least number of vertices and entries of their rows that a thread takes
BLOCKS_PER_THREAD = 512  # at most, in a sweep
PADDING = 8  # numbers of 64 bits in a cache line, which two threads should not share
NEXT, DONE = 0, PADDING  # counters of blocks and vertices
PER_WORD = 8  # marks of active vertices in a word: each is a byte
AT_ONCE = 1024  # vertices, active or not, of which the active ones are listed at a time
AHEAD = 4  # prefetch distance, in active vertices


@njit(cache=True, nogil=True, inline="always")
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


@njit(cache=True, nogil=True, inline="always")
def _take_active(active, words, order, first, last, taken):
    """List the active vertices of order[first:last] in `taken`, deactivate them, return how many.

    active[i] belongs to order[i]; `words` are the same marks, PER_WORD at a time.
    """
    num_taken, i = 0, first
    while i < last:
        if i % PER_WORD == 0 and i + PER_WORD <= last:
            word = i // PER_WORD
            if words[word]:
                for j in range(i, i + PER_WORD):
                    taken[num_taken] = order[j]  # no branch, which would often be mispredicted
                    num_taken += active[j]
                words[word] = 0
            i += PER_WORD
        else:
            taken[num_taken] = order[i]
            num_taken += active[i]
            active[i] = False
            i += 1
    return num_taken


@njit(cache=True, nogil=True)
def _update(
    indptr, indices, label, active, words, order, position, first, last, count, seen, taken
):  # fmt: skip
    """Update the active vertices of order[first:last]; return how many entries their rows have."""
    work = 0
    for start in range(first, last, AT_ONCE):
        num_taken = _take_active(active, words, order, start, min(start + AT_ONCE, last), taken)
        for i in range(num_taken):
            if i + 2 * AHEAD < num_taken:
                prefetch(indptr, taken[i + 2 * AHEAD])
                prefetch(indices, indptr[taken[i + AHEAD]])
            v = taken[i]
            work += indptr[v + 1] - indptr[v]
            best = _most_frequent(indptr, indices, label, v, count, seen)
            if best != label[v]:
                label[v] = best
                for e in range(np.uint64(indptr[v]), np.uint64(indptr[v + 1])):
                    place = np.uint64(position[np.uint64(indices[e])])
                    # Most marks are set. A store would take the cache line from the other threads:
                    # with 16 of them a Kronecker graph of 2^17 vertices would take 31 ms, not 17
                    if not active[place]:
                        active[place] = True
    return work


@njit(parallel=True, cache=True, nogil=True)
def _update_in_threads(
    indptr, indices, label, active, words, order, position,
    color, starts, blocks, count, seen, taken,
):  # fmt: skip
    """Update the active vertices in the order of their colours.

    Returns how many entries their rows have: work[t, 0] those that thread t has read. A thread
    begins with a colour when the number of vertices done is large enough.
    """
    threads, counters = count.shape[0], np.zeros(2 * PADDING, np.int64)
    work = np.zeros((threads, PADDING), np.int64)
    for t in prange(threads):
        # Once a thread: a view counts a reference to its array, in a word that all threads share
        own_count, own_seen, own_taken = count[t], seen[t], taken[t]
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
                work[t, 0] += _update(
                    indptr, indices, label, active, words, order, position,
                    first, end, own_count, own_seen, own_taken,
                )  # fmt: skip
                fence()
                fetch_add(counters, DONE, end - first)
                first = end
    return work


@njit(cache=True, nogil=True)
def _propagate(indptr, indices, label, color, order, starts, blocks, threads, little):
    """Update labels until none changes; sweeps of less than `little` entries by one thread."""
    n, longest = label.size, 0
    for v in range(n):
        longest = max(longest, indptr[v + 1] - indptr[v])
    position = inverse(order)
    words = np.zeros(n // PER_WORD + 1, np.uint64)
    active = words.view(np.bool_)
    active[:n] = True
    count = np.zeros((threads, n), np.int32)
    seen = np.empty((threads, longest), label.dtype)
    taken = np.empty((threads, AT_ONCE), label.dtype)
    work = np.int64(indptr[n])
    while work:
        if threads == 1 or work < little:
            work = _update(
                indptr, indices, label, active, words, order, position,
                0, n, count[0], seen[0], taken[0],
            )  # fmt: skip
        else:
            work = _update_in_threads(
                indptr, indices, label, active, words, order, position,
                color, starts, blocks, count, seen, taken,
            ).sum()  # fmt: skip


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
    work = max(WORK_PER_BLOCK, (G.n + indices.size) // (BLOCKS_PER_THREAD * threads))
    blocks = blocks_of_vertices(indptr[:-1], indptr[1:], order, work)
    _propagate(indptr, indices, label, color, order, starts, blocks, threads, LITTLE)
    smallest_members(label)
    return full_vector(label.astype(G.index_dtype.np_type, copy=False))
