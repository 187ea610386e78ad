"""PageRank (native): power iteration by pull, one pass over the rows for each iteration.

    r(v) = (1 - d)/n + d lost/n + sum of given(u) over the edges u -> v,    given = d r / degree

One pass sums what each row is given, adds up the L1 change, and writes what the row gives in the
next iteration to a second buffer. `lost` is the rank on dangling vertices. Ranks that sum to 1
pass on 1 - d lost, edges and jumps together, so adding d lost restores the sum of 1.

Parallel split: threads take blocks of rows with about equal work from an atomic counter.
Conflicts: none, a row is written by one thread. Changes and lost ranks are summed by block, so
the ranks are bit-identical for any number of threads.
Memory: `given` is read at random. If a vector is larger than half of the last-level cache,
propagation_blocking iterates instead, and reads `given` in order.

Source: S. Beamer, K. Asanovic, D. Patterson, "The GAP benchmark suite",
arXiv:1508.03619; A. Langville, C. Meyer, "Deeper inside PageRank", Internet
Mathematics 1 (2004).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import get_num_threads, njit, prange

from graphla.core.properties import derive
from graphla.core.results import PageRank
from graphla.errors import ConvergenceFailure
from graphla.native.cpu import propagation_blocking
from graphla.native.vectors import full_vector
from graphla.numba_support.atomics import fetch_add
from graphla.numba_support.blocks import equal_blocks
from graphla.numba_support.cpu_caches import last_level_bytes, level2_bytes

if TYPE_CHECKING:
    from graphla.core.graph import Graph

BLOCKS = 1024
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
def _start(out_ptr, start, given, rank, contribution):
    """Set all ranks to `start`, and the contributions of vertices with edges to given / degree.

    Return the number of vertices without out-neighbours.
    """
    dangling = 0
    for v in prange(rank.size):
        degree = out_ptr[v + 1] - out_ptr[v]
        rank[v] = start
        contribution[v] = given / rank.dtype.type(max(degree, 1))
        dangling += degree == 0
    return dangling


@njit(parallel=True, cache=True, nogil=True)
def _pull(
    in_ptr, indices, blocks, out_ptr, damping, base, rank, contribution, next_contribution,
    counter, threads, change, lost,
):  # fmt: skip
    """Iterate once; change[b] and lost[b] are the L1 change and the lost rank of block b."""
    counter[0] = 0
    zero = rank.dtype.type(0)
    for _ in prange(threads):
        block = fetch_add(counter, 0, 1)
        while block < change.size:
            block_change, block_lost = 0.0, 0.0
            first = np.uint64(in_ptr[blocks[block]])
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
                degree = out_ptr[v + 1] - out_ptr[v]
                next_contribution[v] = damping * new_rank / rank.dtype.type(max(degree, 1))
                block_lost += zero if degree else new_rank
                block_change += abs(new_rank - rank[v])
                rank[v] = new_rank
            change[block], lost[block] = block_change, block_lost
            block = fetch_add(counter, 0, 1)


def _row_blocks(G: Graph) -> Any:
    return equal_blocks(G.csr_transposed.indptr, BLOCKS)


def _binned_edges(G: Graph, bits: int) -> Any:
    return propagation_blocking.bin_edges(G.csr, bits)


def _uses_pull(n: int, itemsize: int) -> bool:
    """Whether a random read of a vector hits a cache."""
    return n * itemsize <= last_level_bytes() // 2


def _bits_of_a_bin() -> int:
    """Return the bits of a vertex number in a bin: its sums take half of the second-level cache."""
    return min((level2_bytes() // 16).bit_length() - 1, 16)


def pagerank(
    G: Graph, refill: bool, damping: float, tol: float, max_iter: int, dtype: str
) -> PageRank:
    """Rank vertices: the native kernel; `refill` distributes lost rank over all vertices."""
    n, threads = G.n, get_num_threads()
    if not n:
        return PageRank(G.vector(dtype), 0, 0.0)
    real = np.float32 if dtype == "FP32" else np.float64
    # allocated by NumPy, which asks for huge pages: random reads miss the TLB less often
    rank, contribution, next_contribution = (np.empty(n, real) for _ in range(3))
    out_ptr = G.csr.indptr
    if _uses_pull(n, rank.itemsize):
        into = G.csr_transposed
        iterate, edges = _pull, (into.indptr, into.indices, derive(G, _row_blocks))
        parts = edges[2].size - 1
    else:
        iterate, edges = propagation_blocking.iterate, derive(G, _binned_edges, _bits_of_a_bin())
        parts = edges[0].size - 1
    counter, change, lost = np.zeros(1, np.int64), np.zeros(parts), np.zeros(parts)
    lost[0] = _start(out_ptr, real(1 / n), real(damping / n), rank, contribution) / n
    iterations, residual = 0, np.inf
    while iterations < max_iter and not residual < tol:
        base = (1 - damping + (damping * lost.sum() if refill else 0)) / n
        iterate(
            *edges, out_ptr, real(damping), real(base), rank, contribution, next_contribution,
            counter, threads, change, lost,
        )  # fmt: skip
        contribution, next_contribution = next_contribution, contribution
        iterations, residual = iterations + 1, change.sum()
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
