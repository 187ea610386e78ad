"""PageRank by hand: power iteration by pull, one pass over the rows an iteration.

    r(v) = (1 - d)/n + d lost/n + sum of given(u) over the edges u -> v,    given = d r / degree

The pass gathers what a row is given, adds up the L1 change and writes what the row
gives in the next iteration into a second buffer. `lost` is the rank on dangling
vertices: of ranks that sum to 1, all but d lost is given or jumps, so refilling the
sum to 1 adds d lost to it. Blocks of rows of about equal work (edges, and rows) are
handed out by a counter.

It reads `given` at random. Where a vector takes more than 12 MiB, propagation_blocking
iterates instead, two to three times as fast, once it has made lists that cost two to four
iterations of pull. On two cores with 32 MB of cache a call of 6 to 8 iterations lost to
pull with 4 and 8 MiB (n = 2**20) and won with 16 and 32 MiB (n = 2**22), on Kronecker and
uniform graphs.

Source: S. Beamer, K. Asanovic, D. Patterson, "The GAP benchmark suite",
arXiv:1508.03619; A. Langville, C. Meyer, "Deeper inside PageRank", Internet
Mathematics 1 (2004).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import get_num_threads, njit, prange

from graphla.core.results import PageRank
from graphla.errors import ConvergenceFailure
from graphla.native.cpu import propagation_blocking
from graphla.native.cpu.vectors import full
from graphla.numba_support.atomics import fetch_add
from graphla.numba_support.blocks import equal_blocks

if TYPE_CHECKING:
    from graphla.core.graph import Graph

BLOCKS = 128
CACHED = 3 << 22  # bytes of a vector up to which the pull form runs
BITS = 19  # beyond, of the number of a vertex in its bin
SHORT = 16  # a row of fewer edges is summed one by one


# Reassociation lets the compiler gather many terms at once: only the order of a sum
# changes, and its terms are >= 0, so that nothing cancels in any order.
@njit(cache=True, nogil=True, fastmath={"reassoc", "nsz"})
def _long_row(indices, first, last, given):
    total = given.dtype.type(0)
    for k in range(np.uint64(first), np.uint64(last)):
        total += given[np.uint64(indices[k])]
    return total


@njit(parallel=True, cache=True, nogil=True)
def _start(out_ptr, damping, rank, share, given):
    """Set the share of its rank that a vertex gives to each neighbour, 0 if it has none.

    Return how many have none.
    """
    dangling = 0
    for v in prange(rank.size):
        degree = out_ptr[v + 1] - out_ptr[v]
        share[v] = rank.dtype.type(damping / degree) if degree else rank.dtype.type(0)
        given[v] = rank[v] * share[v]
        dangling += degree == 0
    return dangling


@njit(parallel=True, cache=True, nogil=True)
def _step(in_ptr, indices, blocks, base, rank, share, given, giving, counter, change, lost):
    """Iterate once; each thread leaves its part of the L1 change and of the lost rank."""
    counter[0] = 0
    zero = rank.dtype.type(0)
    for t in prange(change.size):
        moved, kept = 0.0, 0.0
        block = fetch_add(counter, 0, 1)
        while block < blocks.size - 1:
            first = np.uint64(in_ptr[blocks[block]])
            moved_here = zero  # in the type of the ranks: a block is small
            for v in range(blocks[block], blocks[block + 1]):
                last = np.uint64(in_ptr[v + 1])
                total = zero
                if last - first < np.uint64(SHORT):
                    for k in range(first, last):
                        total += given[np.uint64(indices[k])]
                else:
                    total = _long_row(indices, first, last, given)
                first = last
                new = base + total
                giving[v] = new * share[v]
                # where all shares are 0 the damping is, and nothing is refilled
                kept += new if share[v] == zero else zero
                moved_here += abs(new - rank[v])
                rank[v] = new
            moved += moved_here
            block = fetch_add(counter, 0, 1)
        change[t], lost[t] = moved, kept


@njit(cache=True, nogil=True)
def _iterate(
    in_ptr, indices, blocks, refill, damping, tol, max_iter, rank, share, given, giving, dangling,
    threads,
):  # fmt: skip
    """Iterate until the L1 change is below tol; return how often, and the last change."""
    n = rank.size
    counter = np.zeros(1, np.int64)
    change, lost = np.zeros(threads), np.zeros(threads)
    lost[0] = dangling / n
    iteration, residual = 0, np.inf
    while iteration < max_iter and not residual < tol:
        base = (1 - damping) / n
        if refill:
            base += damping * lost.sum() / n
        _step(
            in_ptr, indices, blocks, rank.dtype.type(base), rank, share, given, giving, counter,
            change, lost,
        )  # fmt: skip
        given, giving = giving, given
        residual = change.sum()
        iteration += 1
    return iteration, residual


def pagerank(
    G: Graph, refill: bool, damping: float, tol: float, max_iter: int, dtype: str
) -> PageRank:
    """Rank vertices: the hand-written kernel; `refill` gives lost rank back to all."""
    if not G.n:
        return PageRank(G.vector(dtype), 0, 0.0)
    rank = np.full(G.n, 1 / G.n, np.float32 if dtype == "FP32" else np.float64)
    # by NumPy, which asks for huge pages: reads at random miss fewer translations
    share, given, giving = np.empty_like(rank), np.empty_like(rank), np.empty_like(rank)
    dangling = _start(G.csr.indptr, damping, rank, share, given)
    rest = refill, damping, tol, max_iter, rank, share, given, giving, dangling, get_num_threads()
    if rank.nbytes > CACHED:
        lists = propagation_blocking.lists(G.csr, BITS)
        iterations, residual = propagation_blocking.iterate(lists, BITS, *rest)
    else:
        into = G.csr_transposed
        blocks = equal_blocks(into.indptr, BLOCKS)
        iterations, residual = _iterate(into.indptr, into.indices, blocks, *rest)
    result = full(rank)
    if residual < tol:
        return PageRank(result, iterations, float(residual))
    raise ConvergenceFailure(
        f"pagerank: the L1 change is {residual:.3g} after max_iter={max_iter} iterations, "
        f"not below tol={tol}",
        iterations=max_iter,
        residual=float(residual),
        result=result,
    )
