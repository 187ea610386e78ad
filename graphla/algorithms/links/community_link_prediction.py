"""Link prediction by communities: common neighbours of a pair's own community count more.

    E = L any.first A any.= L,    L = diag(label)       the edges within a community

A common neighbour in E of two vertices is of the community of both, and two vertices of
different ones have none. So the scores are those of
:mod:`~graphla.algorithms.links.link_prediction` over E, beside those over A.

Source: S. Soundarajan, J. Hopcroft, "Using community information to improve the precision of
link prediction methods", WWW 2012 Companion; J. Valverde-Rebaza, A. de Andrade Lopes, "Link
prediction in complex networks based on cluster information", SBIA 2012.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphblas import binary, select, semiring
from graphblas.dtypes import BOOL, FP64

from graphla.algorithms._shared.edges import remove_self_loops
from graphla.algorithms.links.link_prediction import checked, degrees_inverted, ones, scores
from graphla.core import validation

if TYPE_CHECKING:
    from graphla.core.graph import Graph


def common_neighbors_by_community(G: Graph, src: Any, dst: Any, community: Any) -> Any:
    """Count the common neighbours of given pairs, those of the community of both twice.

    Parameters
    ----------
    G : Graph
        Symmetric. Weights and self-loops are ignored.
    src, dst : sequence of int
        The k pairs: vertices in 0..n-1. They may be joined, equal, or given twice.
    community : Vector
        Integers with all n entries, on the engine of `G`: two vertices are in one
        community where they have the same value.

    Returns
    -------
    Vector
        INT64 with all k entries.

    Raises
    ------
    SymmetricStructureRequired
        The matrix of `G` is not symmetric.
    InvalidIndex
        One of the pairs has what is not a vertex.
    DomainMismatch, EngineMismatch
        `community` is not a Vector of integers, or not one of the engine of `G`.
    DimensionMismatch
        `src` and `dst` are of different lengths, or `community` has not n entries.

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
    src, dst, A, E = _edges(G, src, dst, community, "common_neighbors_by_community")
    one = ones(G)
    count = scores(G, A, src, dst, one)
    return count.ewise_mult(scores(G, E, src, dst, one), binary.plus).new()


def resource_allocation_by_community(G: Graph, src: Any, dst: Any, community: Any) -> Any:
    """Sum 1 / degree over the common neighbours that are of the community of both.

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
    src, dst, A, E = _edges(G, src, dst, community, "resource_allocation_by_community")
    return scores(G, E, src, dst, degrees_inverted(A))


def within_inter_cluster(
    G: Graph, src: Any, dst: Any, community: Any, *, delta: float = 0.001
) -> Any:
    """Divide the common neighbours of the community of both by the other ones and `delta`.

    Parameters and errors are those of :func:`common_neighbors_by_community`, but for

    Parameters
    ----------
    delta : float
        Above 0: what is added to the divisor, which else may be 0.

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
    src, dst, A, E = _edges(G, src, dst, community, "within_inter_cluster")
    one = ones(G)
    within = scores(G, E, src, dst, one)
    others = scores(G, A, src, dst, one).ewise_mult(within, binary.minus).new(FP64)
    others << others.apply(binary.plus, right=delta)
    return within.ewise_mult(others, binary.truediv[FP64]).new(FP64)


def _edges(G: Graph, src: Any, dst: Any, community: Any, what: str) -> tuple[Any, Any, Any, Any]:
    """Return the pairs, all edges, and those within a community."""
    src, dst = checked(G, src, dst, what)
    A, L = remove_self_loops(G), validation.check_communities(G, community).diag()
    labelled = L.mxm(A, semiring.any_first[L.dtype]).new()
    E = labelled.mxm(L, semiring.any_eq[L.dtype]).new()
    return src, dst, A, E.select(select.valueeq[BOOL], True).new()
