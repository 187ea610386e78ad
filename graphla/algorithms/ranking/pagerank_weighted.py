"""PageRank of a random walk along weighted edges with chosen restart probabilities.

    r = d A' (r / s) + d (sum of r over s = 0) e + (1 - d) p,     s = A 1

p is the distribution of restarts and e that of steps from a vertex without out-going weight.

Cost: O(m) an iteration.

Source: see :mod:`~graphla.algorithms.ranking.pagerank`; p: T. Haveliwala, "Topic-sensitive
PageRank", WWW 2002.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphblas import binary
from graphblas.dtypes import FP64

from graphla.algorithms.ranking.fixed_point import (
    iterate_to_fixed_point,
    normalize_distribution,
    plus,
    prepare_product,
    times,
    truediv,
)
from graphla.core import validation
from graphla.core.properties import row_counts
from graphla.core.results import PageRank
from graphla.errors import NegativeWeight

if TYPE_CHECKING:
    from graphla.core.graph import Graph


@validation.explains_wrong_calls
def pagerank_weighted(
    G: Graph,
    *,
    personalization: Any = None,
    dangling: Any = None,
    start: Any = None,
    damping: float = 0.85,
    tol: float = 1e-6,
    max_iter: int = 100,
    progress: bool = False,
) -> PageRank:
    """Rank vertices by a random walk along weighted edges that restarts at chosen vertices.

    Parameters
    ----------
    G : Graph
        Weights >= 0; an unweighted edge has weight 1.
    personalization : Vector, optional
        Relative probability of a restart at each vertex, on the engine of `G`, of any sum
        above 0; a missing entry is 0. By default all are equal.
    dangling : Vector, optional
        Relative probability of a step to each vertex from one without out-going weight; by
        default that of `personalization`.
    start : Vector, optional
        The first ranks, of any sum above 0; by default uniform.
    damping : float
        Probability in [0, 1) of following an edge.
    tol : float
        Stop when the L1 norm of the change is below n `tol`, `tol` > 0, as in NetworkX.
    max_iter : int
        Iterations allowed, at least 1.
    progress : bool
        Show a bar of the iterations.

    Returns
    -------
    PageRank
        `rank`, an FP64 Vector with all n entries whose sum is 1; `iterations`; and
        `residual`, the L1 change of the last one.

    Raises
    ------
    InvalidValue
        `damping`, `tol` or `max_iter` outside its domain; a weight is NaN or infinite,
        or so large that sums may overflow; a Vector has a negative value or a sum that is
        not positive.
    DomainMismatch, EngineMismatch
        An argument is not a Vector, or not one of the engine of `G`.
    DimensionMismatch
        A Vector is not of length n.
    NegativeWeight
        A weight is negative.
    ConvergenceFailure
        The change is not below n `tol` after `max_iter` iterations; the exception
        has `.result` (a Vector), `.iterations` and `.residual`.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 0, 1, 2], [1, 2, 0, 0], [3, 1, 1, 1])
    >>> gl.pagerank_weighted(G).rank.to_dense().round(3).tolist()
    [0.486, 0.36, 0.153]
    """
    validation.check_graph(G)
    validation.require_summable(G, "pagerank_weighted")
    if G.weighted and G.A.nvals and G.min_weight < 0:
        raise NegativeWeight(f"pagerank_weighted needs weights >= 0, not {G.min_weight}")
    damping = validation.check_fraction(damping, "damping")
    tol = validation.check_positive(tol, "tol")
    max_iter = validation.check_count(max_iter, "max_iter")
    restart = normalize_distribution(G, personalization, "personalization")
    onward = restart if dangling is None else normalize_distribution(G, dangling, "dangling")
    rank = normalize_distribution(G, start, "start").dup()
    if not G.n:
        return PageRank(rank, 0, 0.0)

    G, multiply = prepare_product(G)
    out = (
        G.A.reduce_rowwise(plus) if G.weighted else row_counts(G.A).apply(times, right=1.0)
    ).new()
    out << out.select(">", 0)
    outflow, jump = rank.dup(clear=True), restart.apply(times, right=1 - damping).new()
    divide, damp = rank.ewise_mult(out, truediv), outflow.apply(times, right=damping)
    product, add = G.AT.mxv(outflow, multiply), rank(binary.plus[FP64])

    def step() -> None:
        outflow << divide
        kept = rank.dup(mask=out.S).reduce(plus).new().value or 0.0
        lost = damping * (rank.reduce(plus).new().value - kept)
        outflow << damp
        rank << jump
        add << product
        add << onward.apply(times, right=lost)

    algorithm = "pagerank_weighted"
    convergence = iterate_to_fixed_point(algorithm, rank, step, G.n * tol, max_iter, progress)
    return PageRank(rank, *convergence)
