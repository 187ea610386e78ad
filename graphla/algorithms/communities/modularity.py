"""Modularity: the share of edges inside communities, minus that expected by chance.

    Q = tr(S' A S) / m - resolution sum_c (S' A 1)_c (S' A' 1)_c / m^2,      m = sum A

S is the membership matrix of the communities. An undirected self-loop counts as two ends.

Cost: O(m).

Source: M. Newman, M. Girvan, Phys. Rev. E 69, 026113 (2004); directed E. Leicht, M. Newman,
Phys. Rev. Lett. 100, 118703 (2008).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphblas import binary, monoid, select, semiring
from graphblas.dtypes import FP64

from graphla.algorithms.communities.membership import make_membership
from graphla.core import validation
from graphla.errors import InvalidGraph, InvalidIndex

if TYPE_CHECKING:
    from graphla.core.graph import Graph

plus, truediv = monoid.plus[FP64], binary.truediv[FP64]


@validation.explains_wrong_calls
def modularity(G: Graph, community: Any, *, resolution: float = 1.0) -> float:
    """Find the modularity of given communities.

    Parameters
    ----------
    G : Graph
        Weights >= 0; an unweighted edge has weight 1.
    community : Vector
        Integers in 0..n-1 with all n entries, on the engine of `G`: two vertices are in
        one community if they have the same value.
    resolution : float
        Above 1 it favours smaller communities, below larger ones.

    Returns
    -------
    float
        At most 1.

    Raises
    ------
    DomainMismatch, EngineMismatch
        `community` is not a Vector of integers, or not one of the engine of `G`.
    DimensionMismatch
        `community` does not have n entries.
    InvalidIndex
        A value of `community` is not in 0..n-1.
    InvalidGraph
        The sum of the weights is 0.
    InvalidValue
        `resolution` is not finite, or a weight is negative, NaN or infinite.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1, 2, 3, 4, 5, 2], [1, 2, 0, 4, 5, 3, 3], kind="undirected")
    >>> round(gl.modularity(G, gl.label_propagation(G)), 4)
    0.3571
    """
    validation.check_graph(G)
    resolution = validation.check_finite(resolution, "resolution")
    community = validation.check_communities(G, community)
    low, high = (community.reduce(m).new().get(0) for m in (monoid.min, monoid.max))
    if low < 0 or high >= max(G.n, 1):
        raise InvalidIndex(f"community has values from {low} to {high}, n={G.n}")
    P = normalize_weights(G, "modularity")
    if P is None:
        raise InvalidGraph("modularity is undefined for a graph without weight")
    return compute_modularity(P, make_membership(G, community), resolution)


def normalize_weights(G: Graph, algorithm: str) -> Any:
    """Return A / sum A in FP64, undirected self-loops being doubled; None if the sum is 0."""
    validation.require_finite_nonnegative(G, algorithm)
    P = G.A.dup(FP64)
    if G.kind == "undirected":
        P(binary.plus) << P.select(select.diag, 0).new()
    total = P.reduce_scalar(plus).new().value or 0.0
    if not validation.check_finite_sum(total, G, algorithm):
        return None
    return P.apply(truediv, right=total).new()


def compute_modularity(P: Any, S: Any, resolution: float) -> float:
    """Return the modularity of the communities S; P is A / sum A."""
    within = P.mxm(S, semiring.plus_first[FP64]).new(mask=S.S).reduce_scalar(plus).new().value
    plus_second = semiring.plus_second[FP64]
    leaving = S.T.mxv(P.reduce_rowwise(plus).new(), plus_second).new()
    entering = S.T.mxv(P.reduce_columnwise(plus).new(), plus_second).new()
    expected = leaving.inner(entering, semiring.plus_times[FP64]).new().value
    return (within or 0.0) - resolution * (expected or 0.0)
