"""Link prediction by communities: common neighbours in the community of both vertices count more.

    E = L any.first A any.= L,    L = diag(label)       the edges within a community

A common neighbour in E of two vertices is in the community of both; vertices of different
communities have none. The scores are therefore those of
:mod:`~graphla.algorithms.links.link_prediction` over E, combined with those over A.

Cost: O(d(u) + d(v)) for each pair (u, v), in batches.

Source: S. Soundarajan, J. Hopcroft, "Using community information to improve the precision of
link prediction methods", WWW 2012 Companion; J. Valverde-Rebaza, A. de Andrade Lopes, "Link
prediction in complex networks based on cluster information", SBIA 2012.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphblas import binary
from graphblas.dtypes import FP64, INT64

from graphla.algorithms._shared.edges import remove_self_loops, select_edges_within
from graphla.algorithms._shared.vectors import make_full_vector
from graphla.algorithms.links.link_prediction import (
    check_pairs,
    invert_degrees,
    sum_over_common_neighbors,
)
from graphla.core import validation

if TYPE_CHECKING:
    from graphla.core.graph import Graph


@validation.explains_wrong_calls
def common_neighbors_by_community(G: Graph, src: Any, dst: Any, community: Any) -> Any:
    """Count the common neighbours of given pairs, those in the community of both twice.

    Parameters
    ----------
    G : Graph
        Symmetric. Weights and self-loops are ignored.
    src, dst : sequence of int
        The k pairs: vertices in 0..n-1. They may be adjacent, equal, or given twice.
    community : Vector
        Integers with all n entries, on the engine of `G`: two vertices are in one
        community if they have the same value.

    Returns
    -------
    Vector
        INT64 with all k entries.

    Raises
    ------
    SymmetricStructureRequired
        The matrix of `G` is not symmetric.
    InvalidIndex
        A member of a pair is not a vertex.
    DomainMismatch, EngineMismatch
        `community` is not a Vector of integers, or not one of the engine of `G`.
    DimensionMismatch
        `src` and `dst` are of different lengths, or `community` does not have n entries.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 0, 1, 2], [1, 2, 3, 3], kind="undirected")
    >>> side = gl.label_propagation(gl.Graph.from_edges([0, 1], [1, 3], n=4, kind="undirected"))
    >>> side.to_dense().tolist()
    [0, 0, 2, 0]
    >>> gl.common_neighbors_by_community(G, [0, 1], [3, 2], side).to_dense().tolist()
    [3, 2]
    """
    src, dst, A, E = _prepare(G, src, dst, community, "common_neighbors_by_community")
    ones = make_full_vector(G, INT64, 1)
    count = sum_over_common_neighbors(G, A, src, dst, ones)
    within = sum_over_common_neighbors(G, E, src, dst, ones)
    return count.ewise_mult(within, binary.plus).new()


@validation.explains_wrong_calls
def resource_allocation_by_community(G: Graph, src: Any, dst: Any, community: Any) -> Any:
    """Sum 1 / degree over the common neighbours in the community of both.

    Parameters and errors are those of :func:`common_neighbors_by_community`.

    Returns
    -------
    Vector
        FP64 with all k entries, 0 for vertices of different communities.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 0, 1, 2], [1, 2, 3, 3], kind="undirected")
    >>> side = gl.label_propagation(gl.Graph.from_edges([0, 1], [1, 3], n=4, kind="undirected"))
    >>> gl.resource_allocation_by_community(G, [0, 1], [3, 2], side).to_dense().tolist()
    [0.5, 0.0]
    """
    src, dst, A, E = _prepare(G, src, dst, community, "resource_allocation_by_community")
    return sum_over_common_neighbors(G, E, src, dst, invert_degrees(A))


@validation.explains_wrong_calls
def within_inter_cluster(
    G: Graph, src: Any, dst: Any, community: Any, *, delta: float = 0.001
) -> Any:
    """Divide the common neighbours in the community of both by the other ones plus `delta`.

    Further parameters and errors are those of :func:`common_neighbors_by_community`.

    Parameters
    ----------
    delta : float
        Above 0: added to the divisor, which might otherwise be 0.

    Returns
    -------
    Vector
        FP64 with all k entries, 0 for vertices of different communities.

    Raises
    ------
    InvalidValue
        `delta` is not a positive number.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 0, 1, 2], [1, 2, 3, 3], kind="undirected")
    >>> side = gl.label_propagation(gl.Graph.from_edges([0, 1], [1, 3], n=4, kind="undirected"))
    >>> gl.within_inter_cluster(G, [0, 1], [3, 2], side, delta=1).to_dense().tolist()
    [0.5, 0.0]
    """
    delta = validation.check_positive(delta, "delta")
    src, dst, A, E = _prepare(G, src, dst, community, "within_inter_cluster")
    ones = make_full_vector(G, INT64, 1)
    within = sum_over_common_neighbors(G, E, src, dst, ones)
    count = sum_over_common_neighbors(G, A, src, dst, ones)
    others = count.ewise_mult(within, binary.minus).new(FP64)
    others << others.apply(binary.plus, right=delta)
    return within.ewise_mult(others, binary.truediv[FP64]).new(FP64)


def _prepare(
    G: Graph, src: Any, dst: Any, community: Any, algorithm: str
) -> tuple[Any, Any, Any, Any]:
    """Check the arguments; return src, dst, all edges, and the edges within communities."""
    src, dst = check_pairs(G, src, dst, algorithm)
    A = remove_self_loops(G)
    E = select_edges_within(A, validation.check_communities(G, community))
    return src, dst, A, E
