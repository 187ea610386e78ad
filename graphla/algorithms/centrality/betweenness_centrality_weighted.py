"""Betweenness centrality by weights: Brandes's sweeps over the tight edges, many sources at once.

A batch of k sources searches k disjoint copies of the graph, as one graph of k n vertices:
vertex s n + v is v in the copy of the s-th source. With the distances d in it, the edges

    T = { (u, v): d(u) + w(u, v) = d(v) }

are those on shortest paths; T is acyclic if weights are positive. Level by level of T,

    F += F_level plus.first T                                 down: numbers of shortest paths
    W = 1 / F + X on the level,    X += W_level plus.first T'     up: dependencies per path

The score sums over the copies: X F for vertices, F_u W_v for edges. F, X and W have a vector for
each band of the path counts (_shared/path_counts.py); up to 2^1600 paths there is only one.

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
from graphla.algorithms._shared.path_counts import (
    FIRST,
    PEAK,
    assign_bands,
    shares_for_band,
)
from graphla.algorithms._shared.vectors import make_full_vector
from graphla.algorithms.paths.many_distances import find_distances_in_batches
from graphla.algorithms.paths.tight_copies import find_tight_copies
from graphla.algorithms.traversal.topological_levels import topological_levels
from graphla.core import validation
from graphla.errors import InvalidValue

if TYPE_CHECKING:
    from graphla.core.graph import Graph

plus, times, second = binary.plus[FP64], binary.times[FP64], binary.second[FP64]
minv = unary.minv[FP64]
plus_first, plus_times = semiring.plus_first[FP64], semiring.plus_times[FP64]

Bands = dict[int, Any]  # a Vector for each exponent


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
        large for paths; or, found during the search, rounding of floats makes a cycle
        of edges on shortest paths.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1, 0], [1, 2, 2], [1, 1, 3], kind="undirected")
    >>> gl.betweenness_centrality_weighted(G, range(3)).to_dense().tolist()
    [0.0, 2.0, 0.0]
    """
    validation.check_graph(G)
    score, algorithm = make_full_vector(G, FP64, 0.0), "betweenness_centrality_weighted"
    for starts, _, paths, carried in _sweep_batches(G, sources, batch, algorithm, progress):
        for b, F in paths.items():
            through = carried[b].ewise_mult(F, times).new()
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
    for _, T, paths, carried in _sweep_batches(G, sources, batch, algorithm, progress):
        shares = _add_inverses(paths, carried)
        for b, F in paths.items():
            along_edges = F.diag().mxm(T, plus_first).new()
            along_edges << along_edges.mxm(shares_for_band(shares, b).diag(), plus_times)
            rows, columns, values = along_edges.to_coo()
            part = G.matrix(FP64)
            part.build(rows % G.n, columns % G.n, values, dup_op=plus)
            score(plus) << part
    return score


def _sweep_batches(
    G: Graph, sources: Any, batch: int, algorithm: str, progress: bool
) -> Iterator[tuple[Any, Any, Bands, Bands]]:
    """Yield, for each batch, the sources, T, F and X in the copies of the graph."""
    sources = validation.check_vertices(G, sources)
    if G.weighted and G.A.nvals and G.min_weight <= 0:
        raise InvalidValue(f"{algorithm} needs weights > 0; the smallest is {G.min_weight}")
    for rows, D in find_distances_in_batches(G, sources, batch, algorithm, progress):
        starts, T = find_tight_copies(G, D, sources[rows])
        paths, levels = _count_paths(starts, T, algorithm)
        yield starts, T, paths, _carry_dependencies(T, paths, levels)


def _count_paths(starts: Any, T: Any, algorithm: str) -> tuple[Bands, list[Bands]]:
    """Return F, the shortest paths to each vertex, and its parts by levels of T."""
    degree = starts.dup(INT64)
    degree << 0
    degree(binary.plus) << T.T.reduce_rowwise(monoid.plus[INT64])
    max_degree = degree.reduce(monoid.max).new().value or 0
    paths, levels = {0: starts.dup(FP64)}, []
    paths[0](starts.S) << FIRST
    largest = bound = FIRST
    for level in topological_levels(T, degree):
        level_paths = {b: level.ewise_mult(F, second).new() for b, F in paths.items()}
        if bound > PEAK or len(paths) > 1:
            bound = largest = max(largest, assign_bands(level_paths))
            for b, F in level_paths.items():
                paths.setdefault(b, F.dup(clear=True))(level.S) << F
        for b, F in level_paths.items():
            paths[b](plus) << F.vxm(T, plus_first)
        levels.append(level_paths)
        bound *= max_degree
    if (degree.reduce(monoid.max).new().value or 0) > 0:
        raise InvalidValue(f"{algorithm}: distances are too large to resolve the lightest edges")
    return paths, levels


def _carry_dependencies(T: Any, paths: Bands, levels: list[Bands]) -> Bands:
    """Return X, the dependency per path below each vertex. `levels` is emptied.

    X of a band has other entries beside those of F, which mean nothing.
    """
    TT, carried = T.T, {b: F.dup() for b, F in paths.items()}
    for b, F in paths.items():
        carried[b](F.S) << 0.0
    while levels:
        shares = _add_inverses(levels.pop(), carried)
        for b, X in carried.items():
            if b in shares or b + 1 in shares:
                X(plus) << shares_for_band(shares, b).vxm(TT, plus_first)
    return carried


def _add_inverses(paths: Bands, carried: Bands) -> Bands:
    """Return W = 1 / F + X of each band of F."""
    return {b: F.apply(minv).new().ewise_mult(carried[b], plus).new() for b, F in paths.items()}
