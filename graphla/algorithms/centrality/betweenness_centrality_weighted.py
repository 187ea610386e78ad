"""Betweenness centrality by weights: Brandes's sweeps over the tight edges, many sources at once.

A batch of k sources searches k disjoint copies of the graph, which are one graph B of k n
vertices: vertex s n + v is v for the s-th source. Of its distances d, the edges of

    T = { (u, v): d(u) + w(u, v) = d(v) }

are those on shortest paths, and acyclic where weights are positive. Level by level of T,

    F += F_level plus.first T                                 down: numbers of shortest paths
    W = 1 / F + X on the level,    X += W_level plus.first T'     up: what each path carries

and the copies are added up: X F for vertices, F_u W_v for edges.

Source: U. Brandes, J. Mathematical Sociology 25 (2001); Social Networks 30 (2008).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from graphblas import binary, monoid, semiring, unary
from graphblas.dtypes import FP64, INT64

from graphla.algorithms.paths.many_distances import distances_in_batches
from graphla.algorithms.paths.tight_copies import tight_copies
from graphla.algorithms.traversal.topological_levels import topological_levels
from graphla.core import validation
from graphla.errors import InvalidValue

if TYPE_CHECKING:
    from graphla.core.graph import Graph

plus, times = binary.plus[FP64], binary.times[FP64]
plus_first = semiring.plus_first[FP64]


def betweenness_centrality_weighted(
    G: Graph, sources: Any, *, batch: int = 16, progress: bool = False
) -> Any:
    """Sum over sources of the share of shortest paths, by weights, through each vertex.

    Parameters
    ----------
    G : Graph
        Weights > 0; an unweighted edge has weight 1. Paths are of equal length
        where the sums of their weights, in their dtype, are equal.
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
        FP64 with all n entries, as of :func:`betweenness_centrality`.

    Raises
    ------
    InvalidIndex
        A source is not a vertex.
    InvalidValue
        `batch` is below 1, a weight is NaN, zero or negative, or weights are too
        large for paths; or, from the midst of the work, more than 2^1000 shortest
        paths lead to a vertex, or floats are rounded so that edges of them are a cycle.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1, 0], [1, 2, 2], [1, 1, 3], kind="undirected")
    >>> gl.betweenness_centrality_weighted(G, range(3)).to_dense().tolist()
    [0.0, 2.0, 0.0]
    """
    validation.check_graph(G)
    score = G.vector(FP64)
    score << 0.0
    for starts, paths, carried, _ in _sweeps(
        G, sources, batch, "betweenness_centrality_weighted", progress
    ):
        through = carried.ewise_mult(paths, times).new()
        through(starts.S) << 0.0
        copies, values = through.to_coo()
        one = G.vector(FP64)
        one.build(copies % G.n, values, dup_op=plus)
        score(plus) << one
    return score


def edge_betweenness_centrality_weighted(
    G: Graph, sources: Any, *, batch: int = 16, progress: bool = False
) -> Any:
    """Sum over sources of the share of shortest paths, by weights, along each edge.

    Parameters and errors are those of :func:`betweenness_centrality_weighted`.

    Returns
    -------
    Matrix
        FP64 n x n, with the entries of ``G.A``, as of
        :func:`edge_betweenness_centrality`.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1, 0], [1, 2, 2], [1, 1, 3])
    >>> [x.tolist() for x in gl.edge_betweenness_centrality_weighted(G, range(3)).to_coo()]
    [[0, 0, 1], [1, 2, 2], [2.0, 0.0, 2.0]]
    """
    validation.check_graph(G)
    score = G.matrix(FP64)
    score(G.A.S) << 0.0
    for _, paths, carried, T in _sweeps(
        G, sources, batch, "edge_betweenness_centrality_weighted", progress
    ):
        share = paths.apply(unary.minv[FP64]).new()
        share(plus) << carried
        along = paths.diag().mxm(T, plus_first).new()
        along << along.mxm(share.diag(), semiring.plus_times[FP64])
        rows, columns, values = along.to_coo()
        one = G.matrix(FP64)
        one.build(rows % G.n, columns % G.n, values, dup_op=plus)
        score(plus) << one
    return score


def _sweeps(
    G: Graph, sources: Any, batch: int, what: str, progress: bool
) -> Iterator[tuple[Any, Any, Any, Any]]:
    """Yield, batch by batch, sources, F, X and T over the copies."""
    sources = validation.check_vertices(G, sources)
    if G.weighted and G.A.nvals and G.min_weight <= 0:
        raise InvalidValue(f"{what} needs weights > 0; the smallest is {G.min_weight}")
    done = 0
    for D in distances_in_batches(G, sources, batch, what, progress):
        starts, T = tight_copies(G, D, sources[done : done + D.nrows])
        yield starts, *_paths(starts, T, what), T
        done += D.nrows


def _paths(starts: Any, T: Any, what: str) -> tuple[Any, Any]:
    """Count the shortest paths to each vertex of the copies, and what they carry below it."""
    degree = starts.dup(INT64)
    degree << 0
    degree(binary.plus) << T.T.reduce_rowwise(monoid.plus[INT64])
    paths, part = starts.dup(FP64), starts.dup(FP64, clear=True)
    add, forward, levels = paths(plus), part.vxm(T, plus_first), []
    for level in topological_levels(T, degree):
        part << level.ewise_mult(paths, binary.second[FP64])
        add << forward
        levels.append(part.dup())
    if (degree.reduce(monoid.max).new().value or 0) > 0:
        raise InvalidValue(f"{what}: distances have no digits left for the lightest edges")
    if (paths.reduce(monoid.max).new().value or 0.0) > 2.0**1000:
        raise InvalidValue(f"{what}: more than 2^1000 shortest paths lead to a vertex")
    carried = paths.dup()
    carried(paths.S) << 0.0
    add, back = carried(plus), part.vxm(T.T, plus_first)
    while levels:
        part << levels.pop().apply(unary.minv[FP64]).new().ewise_mult(carried, plus)
        add << back
    return paths, carried
