"""PageRank (native): power iteration by pull, one pass over the rows for each iteration.

    r(v) = (1 - d)/n + d lost/n + sum of given(u) over the edges u -> v,    given = d r / degree

One pass sums what each row is given, adds up the L1 change, and writes what the row gives in the
next iteration to a second buffer. `lost` is the rank on dangling vertices. Ranks that sum to 1
pass on 1 - d lost, edges and jumps together, so adding d lost restores the sum of 1.

Parallel split: threads take blocks of rows with about equal work from an atomic counter.
Conflicts: none, a row is written by one thread.
Memory: `given` is read at random. If a vector is larger than CACHED bytes, propagation_blocking
iterates instead: building its lists costs a few iterations of pull, and each of its iterations is
faster as it reads `given` in order.

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
from graphla.native.vectors import full_vector
from graphla.numba_support.atomics import fetch_add
from graphla.numba_support.blocks import equal_blocks

if TYPE_CHECKING:
    from graphla.core.graph import Graph

BLOCKS = 128
CACHED = 3 << 22  # bytes of a vector up to which the pull form runs
BITS = 19  # bits of a vertex number inside a bin of propagation_blocking
SHORT = 16  # a row with fewer edges is summed by a plain loop


# Reassociation lets the compiler gather many terms at once: only the order of a sum
# changes, and its terms are >= 0, so that nothing cancels in any order.
@njit(cache=True, nogil=True, fastmath={"reassoc", "nsz"})
def _sum_long_row(indices, first, last, contribution):
    total = contribution.dtype.type(0)
    for k in range(np.uint64(first), np.uint64(last)):
        total += contribution[np.uint64(indices[k])]
    return total


@njit(parallel=True, cache=True, nogil=True)
def _set_shares(out_ptr, damping, rank, share, contribution):
    """Set the share of its rank that a vertex gives to each out-neighbour; 0 if it has none.

    Return the number of vertices without out-neighbours.
    """
    dangling = 0
    for v in prange(rank.size):
        degree = out_ptr[v + 1] - out_ptr[v]
        share[v] = rank.dtype.type(damping / degree) if degree else rank.dtype.type(0)
        contribution[v] = rank[v] * share[v]
        dangling += degree == 0
    return dangling


@njit(parallel=True, cache=True, nogil=True)
def _run_iteration(
    in_ptr, indices, blocks, base, rank, share, contribution, next_contribution, counter, change,
    lost,
):  # fmt: skip
    """Iterate once; change[k] and lost[k] are the L1 change and the lost rank of thread k."""
    counter[0] = 0
    zero = rank.dtype.type(0)
    for thread in prange(change.size):
        thread_change, thread_lost = 0.0, 0.0
        block = fetch_add(counter, 0, 1)
        while block < blocks.size - 1:
            first = np.uint64(in_ptr[blocks[block]])
            block_change = zero  # in the type of the ranks: a block is small
            for v in range(blocks[block], blocks[block + 1]):
                last = np.uint64(in_ptr[v + 1])
                total = zero
                if last - first < np.uint64(SHORT):
                    for k in range(first, last):
                        total += contribution[np.uint64(indices[k])]
                else:
                    total = _sum_long_row(indices, first, last, contribution)
                first = last
                new_rank = base + total
                next_contribution[v] = new_rank * share[v]
                # if all shares are 0, damping is 0 and nothing is refilled
                thread_lost += new_rank if share[v] == zero else zero
                block_change += abs(new_rank - rank[v])
                rank[v] = new_rank
            thread_change += block_change
            block = fetch_add(counter, 0, 1)
        change[thread], lost[thread] = thread_change, thread_lost


@njit(cache=True, nogil=True)
def _iterate(
    in_ptr, indices, blocks, refill, damping, tol, max_iter, rank, share, contribution,
    next_contribution, dangling, threads,
):  # fmt: skip
    """Iterate until the L1 change is below tol; return the number of iterations and the change."""
    n = rank.size
    counter = np.zeros(1, np.int64)
    change, lost = np.zeros(threads), np.zeros(threads)
    lost[0] = dangling / n
    iteration, residual = 0, np.inf
    while iteration < max_iter and not residual < tol:
        base = (1 - damping) / n
        if refill:
            base += damping * lost.sum() / n
        _run_iteration(
            in_ptr, indices, blocks, rank.dtype.type(base), rank, share, contribution,
            next_contribution, counter, change, lost,
        )  # fmt: skip
        contribution, next_contribution = next_contribution, contribution
        residual = change.sum()
        iteration += 1
    return iteration, residual


def pagerank(
    G: Graph, refill: bool, damping: float, tol: float, max_iter: int, dtype: str
) -> PageRank:
    """Rank vertices: the native kernel; `refill` distributes lost rank over all vertices."""
    if not G.n:
        return PageRank(G.vector(dtype), 0, 0.0)
    rank = np.full(G.n, 1 / G.n, np.float32 if dtype == "FP32" else np.float64)
    # allocated by NumPy, which asks for huge pages: random reads miss the TLB less often
    share, contribution, next_contribution = (
        np.empty_like(rank),
        np.empty_like(rank),
        np.empty_like(rank),
    )
    dangling = _set_shares(G.csr.indptr, damping, rank, share, contribution)
    threads = get_num_threads()
    args = (
        refill,
        damping,
        tol,
        max_iter,
        rank,
        share,
        contribution,
        next_contribution,
        dangling,
        threads,
    )
    if rank.nbytes > CACHED:
        bins = propagation_blocking.bin_edges(G.csr, BITS)
        iterations, residual = propagation_blocking.iterate(bins, BITS, *args)
    else:
        into = G.csr_transposed
        blocks = equal_blocks(into.indptr, BLOCKS)
        iterations, residual = _iterate(into.indptr, into.indices, blocks, *args)
    result = full_vector(rank)
    if residual < tol:
        return PageRank(result, iterations, float(residual))
    raise ConvergenceFailure(
        f"pagerank: the L1 change is {residual:.3g} after max_iter={max_iter} iterations, "
        f"not below tol={tol}",
        iterations=max_iter,
        residual=float(residual),
        result=result,
    )
