"""Harmonic centrality: the sum of the inverse distances from all vertices to each.

    h(v) = sum_{u != v} 1 / d(u, v)

Searches and distances are computed in batches, as in ``closeness_centrality.py``.

Cost: O(n m / 64) operations on words of 64 searches; with weights a batch of searches by min-
plus products.

Source: M. Marchiori, V. Latora, "Harmony in the small-world", Physica A 285 (2000);
P. Boldi, S. Vigna, "Axioms for centrality", Internet Mathematics 10 (2014).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphblas import binary, monoid, unary
from graphblas.dtypes import FP64

from graphla.algorithms._shared.vectors import make_full_vector
from graphla.algorithms.paths.many_distances import find_distances_in_batches
from graphla.algorithms.traversal.bit_parallel_bfs import count_searches_by_level
from graphla.core import validation

if TYPE_CHECKING:
    from graphla.core.graph import Graph

plus, truediv = binary.plus, binary.truediv[FP64]


@validation.explains_wrong_calls
def harmonic_centrality(G: Graph, sources: Any = None, *, progress: bool = False) -> Any:
    """Sum the inverse distances, in edges, from given vertices to each.

    Parameters
    ----------
    G : Graph
        Weights are ignored. Edges are followed along their direction, to the vertex.
    sources : sequence of int, optional
        Vertices in 0..n-1, by default all. One that is given twice counts twice.
    progress : bool
        Show a bar of the searches.

    Returns
    -------
    Vector
        FP64 with all n entries; 0 if no other source reaches a vertex.

    Raises
    ------
    InvalidIndex
        A source is not a vertex.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1], [1, 2], n=4, kind="undirected")
    >>> gl.harmonic_centrality(G).to_dense().tolist()
    [1.5, 2.0, 1.5, 0.0]
    """
    sources = _check_sources(G, sources)
    score = make_full_vector(G, FP64, 0.0)
    searches = count_searches_by_level(G, sources, "harmonic_centrality", progress)
    for level, count in searches:
        score(plus) << count.apply(truediv, right=level)
    return score


@validation.explains_wrong_calls
def harmonic_centrality_weighted(
    G: Graph, sources: Any = None, *, batch: int = 64, progress: bool = False
) -> Any:
    """Sum the inverse distances, by the weights of the edges, from given vertices to each.

    Distances of 0 are not counted.

    Parameters
    ----------
    G : Graph
        Weights >= 0; an unweighted edge has weight 1.
    sources : sequence of int, optional
        Vertices in 0..n-1, by default all. One that is given twice counts twice.
    batch : int
        Sources searched together, at least 1. A batch takes up to about 80 bytes
        per source and vertex.
    progress : bool
        Show a bar of the searches.

    Returns
    -------
    Vector
        FP64 with all n entries, as in :func:`harmonic_centrality`.

    Raises
    ------
    InvalidIndex
        A source is not a vertex.
    NegativeWeight
        A weight is negative.
    InvalidValue
        `batch` is below 1, a weight is NaN, or the weights are too large for paths.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1], [1, 2], [4.0, 1.0])
    >>> gl.harmonic_centrality_weighted(G).to_dense().tolist()
    [0.0, 0.25, 1.2]
    """
    algorithm = "harmonic_centrality_weighted"
    sources = _check_sources(G, sources)
    validation.require_nonnegative(G, algorithm, "nothing")
    score = make_full_vector(G, FP64, 0.0)
    for _, D in find_distances_in_batches(G, sources, batch, algorithm, progress):
        inverse = D.select(">", 0).new(FP64).apply(unary.minv[FP64]).new()
        score(plus) << inverse.reduce_columnwise(monoid.plus)
    return score


def _check_sources(G: Graph, sources: Any) -> Any:
    """Return the sources as checked vertices; all vertices for None."""
    validation.check_graph(G)
    return range(G.n) if sources is None else validation.check_vertices(G, sources)
