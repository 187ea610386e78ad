"""Single-source shortest paths with weights of any sign, by Bellman and Ford's iteration.

    r = q' min.plus A   (push)   or   A' min.plus d   (pull)
    q = r where r < d
    d = min(d, r)                                     until q is empty

The frontier q holds the distances that the last round improved. After k rounds d is
at most the length of any walk of k edges, so round n improves a distance only behind a
negative cycle. Cycles are usually detected much earlier: after 32, 64, 128, ...
rounds, a negative cycle leaves a vertex without a parent in the tree of the tight edges,
d(u) + w(u, v) <= d(v).

Cost: O(n m) at worst; O(m) for each step, and as many steps as the longest of the shortest
paths has edges.

Source: R. Bellman, "On a routing problem", Q. Appl. Math. 16 (1958); for the cycles
B. Cherkassky, A. Goldberg, "Negative-cycle detection algorithms", Math. Program. 85
(1999).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphblas import binary, select, semiring, unary
from graphblas.dtypes import BOOL, INT64

from graphla.algorithms.paths.tight_tree import find_tight_tree
from graphla.algorithms.traversal.bfs import bfs, bfs_levels
from graphla.core import validation
from graphla.core.display import Progress
from graphla.core.results import SSSP
from graphla.errors import NegativeCycle
from graphla.execution.hints import set_storage_hint
from graphla.execution.push_pull import RelaxationDirection

if TYPE_CHECKING:
    from graphla.core.graph import Graph

FIRST_CYCLE_CHECK = 32  # rounds before the first search for a negative cycle


@validation.explains_wrong_calls
def bellman_ford(G: Graph, source: int, *, progress: bool = False) -> SSSP:
    """Find the shortest paths from one vertex, along the edges' direction, whatever their weights.

    Parameters
    ----------
    G : Graph
        An unweighted edge has weight 1. An undirected edge of negative weight is
        a negative cycle, as it can be walked back and forth.
    source : int
        Vertex in 0..n-1.
    progress : bool
        Show a bar of the rounds.

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
        A weight is NaN, or (n + 2) times the largest absolute weight does not fit
        the distances' dtype, which infinite weights never do.
    NegativeCycle
        A cycle of negative weight can be reached from `source`; with floats also
        one whose weight is zero except for rounding.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 0, 1], [1, 2, 2], [4, 3, -2], n=4)
    >>> r = gl.bellman_ford(G, 0)
    >>> r.distance.to_dense(fill_value=99).tolist()
    [0, 4, 2, 99]
    >>> r.parent.to_dense(fill_value=-1).tolist()
    [0, 0, 1, -1]
    """
    source = validation.check_vertex(G, source)
    if not G.weighted:
        level, parent = bfs(G, source, progress=progress)
        return SSSP(level.dup(INT64), parent)
    H, d, distance = _compute_distances(G, source, progress)
    return SSSP(distance, _find_tree(H, d, distance, source))


@validation.explains_wrong_calls
def bellman_ford_distances(G: Graph, source: int, *, progress: bool = False) -> Any:
    """Find the distances from one vertex alone, whatever the sign of the weights.

    Parameters, errors and meaning are those of :func:`bellman_ford`.

    Returns
    -------
    Vector
        Distances of length n; an unreached vertex has no entry.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 0, 1], [1, 2, 2], [4, 3, -2])
    >>> gl.bellman_ford_distances(G, 0).to_dense().tolist()
    [0, 4, 2]
    """
    source = validation.check_vertex(G, source)
    if not G.weighted:
        return bfs_levels(G, source, progress=progress).dup(INT64)
    return _compute_distances(G, source, progress)[2]


def _compute_distances(G: Graph, source: int, progress: bool) -> tuple[Graph, Any, Any]:
    """Return the graph in the distances' dtype, d, and d without the unreached vertices."""
    validation.refuse_nan(G, "bellman_ford")
    T, infinity = validation.distance_dtype(G, "bellman_ford")
    G = G.astype(T)

    d, q, r = (G.vector(T) for _ in range(3))
    better = G.vector(BOOL)
    set_storage_hint(d, form="full")
    d << infinity
    d[source] = q[source] = 0

    direction = RelaxationDirection(G, q, r, better)
    push, pull = q.vxm(G.A, semiring.min_plus[T]), G.AT.mxv(d, semiring.min_plus[T])
    from_reached = r.select(select.valuelt[T], infinity - validation.largest_weight(G))
    improves, keep = r.ewise_mult(d, binary.lt[T]), q(better.V, replace=True)
    lower, lengths = d(binary.min[T]), q.apply(unary.identity[T])
    reached = d.select(select.valuelt[T], infinity)
    rounds, next_check = 0, FIRST_CYCLE_CHECK
    with Progress(progress, "bellman_ford") as bar:
        while size := q.nvals:
            if rounds == next_check and G.min_weight < 0:
                next_check *= 2
                _find_tree(G, d, reached.new(), source)
            if rounds == G.n:
                raise NegativeCycle(f"source={source} reaches a cycle of negative weight")
            r << (push if direction.advance(size) else pull)
            better << improves
            keep << from_reached
            lower << lengths
            rounds += 1
            bar.step()
    return G, d, reached.new()


def _find_tree(G: Graph, d: Any, reached: Any, source: int) -> Any:
    """Return parents over tight edges; raise NegativeCycle if a reached vertex has none."""
    parent = find_tight_tree(G, d, reached, source)
    if parent.nvals < reached.nvals or d[source].new().value < 0:
        raise NegativeCycle(f"source={source} reaches a cycle of negative weight")
    return parent
