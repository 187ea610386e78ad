"""PageRank (native): power iteration; propagation_blocking.py has a single iteration.

    r(v) = (1 - d)/n + d lost/n + sum of given(u) over the edges u -> v,    given = d r / degree

`lost` is the rank on dangling vertices. Ranks that sum to 1 pass on 1 - d lost, edges and jumps
together, so adding d lost restores the sum of 1.

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
from graphla.numba_support.cpu_caches import level2_bytes

if TYPE_CHECKING:
    from graphla.core.graph import Graph

MIN_BINS = 64  # for the threads to share


@njit(parallel=True, cache=True, nogil=True)
def _start(out_ptr, start, damping, rank, share, contribution):
    """Set all ranks to `start`, and the share of its rank that a vertex gives each out-neighbour.

    The share of a vertex without out-neighbours is 0; return the number of such vertices.
    """
    dangling = 0
    for v in prange(rank.size):
        degree = out_ptr[v + 1] - out_ptr[v]
        rank[v] = start
        share[v] = rank.dtype.type(damping / degree) if degree else rank.dtype.type(0)
        contribution[v] = start * share[v]
        dangling += degree == 0
    return dangling


def _binned_edges(G: Graph, bits: int) -> Any:
    return propagation_blocking.bin_edges(G.csr, bits)


def _bits_of_a_bin(n: int) -> int:
    """Return the bits of a vertex number in a bin: its sums stay in the second-level cache."""
    return min((level2_bytes() // 32).bit_length() - 1, max(n // MIN_BINS, 1).bit_length() - 1)


def pagerank(
    G: Graph, refill: bool, damping: float, tol: float, max_iter: int, dtype: str
) -> PageRank:
    """Rank vertices: the native kernel; `refill` distributes lost rank over all vertices."""
    n, threads = G.n, get_num_threads()
    if not n:
        return PageRank(G.vector(dtype), 0, 0.0)
    real = np.float32 if dtype == "FP32" else np.float64
    # allocated by NumPy, which asks for huge pages: random reads miss the TLB less often
    rank, share, contribution, next_contribution = (np.empty(n, real) for _ in range(4))
    bins = derive(G, _binned_edges, _bits_of_a_bin(n))
    parts = bins[0].size - 1
    counter, change, lost = np.zeros(1, np.int64), np.zeros(parts), np.zeros(parts)
    lost[0] = _start(G.csr.indptr, real(1 / n), damping, rank, share, contribution) / n
    iterate: Any = propagation_blocking.iterate
    iterations, residual = 0, np.inf
    while iterations < max_iter and not residual < tol:
        base = (1 - damping + (damping * lost.sum() if refill else 0)) / n
        iterate(
            *bins, real(base), rank, share, contribution, next_contribution, counter, threads,
            change, lost,
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
