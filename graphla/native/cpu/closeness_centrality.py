"""Closeness (native): how short the distances to a vertex are, by searches from all vertices.

    closeness(v) = r(v) / t(v),   optionally times r(v) / (n - 1)

r(v) is the number of vertices u != v that reach v, t(v) the sum of their distances. If the mean
degree is at least MIN_MEAN_DEGREE, a thread searches forwards from 64 vertices at once, whose bits
share a word:

    q'(u) = (bor_{v -> u} q(v)) and not seen(u),   seen' = seen bor q'
    r(u) += |q'(u)|,   t(u) += level |q'(u)|

In graphs of low degree such searches meet late, and a thread searches from one vertex at a time,
against the edges.

Parallel split: threads take sources from an atomic counter. Conflicts: none, a thread has arrays of
its own: 8 bytes for each vertex in searches from one vertex, 48 bytes in searches from 64.

Source: M. Then et al., "The more the merrier: efficient multi-source graph traversal", PVLDB 8
(2014); for graphs of several components S. Wasserman, K. Faust, "Social network analysis", 1994.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import get_num_threads, njit, prange

from graphla.native.vectors import full_vector
from graphla.numba_support.atomics import fetch_add
from graphla.numba_support.bits import popcount

if TYPE_CHECKING:
    from graphla.core.graph import Graph

MIN_MEAN_DEGREE = 8  # mean degree from which 64 searches share their steps
CHUNK = 16  # single sources that a thread takes at a time


@njit(cache=True, nogil=True)
def _search_backwards(indptr, indices, source, mark, queue):
    """Return how many vertices reach `source`, and the sum of their distances.

    mark[v] == source means seen. `queue` has n + 1 places: one is written before it is needed.
    """
    mark[source] = queue[0] = source
    head, tail, level, total = 0, 1, 0, 0
    while head < tail:
        level, end = level + 1, tail
        for q in range(head, tail):
            u = np.uint64(queue[q])
            for e in range(np.uint64(indptr[u]), np.uint64(indptr[u + np.uint64(1)])):
                v = indices[e]
                queue[end] = v  # kept if the end moves on
                end += mark[np.uint64(v)] != source
                mark[np.uint64(v)] = source
        total += level * (end - tail)
        head, tail = tail, end
    return tail - 1, total


@njit(parallel=True, cache=True, nogil=True)
def _search_from_each(indptr, indices, reached, total, counter, threads):
    """Set reached[v] and total[v] by a search from each v; the rows are those of in-neighbours."""
    n = reached.size
    counter[0] = 0
    for _ in prange(threads):
        mark, queue = np.full(n, -1, indices.dtype), np.empty(n + 1, indices.dtype)
        while True:
            first = fetch_add(counter, 0, CHUNK)
            if first >= n:
                break
            for v in range(first, min(first + CHUNK, n)):
                reached[v], total[v] = _search_backwards(indptr, indices, v, mark, queue)


@njit(cache=True, nogil=True)
def _search_from_many(indptr, indices, first, last, reached, total, words, current, active, listed):
    """Search from the vertices first..last - 1, at most 64; add to reached[v] and total[v].

    words[v] has the searches that saw v, and those that reach it at the next level (0 at first).
    """
    words[:, 0] = 0
    size, level = last - first, 0
    for i in range(size):
        bit = np.uint64(1) << np.uint64(i)
        active[i], words[first + i, 0], current[first + i] = first + i, bit, bit
    while size:
        level, num_listed = level + 1, 0
        for i in range(size):
            v = np.uint64(active[i])
            w = current[v]
            for e in range(np.uint64(indptr[v]), np.uint64(indptr[v + np.uint64(1)])):
                u = np.uint64(indices[e])
                new = w & ~words[u, 0]
                if new:
                    if words[u, 1] == 0:
                        listed[num_listed] = u
                        num_listed += 1
                    words[u, 1] |= new
        for i in range(num_listed):
            u = np.uint64(listed[i])
            new = words[u, 1]
            words[u, 0] |= new
            words[u, 1] = 0
            current[u] = new
            searches = np.int64(popcount(new))
            reached[u] += searches
            total[u] += searches * level
        size, active, listed = num_listed, listed, active


@njit(parallel=True, cache=True, nogil=True)
def _search_in_words(indptr, indices, reached, total, counter, threads):
    """Add to reached[t] and total[t], in thread t, what searches from all vertices find."""
    n = indptr.size - 1
    counter[0] = 0
    for t in prange(threads):
        words, current = np.zeros((n, 2), np.uint64), np.empty(n, np.uint64)
        active, listed = np.empty(n, indices.dtype), np.empty(n, indices.dtype)
        while True:
            first = fetch_add(counter, 0, 64)
            if first >= n:
                break
            _search_from_many(
                indptr, indices, first, min(first + 64, n), reached[t], total[t], words, current,
                active, listed,
            )  # fmt: skip


def closeness_centrality(G: Graph, wf_improved: bool) -> Any:
    """Find closeness: the native kernel of :func:`graphla.closeness_centrality`."""
    threads, counter = get_num_threads(), np.zeros(1, np.int64)
    if G.A.nvals < MIN_MEAN_DEGREE * G.n:
        reached, total = np.empty((2, G.n), np.int64)
        indptr, indices, _ = G.csr_transposed
        _search_from_each(indptr, indices, reached, total, counter, threads)
    else:
        sums = np.zeros((2, threads, G.n), np.int64)
        indptr, indices, _ = G.csr
        _search_in_words(indptr, indices, sums[0], sums[1], counter, threads)
        reached, total = sums.sum(axis=1)
    score = reached / np.maximum(total, 1)  # 0 where no other vertex reaches a vertex
    if wf_improved and G.n > 1:
        score *= reached / (G.n - 1)
    return full_vector(score)
