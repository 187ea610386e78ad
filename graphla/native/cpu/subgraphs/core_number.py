"""Core numbers (native): peel by levels, each removal followed at once by those that it causes.

    left = all vertices
    for k = 0, 1, ...:  remove each v in left with d(v) = k:  core(v) = k, and
                        d(u) -= 1 for its neighbours u with d(u) > k; if d(u) = k, remove u, too

Degrees become core numbers in place: none falls below the level at which its vertex is removed.
The pass over `left` drops the vertices removed before: at most c + 2 passes read a vertex of core
number c, so that all together read at most 2m + 2n. A pass that finds no degree k gives the
smallest degree left, which is the next level. In a directed graph a degree counts the edges of both
directions.

Parallel split: one thread, unless the graph has many vertices and no hubs, since atomic updates of
the hubs' degrees take longer than the loop. Otherwise the steps of a level are a pass over `left`,
in parts of PART vertices, and then removals of the vertices queued so far, in blocks of PLACES of
the queue, again and again. The parts and blocks of all steps are numbered, and threads take the
next number from an atomic counter. Whoever has a number of the next step waits until this one is
done; the thread that ends a step opens the next. The thread with the smallest number that is not
yet done never waits, so every step ends, even if the threads run one after another. With the
vertices of its block a thread removes the ones that this causes, in a list of its own. When that is
full and the block is removed, it queues the rest for the next step; so no vertex is queued twice.
Conflicts: degrees are lowered atomically, and the thread that lowers one from k + 1 to k removes
the vertex. A thread that has lowered a degree after others had lowered it to k raises it again.
Until then the value is less than k, which has no effect: threads only test whether it is above k.

Source: V. Batagelj, M. Zaversnik, arXiv:cs/0310049, for the order; H. Kabir, K. Madduri,
"Parallel k-core decomposition on multicore platforms", IPDPSW 2017, for the levels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import get_num_threads, njit, prange

from graphla.native.vectors import full_vector
from graphla.numba_support.atomics import fence, fetch_add, fetch_min
from graphla.numba_support.prefetch import prefetch
from graphla.numba_support.shared_list import append_buffer
from graphla.numba_support.waiting import wait_until_above

if TYPE_CHECKING:
    from graphla.core.graph import Graph

AHEAD = 4  # prefetch distance, in removed vertices
ROW = 4  # neighbours of which degrees are prefetched, without a branch that ends short rows
NO_DEGREE = 1 << 62
LARGE = 1 << 18  # vertices from which several threads pay: their degrees exceed a core's cache
HUB = 256  # a vertex of larger degree is a hub; in a directed graph, in- plus out-degree
PART = 4096  # vertices of a pass, and
PLACES = 64  # places of the queue, that a thread takes at a time
OWN = 4096  # vertices in a thread's own list, from which on it queues the rest

# count, each on a cache line of its own: parts and blocks handed out, how many may be started or
# CLOSED, how many are done, the end of the queue, and the least degree above the level
NEXT, OPEN, DONE, END, LEAST = range(0, 40, 8)
CLOSED = -1
LEVEL, PASSES, FIRST, LAST, HEAD, TAIL = range(6)  # step: numbers FIRST..LAST - 1


@njit(cache=True, nogil=True)
def subtract_self_loops(indptr: Any, indices: Any, degree: Any) -> None:
    """Subtract 1 from the degree of each vertex with an edge to itself."""
    for v in range(degree.size):
        for e in range(indptr[v], indptr[v + 1]):
            degree[v] -= indices[e] == v


@njit(cache=True, nogil=True)
def _lower(indptr, indices, v, k, degree, queue, tail):
    """Lower the neighbours' degrees above k; queue those that reach k; return the new tail."""
    for e in range(np.uint64(indptr[v]), np.uint64(indptr[v + np.uint64(1)])):
        u = np.uint64(indices[e])
        d = degree[u]
        queue[tail] = u  # kept if the tail moves on
        tail += d == k + 1
        degree[u] = d - (d > k)
    return tail


