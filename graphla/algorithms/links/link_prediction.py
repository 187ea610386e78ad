"""Link prediction: scores of pairs of vertices by the neighbours that they share.

    B = A(src, :) any.pair A(dst, :)  by elements;    score = B plus.second w

Row p of B holds the common neighbours of pair p; w is the weight of a common neighbour: 1, or a
falling function of its degree. Pairs are processed in batches.

Cost: O(d(u) + d(v)) for each pair (u, v), in batches.

Source: D. Liben-Nowell, J. Kleinberg, "The link-prediction problem for social networks",
JASIST 58 (2007); T. Zhou, L. Lu, Y.-C. Zhang, "Predicting missing links via local
information", Eur. Phys. J. B 71 (2009).
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

from graphblas import binary, semiring, unary
from graphblas.dtypes import BOOL, FP64, INT64

from graphla.algorithms._shared.edges import remove_self_loops
from graphla.algorithms._shared.vectors import make_full_vector
from graphla.core import validation
from graphla.core.properties import row_counts

if TYPE_CHECKING:
    from graphla.core.graph import Graph

BATCH = 2**22  # neighbours of the pairs of a batch; a single pair may have more

pair, plus, truediv = binary.pair[BOOL], binary.plus, binary.truediv[FP64]


@validation.explains_wrong_calls
def common_neighbors(G: Graph, src: Any, dst: Any) -> Any:
    """Count the common neighbours of given pairs of vertices.

    Parameters
    ----------
    G : Graph
        Symmetric. Weights and self-loops are ignored.
    src, dst : sequence of int
        The k pairs: vertices in 0..n-1. They may be adjacent, equal, or given twice.

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
    DimensionMismatch
        `src` and `dst` are of different lengths.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 0, 1, 2], [1, 2, 3, 3], kind="undirected")
    >>> gl.common_neighbors(G, [0, 0, 1], [3, 1, 2]).to_dense().tolist()
    [2, 0, 2]
    """
    src, dst = check_pairs(G, src, dst, "common_neighbors")
    return sum_over_common_neighbors(
        G, remove_self_loops(G), src, dst, make_full_vector(G, INT64, 1)
    )


@validation.explains_wrong_calls
def jaccard_coefficient(G: Graph, src: Any, dst: Any) -> Any:
    """Divide the number of common neighbours of given pairs by that of all their neighbours.

    Parameters and errors are those of :func:`common_neighbors`.

    Returns
    -------
    Vector
        FP64 in [0, 1] with all k entries; 0 if neither vertex has a neighbour.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 0, 1, 2], [1, 2, 3, 3], kind="undirected")
    >>> gl.jaccard_coefficient(G, [0, 0], [3, 1]).to_dense().tolist()
    [1.0, 0.0]
    """
    src, dst = check_pairs(G, src, dst, "jaccard_coefficient")
    A = remove_self_loops(G)
    common = sum_over_common_neighbors(G, A, src, dst, make_full_vector(G, INT64, 1))
    either = _select_degrees(G, A, src).ewise_mult(_select_degrees(G, A, dst), plus).new()
    either << either.ewise_mult(common, binary.minus)
    either << either.apply(binary.max, right=1)
    return common.ewise_mult(either, truediv).new(FP64)


@validation.explains_wrong_calls
def adamic_adar_index(G: Graph, src: Any, dst: Any) -> Any:
    """Sum 1 / log(degree) over the common neighbours of given pairs.

    Parameters and errors are those of :func:`common_neighbors`.

    Returns
    -------
    Vector
        FP64 with all k entries; infinite for a pair of equal vertices with a neighbour of
        degree 1.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 0, 1, 2], [1, 2, 3, 3], kind="undirected")
    >>> gl.adamic_adar_index(G, [0, 0], [3, 1]).to_dense().round(3).tolist()
    [2.885, 0.0]
    """
    src, dst = check_pairs(G, src, dst, "adamic_adar_index")
    A = remove_self_loops(G)
    logarithm = row_counts(A).apply(binary.max, right=1).new(FP64).apply(unary.log[FP64]).new()
    weight = logarithm.apply(unary.minv[FP64]).new()
    return sum_over_common_neighbors(G, A, src, dst, weight)


@validation.explains_wrong_calls
def resource_allocation_index(G: Graph, src: Any, dst: Any) -> Any:
    """Sum 1 / degree over the common neighbours of given pairs.

    Parameters and errors are those of :func:`common_neighbors`.

    Returns
    -------
    Vector
        FP64 with all k entries.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 0, 1, 2], [1, 2, 3, 3], kind="undirected")
    >>> gl.resource_allocation_index(G, [0, 0], [3, 1]).to_dense().tolist()
    [1.0, 0.0]
    """
    src, dst = check_pairs(G, src, dst, "resource_allocation_index")
    A = remove_self_loops(G)
    return sum_over_common_neighbors(G, A, src, dst, invert_degrees(A))


@validation.explains_wrong_calls
def preferential_attachment(G: Graph, src: Any, dst: Any) -> Any:
    """Multiply the degrees of given pairs of vertices.

    Parameters and errors are those of :func:`common_neighbors`.

    Returns
    -------
    Vector
        INT64 with all k entries.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 0, 1, 2], [1, 2, 3, 3], kind="undirected")
    >>> gl.preferential_attachment(G, [0, 0], [3, 1]).to_dense().tolist()
    [4, 4]
    """
    src, dst = check_pairs(G, src, dst, "preferential_attachment")
    A = remove_self_loops(G)
    return _select_degrees(G, A, src).ewise_mult(_select_degrees(G, A, dst), binary.times).new()


def check_pairs(G: Graph, src: Any, dst: Any, algorithm: str) -> tuple[list[int], list[int]]:
    """Return the pairs as lists of vertices; refuse a graph that is not symmetric."""
    validation.require_symmetric(G, algorithm)
    return validation.check_pairs(G, src, dst)


def invert_degrees(A: Any) -> Any:
    """Return 1 / degree of each vertex; 1 for degree 0."""
    degree = row_counts(A).apply(binary.max, right=1).new(FP64)
    return degree.apply(unary.minv[FP64]).new()


def _select_degrees(G: Graph, A: Any, vertices: list[int]) -> Any:
    """Return the degrees of a list of vertices."""
    return row_counts(A)[vertices].new() if vertices else G.vector(INT64, 0)


def sum_over_common_neighbors(G: Graph, A: Any, src: list[int], dst: list[int], w: Any) -> Any:
    """Sum w over the common neighbours of each pair."""
    score = make_full_vector(G, w.dtype, 0, len(src))
    neighbors = _select_degrees(G, A, src).ewise_mult(_select_degrees(G, A, dst), plus).new()
    batch_of_pair = neighbors.to_coo(indices=False)[1].cumsum() // BATCH
    first = 0
    for _, pairs in groupby(batch_of_pair.tolist()):
        batch = slice(first, first + len(list(pairs)))
        first = batch.stop
        B = A[src[batch], :].new().ewise_mult(A[dst[batch], :].new(), pair).new()
        score[batch](plus) << B.mxv(w, semiring.plus_second[w.dtype])
    return score
