"""Single-source shortest paths over the min-plus semiring, one bucket of width delta at a time.

    near = d where m <= d <= m + delta, m being the smallest d that is not settled
    until near is empty:
        r    = near' min.plus A   (push)   or   A' min.plus d   (pull)
        near = r where r < d and r <= m + delta
        d    = min(d, r)

Within a bucket this is Bellman and Ford's iteration, which a huge delta makes it
altogether; a tiny delta makes it Dijkstra's order. The last bucket has no end where most
edges were relaxed before it and a step costs more than many edges (Chakaravarthy).
Edges are not split into light and heavy ones: the split costs more than it saves. d is
full, with a value beyond every length where a vertex is unreached. Directions follow
:mod:`graphla.execution.push_pull`.

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

from graphla.algorithms.paths.tight_tree import tight_tree
from graphla.algorithms.traversal.bfs import bfs, bfs_levels
from graphla.core import validation
from graphla.core.display import Progress
from graphla.core.results import SSSP
from graphla.execution.fusion import fuse
from graphla.execution.push_pull import RelaxationDirection, cast_for_products, scale_bucket_width
from graphla.execution.storage_hints import set_storage_hint

if TYPE_CHECKING:
    from graphla.core.graph import Graph

BREADTH = 16.0  # default delta, in mean weights over mean degree


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
        never the result. By default 16 mean weights over the mean degree, and where
        the largest degree is below 16, as many times more as it is smaller (on engine
        "cuda" the square of that).
    progress : bool
        Show a bar of the buckets.

    Returns
    -------
    SSSP
        `distance` and `parent`, Vectors of length n. An unreached vertex has no
        entry; the source has distance 0 and is its own parent. Parents are of dtype
        ``G.index_dtype`` and form a tree of shortest paths; of several any may be returned.
        Distances have the dtype of the weights; INT64 where that might overflow
        for integers, and where the graph is unweighted.

    Raises
    ------
    InvalidIndex
        `source` is not a vertex.
    InvalidValue
        `delta` is not positive, a weight is NaN, or (n + 2) times the largest
        weight does not fit the distances' dtype, which infinite weights never do.
    NegativeWeight
        A weight is negative; :func:`bellman_ford` takes those.

    Notes
    -----
    Meyer and Sanders show that a delta of the order of the largest weight over the
    degree keeps the work linear for random weights. A step costs more here than an
    edge, and wider buckets save steps: 16 times the mean weights over the mean degree
    was within 1.2 of the best delta on Kronecker and random graphs. Where no
    vertex has many edges, frontiers are small and paths long, and what counts is the
    number of steps: a grid has a fifth fewer of them in buckets four times as wide. A graph
    whose integer weights are too narrow for its distances keeps a wider copy of
    its matrix on engine "cpu", of 32 bits where these do.

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
    H, d, distance = _settle(G, source, delta, progress)
    return SSSP(distance, tight_tree(H, d, distance, source))


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
    return _settle(G, source, delta, progress)[2]


def _width(G: Graph) -> float:
    """Return the default delta."""
    degree = G.A.nvals / G.n if G.n else 0
    narrow = max(1, BREADTH / max(G.max_out_degree, 1))  # > 1 where no frontier grows fast
    return float((G.mean_weight or 0) * scale_bucket_width(G, narrow) * BREADTH / (degree or 1))


def _settle(G: Graph, source: int, delta: float | None, progress: bool) -> tuple[Graph, Any, Any]:
    """Return the graph for products with d, d, and the distances: d where it is reached."""
    validation.refuse_nan(G, "sssp")
    validation.require_nonnegative(G, "sssp", "bellman_ford")
    wide, infinity = validation.distance_dtype(G, "sssp")
    T = validation.narrow_distance_dtype(G, wide, infinity)
    if delta is None:
        delta = _width(G)
    delta = type(infinity)(min(delta, infinity))  # whole where weights are
    longest = validation.largest_below(infinity, T)
    G = cast_for_products(G, T)

    d, far, near, r = (G.vector(T) for _ in range(4))
    better, bound = G.vector(BOOL), G.scalar(T)
    set_storage_hint(d, form="full")
    d << infinity
    d[source] = far[source] = smallest = 0

    direction = RelaxationDirection(G, near, r, better)
    products = near.vxm(G.A, semiring.min_plus[T]), G.AT.mxv(d, semiring.min_plus[T])
    after = (
        (better, r.ewise_mult(d, binary.lt[T])),
        (near(better.V, replace=True), r.select(select.valuele[T], bound)),
        (d(binary.min[T]), r.apply(unary.identity[T])),
    )
    push, pull = (fuse((r, product), *after) for product in products)
    start, beyond = far.select(select.valuele[T], bound), d.select(select.valuegt[T], bound)
    nearest = far.reduce(monoid.min[T])
    with Progress(progress, "sssp") as bar:
        while smallest is not None and smallest < infinity:
            bound.value = longest if direction.passed_peak else min(smallest + delta, longest)
            near << start
            while size := near.nvals:
                relax = push if direction.advance(size) else pull
                relax(direction.unchecked_steps(size), direction.push_size())
            far << beyond
            smallest = nearest.new().value
            bar.step()
    return G, d, d.select(select.valuelt[T], infinity).new(wide)
