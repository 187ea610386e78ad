"""Trees of shortest paths from several sources: distances first, then a search of tight edges.

    q<~parent, replace> = q' min.secondi T,    parent<q> = q

T holds the edges on shortest paths, in a copy of the graph for each source (tight_copies). A
search is needed because cycles of length zero are tight, too.

Cost: that of all_pairs_shortest_paths, and a search of the tight edges, O(m), for each source.

Source: see :mod:`~graphla.algorithms.paths.tight_tree`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphblas import semiring
from graphblas.dtypes import INT64

from graphla.algorithms._shared.vectors import make_index_vector
from graphla.algorithms.paths.all_pairs_shortest_paths import allocate_distances
from graphla.algorithms.paths.many_distances import find_distances_in_batches
from graphla.algorithms.paths.tight_copies import find_tight_copies
from graphla.core import validation
from graphla.core.results import SSSP
from graphla.execution.hints import set_storage_hint

if TYPE_CHECKING:
    from graphla.core.graph import Graph

min_secondi = semiring.ss.min_secondi[INT64]


@validation.explains_wrong_calls
def shortest_path_trees(
    G: Graph,
    sources: Any = None,
    *,
    batch: int = 16,
    max_bytes: int | None = None,
    progress: bool = False,
) -> SSSP:
    """Find the shortest paths from all vertices, or from given ones, as distances and parents.

    Parameters
    ----------
    G : Graph
        With weights of any sign; an unweighted edge has weight 1.
    sources : sequence of int, optional
        Vertices in 0..n-1, by default all.
    batch : int
        Sources searched together, at least 1. A batch takes up to about 100 bytes
        per source and vertex and 60 per source and edge.
    max_bytes : int, optional
        Largest result to build; by default half of the available memory.
    progress : bool
        Show a bar of the sources done.

    Returns
    -------
    SSSP
        `distance` and `parent`, k x n Matrices: row s is that of the s-th source, as in
        :func:`sssp`. The result is deterministic.

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
    >>> gl.shortest_path_trees(G).parent.to_dense(fill_value=-1).tolist()
    [[0, 0, 1], [-1, 1, 1], [-1, -1, 2]]
    """
    algorithm = "shortest_path_trees"
    validation.check_graph(G)
    sources = range(G.n) if sources is None else validation.check_vertices(G, sources)
    batches = find_distances_in_batches(G, sources, batch, algorithm, progress)
    T = validation.distance_dtype(G, algorithm)[0] if G.weighted else INT64
    half = None if max_bytes is None else max_bytes // 2
    distance = allocate_distances(G, T, len(sources), half, algorithm)
    parent = allocate_distances(G, G.index_dtype, len(sources), half, algorithm)
    for rows, D in batches:
        distance[rows, :] << D
        parent[rows, :] << _find_parents(G, D, list(sources[rows]))
    return SSSP(distance, parent)


def _find_parents(G: Graph, D: Any, sources: list[int]) -> Any:
    """Return the k x n parents by one search over the tight edges of all copies."""
    starts, tight = find_tight_copies(G, D, sources)
    parent, q = starts.dup(INT64, clear=True), starts.dup(INT64, clear=True)
    set_storage_hint(parent, form="bitmap")
    q(starts.S) << make_index_vector(G, starts.size, INT64)
    discover, step, keep = q(~parent.S, replace=True), q.vxm(tight, min_secondi), parent(q.S)
    while q.nvals:
        keep << q
        discover << step
    copies, parents = parent.to_coo()
    P = G.matrix(G.index_dtype, D.nrows)
    P.build(copies // G.n, copies % G.n, parents % G.n)
    return P
