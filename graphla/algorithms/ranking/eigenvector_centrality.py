"""Eigenvector centrality: the score of a vertex is proportional to the sum over its predecessors.

    x = (A' + I) x / |(A' + I) x|_2

The identity does not change eigenvectors and prevents oscillation on bipartite graphs.

Cost: O(m) an iteration.

Source: P. Bonacich, "Power and centrality", Am. J. Sociology 92 (1987); the iteration is
NetworkX's, as is the meaning of `tol`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphblas import binary
from graphblas.dtypes import FP64

from graphla.algorithms.ranking.fixed_point import (
    check_options,
    compute_l2_norm,
    fill_with_zeros,
    iterate_to_fixed_point,
    plus,
    prepare_product,
    truediv,
)
from graphla.core import validation
from graphla.core.results import Centrality
from graphla.errors import InvalidValue

if TYPE_CHECKING:
    from graphla.core.graph import Graph


@validation.explains_wrong_calls
def eigenvector_centrality(
    G: Graph,
    *,
    start: Any = None,
    tol: float = 1e-6,
    max_iter: int = 100,
    progress: bool = False,
) -> Centrality:
    """Find the eigenvector of the largest eigenvalue of the transposed adjacency matrix.

    Parameters
    ----------
    G : Graph
        Its weights are the matrix; ``G.astype(bool)`` ignores them.
    start : Vector, optional
        The first scores, on the engine of `G`, of any sum but 0; by default all equal.
    tol : float
        Stop when the L1 norm of the change is below n `tol`, `tol` > 0.
    max_iter : int
        Iterations allowed, at least 1.
    progress : bool
        Show a bar of the iterations.

    Returns
    -------
    Centrality
        `score`, an FP64 Vector with all n entries whose L2 norm is 1; `iterations`;
        and `residual`, the L1 change of the last one.

    Raises
    ------
    InvalidValue
        `tol` or `max_iter` outside its domain, or a weight is NaN
        or infinite, or so large that sums may overflow; or `start` is not finite, or its sum is 0.
    DomainMismatch, EngineMismatch
        `start` is not a Vector, or not one of the engine of `G`.
    DimensionMismatch
        `start` is not of length n.
    ConvergenceFailure
        The change is not below n `tol` after `max_iter` iterations; the exception
        has `.result` (a Vector), `.iterations` and `.residual`.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1], [1, 2], kind="undirected")
    >>> gl.eigenvector_centrality(G).score.to_dense().round(3).tolist()
    [0.5, 0.707, 0.5]
    """
    tol, max_iter = check_options(G, tol, max_iter, "eigenvector_centrality")
    x = G.vector(FP64)
    x << (1 / max(G.n, 1) if start is None else _divide_by_sum(fill_with_zeros(G, start, "start")))
    if not G.n:
        return Centrality(x, 0, 0.0)
    G, multiply = prepare_product(G)
    previous = x.dup()
    add, product = x(binary.plus[FP64]), G.AT.mxv(previous, multiply)

    def step() -> None:
        previous << x
        add << product
        x << x.apply(truediv, right=compute_l2_norm(x))

    convergence = iterate_to_fixed_point(
        "eigenvector_centrality", x, step, G.n * tol, max_iter, progress
    )
    return Centrality(x, *convergence)


def _divide_by_sum(x: Any) -> Any:
    """Return a Vector divided by its sum."""
    total = x.reduce(plus).new().get(0.0)
    if x.size and not total:
        raise InvalidValue("start: the sum of its values is 0")
    return x.apply(truediv, right=total).new()
