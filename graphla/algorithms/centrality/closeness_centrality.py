"""Closeness: how near the vertices are that reach a vertex, by searches from all of them.

    r(v) = number of u != v that reach v,    t(v) = sum_u d(u, v)
    closeness(v) = r(v) / t(v),   times r(v) / (n - 1) for the share that does

Unweighted, 64 searches share a word (bit_parallel_bfs): at level l, a vertex that c of them
see first adds c to r and c l to t. Weighted, a batch of distances D (many_distances) adds
the sums over its columns.

Source: A. Bavelas, J. Acoust. Soc. Am. 22 (1950); for graphs of several components
S. Wasserman, K. Faust, "Social network analysis", 1994, ch. 5.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphblas import binary, monoid, unary
from graphblas.dtypes import FP64, INT64

from graphla.algorithms._shared.bit_words import WORD_BITS, count_bits
from graphla.algorithms.paths.many_distances import distances_in_batches
from graphla.algorithms.traversal.bit_parallel_bfs import make_edge_words, search_by_level
from graphla.core import validation
from graphla.core.display import Progress

if TYPE_CHECKING:
    from graphla.core.graph import Graph

plus, times, truediv = binary.plus, binary.times, binary.truediv[FP64]


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
        FP64 with all n entries, 0 where nothing reaches a vertex.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1], [1, 2], n=4, kind="undirected")
    >>> gl.closeness_centrality(G).to_dense().round(3).tolist()
    [0.444, 0.667, 0.444, 0.0]
    """
    validation.check_graph(G)
    reached, total = G.vector(INT64), G.vector(INT64)
    A = make_edge_words(G)
    with Progress(progress, "closeness_centrality", G.n) as bar:
        for first in range(0, G.n, WORD_BITS):
            sources = list(range(first, min(first + WORD_BITS, G.n)))
            for level, words in enumerate(search_by_level(G, A, sources), start=1):
                count = count_bits(words)
                reached(plus) << count
                total(plus) << count.apply(times, right=level)
            bar.step(len(sources))
    return _closeness(G, reached, total, wf_improved)


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
        FP64 with all n entries, 0 where nothing reaches a vertex, or all that does
        is at distance 0.

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
    what = "closeness_centrality_weighted"
    for D in distances_in_batches(G, range(G.n), batch, what, progress):
        reached(plus) << D.apply(unary.one[INT64]).new(INT64).reduce_columnwise(monoid.plus)
        total(plus) << D.reduce_columnwise(monoid.plus[FP64])
    reached << reached.apply(binary.minus, right=1)  # the vertex itself
    return _closeness(G, reached, total, wf_improved)


def _closeness(G: Graph, reached: Any, total: Any, wf_improved: bool) -> Any:
    score = G.vector(FP64)
    score << 0.0
    far = total.select(">", 0).new()
    score(far.S) << reached.ewise_mult(far, truediv)
    if wf_improved and G.n > 1:
        share = reached.apply(truediv, right=G.n - 1).new(FP64)
        score(far.S) << score.ewise_mult(share, binary.times[FP64])
    return score
