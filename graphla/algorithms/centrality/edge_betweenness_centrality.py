"""Betweenness centrality of edges: Brandes's sweeps, summed over the edges between two levels.

    C<A> += F_d' plus.times W_d+1          over the levels d, sources being the inner dimension

F_d holds the numbers of shortest paths to the vertices at distance d, and W_d+1 the
(1 + dependency) / F_d+1 of the next level: see
:mod:`~graphla.algorithms.centrality.betweenness_centrality`.

Cost: O(k m) for k sources, and memory for m scores beside k vectors of a batch.

Source: U. Brandes, "On variants of shortest-path betweenness centrality and their generic
computation", Social Networks 30 (2008).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphblas import binary, semiring, unary
from graphblas.dtypes import BOOL, FP64

from graphla.algorithms._shared.batches import iterate_batches
from graphla.algorithms._shared.edges import make_pattern
from graphla.algorithms.centrality.betweenness_centrality import ascend, count_paths
from graphla.core import validation
from graphla.execution.hints import set_storage_hint

if TYPE_CHECKING:
    from graphla.core.graph import Graph

plus = binary.plus[FP64]
plus_times = semiring.plus_times[FP64]


@validation.explains_wrong_calls
def edge_betweenness_centrality(
    G: Graph, sources: Any, *, batch: int = 16, progress: bool = False
) -> Any:
    """Sum over sources of the share of shortest paths that go along each edge.

    Parameters
    ----------
    G : Graph
        Weights are ignored: the length of a path is its number of edges.
    sources : sequence of int
        Vertices in 0..n-1. One that is given twice counts twice.
    batch : int
        Sources searched together, at least 1. A batch takes up to about
        220 bytes per source and vertex.
    progress : bool
        Show a bar of the sources done.

    Returns
    -------
    Matrix
        FP64 n x n, with the entries of ``G.A``: at (i, j) the sum over the given
        sources s and all targets t of the share of shortest paths from s to t that
        go from i to j. In an undirected graph the way back is entry (j, i).

    Raises
    ------
    InvalidIndex
        A source is not a vertex.
    InvalidValue
        `batch` is below 1.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1, 2], [1, 2, 3])
    >>> [x.tolist() for x in gl.edge_betweenness_centrality(G, range(4)).to_coo()]
    [[0, 1, 2], [1, 2, 3], [3.0, 4.0, 3.0]]
    """
    sources = validation.check_vertices(G, sources)
    batch = validation.check_count(batch, "batch")
    C, edges = make_pattern(G, FP64, 0.0), make_pattern(G, BOOL, True)
    set_storage_hint(edges, form="sparse")  # as a mask of products, see masked_products.py
    add = C(edges.S, plus)
    for part in iterate_batches(sources, batch, "edge_betweenness_centrality", progress):
        _, levels = count_paths(G, part)
        for inverse, share in ascend(G, levels, G.matrix(FP64, len(part), G.n)):
            paths = inverse.T.new().apply(unary.minv[FP64]).new()
            add << paths.mxm(share.T.new().T, plus_times)
    return C
