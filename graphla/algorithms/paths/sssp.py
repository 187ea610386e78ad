"""Single-source shortest paths over the min-plus semiring, one bucket of width delta at a time.

    bucket = d where m <= d <= m + delta, m being the smallest d that is not settled
    until bucket is empty:
        r      = bucket' min.plus A   (push)   or   A' min.plus d   (pull)
        bucket = r where r < d and r <= m + delta
        d      = min(d, r)

Within a bucket this is Bellman and Ford's iteration. A huge delta makes all of it that
iteration; a tiny delta gives Dijkstra's order. Once most edges are relaxed, the last bucket is
unbounded if a step costs more than relaxing many edges (Chakaravarthy). Edges are not split
into light and heavy ones: the split costs more than it saves. d is full; an unreached vertex has
a value above every length. :mod:`graphla.execution.push_pull` chooses between push and pull.

Cost: about O(m) relaxations with a fitting bucket width, in one product or two for each
bucket: many small ones on grids.

Source: U. Meyer, P. Sanders, "Delta-stepping: a parallelizable shortest path
algorithm", J. Algorithms 49 (2003); U. Sridhar et al., "Delta-stepping SSSP: from
vertices and edges to GraphBLAS implementations", IPDPSW 2019; V. Chakaravarthy et al.,
"Scalable single source shortest path algorithms for massively parallel systems",
IPDPS 2014.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphblas import binary, monoid, select, semiring, unary
from graphblas.dtypes import BOOL, INT64

from graphla.algorithms.paths.tight_tree import find_tight_tree
from graphla.algorithms.traversal.bfs import bfs, bfs_levels
from graphla.core import validation
from graphla.core.display import Progress
from graphla.core.results import SSSP
from graphla.execution.hints import fuse, set_storage_hint
from graphla.execution.push_pull import RelaxationDirection, cast_for_products, scale_bucket_width

if TYPE_CHECKING:
    from graphla.core.graph import Graph

DELTA_FACTOR = 16.0  # default delta, in mean weights over mean degree


@validation.explains_wrong_calls
def sssp(G: Graph, source: int, *, delta: float | None = None, progress: bool = False) -> SSSP:
    """Find the shortest paths from one vertex, along the edges' direction, by delta-stepping.

    Parameters
    ----------
    G : Graph
        Weights >= 0; an unweighted edge has weight 1.
    source : int
        Vertex in 0..n-1.
    delta : float, optional
        Width of a bucket, > 0, in the unit of the weights. It changes the time and
        never the result. By default 16 mean weights over the mean degree; if the largest
        degree is below 16, that times 16 over the largest degree (on engine "cuda" times
        the square of this ratio).
    progress : bool
        Show a bar of the buckets.

    Returns
    -------
    SSSP
        `distance` and `parent`, Vectors of length n. An unreached vertex has no
        entry; the source has distance 0 and is its own parent. Parents are of dtype
        ``G.index_dtype`` and form a tree of shortest paths; any such tree may be returned.
        Distances have the dtype of the weights; INT64 for integers that might overflow
        and for an unweighted graph.

    Raises
    ------
    InvalidIndex
        `source` is not a vertex.
    InvalidValue
        `delta` is not positive, a weight is NaN, or (n + 2) times the largest
        weight does not fit the distances' dtype, which infinite weights never do.
    NegativeWeight
        A weight is negative; use :func:`bellman_ford`.

    Notes
    -----
    Meyer and Sanders show that a delta of the order of the largest weight over the
    degree keeps the work linear for random weights. A step costs more here than an
    edge, so wider buckets, which need fewer steps, are faster: the default is close to
    the best delta on Kronecker and random graphs. If no vertex has many edges, frontiers
    are small, paths are long and the number of steps dominates; the default is then wider
    still. A graph whose integer weights are too narrow for its distances caches a wider
    copy of its matrix on engine "cpu", of 32 bits if those suffice. Parents for integer
    weights > 0 take a copy of the transpose of dtype INT64, which the first call caches; those for
    other weights take longer.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 0, 1, 2], [1, 2, 3, 3], [5, 1, 1, 9], n=5)
    >>> r = gl.sssp(G, 0)
    >>> r.distance.to_dense(fill_value=-1).tolist()
    [0, 5, 1, 6, -1]
    >>> r.parent.to_dense(fill_value=-1).tolist()
    [0, 0, 0, 1, -1]
    """
    source = validation.check_vertex(G, source)
    delta = delta if delta is None else validation.check_positive(delta, "delta")
    if not G.weighted:
        level, parent = bfs(G, source, progress=progress)
        return SSSP(level.dup(INT64), parent)
    H, d, distance = _compute_distances(G, source, delta, progress)
    return SSSP(distance, find_tight_tree(H, d, distance, source))


@validation.explains_wrong_calls
def sssp_distances(
    G: Graph, source: int, *, delta: float | None = None, progress: bool = False
) -> Any:
    """Find the distances from one vertex alone, by delta-stepping.

    Parameters, errors and meaning are those of :func:`sssp`.

    Returns
    -------
    Vector
        Distances of length n; an unreached vertex has no entry.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.sssp_distances(gl.Graph.from_edges([0, 1], [1, 2], [0.5, 2.0]), 0).to_dense().tolist()
    [0.0, 0.5, 2.5]
    """
    source = validation.check_vertex(G, source)
    delta = delta if delta is None else validation.check_positive(delta, "delta")
    if not G.weighted:
        return bfs_levels(G, source, progress=progress).dup(INT64)
    return _compute_distances(G, source, delta, progress)[2]


def _default_delta(G: Graph) -> float:
    """Return the default delta."""
    degree = G.A.nvals / G.n if G.n else 0
    factor = max(1, DELTA_FACTOR / max(G.max_out_degree, 1))  # > 1 if no frontier grows fast
    width = (G.mean_weight or 0) * scale_bucket_width(G, factor) * DELTA_FACTOR
    return float(width / (degree or 1))


def _compute_distances(
    G: Graph, source: int, delta: float | None, progress: bool
) -> tuple[Graph, Any, Any]:
    """Return the graph in the dtype of d, d, and d without the unreached vertices."""
    validation.refuse_nan(G, "sssp")
    validation.require_nonnegative(G, "sssp", "bellman_ford")
    wide, infinity = validation.distance_dtype(G, "sssp")
    T = validation.narrow_distance_dtype(G, wide, infinity)
    if delta is None:
        delta = _default_delta(G)
    delta = type(infinity)(min(delta, infinity))  # an integer if weights are
    longest = validation.largest_below(infinity, T)
    G = cast_for_products(G, T)

    d, unsettled, bucket, r = (G.vector(T) for _ in range(4))
    better, bound = G.vector(BOOL), G.scalar(T)
    set_storage_hint(d, form="full")
    d << infinity
    d[source] = unsettled[source] = smallest = 0

    direction = RelaxationDirection(G, bucket, r, better)
    products = bucket.vxm(G.A, semiring.min_plus[T]), G.AT.mxv(d, semiring.min_plus[T])
    after = (
        (better, r.ewise_mult(d, binary.lt[T])),
        (bucket(better.V, replace=True), r.select(select.valuele[T], bound)),
        (d(binary.min[T]), r.apply(unary.identity[T])),
    )
    push, pull = (fuse((r, product), *after) for product in products)
    start, beyond = unsettled.select(select.valuele[T], bound), d.select(select.valuegt[T], bound)
    nearest = unsettled.reduce(monoid.min[T])
    with Progress(progress, "sssp") as bar:
        while smallest is not None and smallest < infinity:
            bound.value = longest if direction.passed_peak else min(smallest + delta, longest)
            bucket << start
            while size := direction.read_size():
                relax = push if direction.advance(size) else pull
                relax(direction.unchecked_steps(size), direction.push_size())
            unsettled << beyond
            smallest = nearest.new().value
            bar.step()
    return G, d, d.select(select.valuelt[T], infinity).new(wide)
