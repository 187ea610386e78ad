"""Betweenness centrality: Brandes's two sweeps, for a batch of sources at once.

Row s of each k x n matrix belongs to one source. With F_d the numbers of shortest
paths to the vertices at distance d, and W_d = (1 + dependency) / F_d there,

    F_d+1<~seen> = F_d plus.first A                down, level by level
    X<F_d-1>     = W_d plus.first A'               up
    W_d-1        = 1 / F_d-1 + X,    dependency += X * F_d-1

No subtraction occurs, so small dependencies keep their digits. Path counts grow
exponentially with the distance; a level whose counts approach the end of FP64
is scaled by a power of two, which X takes back on the way up.

Source: U. Brandes, J. Mathematical Sociology 25 (2001); in matrices: A. Buluc,
J. Gilbert, "The Combinatorial BLAS", IJHPCA 25 (2011).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from graphblas import binary, monoid, semiring, unary
from graphblas.dtypes import BOOL, FP64

from graphla import checks
from graphla.direction import Batch, store
from graphla.errors import InvalidValue
from graphla.progress import Progress

if TYPE_CHECKING:
    from graphla.graph import Graph

PEAK, LOW, SCALE = 2.0**960, 2.0**-480, 2.0**-480

plus, times, truediv = binary.plus[FP64], binary.times[FP64], binary.truediv[FP64]
minv = unary.minv[FP64]
plus_first = semiring.plus_first[FP64]


class Level(NamedTuple):
    """Vertices at one distance: the inverse of their numbers of shortest paths."""

    inverse: Any
    scale: float  # by which path counts are smaller than those of the level before


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
        `batch` is below 1; or, from the midst of the work, numbers of shortest
        paths to vertices at equal distance differ by more than about 2^1440.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1, 2], [1, 2, 3], kind="undirected")
    >>> gl.betweenness_centrality(G, range(4)).to_dense().tolist()
    [0.0, 4.0, 4.0, 0.0]
    """
    sources = checks.vertices(G, sources)
    batch = checks.count(batch, "batch")
    centrality = G.vector(FP64)
    centrality << 0.0
    with Progress(progress, "betweenness_centrality", len(sources)) as bar:
        for first in range(0, len(sources), batch):
            together = sources[first : first + batch]
            levels = search(G, together)
            centrality(plus) << _dependencies(G, levels).reduce_columnwise(monoid.plus)
            bar.step(len(together))
    return centrality


def search(G: Graph, sources: list[int]) -> list[Level]:
    """Count shortest paths, level by level."""
    seen, paths = (G.matrix(dtype, len(sources), G.n) for dtype in (BOOL, FP64))
    store(seen, form="bitmap")
    for row, source in enumerate(sources):
        paths[row, source] = 1.0
    direction = Batch(G, len(sources))
    visit, discover = seen(paths.S), paths(~seen.S, replace=True)
    step, inverse = paths.mxm(G.A, plus_first), paths.apply(minv)
    bound, scale, levels = 1.0, 1.0, []
    while paths.nvals:
        visit << True
        levels.append(Level(inverse.new(), scale))
        if direction.is_light(paths, G.A):
            discover << step
        else:
            discover << _dense_product(G, paths, G.AT).select("!=", 0.0)
        bound, scale = bound * direction.largest, 1.0
        if bound > PEAK:
            bound, scale = _scaled(paths)
    return levels


def _scaled(paths: Any) -> tuple[float, float]:
    """Scale path counts where they are large; return their maximum and the scale."""
    peak = paths.reduce_scalar(monoid.max).new().value or 0.0
    if peak <= PEAK:
        return peak, 1.0
    if paths.reduce_scalar(monoid.min).new().value < LOW:
        raise InvalidValue(
            "betweenness_centrality: numbers of shortest paths to vertices at equal distance "
            "differ by more than 2^1440, which FP64 does not hold"
        )
    paths << paths.apply(times, right=SCALE)
    return peak * SCALE, SCALE


def _dependencies(G: Graph, levels: list[Level]) -> Any:
    """Sum what each vertex carries, from the farthest level up; uses up the levels."""
    total = levels[0].inverse.dup(clear=True)
    total << 0.0
    add = total(plus)
    for inverse, _, carried, _ in ascend(G, levels):
        if carried is not None:
            add << carried.ewise_mult(inverse, truediv)
    return total


def ascend(G: Graph, levels: list[Level]) -> Iterator[tuple[Any, Any, Any, float]]:
    """Yield, from the last level but one up, the inverse path counts and what comes from below.

    That is W of the level below, X (None at the sources, which need none), and the
    scale of W's path counts to those of this level. It uses up the levels.
    """
    share, scale = levels.pop()
    direction = Batch(G, share.nrows)
    while levels:
        inverse, next_scale = levels.pop()
        if not levels:
            yield inverse, share, None, scale
            return
        if direction.is_light(share, G.AT):
            carried = share.mxm(G.AT, plus_first).new(mask=inverse.S)
        elif direction.is_light(inverse, G.A):
            store(share, form="bitmap")
            carried = share.mxm(G.A.T, plus_first).new(mask=inverse.S)
        else:
            carried = _dense_product(G, share, G.A).dup(mask=inverse.S)
        if scale != 1.0:
            carried << carried.apply(times, right=scale)
        yield inverse, share, carried, scale
        inverse(plus) << carried
        share, scale = inverse, next_scale


def _dense_product(G: Graph, F: Any, B: Any) -> Any:
    """Return F plus.first B' with all entries, zeros where F has none."""
    full, product = F.dup(clear=True), F.dup(clear=True)
    full << 0.0
    product << 0.0
    full(F.S) << F
    product(plus) << full.mxm(B.T, plus_first)
    return product
