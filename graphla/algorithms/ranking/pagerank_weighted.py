"""PageRank of a random walk that prefers heavy edges and restarts where one likes.

    r = d A' (r / s) + d (r at s = 0) e + (1 - d) p,     s = A 1

p is where the walk restarts and e where it goes on from a vertex of no out-going weight.

Source: as of :mod:`~graphla.algorithms.ranking.pagerank`; p: T. Haveliwala, "Topic-sensitive
PageRank", WWW 2002.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphblas import binary
from graphblas.dtypes import FP64

from graphla.algorithms.ranking.fixed_point import (
    distribution,
    fixed_point,
    plus,
    times,
    truediv,
    weights,
)
from graphla.core import validation
from graphla.core.properties import row_counts
from graphla.core.results import PageRank
from graphla.errors import NegativeWeight

if TYPE_CHECKING:
    from graphla.core.graph import Graph


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
        How likely the walk restarts at each vertex, on the engine of `G`, of any sum
        above 0; no entry is 0. By default all are equally likely.
    dangling : Vector, optional
        How likely it goes on at each vertex from one without out-going weight; by
        default as `personalization` says.
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
        or so large that sums may be; a Vector has a negative value or a sum that is not positive.
    DomainMismatch, EngineMismatch
        Not a Vector, or not one of the engine of `G`.
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
    damping, tol = (
        validation.check_fraction(damping, "damping"),
        validation.check_positive(tol, "tol"),
    )
    max_iter = validation.check_count(max_iter, "max_iter")
    restart = distribution(G, personalization, "personalization")
    onward = restart if dangling is None else distribution(G, dangling, "dangling")
    rank = distribution(G, start, "start").dup()
    if not G.n:
        return PageRank(rank, 0, 0.0)

    G, multiply = weights(G)
    out = (
        G.A.reduce_rowwise(plus) if G.weighted else row_counts(G.A).apply(times, right=1.0)
    ).new()
    out << out.select(">", 0)
    given, jump = rank.dup(clear=True), restart.apply(times, right=1 - damping).new()
    give, damp = rank.ewise_mult(out, truediv), given.apply(times, right=damping)
    take, add = G.AT.mxv(given, multiply), rank(binary.plus[FP64])

    def step() -> None:
        given << give
        kept = rank.dup(mask=out.S).reduce(plus).new().value or 0.0
        lost = damping * (rank.reduce(plus).new().value - kept)
        given << damp
        rank << jump
        add << take
        add << onward.apply(times, right=lost)

    return PageRank(
        rank, *fixed_point("pagerank_weighted", rank, step, G.n * tol, max_iter, progress)
    )
