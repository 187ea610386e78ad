"""Betweenness centrality by weights: Brandes's sweeps over the tight edges, many sources at once.

A batch of k sources searches k disjoint copies of the graph, as one graph of k n vertices:
vertex s n + v is v in the copy of the s-th source. With the distances d in it, the edges

    T = { (u, v): d(u) + w(u, v) = d(v) }

are those on shortest paths; T is acyclic if weights are positive. Level by level of T,

    F += F_level plus.first T                                 down: numbers of shortest paths
    W = 1 / F + X on the level,    X += W_level plus.first T'     up: dependencies per path

The score sums over the copies: X F for vertices, F_u W_v for edges.

Cost: for each source a shortest-path search by weights and a sweep over its tight edges;
memory for a batch of sources.

Source: U. Brandes, J. Mathematical Sociology 25 (2001); Social Networks 30 (2008).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from graphblas import binary, monoid, semiring, unary
from graphblas.dtypes import FP64, INT64

from graphla.algorithms._shared.edges import make_pattern
from graphla.algorithms._shared.vectors import make_full_vector
from graphla.algorithms.paths.many_distances import find_distances_in_batches
from graphla.algorithms.paths.tight_copies import find_tight_copies
from graphla.algorithms.traversal.topological_levels import topological_levels
from graphla.core import validation
from graphla.errors import InvalidValue

if TYPE_CHECKING:
    from graphla.core.graph import Graph

plus, times = binary.plus[FP64], binary.times[FP64]
plus_first = semiring.plus_first[FP64]


@validation.explains_wrong_calls
def betweenness_centrality_weighted(
    G: Graph, sources: Any, *, batch: int = 16, progress: bool = False
) -> Any:
    """Sum over sources of the share of shortest paths, by weights, through each vertex.

    Parameters
    ----------
    G : Graph
        Weights > 0; an unweighted edge has weight 1. Two paths have equal length
        if the sums of their weights, in the dtype of distances, are equal.
    sources : sequence of int
        Vertices in 0..n-1. One that is given twice counts twice.
    batch : int
        Sources searched together, at least 1. A batch takes up to about 100 bytes
        per source and vertex and 60 per source and edge.
    progress : bool
        Show a bar of the sources done.

    Returns
    -------
    Vector
        FP64 with all n entries, as in :func:`betweenness_centrality`.

    Raises
    ------
    InvalidIndex
        A source is not a vertex.
    InvalidValue
        `batch` is below 1, a weight is NaN, zero or negative, or weights are too
        large for paths; or, found during the search, more than 2^1000 shortest paths
        lead to a vertex, or rounding of floats makes a cycle of edges on shortest paths.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1, 0], [1, 2, 2], [1, 1, 3], kind="undirected")
    >>> gl.betweenness_centrality_weighted(G, range(3)).to_dense().tolist()
    [0.0, 2.0, 0.0]
    """
    validation.check_graph(G)
    score, algorithm = make_full_vector(G, FP64, 0.0), "betweenness_centrality_weighted"
    for starts, paths, carried, _ in _sweep_batches(G, sources, batch, algorithm, progress):
        through = carried.ewise_mult(paths, times).new()
        through(starts.S) << 0.0
        copies, values = through.to_coo()
        part = G.vector(FP64)
        part.build(copies % G.n, values, dup_op=plus)
        score(plus) << part
    return score


@validation.explains_wrong_calls
def edge_betweenness_centrality_weighted(
    G: Graph, sources: Any, *, batch: int = 16, progress: bool = False
) -> Any:
    """Sum over sources of the share of shortest paths, by weights, along each edge.

    Parameters and errors are those of :func:`betweenness_centrality_weighted`.

    Returns
    -------
    Matrix
        FP64 n x n, with the entries of ``G.A``, as in
        :func:`edge_betweenness_centrality`.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1, 0], [1, 2, 2], [1, 1, 3])
    >>> [x.tolist() for x in gl.edge_betweenness_centrality_weighted(G, range(3)).to_coo()]
    [[0, 0, 1], [1, 2, 2], [2.0, 0.0, 2.0]]
    """
    validation.check_graph(G)
    score, algorithm = make_pattern(G, FP64, 0.0), "edge_betweenness_centrality_weighted"
    for _, paths, carried, T in _sweep_batches(G, sources, batch, algorithm, progress):
        share = paths.apply(unary.minv[FP64]).new()
        share(plus) << carried
        along_edges = paths.diag().mxm(T, plus_first).new()
        along_edges << along_edges.mxm(share.diag(), semiring.plus_times[FP64])
        rows, columns, values = along_edges.to_coo()
        part = G.matrix(FP64)
        part.build(rows % G.n, columns % G.n, values, dup_op=plus)
        score(plus) << part
    return score


def _sweep_batches(
    G: Graph, sources: Any, batch: int, algorithm: str, progress: bool
) -> Iterator[tuple[Any, Any, Any, Any]]:
    """Yield, for each batch, the sources, F, X and T in the copies of the graph."""
    sources = validation.check_vertices(G, sources)
    if G.weighted and G.A.nvals and G.min_weight <= 0:
        raise InvalidValue(f"{algorithm} needs weights > 0; the smallest is {G.min_weight}")
    for rows, D in find_distances_in_batches(G, sources, batch, algorithm, progress):
        starts, T = find_tight_copies(G, D, sources[rows])
        yield starts, *_sweep(starts, T, algorithm), T


def _sweep(starts: Any, T: Any, algorithm: str) -> tuple[Any, Any]:
    """Return F and X: shortest paths to each vertex, and the dependency per path below it."""
    degree = starts.dup(INT64)
    degree << 0
    degree(binary.plus) << T.T.reduce_rowwise(monoid.plus[INT64])
    paths, level_paths = starts.dup(FP64), starts.dup(FP64, clear=True)
    add, forward, levels = paths(plus), level_paths.vxm(T, plus_first), []
    for level in topological_levels(T, degree):
        level_paths << level.ewise_mult(paths, binary.second[FP64])
        add << forward
        levels.append(level_paths.dup())
    if (degree.reduce(monoid.max).new().value or 0) > 0:
        raise InvalidValue(f"{algorithm}: distances are too large to resolve the lightest edges")
    if (paths.reduce(monoid.max).new().value or 0.0) > 2.0**1000:
        raise InvalidValue(f"{algorithm}: more than 2^1000 shortest paths lead to a vertex")
    carried = paths.dup()
    carried(paths.S) << 0.0
    share = level_paths  # of the level: W
    add, backward = carried(plus), share.vxm(T.T, plus_first)
    while levels:
        share << levels.pop().apply(unary.minv[FP64]).new().ewise_mult(carried, plus)
        add << backward
    return paths, carried
