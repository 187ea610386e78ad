"""PageRank by power iteration.

    r = t + A' plus.second (d r / degree),    t = (1 - d) / n
    r = r + (1 - sum r) / n

A random walk follows an edge with probability d and otherwise jumps to any vertex.
The second line also makes it jump from dangling vertices, which have no out-edge.
The GAP benchmark omits that line, so rank is lost and its sum falls below 1.

Cost: O(m) an iteration.

Source: L. Page, S. Brin, R. Motwani, T. Winograd, "The PageRank citation
ranking", Stanford 1999; A. Langville, C. Meyer, "Deeper inside PageRank",
Internet Mathematics 1 (2004); S. Beamer et al., "The GAP benchmark suite",
arXiv:1508.03619.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from graphblas import binary, monoid, semiring, unary

from graphla.core import validation
from graphla.core.display import Progress
from graphla.core.results import PageRank
from graphla.errors import ConvergenceFailure
from graphla.execution.hints import fuse

if TYPE_CHECKING:
    from graphla.core.graph import Graph


@validation.explains_wrong_calls
def pagerank(
    G: Graph,
    *,
    damping: float = 0.85,
    tol: float = 1e-4,
    max_iter: int = 100,
    dtype: str = "FP64",
    progress: bool = False,
) -> PageRank:
    """Rank vertices by a random walk that restarts from dangling vertices.

    Parameters
    ----------
    G : Graph
        Weights are ignored: :func:`pagerank_weighted` follows edges in proportion to them.
        A self-loop is an edge.
    damping : float
        Probability in [0, 1) of following an edge.
    tol : float
        Stop when the L1 norm of the change is below `tol` > 0.
    max_iter : int
        Iterations allowed, at least 1.
    dtype : {"FP64", "FP32"}
        Type of the ranks. FP32 takes half the memory traffic and cannot reach a
        `tol` below about 1e-7.
    progress : bool
        Show a bar of the iterations.

    Returns
    -------
    PageRank
        `rank`, a Vector with all n entries whose sum is 1; `iterations`; and
        `residual`, the L1 change of the last one.

    Raises
    ------
    InvalidValue
        `damping`, `tol`, `max_iter` or `dtype` outside its domain.
    ConvergenceFailure
        The change is not below `tol` after `max_iter` iterations; the exception
        has `.result` (a Vector), `.iterations` and `.residual`.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1, 2], [2, 2, 0], n=3)
    >>> gl.pagerank(G, tol=1e-6).rank.to_dense().round(4).tolist()
    [0.4635, 0.05, 0.4865]
    """
    return _iterate(G, True, *validation.check_iteration(damping, tol, max_iter, dtype), progress)


@validation.explains_wrong_calls
def pagerank_gap(
    G: Graph,
    *,
    damping: float = 0.85,
    tol: float = 1e-4,
    max_iter: int = 100,
    dtype: str = "FP32",
    progress: bool = False,
) -> PageRank:
    """Rank vertices as the GAP benchmark does: the rank of dangling vertices is lost.

    Parameters, result and errors are those of :func:`pagerank`, except that the sum of
    the ranks is below 1 if a vertex has no out-edge. Use it to compare with other
    implementations of that benchmark.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1], [1, 2], n=3)
    >>> gl.pagerank_gap(G, dtype="FP64").rank.to_dense().round(4).tolist()
    [0.05, 0.0925, 0.1286]
    """
    return _iterate(G, False, *validation.check_iteration(damping, tol, max_iter, dtype), progress)


def _iterate(
    G: Graph, refill: bool, damping: float, tol: float, max_iter: int, dtype: str, progress: bool
) -> PageRank:
    """Iterate from the uniform vector; `refill` distributes lost rank over all vertices."""
    validation.check_graph(G)
    n = G.n
    first, second, share, outflow = (G.vector(dtype) for _ in range(4))
    if not n:
        return PageRank(first, 0, 0.0)
    first << 1 / n
    share << G.out_degree.apply(binary.max, right=1)
    share << share.apply(binary.truediv[dtype], left=damping)

    plus, lost = monoid.plus[dtype], G.scalar(dtype)
    product = G.AT.mxv(outflow, semiring.plus_second[dtype])

    def iteration(previous: Any, rank: Any) -> Callable[[], float]:
        """Return a function that computes `rank` from `previous`, and returns the L1 change."""
        divide = previous.ewise_mult(share, binary.times[dtype])
        add, subtract = rank(binary.plus), previous(binary.minus)
        total, refilled = rank.reduce(plus), rank.apply(binary.plus[dtype], right=lost)
        magnitude, norm = previous.apply(unary.abs[dtype]), previous.reduce(plus)

        spread = (outflow, divide), (rank, (1 - damping) / n), (add, product)
        compare = (subtract, rank), (previous, magnitude)
        if not refill:
            run_all = fuse(*spread, *compare)
        else:
            run_first, run_rest = fuse(*spread), fuse((rank, refilled), *compare)

            def run_all() -> None:
                run_first()
                lost.value = (1 - total.new().value) / n
                run_rest()

        def run() -> float:
            run_all()
            return float(norm.new().value)

        return run

    iterations = (iteration(first, second), second), (iteration(second, first), first)
    with Progress(progress, "pagerank") as bar:
        for k in range(max_iter):
            run, rank = iterations[k % 2]
            residual = run()
            bar.step()
            if residual < tol:
                return PageRank(rank, k + 1, residual)
    raise ConvergenceFailure(
        f"pagerank: the L1 change is {residual:.3g} after max_iter={max_iter} iterations, "
        f"not below tol={tol}",
        iterations=max_iter,
        residual=residual,
        result=rank,
    )
