"""Closeness: how short the distances to a vertex are, by searches from all vertices.

    r(v) = number of u != v that reach v,    t(v) = sum_u d(u, v)
    closeness(v) = r(v) / t(v),   optionally times r(v) / (n - 1)

Unweighted, 64 searches share a word (bit_parallel_bfs): if c searches reach v at level l, c is
added to r(v) and c l to t(v). Weighted, the column sums of each batch of distances
(many_distances) are added.

Cost: O(n m / 64) operations on words of 64 searches; with weights a batch of searches by min-
plus products.

Source: A. Bavelas, J. Acoust. Soc. Am. 22 (1950); for graphs of several components
S. Wasserman, K. Faust, "Social network analysis", 1994, ch. 5.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphblas import binary, monoid, unary
from graphblas.dtypes import FP64, INT64

from graphla.algorithms._shared.vectors import make_full_vector
from graphla.algorithms.paths.many_distances import find_distances_in_batches
from graphla.algorithms.traversal.bit_parallel_bfs import count_searches_by_level
from graphla.core import validation

if TYPE_CHECKING:
    from graphla.core.graph import Graph

plus, times, truediv = binary.plus, binary.times, binary.truediv[FP64]


@validation.explains_wrong_calls
def closeness_centrality(G: Graph, *, wf_improved: bool = True, progress: bool = False) -> Any:
    """Find how close each vertex is to those that reach it, by numbers of edges.

    Parameters
    ----------
    G : Graph
        Weights are ignored. Edges are followed along their direction, to the vertex.
    wf_improved : bool
        Scale by the share of the other vertices that reach the vertex.
    progress : bool
        Show a bar of the searches.

    Returns
    -------
    Vector
        FP64 with all n entries; 0 if no other vertex reaches a vertex.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1], [1, 2], n=4, kind="undirected")
    >>> gl.closeness_centrality(G).to_dense().round(3).tolist()
    [0.444, 0.667, 0.444, 0.0]
    """
    validation.check_graph(G)
    reached, total = G.vector(INT64), G.vector(INT64)
    searches = count_searches_by_level(G, range(G.n), "closeness_centrality", progress)
    for level, count in searches:
        reached(plus) << count
        total(plus) << count.apply(times, right=level)
    return _divide(G, reached, total, wf_improved)


@validation.explains_wrong_calls
def closeness_centrality_weighted(
    G: Graph, *, wf_improved: bool = True, batch: int = 64, progress: bool = False
) -> Any:
    """Find how close each vertex is to those that reach it, by the weights of the edges.

    Parameters
    ----------
    G : Graph
        Weights >= 0; an unweighted edge has weight 1.
    wf_improved : bool
        Scale by the share of the other vertices that reach the vertex.
    batch : int
        Sources searched together, at least 1. A batch takes up to about 80 bytes
        per source and vertex.
    progress : bool
        Show a bar of the searches.

    Returns
    -------
    Vector
        FP64 with all n entries; 0 if no other vertex reaches a vertex, or all that do are
        at distance 0.

    Raises
    ------
    NegativeWeight
        A weight is negative.
    InvalidValue
        `batch` is below 1, a weight is NaN, or the weights are too large for paths.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1], [1, 2], [4.0, 1.0])
    >>> gl.closeness_centrality_weighted(G, wf_improved=False).to_dense().round(3).tolist()
    [0.0, 0.25, 0.333]
    """
    validation.check_graph(G)
    validation.require_nonnegative(G, "closeness_centrality_weighted", "nothing")
    reached, total = G.vector(INT64), G.vector(FP64)
    algorithm = "closeness_centrality_weighted"
    for _, D in find_distances_in_batches(G, range(G.n), batch, algorithm, progress):
        reached(plus) << D.apply(unary.one[INT64]).new(INT64).reduce_columnwise(monoid.plus)
        total(plus) << D.reduce_columnwise(monoid.plus[FP64])
    reached << reached.apply(binary.minus, right=1)  # the vertex itself
    return _divide(G, reached, total, wf_improved)


def _divide(G: Graph, reached: Any, total: Any, wf_improved: bool) -> Any:
    """Return r / t, times r / (n - 1) if `wf_improved`; 0 where t is 0."""
    score = make_full_vector(G, FP64, 0.0)
    positive = total.select(">", 0).new()
    score(positive.S) << reached.ewise_mult(positive, truediv)
    if wf_improved and G.n > 1:
        share = reached.apply(truediv, right=G.n - 1).new(FP64)
        score(positive.S) << score.ewise_mult(share, binary.times[FP64])
    return score
