"""Clustering coefficients: the share of the pairs of a vertex's neighbours that are adjacent.

    C<S> = S plus.times L,    L = tril(S, -1)
    walks(i) = 2 sum_j C(i, j) S(i, j)

are the closed walks of three steps from i; each triangle has two, of which the product with L
counts one. S is A, or A + A' for directed edges, or the cube roots of the weights. As in
``triangle_count.py``, vertices of skewed degrees are renumbered by falling degree, and the engine
chooses between L and L'.

Cost: the wedges of the edges, at most O(m d) with d the largest degree.

Source: D. Watts, S. Strogatz, Nature 393 (1998); with weights J.-P. Onnela et al., Phys.
Rev. E 71, 065103 (2005); directed G. Fagiolo, Phys. Rev. E 76, 026107 (2007).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphblas import binary, monoid, select, semiring, unary
from graphblas.dtypes import FP64, INT64

from graphla.algorithms._shared.edges import add_transpose, remove_self_loops
from graphla.algorithms._shared.vectors import divide_or_zero, make_full_vector
from graphla.algorithms.triangles.triangle_count import has_skewed_degrees, sort_by_degree
from graphla.core import validation
from graphla.core.properties import row_counts
from graphla.errors import InvalidValue
from graphla.execution.push_pull import choose_triangle_factor

if TYPE_CHECKING:
    from graphla.core.graph import Graph

minus, times, truediv = binary.minus[INT64], binary.times[INT64], binary.truediv[FP64]
plus_pair = semiring.plus_pair[INT64]


@validation.explains_wrong_calls
def triangles(G: Graph) -> Any:
    """Count the triangles at each vertex of an undirected graph.

    Parameters
    ----------
    G : Graph
        Symmetric. Weights and self-loops are ignored.

    Returns
    -------
    Vector
        INT64 with all n entries; their sum is three times the triangles of `G`.

    Raises
    ------
    SymmetricStructureRequired
        The matrix of `G` is not symmetric.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], kind="undirected")
    >>> gl.triangles(G).to_dense().tolist()
    [1, 1, 1, 0]
    """
    validation.require_symmetric(G, "triangles")
    walks = count_closed_walks(G, remove_self_loops(G), plus_pair)
    return walks.apply(binary.cdiv[INT64], right=2).new()


@validation.explains_wrong_calls
def clustering_coefficient(G: Graph) -> Any:
    """Find the share of the pairs of each vertex's neighbours that an edge joins.

    Parameters
    ----------
    G : Graph
        Weights and self-loops are ignored. In a directed graph the pairs are those of
        edges at a vertex that a third edge, in either direction, can close to a triangle;
        this is NetworkX's (Fagiolo's) definition.

    Returns
    -------
    Vector
        FP64 in [0, 1] with all n entries; 0 if there is no pair of neighbours.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], kind="undirected")
    >>> gl.clustering_coefficient(G).to_dense().round(3).tolist()
    [1.0, 1.0, 0.333, 0.0]
    """
    validation.check_graph(G)
    if G.is_symmetric:
        A = remove_self_loops(G)
        return divide_or_zero(count_closed_walks(G, A, plus_pair), count_neighbor_pairs(A))
    S = add_transpose(G)
    walks = count_closed_walks(G, S, semiring.plus_times[INT64])
    return divide_or_zero(walks, _count_edge_pairs(S))


@validation.explains_wrong_calls
def clustering_coefficient_weighted(G: Graph) -> Any:
    """Find the clustering coefficients with each triangle counted by its weights.

    A triangle counts as the geometric mean of its weights over the largest weight of
    the graph. An unweighted graph has weights 1.

    Parameters
    ----------
    G : Graph
        Self-loops are ignored, except for the largest weight.

    Returns
    -------
    Vector
        FP64 with all n entries, as in :func:`clustering_coefficient`.

    Raises
    ------
    InvalidValue
        A weight is NaN or infinite, or none is positive.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], [1, 1, 1, 8], kind="undirected")
    >>> gl.clustering_coefficient_weighted(G).to_dense().round(4).tolist()
    [0.125, 0.125, 0.0417, 0.0]
    """
    validation.check_graph(G)
    if not G.weighted or not G.A.nvals:
        return clustering_coefficient(G)
    validation.refuse_nan(G, "clustering_coefficient_weighted")
    if not (0 < G.max_weight < float("inf") and G.min_weight > -float("inf")):
        raise InvalidValue(
            "clustering_coefficient_weighted needs finite weights and a positive one, not weights "
            f"from {G.min_weight} to {G.max_weight}"
        )
    A = remove_self_loops(G)
    roots = A.apply(truediv, right=float(G.max_weight)).new(FP64).apply(unary.cbrt[FP64]).new()
    if G.is_symmetric:
        pairs = count_neighbor_pairs(A)
    else:
        roots = roots.ewise_add(roots.T, binary.plus).new()
        pairs = _count_edge_pairs(add_transpose(G))
    return divide_or_zero(count_closed_walks(G, roots, semiring.plus_times[FP64]), pairs)


def count_closed_walks(G: Graph, S: Any, product: Any) -> Any:
    """Return diag(S S S) as a full Vector; S is symmetric without a diagonal.

    If the product is `plus_pair`, all values of S count as 1.
    """
    degree, order = row_counts(S), None
    if has_skewed_degrees(S, degree.reduce(monoid.max).new().value or 0):
        S, order = sort_by_degree(S, degree)
    L = S.select(select.tril, -1).new()
    C = S.mxm(choose_triangle_factor(G, L), product).new(mask=S.S)
    if product is not plus_pair:
        C << C.ewise_mult(S, binary.times)
    walks = make_full_vector(G, C.dtype)
    walks(binary.plus) << C.reduce_rowwise(monoid.plus)
    walks << walks.apply(binary.times, right=2)
    if order is not None:
        walks[order] << walks.dup()
    return walks


def count_neighbor_pairs(A: Any) -> Any:
    """Return d (d - 1) of each vertex; A has no diagonal."""
    degree = row_counts(A)
    return degree.ewise_mult(degree.apply(minus, right=1).new(), times).new()


def _count_edge_pairs(S: Any) -> Any:
    """Return 2 (d (d - 1) - 2 b), S being A + A'; b of the neighbours have edges both ways."""
    degree = row_counts(S)
    back = row_counts(S.select("==", 2).new())
    degree << degree.ewise_add(back, binary.plus)
    pairs = degree.ewise_mult(degree.apply(minus, right=1).new(), times).new()
    pairs << pairs.ewise_add(back.apply(times, right=2).new(), minus)
    return pairs.apply(times, right=2).new()
