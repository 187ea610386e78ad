"""Katz centrality: the number of walks that end at a vertex, damped by alpha per edge.

    x = alpha A' x + beta,      x = beta sum_k (alpha A')^k 1

Cost: O(m) an iteration.

Source: L. Katz, "A new status index derived from sociometric analysis", Psychometrika 18
(1953); M. Newman, "Networks", 2010, ch. 7.
"""

from __future__ import annotations

from numbers import Real
from typing import TYPE_CHECKING, Any

from graphblas import binary
from graphblas.dtypes import FP64

from graphla.algorithms.ranking.fixed_point import (
    check_options,
    compute_l2_norm,
    fill_with_zeros,
    iterate_to_fixed_point,
    prepare_product,
    times,
    truediv,
)
from graphla.core import validation
from graphla.core.results import Centrality

if TYPE_CHECKING:
    from graphla.core.graph import Graph


@validation.explains_wrong_calls
def katz_centrality(
    G: Graph,
    *,
    alpha: float = 0.1,
    beta: Any = 1.0,
    start: Any = None,
    normalized: bool = True,
    tol: float = 1e-6,
    max_iter: int = 1000,
    progress: bool = False,
) -> Centrality:
    """Sum the damped walks that end at each vertex.

    Parameters
    ----------
    G : Graph
        Its weights are the matrix; ``G.astype(bool)`` ignores them.
    alpha : float
        Factor of an edge. The sum is finite if alpha is below the inverse of the largest
        eigenvalue.
    beta : float or Vector
        Score of a vertex without walks; a Vector on the engine of `G`, a missing entry
        being 0.
    start : Vector, optional
        The first scores, on the engine of `G`; by default 0.
    normalized : bool
        Divide by the L2 norm.
    tol : float
        Stop when the L1 norm of the change is below n `tol`, `tol` > 0.
    max_iter : int
        Iterations allowed, at least 1.
    progress : bool
        Show a bar of the iterations.

    Returns
    -------
    Centrality
        `score`, an FP64 Vector with all n entries; `iterations`; and `residual`,
        the L1 change of the last one, before it was normalized.

    Raises
    ------
    InvalidValue
        `alpha`, `beta` or `start` is not finite, `tol` or `max_iter` outside its domain, or a
        weight is NaN or infinite, or so large that sums may overflow.
    DomainMismatch, EngineMismatch
        `beta` is neither a number nor a Vector, `start` not a Vector, or not one of the
        engine of `G`.
    DimensionMismatch
        A Vector is not of length n.
    ConvergenceFailure
        The change is not below n `tol` after `max_iter` iterations; the exception
        has `.result` (a Vector), `.iterations` and `.residual`.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1], [1, 2])
    >>> gl.katz_centrality(G, normalized=False).score.to_dense().round(3).tolist()
    [1.0, 1.1, 1.11]
    """
    tol, max_iter = check_options(G, tol, max_iter, "katz_centrality")
    alpha = validation.check_finite(alpha, "alpha")
    beta = (
        validation.check_finite(beta, "beta")
        if isinstance(beta, Real)
        else fill_with_zeros(G, beta, "beta")
    )
    x, walks = G.vector(FP64), G.vector(FP64)
    x << (0.0 if start is None else fill_with_zeros(G, start, "start"))
    if not G.n:
        return Centrality(x, 0, 0.0)
    G, multiply = prepare_product(G)
    product, damp, add = (
        G.AT.mxv(x, multiply),
        walks.apply(times, right=alpha),
        x(binary.plus[FP64]),
    )

    def step() -> None:
        walks << product
        walks << damp
        x << beta
        add << walks

    convergence = iterate_to_fixed_point("katz_centrality", x, step, G.n * tol, max_iter, progress)
    if normalized:
        x << x.apply(truediv, right=compute_l2_norm(x))
    return Centrality(x, *convergence)
