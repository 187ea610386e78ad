"""Betweenness centrality: Brandes's two sweeps, for a batch of sources at once.

Row s of each k x n matrix belongs to one source. With F_d the numbers of shortest
paths to the vertices at distance d, and W_d = (1 + dependency) / F_d there,

    F_d+1<~F>  = F_d plus.first A,    F += F_d+1      down, level by level
    X<F_d-1>  += W_d plus.first A',   W_d-1 = 1 / F_d-1 + X      up
    dependency = X * F

No subtraction occurs, so small dependencies keep their precision.

A level has one matrix F_d for each band of its path counts (_shared/path_counts.py), which grow
exponentially with the distance; up to 2^1600 paths there is only one. Each formula is
applied to each band; on the way up, a band also receives W_d of the next one, divided by B.

F and X are dense. A level is stored sparse, so it takes memory and time in proportion to its
entries and edges.

Cost: O(n + m) for each source, whatever the depth; some n-vectors for each source of a batch.

Source: U. Brandes, J. Mathematical Sociology 25 (2001); in matrices: A. Buluc,
J. Gilbert, "The Combinatorial BLAS", IJHPCA 25 (2011).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from graphblas import binary, monoid, semiring, unary
from graphblas.dtypes import FP64

from graphla.algorithms._shared.batches import iterate_batches
from graphla.algorithms._shared.path_counts import (
    FIRST,
    PEAK,
    assign_bands,
    shares_for_band,
)
from graphla.algorithms._shared.vectors import make_full_vector
from graphla.core import validation
from graphla.execution.hints import set_storage_hint
from graphla.execution.push_pull import BatchDirection

if TYPE_CHECKING:
    from graphla.core.graph import Graph

plus, times = binary.plus[FP64], binary.times[FP64]
minv, identity = unary.minv[FP64], unary.identity[FP64]
plus_first = semiring.plus_first[FP64]


class Band(NamedTuple):
    """Path counts of one band of a level; what is computed of them."""

    paths: Any
    same: Any
    inverse: Any
    step: Any
    discover: Any  # update of the paths


@validation.explains_wrong_calls
def betweenness_centrality(
    G: Graph, sources: Any, *, batch: int = 16, progress: bool = False
) -> Any:
    """Sum over sources of the share of shortest paths that pass through each vertex.

    Parameters
    ----------
    G : Graph
        Weights are ignored: the length of a path is its number of edges.
    sources : sequence of int
        Vertices in 0..n-1. One that is given twice counts twice.
    batch : int
        Sources searched together, at least 1. A batch takes up to about
        170 bytes per source and vertex.
    progress : bool
        Show a bar of the sources done.

    Returns
    -------
    Vector
        FP64 with all n entries: for v, the sum over the given sources s and all
        targets t, both other than v, of the share of shortest paths from s to t
        on which v lies. With all vertices as sources it is the betweenness over
        ordered pairs, unnormalised.

    Raises
    ------
    InvalidIndex
        A source is not a vertex.
    InvalidValue
        `batch` is below 1.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1, 2], [1, 2, 3], kind="undirected")
    >>> gl.betweenness_centrality(G, range(4)).to_dense().tolist()
    [0.0, 4.0, 4.0, 0.0]
    """
    sources = validation.check_vertices(G, sources)
    batch = validation.check_count(batch, "batch")
    centrality = make_full_vector(G, FP64, 0.0)
    for part in iterate_batches(sources, batch, "betweenness_centrality", progress):
        centrality(plus) << _compute_dependencies(G, part).reduce_columnwise(monoid.plus)
    return centrality


def count_paths(G: Graph, sources: list[int]) -> tuple[Any, list[dict[int, Any]]]:
    """Count shortest paths level by level.

    Returns
    -------
    counts : Matrix
        k x n, each m of its band.
    levels : list of dict
        1 / m of each band of a level, by exponent.
    """
    counts, paths = (G.matrix(FP64, len(sources), G.n) for _ in range(2))
    set_storage_hint(counts, form="bitmap")
    for row, source in enumerate(sources):
        paths[row, source] = FIRST

    def make_band(paths: Any) -> Band:
        set_storage_hint(paths, form="sparse")
        same, inverse, step = paths.apply(identity), paths.apply(minv), paths.mxm(G.A, plus_first)
        return Band(paths, same, inverse, step, paths(~counts.S, replace=True))

    direction = BatchDirection(G, len(sources))
    visit, bands = counts(plus), {0: make_band(paths)}
    bound, levels = FIRST, []
    while bands := {b: band for b, band in bands.items() if band.paths.nvals}:
        for band in bands.values():
            visit << band.same
        levels.append({b: band.inverse.new() for b, band in bands.items()})
        # sparse also because `ascend` uses them as masks, see masked_products.py
        set_storage_hint(*levels[-1].values(), form="sparse")
        for band in bands.values():
            if direction.is_sparse(band.paths, G.A):
                band.discover << band.step
            elif direction.has_few_unvisited(counts):
                set_storage_hint(band.paths, form="bitmap")
                band.discover << band.paths.mxm(G.AT.T, plus_first)
                set_storage_hint(band.paths, form="sparse")
            else:
                band.discover << _multiply_dense(G, band.paths, G.AT).select("!=", 0.0)
        bound *= direction.max_degree
        if bound > PEAK or len(bands) > 1:
            paths_of = {b: band.paths for b, band in bands.items()}
            bound = assign_bands(paths_of)
            bands |= {b: make_band(paths_of[b]) for b in paths_of.keys() - bands.keys()}
    return counts, levels


def _compute_dependencies(G: Graph, sources: list[int]) -> Any:
    """Return the dependency of each source on each vertex, k x n."""
    counts, levels = count_paths(G, sources)
    carried = G.matrix(FP64, len(sources), G.n)
    for _ in ascend(G, levels, carried):
        pass
    return carried.ewise_mult(counts, times).new()


def ascend(G: Graph, levels: list[dict[int, Any]], carried: Any) -> Iterator[tuple[Any, Any]]:
    """Yield, from the last level but one up, the inverse path counts and W of the level below.

    A level is yielded band by band. `carried`, an empty k x n matrix, is filled with X, which is
    0 at the sources. `levels` is emptied.
    """
    carried << 0.0
    shares = levels.pop()
    direction = BatchDirection(G, carried.nrows)
    while levels:
        level = levels.pop()
        for b, inverse in level.items():
            if not (b in shares or b + 1 in shares):
                continue
            share = shares_for_band(shares, b)
            yield inverse, share
            if not levels:  # the sources, which are one band
                return
            add = carried(inverse.S, plus)
            if direction.is_sparse(share, G.AT):
                add << share.mxm(G.AT, plus_first)
            elif direction.is_sparse(inverse, G.A):
                set_storage_hint(share, form="bitmap")
                add << share.mxm(G.A.T, plus_first)
            else:
                carried(plus) << _multiply_dense(G, share, G.A).dup(mask=inverse.S)
        for inverse in level.values():
            inverse << inverse.ewise_mult(carried, plus)
        shares = level


def _multiply_dense(G: Graph, F: Any, B: Any) -> Any:
    """Return F plus.first B' with all entries, F being filled up with zeros."""
    full, product = F.dup(clear=True), F.dup(clear=True)
    full << 0.0
    product << 0.0
    full(F.S) << F
    product(plus) << full.mxm(B.T, plus_first)
    return product
