"""Delta-stepping with bins of vertices for each thread, and bucket fusion.

    dist(v) = min(dist(v), dist(u) + w(u, v))   over the edges u -> v of the vertices to expand

A bin holds the vertices whose distance lies in one range of width delta. Vertices are expanded bin
by bin, in rising order. A thread that lowers a distance adds the vertex to its own bin of that
range, which needs no shared counter. Entries of a vertex in other bins than that of its distance
are skipped. A round begins with the blocks of the lowest bin of all threads, which are shared out;
a thread then expands, without a barrier, what it has added to the same bin (bucket fusion), as long
as this is little: with many threads, one that fuses much delays all others.

There are BINS bins, from the distance `base` on. A vertex beyond the last bin, or for which no
block is free, is *far*: a bit of `active`, where `summary` has a bit for each word that may not be
0. All far vertices are searched once the smallest distance among them lies in the current bin or
below. When all bins are empty, `base` becomes that distance, and the bins are numbered from there.

Arrays of the bins, those with a first axis once for each thread:

    pool                  blocks of BLOCK vertices each
    link                  the next block of the same bin, or the next free one
    first, end, size      of each bin: first and last block, number of vertices
    own                   the first free block (FREE), the lowest and the highest bin that was used
                          (LOWEST, HIGHEST), the bits newly set in `active` (ADDED)
    least                 element 0: the smallest distance of a vertex that was made far
    work, entries         the blocks of a round, and the number of vertices in each
    bucket                the far vertices of a round
    count                 atomic counters: WORK, PLACE, TAIL and ACTIVE below

Parallel split: threads take one block, CHUNK far vertices, or WORDS words of `summary` at a time
from an atomic counter. A small round runs serially, with the bins and free blocks of each thread in
turn, so that free blocks, which go to whoever expanded them, stay spread evenly.
Conflicts: distances are lowered by an atomic minimum, bits set by an atomic OR.

Source: U. Meyer, P. Sanders, J. Algorithms 49 (2003); bins of threads: S. Beamer, K. Asanovic,
D. Patterson, "The GAP Benchmark Suite", 2015; bucket fusion: Y. Zhang et al., "Optimizing ordered
graph algorithms with GraphIt", CGO 2020.
"""

from __future__ import annotations

import numpy as np
from numba import njit, prange

from graphla.numba_support.atomics import fetch_add, fetch_min, fetch_or
from graphla.numba_support.bits import lowest
from graphla.numba_support.prefetch import prefetch
from graphla.numba_support.shared_list import append_buffer

BLOCK = 128  # entries of a block; a power of two
BINS = 2048
FUSE = 1024  # entries of a thread's own bin up to which it expands them without a barrier
CHUNK = 64  # far vertices that a thread takes at a time
WORDS = 4  # words of `summary` that a thread takes at a time
BUFFER = 1024  # vertices that a thread collects before it appends them to the bucket
SERIAL = 256  # a round with fewer vertices is run by one thread
MANY_WORDS = 64  # of `summary`, from which all threads search the far vertices
AHEAD = 4  # prefetch distance, in vertices
NONE = -1  # no block
EXTRA_BLOCKS = 32  # of a thread, beyond those that two entries of each vertex need
APART = 16  # elements of a row of `own` and `least`, so that threads share no cache line
# Of `count`, each on a cache line of its own: blocks handed out; far vertices, or words of
# `summary`, handed out; far vertices of the round; bits set in `active`
WORK, PLACE, TAIL, ACTIVE = range(0, 32, 8)
FREE, LOWEST, HIGHEST, ADDED = range(4)  # of `own`


@njit(cache=True, nogil=True)
def _bin_of(distance, base, inverse):
    """Return the number of a distance's bin, not rounded; `inverse` is 1 / delta."""
    return (np.float64(distance) - np.float64(base)) * inverse


@njit(cache=True, nogil=True)
def _start_block(b, link, first, end, size, own):
    """Append a block to bin b of a thread, in which there is no place; False if none is free."""
    block = own[FREE]
    if block == NONE:
        return False
    own[FREE] = link[block]
    link[block] = NONE
    if size[b]:
        link[end[b]] = block
    else:
        first[b] = block
    end[b] = block
    own[LOWEST] = min(own[LOWEST], b)
    own[HIGHEST] = max(own[HIGHEST], b)
    return True


@njit(cache=True, nogil=True)
def _free_block(block, link, own):
    """Add a block to the free ones of a thread."""
    link[block] = own[FREE]
    own[FREE] = block


@njit(cache=True, nogil=True)
def _make_far(v, distance, active, summary, own, least):
    """Set the bit of a vertex; least[0] becomes the smallest distance of one whose bit was set."""
    least[0] = min(least[0], distance)
    w, bit = v >> np.uint64(6), np.uint64(1) << (v & np.uint64(63))
    if active[w] & bit:
        return
    before = fetch_or(active, w, bit)
    own[ADDED] += not before & bit
    if not before:
        fetch_or(summary, w >> np.uint64(6), np.uint64(1) << (w & np.uint64(63)))


