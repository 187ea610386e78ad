"""PageRank on large graphs: arcs in bins of destinations, so that sums stay in a cache.

    r(v) = (1 - d)/n + d lost/n + sum of given(u) over the edges u -> v,    given = d r / degree

Pull reads `given` at random, and pays for it where that vector outgrows the caches. Here
a bin is 2**bits consecutive vertices, and the arcs into a bin are kept together, in the
order of their sources: an iteration adds up a bin's sums in a cache while it reads `given`
from front to back. Arcs from one source into one bin share a message, the number of the
source. The lists take 4 bytes an arc and a message; they are made once and serve all
iterations. The order of every sum depends on nothing but the graph and `bits`: ranks are
the same bit for bit for any number of threads. A bin is one thread's.

Source: S. Beamer, K. Asanovic, D. Patterson, "Reducing PageRank communication via
propagation blocking", IPDPS 2017; K. Lakhotia, R. Kannan, V. Prasanna, "Accelerating
PageRank using partition-centric processing", USENIX ATC 2018 (messages).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, prange

from graphla.numba_support.atomics import fetch_add
from graphla.numba_support.blocks import equal_blocks

BLOCKS = 128  # of sources, in the making of the lists
LAST = 31  # the bit of a destination that closes its message


@njit(parallel=True, cache=True, nogil=True)
def _count(indptr, indices, blocks, bits, arcs, messages):
    """Count what each block of sources sends to each bin."""
    for block in prange(blocks.size - 1):
        for u in range(blocks[block], blocks[block + 1]):
            last = -1
            for k in range(indptr[u], indptr[u + 1]):
                into = np.int64(indices[k]) >> bits
                arcs[into, block] += 1
                messages[into, block] += into != last
                last = into


@njit(parallel=True, cache=True, nogil=True)
def _place(indptr, indices, blocks, bits, arcs, messages, ends, sources):
    """Write the arcs and messages of each block from where its part of each bin begins."""
    low = (1 << bits) - 1
    for block in prange(blocks.size - 1):
        arc, message = arcs[:, block].copy(), messages[:, block].copy()
        for u in range(blocks[block], blocks[block + 1]):
            stop = indptr[u + 1]
            for k in range(indptr[u], stop):
                v = np.int64(indices[k])
                into = v >> bits
                closes = k + 1 == stop or np.int64(indices[k + 1]) >> bits != into
                ends[arc[into]] = np.uint32((v & low) | np.int64(closes) << LAST)
                arc[into] += 1
                if closes:
                    sources[message[into]] = u
                    message[into] += 1


def lists(csr: Any, bits: int) -> Any:
    """Return where the arcs and the messages of each bin begin, and arcs and messages."""
    n = csr.indptr.size - 1
    blocks = equal_blocks(csr.indptr, BLOCKS)
    sizes = np.zeros((2, -(-n >> bits), BLOCKS), np.int64)
    _count(csr.indptr, csr.indices, blocks, bits, sizes[0], sizes[1])
    totals = sizes.sum((1, 2))
    starts = sizes.reshape(2, -1).cumsum(1).reshape(sizes.shape) - sizes
    ends = np.empty(totals[0], np.uint32)
    sources = np.empty(totals[1], csr.indices.dtype)
    _place(csr.indptr, csr.indices, blocks, bits, starts[0], starts[1], ends, sources)
    bins = np.column_stack([starts[:, :, 0], totals])
    return bins[0], bins[1], ends, sources


@njit(cache=True, nogil=True)
def _add_up(ends, first, last, sources, message, given, sums):
    """Add to the sums of a bin what its arcs bring, one by one."""
    message = np.uint64(message)
    mask = np.uint32((1 << LAST) - 1)
    for k in range(np.uint64(first), np.uint64(last)):
        end = ends[k]
        sums[np.uint64(end & mask)] += given[np.uint64(sources[message])]
        message += np.uint64(end >> np.uint32(LAST))


@njit(parallel=True, cache=True, nogil=True)
def step(
    arcs, messages, ends, sources, bits, base, rank, share, given, giving, counter, threads,
    change, lost,
):  # fmt: skip
    """Iterate once; each bin leaves its part of the L1 change and of the lost rank."""
    counter[0] = 0
    zero = rank.dtype.type(0)
    for _ in prange(threads):
        into = fetch_add(counter, 0, 1)
        while into < change.size:
            start = into << bits
            sums = giving[start : start + (1 << bits)]
            sums[:] = zero
            _add_up(ends, arcs[into], arcs[into + 1], sources, messages[into], given, sums)
            moved, kept = 0.0, 0.0
            for v in range(start, start + sums.size):
                new = base + giving[v]
                giving[v] = new * share[v]
                # where all shares are 0 the damping is, and nothing is refilled
                kept += new if share[v] == zero else zero
                moved += abs(new - rank[v])
                rank[v] = new
            change[into], lost[into] = moved, kept
            into = fetch_add(counter, 0, 1)


@njit(cache=True, nogil=True)
def iterate(
    lists, bits, refill, damping, tol, max_iter, rank, share, given, giving, dangling, threads
):  # fmt: skip
    """Iterate until the L1 change is below tol; return how often, and the last change."""
    arcs, messages, ends, sources = lists
    n = rank.size
    counter = np.zeros(1, np.int64)
    change, lost = np.zeros(arcs.size - 1), np.zeros(arcs.size - 1)
    lost[0] = dangling / n
    iteration, residual = 0, np.inf
    while iteration < max_iter and not residual < tol:
        base = (1 - damping) / n
        if refill:
            base += damping * lost.sum() / n
        step(
            arcs, messages, ends, sources, bits, rank.dtype.type(base), rank, share, given,
            giving, counter, threads, change, lost,
        )  # fmt: skip
        given, giving = giving, given
        residual = change.sum()
        iteration += 1
    return iteration, residual
