"""Betweenness centrality: Brandes's two sweeps, for a batch of sources at once.

Row s of each k x n matrix belongs to one source. With F_d the numbers of shortest
paths to the vertices at distance d, and W_d = (1 + dependency) / F_d there,

    F_d+1<~F>  = F_d plus.first A,    F += F_d+1      down, level by level
    X<F_d-1>  += W_d plus.first A',   W_d-1 = 1 / F_d-1 + X      up
    dependency = X * F

No subtraction occurs, so small dependencies keep their precision. Path counts grow
exponentially with the distance; a level whose counts approach the largest FP64 is scaled by a
power of two, which the upward sweep undoes.

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
from graphla.algorithms._shared.vectors import make_full_vector
from graphla.core import validation
from graphla.errors import InvalidValue
from graphla.execution.hints import set_storage_hint
from graphla.execution.push_pull import BatchDirection

if TYPE_CHECKING:
    from graphla.core.graph import Graph

PEAK, LOW, SCALE = 2.0**960, 2.0**-480, 2.0**-480

plus, times = binary.plus[FP64], binary.times[FP64]
minv, identity = unary.minv[FP64], unary.identity[FP64]
plus_first = semiring.plus_first[FP64]


class Level(NamedTuple):
    """Vertices at one distance from their sources."""

    inverse: Any  # 1 / number of shortest paths, in the scale of this level
    scale: float  # factor of this level's path counts over those of the level before


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
        `batch` is below 1; or, found during the search, numbers of shortest
        paths to vertices at equal distance differ by more than about 2^1440.

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


def count_paths(G: Graph, sources: list[int]) -> tuple[Any, list[Level]]:
    """Count shortest paths level by level; return the k x n counts, and the levels."""
    counts, paths = (G.matrix(FP64, len(sources), G.n) for _ in range(2))
    set_storage_hint(counts, form="bitmap")
    set_storage_hint(paths, form="sparse")
    for row, source in enumerate(sources):
        paths[row, source] = 1.0
    direction = BatchDirection(G, len(sources))
    visit, discover = counts(plus), paths(~counts.S, replace=True)
    step, same, inverse = paths.mxm(G.A, plus_first), paths.apply(identity), paths.apply(minv)
    bound, scale, levels = 1.0, 1.0, []
    while paths.nvals:
        visit << same
        levels.append(Level(inverse.new(), scale))
        # sparse also because `ascend` uses it as a mask, see masked_products.py
        set_storage_hint(levels[-1].inverse, form="sparse")
        if direction.is_sparse(paths, G.A):
            discover << step
        else:
            discover << _multiply_dense(G, paths, G.AT).select("!=", 0.0)
        bound, scale = bound * direction.max_degree, 1.0
        if bound > PEAK:
            bound, scale = _scale_counts(paths)
    return counts, levels


def _scale_counts(paths: Any) -> tuple[float, float]:
    """Scale path counts down if any is above PEAK; return their maximum and the scale."""
    peak = paths.reduce_scalar(monoid.max).new().value or 0.0
    if peak <= PEAK:
        return peak, 1.0
    if paths.reduce_scalar(monoid.min).new().value < LOW:
        raise InvalidValue(
            "betweenness_centrality: numbers of shortest paths to vertices at equal distance "
            "differ by more than 2^1440, the range of FP64"
        )
    paths << paths.apply(times, right=SCALE)
    return peak * SCALE, SCALE


def _compute_dependencies(G: Graph, sources: list[int]) -> Any:
    """Return the dependency of each source on each vertex, k x n."""
    counts, levels = count_paths(G, sources)
    carried = G.matrix(FP64, len(sources), G.n)
    for _ in ascend(G, levels, carried):
        pass
    return carried.ewise_mult(counts, times).new()


def ascend(G: Graph, levels: list[Level], carried: Any) -> Iterator[tuple[Any, Any]]:
    """Yield, from the last level but one up, the inverse path counts and W of the level below.

    W is in the scale of the yielded level. `carried`, an empty k x n matrix, is filled with X,
    which is 0 at the sources. `levels` is emptied.
    """
    carried << 0.0
    share, scale = levels.pop()
    direction = BatchDirection(G, share.nrows)
    while levels:
        inverse, next_scale = levels.pop()
        if scale != 1.0:
            share << share.apply(times, right=scale)
        yield inverse, share
        if not levels:
            return
        add = carried(inverse.S, plus)
        if direction.is_sparse(share, G.AT):
            add << share.mxm(G.AT, plus_first)
        elif direction.is_sparse(inverse, G.A):
            set_storage_hint(share, form="bitmap")
            add << share.mxm(G.A.T, plus_first)
        else:
            carried(plus) << _multiply_dense(G, share, G.A).dup(mask=inverse.S)
        inverse << inverse.ewise_mult(carried, plus)
        share, scale = inverse, next_scale


def _multiply_dense(G: Graph, F: Any, B: Any) -> Any:
    """Return F plus.first B' with all entries, F being filled up with zeros."""
    full, product = F.dup(clear=True), F.dup(clear=True)
    full << 0.0
    product << 0.0
    full(F.S) << F
    product(plus) << full.mxm(B.T, plus_first)
    return product
