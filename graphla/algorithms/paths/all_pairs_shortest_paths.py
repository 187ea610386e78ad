"""All shortest paths' lengths: batches of rows by Bellman and Ford's iteration, or by search.

Johnson's form makes the weights non-negative first, by a potential h that no edge exceeds:

    h = min(0, A' min.plus h)   until it stays;    w'(u, v) = w(u, v) + h(u) - h(v) >= 0
    d(u, v) = d'(u, v) - h(u) + h(v)

A product with a diagonal matrix adds to rows or columns.

Source: D. Johnson, "Efficient algorithms for shortest paths in sparse networks", J. ACM 24
(1977); the batches: :mod:`~graphla.algorithms.paths.many_distances`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphblas import binary, monoid, semiring, unary
from graphblas.dtypes import BOOL, FP64, INT64

from graphla.algorithms.paths.many_distances import distances_in_batches
from graphla.core import validation
from graphla.errors import InvalidValue, NegativeCycle
from graphla.execution.storage_hints import set_storage_hint

if TYPE_CHECKING:
    from graphla.core.graph import Graph


def all_pairs_shortest_paths(
    G: Graph,
    sources: Any = None,
    *,
    batch: int = 64,
    max_bytes: int | None = None,
    progress: bool = False,
) -> Any:
    """Find the distances from all vertices, or from given ones, to all.

    Parameters
    ----------
    G : Graph
        With weights of any sign; an unweighted edge has weight 1.
    sources : sequence of int, optional
        Vertices in 0..n-1, by default all.
    batch : int
        Sources searched together, at least 1. A batch takes up to about 80 bytes
        per source and vertex beside the result.
    max_bytes : int, optional
        Largest result to build; by default half of the available memory.
    progress : bool
        Show a bar of the sources done.

    Returns
    -------
    Matrix
        k x n: entry (s, v) is the distance from the s-th source to v; none where no
        path leads there. Its dtype is that of the weights; INT64 where that might
        overflow for integers, and where the graph is unweighted.

    Raises
    ------
    InvalidIndex
        A source is not a vertex.
    InvalidValue
        `batch` is below 1, a weight is NaN, or the weights are too large for paths.
    OutOfMemory
        The result may take more than `max_bytes`.
    NegativeCycle
        A cycle of negative weight can be reached from a source.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 0, 1], [1, 2, 2], [4, 3, -2])
    >>> gl.all_pairs_shortest_paths(G).to_dense(fill_value=99).tolist()
    [[0, 4, 2], [99, 0, -2], [99, 99, 0]]
    """
    validation.check_graph(G)
    sources = range(G.n) if sources is None else validation.check_vertices(G, sources)
    what = "all_pairs_shortest_paths"
    parts = distances_in_batches(G, sources, batch, what, progress)
    T = validation.distance_dtype(G, what)[0] if G.weighted else INT64
    result = empty_distances(G, T, len(sources), max_bytes, what)
    first = 0
    for D in parts:
        result[first : first + D.nrows, :] << D
        first += D.nrows
    return result


def johnson(
    G: Graph, *, batch: int = 64, max_bytes: int | None = None, progress: bool = False
) -> Any:
    """Find the distances between all pairs of vertices by Johnson's algorithm.

    Parameters, result and errors are those of :func:`all_pairs_shortest_paths`, but that
    integers come as INT64 and floats as FP64, and that any cycle of negative weight is
    an error.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 0, 1], [1, 2, 2], [4, 3, -2])
    >>> gl.johnson(G).to_dense(fill_value=99).tolist()
    [[0, 4, 2], [99, 0, -2], [99, 99, 0]]
    """
    validation.check_graph(G)
    validation.refuse_nan(G, "johnson")
    if G.weighted:  # as INT64, what is too large would be negative
        validation.distance_dtype(G, "johnson")
    G = G.astype(FP64 if G.dtype.name.startswith("FP") else INT64)
    T, infinity = validation.distance_dtype(G, "johnson")
    plus = semiring.min_plus[T]
    h = _potential(G)
    infinity -= h.reduce(monoid.min).new().value or 0  # d' <= d + h(u) - h(v) along a walk
    if T == INT64 and infinity >= 2**63:
        raise InvalidValue(f"johnson: paths over n={G.n} vertices may be longer than INT64 holds")
    back = h.apply(unary.ainv[T]).new()
    weights = h.diag().mxm(G.A, plus).new()
    weights << weights.mxm(back.diag(), plus)
    weights << weights.apply(binary.max[T], right=0)  # floats may be rounded to less
    H = type(G)(weights, copy=False)

    result = empty_distances(G, T, G.n, max_bytes, "johnson")
    first = 0
    for D in distances_in_batches(H, range(G.n), batch, "johnson", progress, infinity):
        rows = slice(first, first + D.nrows)
        there = back[rows].new().diag().mxm(D, plus).new()
        result[rows, :] << there.mxm(h.diag(), plus)
        first = rows.stop
    return result


def _potential(G: Graph) -> Any:
    """Return the distance to each vertex from one that leads to all by edges of weight 0."""
    T = G.dtype
    h = G.vector(T)
    h << 0
    before, worse = h.dup(), G.vector(BOOL)
    lower, step = h(binary.min[T]), G.AT.mxv(before, semiring.min_plus[T])
    lowered = h.ewise_mult(before, binary.lt[T])
    for _ in range(G.n + 1):
        before << h
        lower << step
        worse << lowered
        if not worse.reduce(monoid.lor).new().value:
            return h
    raise NegativeCycle(f"johnson: the graph of n={G.n} vertices has a cycle of negative weight")


def empty_distances(G: Graph, T: Any, rows: int, max_bytes: int | None, what: str) -> Any:
    """Return an empty matrix for distances; refuse one that would not fit when it is full."""
    validation.check_distance_memory(G, T, rows, max_bytes, what)
    result = G.matrix(T, rows, G.n)
    set_storage_hint(result, form="bitmap")
    return result