@njit(cache=True, nogil=True)
def _prefetch_rows(indptr, indices, degree, queue, head, tail):
    """Prefetch what the next removals read: of a row, ROW entries, be they those of later rows."""
    if head + 2 * AHEAD < tail:
        prefetch(indptr, queue[head + 2 * AHEAD])
    if head + AHEAD < tail:
        prefetch(indices, indptr[queue[head + AHEAD]])
    if head + AHEAD // 2 < tail:
        first, last = np.uint64(indptr[queue[head + AHEAD // 2]]), np.uint64(indices.size - 1)
        for i in range(ROW):
            prefetch(degree, indices[min(first + np.uint64(i), last)])


@njit(cache=True, nogil=True)
def _pass(degree, left, size, k, found, tail):
    """Append those of left[:size] that have degree k to `found`; keep those above in `left`.

    Returns the number of those kept, the least of their degrees, and the new tail of `found`.
    """
    kept, least = 0, NO_DEGREE
    for i in range(size):
        v = left[i]
        d = degree[v]
        if d > k:
            left[kept] = v
            kept += 1
            least = min(least, d)
        elif d == k:
            found[tail] = v
            tail += 1
    return kept, least, tail


@njit(cache=True, nogil=True)
def peel(
    out_ptr: Any, out_idx: Any, in_ptr: Any, in_idx: Any, directed: Any, degree: Any, left: Any
) -> None:
    """Turn the degrees, without self-loops, into core numbers; `left` has all vertices at first."""
    size, k = left.size, 0
    queue, head, tail = np.empty(size + 1, left.dtype), 0, 0  # one more, which `_lower` may write
    while size:
        size, least, tail = _pass(degree, left, size, k, queue, tail)
        following = k + 1 if head < tail else least
        while head < tail:
            v = np.uint64(queue[head])
            _prefetch_rows(out_ptr, out_idx, degree, queue, head, tail)
            head += 1
            tail = _lower(out_ptr, out_idx, v, k, degree, queue, tail)
            if directed:
                tail = _lower(in_ptr, in_idx, v, k, degree, queue, tail)
        k = following


@njit(cache=True, nogil=True)
def _pass_shared(degree, left, size, k, queue, count, own):
    """Do a pass over left[:size] beside other threads; return the number of vertices kept."""
    kept, least, found = _pass(degree, left, size, k, own, 0)
    if found:
        append_buffer(queue, count, END, own, found)
    if kept:
        fetch_min(count, LEAST, least)
    return kept


@njit(cache=True, nogil=True)
def _lower_shared(indptr, indices, v, k, degree, own, tail):
    """Do the work of `_lower` while other threads lower the same degrees."""
    for e in range(np.uint64(indptr[v]), np.uint64(indptr[v + np.uint64(1)])):
        u = np.uint64(indices[e])
        if degree[u] > k:
            d = fetch_add(degree, u, -1)  # type: ignore[arg-type]
            own[tail] = u
            tail += d == k + 1
            if d <= k:
                fetch_add(degree, u, 1)  # type: ignore[arg-type]
    return tail


@njit(cache=True, nogil=True)
def _remove(out_ptr, out_idx, in_ptr, in_idx, directed, degree, k, places, queue, count, own):
    """Remove the vertices of a block, and those that follow until the own list is full."""
    head, tail = 0, places.size
    own[:tail] = places
    while head < places.size or head < tail < OWN:
        v = np.uint64(own[head])
        _prefetch_rows(out_ptr, out_idx, degree, own, head, tail)
        head += 1
        tail = _lower_shared(out_ptr, out_idx, v, k, degree, own, tail)
        if directed:
            tail = _lower_shared(in_ptr, in_idx, v, k, degree, own, tail)
    if head < tail:
        append_buffer(queue, count, END, own[head:], tail - head)


@njit(cache=True, nogil=True)
def _start_step(step, count, parts):
    """Open the next step: removals if vertices are queued, or the next level, or none."""
    step[HEAD] = 0 if step[PASSES] else step[TAIL]
    step[TAIL] = count[END]
    step[FIRST] = step[LAST]
    if step[HEAD] < step[TAIL]:
        step[PASSES] = False
        step[LAST] += (step[TAIL] - step[HEAD] + PLACES - 1) // PLACES
    elif count[LEAST] < NO_DEGREE:
        step[LEVEL] = step[LEVEL] + 1 if step[TAIL] else count[LEAST]
        step[PASSES] = True
        step[LAST] += parts
        count[END], count[LEAST] = 0, NO_DEGREE
    fence()
    opened = step[LAST] if step[FIRST] < step[LAST] else CLOSED
    fetch_add(count, OPEN, opened - count[OPEN])


@njit(cache=True, nogil=True)
def _work(out_ptr, out_idx, in_ptr, in_idx, directed, degree, left, sizes, queue, count, step):
    """Do parts and blocks, in this thread, until the last step is done."""
    # what a pass finds; what removals add to a list that is not full, or to a block; and one more,
    # which `_lower_shared` may write
    own = np.empty(max(PART, OWN + HUB, PLACES * (HUB + 1)) + 1, queue.dtype)
    while True:
        number = fetch_add(count, NEXT, 1)
        if wait_until_above(count, OPEN, number) == CLOSED:
            return
        k, i = step[LEVEL], number - step[FIRST]
        if step[PASSES]:
            sizes[i] = _pass_shared(degree, left[i * PART :], sizes[i], k, queue, count, own)
        else:
            first = step[HEAD] + i * PLACES
            places = queue[first : min(first + PLACES, step[TAIL])]
            _remove(
                out_ptr, out_idx, in_ptr, in_idx, directed, degree, k, places, queue, count, own
            )
        fence()
        if fetch_add(count, DONE, 1) + 1 == step[LAST]:
            fence()
            _start_step(step, count, sizes.size)


@njit(parallel=True, cache=True, nogil=True)
def _peel_in_threads(
    out_ptr, out_idx, in_ptr, in_idx, directed, degree, left, sizes, queue, count, step, threads
):  # fmt: skip
    """Run `_work` in each thread."""
    for _ in prange(threads):
        _work(out_ptr, out_idx, in_ptr, in_idx, directed, degree, left, sizes, queue, count, step)


def peel_in_threads(
    out_ptr: Any, out_idx: Any, in_ptr: Any, in_idx: Any, directed: Any, degree: Any, left: Any,
    threads: int,
) -> None:  # fmt: skip
    """Do the work of `peel` in several threads; no degree exceeds HUB."""
    n = left.size
    sizes = np.minimum(PART, n - np.arange(0, n, PART))
    count, step = np.zeros(40, np.int64), np.zeros(6, np.int64)
    count[OPEN] = step[LAST] = sizes.size
    count[LEAST], step[PASSES] = NO_DEGREE, True
    _peel_in_threads(
        out_ptr, out_idx, in_ptr, in_idx, directed, degree, left, sizes, np.empty_like(left),
        count, step, threads,
    )  # fmt: skip


def core_numbers(G: Graph, *, directed: bool) -> Any:
    """Return the core numbers as an array; only if `directed`, degrees count in-edges, too."""
    out_ptr, out_idx, _ = G.csr
    in_ptr, in_idx, _ = G.csr_transposed if directed else G.csr
    degree = np.diff(out_ptr).astype(np.int32 if G.n < 1 << 30 else np.int64, copy=False)
    if directed:
        degree += np.diff(in_ptr)
    if G.nself_edges:
        for _ in range(1 + directed):
            subtract_self_loops(out_ptr, out_idx, degree)
    if out_idx.size:
        left, threads = np.arange(G.n, dtype=out_idx.dtype), get_num_threads()
        arrays = out_ptr, out_idx, in_ptr, in_idx, directed, degree, left
        if threads > 1 and G.n >= LARGE and degree.max() <= HUB:
            peel_in_threads(*arrays, threads)
        else:
            peel(*arrays)
    return degree


def core_number(G: Graph) -> Any:
    """Find core numbers: the native kernel of :func:`graphla.core_number`."""
    return full_vector(core_numbers(G, directed=G.kind == "directed").astype(np.int64))
