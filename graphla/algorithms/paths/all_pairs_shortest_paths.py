"""All-pairs distances: batches of rows by Bellman and Ford's iteration, or by search.

Johnson's algorithm first makes the weights non-negative by a potential h:

    h = min(0, A' min.plus h)   until it is stable;    w'(u, v) = w(u, v) + h(u) - h(v) >= 0
    d(u, v) = d'(u, v) - h(u) + h(v)

A product with a diagonal matrix adds to rows or columns.

Cost: a shortest-path search from each source, in batches; k n entries for k sources.

Source: D. Johnson, "Efficient algorithms for shortest paths in sparse networks", J. ACM 24
(1977); the batches: :mod:`~graphla.algorithms.paths.many_distances`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphblas import binary, monoid, semiring, unary
from graphblas.dtypes import BOOL, FP64, INT64

from graphla.algorithms._shared.vectors import make_full_vector
from graphla.algorithms.paths.many_distances import find_distances_in_batches
from graphla.core import validation
from graphla.errors import InvalidValue, NegativeCycle
from graphla.execution.hints import set_storage_hint

if TYPE_CHECKING:
    from graphla.core.graph import Graph


@validation.explains_wrong_calls
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
        k x n: entry (s, v) is the distance from the s-th source to v; there is none if no
        path leads there. The dtype is that of the weights; INT64 for integers that might
        overflow and for an unweighted graph.

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
    algorithm = "all_pairs_shortest_paths"
    batches = find_distances_in_batches(G, sources, batch, algorithm, progress)
    T = validation.distance_dtype(G, algorithm)[0] if G.weighted else INT64
    result = allocate_distances(G, T, len(sources), max_bytes, algorithm)
    for rows, D in batches:
        result[rows, :] << D
    return result


@validation.explains_wrong_calls
def johnson(
    G: Graph, *, batch: int = 64, max_bytes: int | None = None, progress: bool = False
) -> Any:
    """Find the distances between all pairs of vertices by Johnson's algorithm.

    Parameters, result and errors are those of :func:`all_pairs_shortest_paths`, except that
    integers become INT64 and floats FP64, and that any cycle of negative weight is an
    error, reachable from a source or not.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 0, 1], [1, 2, 2], [4, 3, -2])
    >>> gl.johnson(G).to_dense(fill_value=99).tolist()
    [[0, 4, 2], [99, 0, -2], [99, 99, 0]]
    """
    validation.check_graph(G)
    validation.refuse_nan(G, "johnson")
    if G.weighted:  # before the cast: weights above INT64 would become negative
        validation.distance_dtype(G, "johnson")
    G = G.astype(FP64 if G.dtype.name.startswith("FP") else INT64)
    T, infinity = validation.distance_dtype(G, "johnson")
    min_plus = semiring.min_plus[T]
    h = _compute_potential(G)
    infinity -= h.reduce(monoid.min).new().value or 0  # d' <= d + h(u) - h(v) along a walk
    if T == INT64 and infinity >= 2**63:
        raise InvalidValue(f"johnson: paths over n={G.n} vertices may be longer than INT64 holds")
    minus_h = h.apply(unary.ainv[T]).new()
    weights = h.diag().mxm(G.A, min_plus).new()
    weights << weights.mxm(minus_h.diag(), min_plus)
    weights << weights.apply(binary.max[T], right=0)  # rounding may leave floats below 0
    H = type(G)(weights, copy=False)

    result = allocate_distances(G, T, G.n, max_bytes, "johnson")
    batches = find_distances_in_batches(H, range(G.n), batch, "johnson", progress, infinity)
    for rows, D in batches:
        shifted = minus_h[rows].new().diag().mxm(D, min_plus).new()
        result[rows, :] << shifted.mxm(h.diag(), min_plus)
    return result


def _compute_potential(G: Graph) -> Any:
    """Return h: the distances from an extra vertex with edges of weight 0 to all vertices."""
    T = G.dtype
    h = make_full_vector(G, T)
    before, is_lower = h.dup(), G.vector(BOOL)
    lower, step = h(binary.min[T]), G.AT.mxv(before, semiring.min_plus[T])
    lowered = h.ewise_mult(before, binary.lt[T])
    for _ in range(G.n + 1):
        before << h
        lower << step
        is_lower << lowered
        if not is_lower.reduce(monoid.lor).new().value:
            return h
    raise NegativeCycle(f"johnson: the graph of n={G.n} vertices has a cycle of negative weight")


def allocate_distances(G: Graph, T: Any, rows: int, max_bytes: int | None, algorithm: str) -> Any:
    """Return an empty matrix for distances; raise OutOfMemory if it might not fit once full."""
    validation.check_distance_memory(G, T, rows, max_bytes, algorithm)
    result = G.matrix(T, rows, G.n)
    set_storage_hint(result, form="bitmap")
    return result