@njit(cache=True, nogil=True)
def _relax(
    indptr, indices, weights, vertices, start, stop, k, base, inverse, dist, active, summary, pool,
    link, first, end, size, own, least,
):  # fmt: skip
    """Relax the edges of vertices[start:stop], of bin k; put vertices that come closer into bins.

    It is written out in one function: a call updates a reference count for each array, which takes
    as long as tens of edges.
    """
    for i in range(start, stop):
        if i + 2 * AHEAD < stop:
            prefetch(indptr, vertices[i + 2 * AHEAD])
            prefetch(dist, vertices[i + 2 * AHEAD])
        if i + AHEAD < stop:
            edge = indptr[vertices[i + AHEAD]]
            prefetch(indices, edge)
            prefetch(weights, edge)
        u = np.uint64(vertices[i])
        du = dist[u]
        if _bin_of(du, base, inverse) < k:  # it was expanded in a lower bin
            continue
        for edge in range(np.uint64(indptr[u]), np.uint64(indptr[u + np.uint64(1)])):
            v, new = np.uint64(indices[edge]), du + weights[edge]
            if not (new < dist[v] and new < fetch_min(dist, v, new)):  # type: ignore[arg-type]
                continue
            number = _bin_of(new, base, inverse)
            b = np.uint64(min(number, BINS))
            slot = size[b] & (BLOCK - 1) if b < BINS else 0
            if slot == 0 and (b == BINS or not _start_block(b, link, first, end, size, own)):
                _make_far(v, new, active, summary, own, least)
                continue
            pool[end[b] * BLOCK + slot] = v
            size[b] += 1


@njit(cache=True, nogil=True)
def _lowest_bin(first, k, highest):
    """Return the lowest bin from k on that has entries; BINS if none has."""
    while k <= highest:
        if first[k] != NONE:
            return k
        k += 1
    return BINS


@njit(cache=True, nogil=True)
def _expand(
    indptr, indices, weights, k, base, inverse, dist, active, summary, work, entries, blocks,
    bucket, far, count, pool, link, first, end, size, own, least,
):  # fmt: skip
    """Expand shared blocks and far vertices of bin k, then what this thread adds to the bin."""
    while True:
        i = fetch_add(count, WORK, 1)
        if i >= blocks:
            break
        start = work[i] * BLOCK
        _relax(
            indptr, indices, weights, pool, start, start + entries[i], k, base, inverse, dist,
            active, summary, pool, link, first, end, size, own, least,
        )  # fmt: skip
        _free_block(work[i], link, own)
    while far:
        start = fetch_add(count, PLACE, CHUNK)
        if start >= far:
            break
        _relax(
            indptr, indices, weights, bucket, start, min(start + CHUNK, far), k, base, inverse,
            dist, active, summary, pool, link, first, end, size, own, least,
        )  # fmt: skip
    while first[k] != NONE and size[k] <= FUSE:
        block, left = first[k], size[k]
        first[k], size[k] = NONE, 0
        while block != NONE:
            following = link[block]
            start = block * BLOCK
            _relax(
                indptr, indices, weights, pool, start, start + min(left, BLOCK), k, base, inverse,
                dist, active, summary, pool, link, first, end, size, own, least,
            )  # fmt: skip
            _free_block(block, link, own)
            block, left = following, left - BLOCK
    own[LOWEST] = _lowest_bin(first, own[LOWEST], own[HIGHEST])
    fetch_add(count, ACTIVE, own[ADDED])
    own[ADDED] = 0


@njit(parallel=True, cache=True, nogil=True)
def _expand_parallel(
    indptr, indices, weights, k, base, inverse, dist, active, summary, work, entries, blocks,
    bucket, far, count, pool, link, first, end, size, own, least,
):  # fmt: skip
    """Run `_expand` in all threads, each with its own bins."""
    for t in prange(first.shape[0]):
        _expand(
            indptr, indices, weights, k, base, inverse, dist, active, summary, work, entries,
            blocks, bucket, far, count, pool, link, first[t], end[t], size[t], own[t], least[t],
        )  # fmt: skip


@njit(cache=True, nogil=True)
def _take_bin(k, link, first, size, own, work, entries):
    """List the blocks of bin k of all threads, and their entries; return how many of both."""
    blocks = total = 0
    for t in range(first.shape[0]):
        if own[t, LOWEST] != k:
            continue
        block, left = first[t, k], size[t, k]
        total += left
        first[t, k], size[t, k] = NONE, 0
        while block != NONE:
            work[blocks], entries[blocks] = block, min(left, BLOCK)
            blocks += 1
            block, left = link[block], left - BLOCK
        own[t, LOWEST] = _lowest_bin(first[t], k + 1, own[t, HIGHEST])
    return blocks, total


