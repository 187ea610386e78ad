"""Harmonic centrality: the sum of the inverse distances from all vertices to each.

    h(v) = sum_{u != v} 1 / d(u, v)

Searches and distances come in batches, as for ``closeness_centrality.py``.

Source: M. Marchiori, V. Latora, "Harmony in the small-world", Physica A 285 (2000);
P. Boldi, S. Vigna, "Axioms for centrality", Internet Mathematics 10 (2014).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphblas import binary, monoid, unary
from graphblas.dtypes import FP64

from graphla.algorithms._shared.bit_words import WORD_BITS, count_bits
from graphla.algorithms.paths.many_distances import distances_in_batches
from graphla.algorithms.traversal.bit_parallel_bfs import make_edge_words, search_by_level
from graphla.core import validation
from graphla.core.display import Progress

if TYPE_CHECKING:
    from graphla.core.graph import Graph

plus, truediv = binary.plus, binary.truediv[FP64]


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
        FP64 with all n entries, 0 where none of the others reaches a vertex.

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
    sources = _sources(G, sources)
    score = G.vector(FP64)
    score << 0.0
    A = make_edge_words(G)
    with Progress(progress, "harmonic_centrality", len(sources)) as bar:
        for first in range(0, len(sources), WORD_BITS):
            together = list(sources[first : first + WORD_BITS])
            for level, words in enumerate(search_by_level(G, A, together), start=1):
                score(plus) << count_bits(words).apply(truediv, right=level)
            bar.step(len(together))
    return score


def harmonic_centrality_weighted(
    G: Graph, sources: Any = None, *, batch: int = 64, progress: bool = False
) -> Any:
    """Sum the inverse distances, by the weights of the edges, from given vertices to each.

    Distances of 0 are left out.

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
        FP64 with all n entries, as of :func:`harmonic_centrality`.

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
    sources = _sources(G, sources)
    validation.require_nonnegative(G, "harmonic_centrality_weighted", "nothing")
    score = G.vector(FP64)
    score << 0.0
    for D in distances_in_batches(G, sources, batch, "harmonic_centrality_weighted", progress):
        inverse = D.select(">", 0).new(FP64).apply(unary.minv[FP64]).new()
        score(plus) << inverse.reduce_columnwise(monoid.plus)
    return score


def _sources(G: Graph, sources: Any) -> Any:
    validation.check_graph(G)
    return range(G.n) if sources is None else validation.check_vertices(G, sources)
