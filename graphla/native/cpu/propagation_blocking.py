"""An iteration of PageRank (native): edges in bins of destinations, so that sums stay in cache.

    r(v) = (1 - d)/n + d lost/n + sum of given(u) over the edges u -> v,    given = d r / degree

A pull along the edges into each vertex reads `given` at random. Here a bin is 2**bits consecutive
destinations. The edges into a bin are stored together, in the order of their sources: an iteration
adds up the sums of a bin in cache while it reads `given` from front to back. Edges from one source
into one bin share a message, the number of the source. The lists take 4 bytes for each edge and
each message; they are built once and kept with the graph.

Parallel split: a thread takes a bin at a time from an atomic counter.
Conflicts: none, a bin is processed by one thread. The order of every sum depends on the graph and
`bits` only, so the ranks are bit-identical for any number of threads.

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

BLOCKS = 128  # blocks of sources while the lists are built
LAST = 31  # bit of a stored destination: set on the last edge of its message


@njit(parallel=True, cache=True, nogil=True)
def _count(indptr, indices, blocks, bits, edges, messages):
    """Count the edges and messages from each block of sources to each bin."""
    for block in prange(blocks.size - 1):
        for u in range(blocks[block], blocks[block + 1]):
            last_bin = -1
            for k in range(indptr[u], indptr[u + 1]):
                bin_ = np.int64(indices[k]) >> bits
                edges[bin_, block] += 1
                messages[bin_, block] += bin_ != last_bin
                last_bin = bin_


@njit(parallel=True, cache=True, nogil=True)
def _fill(indptr, indices, blocks, bits, edges, messages, destinations, sources):
    """Write the edges and messages of each block from the offsets of its part of each bin."""
    low_bits = (1 << bits) - 1
    for block in prange(blocks.size - 1):
        next_edge, next_message = edges[:, block].copy(), messages[:, block].copy()
        for u in range(blocks[block], blocks[block + 1]):
            stop = indptr[u + 1]
            for k in range(indptr[u], stop):
                v = np.int64(indices[k])
                bin_ = v >> bits
                is_last = k + 1 == stop or np.int64(indices[k + 1]) >> bits != bin_
                destinations[next_edge[bin_]] = np.uint32(
                    (v & low_bits) | np.int64(is_last) << LAST
                )
                next_edge[bin_] += 1
                if is_last:
                    sources[next_message[bin_]] = u
                    next_message[bin_] += 1


def bin_edges(csr: Any, bits: int) -> Any:
    """Return the offsets of the edges and messages of each bin, destinations, sources, `bits`."""
    n = csr.indptr.size - 1
    blocks = equal_blocks(csr.indptr, BLOCKS)
    sizes = np.zeros((2, -(-n >> bits), BLOCKS), np.int64)
    _count(csr.indptr, csr.indices, blocks, bits, sizes[0], sizes[1])
    totals = sizes.sum((1, 2))
    starts = sizes.reshape(2, -1).cumsum(1).reshape(sizes.shape) - sizes
    destinations = np.empty(totals[0], np.uint32)
    sources = np.empty(totals[1], csr.indices.dtype)
    _fill(csr.indptr, csr.indices, blocks, bits, starts[0], starts[1], destinations, sources)
    offsets = np.column_stack([starts[:, :, 0], totals])
    return offsets[0], offsets[1], destinations, sources, bits


@njit(cache=True, nogil=True)
def _add_edges(destinations, first, last, sources, message, contribution, sums):
    """Add `contribution` along edges first..last - 1 to the sums of their bin."""
    message = np.uint64(message)
    mask = np.uint32((1 << LAST) - 1)
    for k in range(np.uint64(first), np.uint64(last)):
        destination = destinations[k]
        sums[np.uint64(destination & mask)] += contribution[np.uint64(sources[message])]
        message += np.uint64(destination >> np.uint32(LAST))


# Reassociation lets the compiler add several terms at once: the terms of both sums are >= 0.
@njit(cache=True, nogil=True, fastmath={"reassoc", "nsz"})
def update_ranks(sums, base, share, rank):
    """Set the ranks of some vertices from the sums of what they are given.

    The sums become what the vertices give next. Return the L1 change and the lost rank.
    """
    change, lost = 0.0, 0.0
    for v in range(sums.size):
        new_rank = base + sums[v]
        # if all shares are 0, damping is 0 and nothing is refilled
        lost += new_rank if share[v] == 0 else rank.dtype.type(0)
        change += abs(new_rank - rank[v])
        rank[v] = new_rank
        sums[v] = new_rank * share[v]
    return change, lost


@njit(parallel=True, cache=True, nogil=True)
def iterate(
    edges, messages, destinations, sources, bits, base, rank, share, contribution,
    next_contribution, counter, threads, change, lost,
):  # fmt: skip
    """Iterate once; change[b] and lost[b] are the L1 change and the lost rank of bin b."""
    counter[0] = 0
    for _ in prange(threads):
        bin_ = fetch_add(counter, 0, 1)
        while bin_ < change.size:
            start, stop = bin_ << bits, (bin_ + 1) << bits
            sums = next_contribution[start:stop]
            sums[:] = 0
            _add_edges(
                destinations, edges[bin_], edges[bin_ + 1], sources, messages[bin_], contribution,
                sums,
            )  # fmt: skip
            change[bin_], lost[bin_] = update_ranks(sums, base, share[start:stop], rank[start:stop])
            bin_ = fetch_add(counter, 0, 1)
