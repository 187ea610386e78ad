"""Hand-written twins of the algebraic algorithms: same names, signatures and results.

On engine "cpu" they are Numba kernels over ``G.csr``, compiled at the first call, which
says so, and kept on disk. On engine "cuda" they are written in CUDA C++, and keep what they make
of a graph with it; only searches in compressed lists refuse there (EngineMismatch). A kernel runs
as one piece, so that a progress bar shows its beginning and its end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphla.core import validation
from graphla.errors import DomainMismatch
from graphla.native.dispatch import budget as _budget
from graphla.native.dispatch import run as _run
from graphla.native.dispatch import sources_of_paths as _sources

if TYPE_CHECKING:
    from graphla.core.graph import Graph
    from graphla.core.results import BFS, SSSP, Forest, PageRank
    from graphla.transform import Compressed


def bfs(G: Graph, source: int, *, progress: bool = False) -> BFS:
    """Search breadth-first from one vertex: the twin of :func:`graphla.bfs`, without algebra.

    Parameters, result and errors are those of its twin.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1, 0, 3], [1, 2, 3, 2], n=5)
    >>> gl.native.bfs(G, 0).level.to_dense(fill_value=-1).tolist()
    [0, 1, 2, 1, -1]
    """
    return _run("bfs", G, validation.vertex(G, source), progress=progress)


def bfs_compressed(lists: Compressed, source: int) -> BFS:
    """Search breadth-first in lists of neighbours that :func:`graphla.transform.compress` made.

    Parameters
    ----------
    lists : graphla.transform.Compressed
        On engine "cpu". Where they are of a directed graph, the search runs top-down alone.
    source : int
        A vertex.

    Returns
    -------
    BFS
        As of :func:`bfs`.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1, 0, 3], [1, 2, 3, 2], n=5)
    >>> gl.native.bfs_compressed(gl.transform.compress(G), 0).level.to_dense(fill_value=-1).tolist()
    [0, 1, 2, 1, -1]
    """
    from graphla.transform import Compressed

    if not isinstance(lists, Compressed):
        raise DomainMismatch(f"expected gl.transform.compress(G), not {type(lists).__name__}")
    return _run("bfs_compressed", lists, validation.vertex_of(lists.n, source))


def sssp(G: Graph, source: int, *, delta: float | None = None, progress: bool = False) -> SSSP:
    """Find the shortest paths from one vertex: the twin of :func:`graphla.sssp`, without algebra.

    Parameters, result and errors are those of its twin, but that `delta` is by
    default 100 mean weights over the square of the mean degree: near the best on
    Kronecker, random and grid graphs. On engine "cuda" it is how far beyond the least
    distance that waits others are expanded, by default 384 such units, or 2 mean weights
    over the mean degree where that is more.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 0, 1, 2], [1, 2, 3, 3], [5, 1, 1, 9], n=5)
    >>> gl.native.sssp(G, 0).distance.to_dense(fill_value=-1).tolist()
    [0, 5, 1, 6, -1]
    """
    source = validation.vertex(G, source)
    delta = delta if delta is None else validation.positive(delta, "delta")
    return _run("sssp", G, source, delta=delta, progress=progress)


def sssp_distances(
    G: Graph, source: int, *, delta: float | None = None, progress: bool = False
) -> Any:
    """Find the distances from one vertex: the twin of :func:`graphla.sssp_distances`.

    Parameters, result and errors are those of :func:`sssp`.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1], [1, 2], [0.5, 2.0])
    >>> gl.native.sssp_distances(G, 0).to_dense().tolist()
    [0.0, 0.5, 2.5]
    """
    source = validation.vertex(G, source)
    delta = delta if delta is None else validation.positive(delta, "delta")
    return _run("sssp.sssp_distances", G, source, delta=delta, progress=progress)


def all_pairs_shortest_paths(
    G: Graph,
    sources: Any = None,
    *,
    batch: int = 64,
    max_bytes: int | None = None,
    progress: bool = False,
) -> Any:
    """Find distances from many vertices: the twin of :func:`graphla.all_pairs_shortest_paths`.

    Parameters, result and errors are those of its twin, but that negative weights are refused
    (NegativeWeight: the twin takes them), and that `batch` only bounds, on engine "cuda",
    how many sources, 64 or 32, are searched together where weighted graphs have many edges.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 0, 1], [1, 2, 2], [4, 9, 3])
    >>> gl.native.all_pairs_shortest_paths(G, [0, 2]).to_dense(fill_value=99).tolist()
    [[0, 4, 7], [99, 99, 0]]
    """
    sources = _sources(G, sources, batch, max_bytes)
    return _run("all_pairs_shortest_paths", G, sources, batch=batch, progress=progress)


def minimum_spanning_forest(G: Graph, *, progress: bool = False) -> Forest:
    """Find a minimum spanning forest: the twin of :func:`graphla.minimum_spanning_forest`.

    Parameters, result and errors are those of its twin. It works on
    rows sorted by weight, on engine "cuda" on ``G.ranks``: computed once for a graph.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1, 0, 3], [1, 2, 2, 4], [5, 2, 3, 7], kind="undirected")
    >>> forest = gl.native.minimum_spanning_forest(G)
    >>> forest.weight, forest.edges.src.to_dense().tolist(), forest.edges.dst.to_dense().tolist()
    (12, [0, 1, 3], [2, 2, 4])
    """
    validation.symmetric(G, "minimum_spanning_forest")
    validation.no_nan(G, "minimum_spanning_forest")
    validation.total_weight(G, "minimum_spanning_forest")
    return _run("minimum_spanning_forest", G, progress=progress)


def transitive_closure(G: Graph, *, max_bytes: int | None = None, progress: bool = False) -> Any:
    """Find all pairs that a path joins: the twin of :func:`graphla.transitive_closure`.

    Parameters, result and errors are those of its twin, but that the result is counted
    before it is built, not estimated, and that one bit for each pair of strongly
    connected components has to fit in half of the available memory, or in `max_bytes`.
    On engine "cuda" the result is kept in bits, so that one for each pair of vertices has to.
    There a large strong component is left out first, for which a graph without it is closed
    beside the result, in up to 0.8 of its bytes; `max_bytes` bounds both together, and where
    they take more, the graph is closed as it is, in the result's place. What small arrays of
    the result's shape are filled up to (rows to 128) and 32 KiB beside large ones are counted.

    Examples
    --------
    >>> import graphla as gl
    >>> R = gl.native.transitive_closure(gl.Graph.from_edges([0, 1, 2], [1, 2, 1], n=4))
    >>> [x.tolist() for x in R.to_coo()[:2]]
    [[0, 0, 1, 1, 2, 2], [1, 2, 1, 2, 1, 2]]
    """
    return _run("transitive_closure", G, max_bytes=_budget(G, max_bytes), progress=progress)


def transitive_closure_warshall(
    G: Graph, *, max_bytes: int | None = None, progress: bool = False
) -> Any:
    """Find all pairs that a path joins, by Warshall's algorithm on one bit for each pair.

    The twin of :func:`graphla.transitive_closure_warshall`, but on the vertices, not on
    their components: for graphs that have as many of these, and as a yardstick.
    Parameters, result and errors are those of :func:`graphla.native.transitive_closure`.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.native.transitive_closure_warshall(gl.Graph.from_edges([0, 1], [1, 0], n=3)).nvals
    4
    """
    max_bytes = _budget(G, max_bytes)
    return _run("transitive_closure_warshall", G, max_bytes=max_bytes, progress=progress)


def connected_components(G: Graph, *, progress: bool = False) -> Any:
    """Label weak components: the twin of :func:`graphla.connected_components`, without algebra.

    Parameters, result and errors are those of its twin.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([4, 1, 2], [1, 0, 3], n=6)
    >>> gl.native.connected_components(G).to_dense().tolist()
    [0, 0, 2, 2, 0, 5]
    """
    validation.room(G)
    return _run("connected_components", G, progress=progress)


def pagerank(
    G: Graph,
    *,
    damping: float = 0.85,
    tol: float = 1e-4,
    max_iter: int = 100,
    dtype: str = "FP64",
    progress: bool = False,
) -> PageRank:
    """Rank vertices by a random walk: the twin of :func:`graphla.pagerank`, without algebra.

    Parameters, result and errors are those of its twin. FP32 ranks may take an
    iteration more or less: their change is summed with less rounding.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1, 2], [2, 2, 0], n=3)
    >>> gl.native.pagerank(G, tol=1e-6).rank.to_dense().round(4).tolist()
    [0.4635, 0.05, 0.4865]
    """
    validation.room(G)
    arguments = validation.iteration(damping, tol, max_iter, dtype)
    return _run("pagerank", G, True, *arguments, progress=progress)


def pagerank_gap(
    G: Graph,
    *,
    damping: float = 0.85,
    tol: float = 1e-4,
    max_iter: int = 100,
    dtype: str = "FP32",
    progress: bool = False,
) -> PageRank:
    """Rank vertices as GAP does: the twin of :func:`graphla.pagerank_gap`, without algebra.

    Parameters, result and errors are those of its twin. FP32 ranks may take an
    iteration more or less: their change is summed with less rounding.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1], [1, 2], n=3)
    >>> gl.native.pagerank_gap(G, dtype="FP64").rank.to_dense().round(4).tolist()
    [0.05, 0.0925, 0.1286]
    """
    validation.room(G)
    arguments = validation.iteration(damping, tol, max_iter, dtype)
    return _run("pagerank", G, False, *arguments, progress=progress)


def triangle_count(G: Graph) -> int:
    """Count triangles: the twin of :func:`graphla.triangle_count`, without algebra.

    Parameters, result and errors are those of its twin.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], kind="undirected")
    >>> gl.native.triangle_count(G)
    1
    """
    validation.symmetric(G, "triangle_count")
    return _run("triangle_count", G)


def betweenness_centrality(
    G: Graph, sources: Any, *, batch: int = 16, progress: bool = False
) -> Any:
    """Sum shares of shortest paths: the twin of :func:`graphla.betweenness_centrality`.

    Parameters, result and errors are those of its twin, but that at most 32 sources
    are searched together, whatever `batch` says; and where the mean degree is below 8
    each thread takes a source of its own, at about 40 bytes a vertex. On engine "cuda"
    up to 64 are, in two thirds of the time of four batches of 16. There a batch takes 8 bytes
    a vertex for each source, and keeps the vertices of each level, in 8 or 12 bytes: each is in
    as many levels as sources have different distances to it.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1, 2], [1, 2, 3], kind="undirected")
    >>> gl.native.betweenness_centrality(G, range(4)).to_dense().tolist()
    [0.0, 4.0, 4.0, 0.0]
    """
    sources = validation.vertices(G, sources)
    batch = validation.count(batch, "batch")
    return _run("betweenness_centrality", G, sources, batch=batch, progress=progress)
