"""Hubs and authorities: a good hub links to good authorities, a good authority has good hubs.

    a = A' h / |A' h|_1,     h = A a / |A a|_1

a and h converge to the singular vectors of the largest singular value of A.

Cost: O(m) an iteration, for two products.

Source: J. Kleinberg, "Authoritative sources in a hyperlinked environment", J. ACM 46 (1999).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphblas.dtypes import FP64

from graphla.algorithms.ranking.fixed_point import (
    check_options,
    iterate_to_fixed_point,
    normalize_distribution,
    plus,
    prepare_product,
    truediv,
)
from graphla.core import validation
from graphla.core.results import HITS

if TYPE_CHECKING:
    from graphla.core.graph import Graph


@validation.explains_wrong_calls
def hits(
    G: Graph,
    *,
    start: Any = None,
    tol: float = 1e-8,
    max_iter: int = 100,
    progress: bool = False,
) -> HITS:
    """Score vertices as hubs, by their successors, and as authorities, by their predecessors.

    Parameters
    ----------
    G : Graph
        Its weights are the matrix; ``G.astype(bool)`` ignores them.
    start : Vector, optional
        The first hubs, >= 0, of any sum above 0, on the engine of `G`; by default uniform.
        If it is 0 on a whole component, scores stay 0 there, even if that component has
        the largest singular value.
    tol : float
        Stop when the L1 norm of the change of the hubs is below `tol` > 0.
    max_iter : int
        Iterations allowed, at least 1.
    progress : bool
        Show a bar of the iterations.

    Returns
    -------
    HITS
        `hubs` and `authorities`, FP64 Vectors with all n entries whose sums are 1
        (all 0 without edges); `iterations`; and `residual`, the L1 change of the
        hubs in the last one.

    Raises
    ------
    InvalidValue
        `tol` or `max_iter` outside its domain, or a weight is NaN
        or infinite, or so large that sums may overflow; `start` has a
        negative value or a sum that is not positive.
    DomainMismatch, EngineMismatch
        `start` is not a Vector, or not one of the engine of `G`.
    DimensionMismatch
        `start` is not of length n.
    ConvergenceFailure
        The change is not below `tol` after `max_iter` iterations; the exception
        has `.result` (the hubs), `.iterations` and `.residual`.

    Examples
    --------
    >>> import graphla as gl
    >>> r = gl.hits(gl.Graph.from_edges([0, 0, 1], [1, 2, 2]))
    >>> r.hubs.to_dense().round(3).tolist()
    [0.618, 0.382, 0.0]
    >>> r.authorities.to_dense().round(3).tolist()
    [0.0, 0.382, 0.618]
    """
    tol, max_iter = check_options(G, tol, max_iter, "hits")
    hubs, authorities = G.vector(FP64), G.vector(FP64)
    hubs << normalize_distribution(G, start, "start")
    if not G.n:
        return HITS(hubs, authorities, 0, 0.0)
    G, multiply = prepare_product(G)
    from_authorities, from_hubs = G.A.mxv(authorities, multiply), G.AT.mxv(hubs, multiply)

    def step() -> None:
        _assign_normalized(authorities, from_hubs)
        _assign_normalized(hubs, from_authorities)

    convergence = iterate_to_fixed_point("hits", hubs, step, tol, max_iter, progress)
    return HITS(hubs, authorities, *convergence)


def _assign_normalized(x: Any, product: Any) -> None:
    """Assign a product, divided by its sum and with missing entries 0, to x."""
    y = product.new()
    x << 0.0
    x(y.S) << y.apply(truediv, right=y.reduce(plus).new().value or 1.0)