@njit(cache=True, nogil=True)
def _take_far(
    active, summary, first, last, k, base, inverse, dist, bucket, count, buffer, least
):  # fmt: skip
    """Move the far vertices of summary[first:last] in the bins up to k to the bucket.

    least[0] becomes the smallest distance of those that stay, if it is larger now.
    """
    size = 0
    for s in range(first, last):
        words = not_empty = summary[s]
        while words:
            w = (s << 6) + lowest(words)
            words &= words - np.uint64(1)
            rest = kept = active[w]
            while rest:
                v = (w << 6) + lowest(rest)
                rest &= rest - np.uint64(1)
                if _bin_of(dist[v], base, inverse) < k + 1:
                    kept ^= np.uint64(1) << np.uint64(v & 63)
                    buffer[size] = v
                    size += 1
                else:
                    least[0] = min(least[0], dist[v])
                if size == buffer.size:
                    append_buffer(bucket, count, TAIL, buffer, size)
                    size = 0
            active[w] = kept
            if not kept:
                not_empty ^= np.uint64(1) << np.uint64(w & 63)
        summary[s] = not_empty
    append_buffer(bucket, count, TAIL, buffer, size)


@njit(parallel=True, cache=True, nogil=True)
def _take_far_parallel(
    active, summary, k, base, inverse, dist, bucket, count, buffers, least
):  # fmt: skip
    """Run `_take_far` in all threads."""
    count[PLACE] = 0
    for t in prange(buffers.shape[0]):
        while True:
            first = fetch_add(count, PLACE, WORDS)
            if first >= summary.size:
                break
            last = min(first + WORDS, summary.size)
            _take_far(
                active, summary, first, last, k, base, inverse, dist, bucket, count, buffers[t],
                least[t],
            )  # fmt: skip


@njit(cache=True, nogil=True)
def lower_to_shortest(indptr, indices, weights, source, inverse, infinity, dist, threads):
    """Lower `dist` to the shortest distances; at first it is 0 at the source, else infinity.

    With threads == 1 no parallel loop runs, so that several searches can run at once.

    Parameters
    ----------
    inverse : float
        1 / delta, finite; 0 for a single bin.
    infinity : number
        That of unreached vertices, above all distances.
    """
    n = dist.size
    active = np.zeros((n + 63) >> 6, np.uint64)
    summary = np.zeros((active.size + 63) >> 6, np.uint64)
    bucket = np.empty(n, indices.dtype)
    buffers = np.empty((threads, BUFFER), indices.dtype)
    blocks_a_thread = 2 * n // (threads * BLOCK) + EXTRA_BLOCKS
    total_blocks = threads * blocks_a_thread
    pool = np.empty(total_blocks * BLOCK, indices.dtype)
    link = np.arange(1, total_blocks + 1, dtype=np.int32)
    work, entries = np.empty(total_blocks, np.int32), np.empty(total_blocks, np.int32)
    first = np.full((threads, BINS), NONE, np.int32)
    end, size = np.empty((threads, BINS), np.int32), np.zeros((threads, BINS), np.int64)
    own = np.zeros((threads, APART), np.int64)
    for t in range(threads):
        own[t, FREE] = t * blocks_a_thread
        link[(t + 1) * blocks_a_thread - 1] = NONE
        own[t, LOWEST] = BINS
    least = np.full((threads, APART), infinity, dist.dtype)
    count = np.zeros(32, np.int64)
    turn = 0  # the thread as which a small round runs
    base = dist[source]
    _start_block(0, link, first[0], end[0], size[0], own[0])
    pool[end[0, 0] * BLOCK], size[0, 0] = source, 1
    while True:
        k = own[:, LOWEST].min()
        far = 0
        if count[ACTIVE]:
            low = least[:, 0].min()
            if k == BINS:  # no vertex is in a bin
                base, k = low, 0
                own[:, HIGHEST] = 0
            if _bin_of(low, base, inverse) < k + 1:
                k = min(k, np.int64(_bin_of(low, base, inverse)))
                least[:] = infinity
                count[TAIL] = 0
                if threads == 1 or summary.size < MANY_WORDS:
                    _take_far(
                        active, summary, 0, summary.size, k, base, inverse, dist, bucket, count,
                        buffers[0], least[0],
                    )  # fmt: skip
                else:
                    _take_far_parallel(
                        active, summary, k, base, inverse, dist, bucket, count, buffers, least
                    )
                far = count[TAIL]
                count[ACTIVE] -= far
        elif k == BINS:
            return
        blocks, total = _take_bin(k, link, first, size, own, work, entries)
        count[WORK] = count[PLACE] = 0
        if threads == 1 or total + far < SERIAL:
            turn = (turn + 1) % threads
            _expand(
                indptr, indices, weights, k, base, inverse, dist, active, summary, work, entries,
                blocks, bucket, far, count, pool, link, first[turn], end[turn], size[turn],
                own[turn], least[turn],
            )  # fmt: skip
        else:
            _expand_parallel(
                indptr, indices, weights, k, base, inverse, dist, active, summary, work,
                entries, blocks, bucket, far, count, pool, link, first, end, size, own, least,
            )  # fmt: skip
