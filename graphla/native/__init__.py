"""Hand-written versions of the algebraic algorithms: same names, signatures and results.

Each function checks its arguments and calls the kernel of the graph's engine, which
:mod:`graphla.native.dispatch` finds by its name: ``native/cpu/bfs.py``, ``native/cuda/bfs.py``.

On engine "cpu" kernels are compiled by Numba over ``G.csr``. The first call prints a notice while
it compiles; the machine code is cached on disk. On engine "cuda" kernels are CUDA C++, and the
data that they derive from a graph are cached with it. `bfs_compressed`, `closeness_centrality`,
`core_number`, `k_truss`, `triangles`, `clustering_coefficient`, `greedy_color`,
`label_propagation` and `louvain` are not available there (EngineMismatch). A progress bar shows
only the start and the end of a kernel.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphblas.dtypes import INT64

from graphla.core import memory, validation
from graphla.errors import DomainMismatch
from graphla.native.dispatch import run as _run
from graphla.suggestions import unknown_name as _unknown_name

if TYPE_CHECKING:
    from graphla.core.graph import Graph
    from graphla.core.results import BFS, SSSP, Communities, Forest, PageRank
    from graphla.transform import Compressed

__all__ = [
    "all_pairs_shortest_paths",
    "betweenness_centrality",
    "bfs",
    "bfs_compressed",
    "closeness_centrality",
    "clustering_coefficient",
    "connected_components",
    "core_number",
    "greedy_color",
    "k_truss",
    "label_propagation",
    "louvain",
    "minimum_spanning_forest",
    "pagerank",
    "pagerank_gap",
    "sssp",
    "sssp_distances",
    "transitive_closure",
    "transitive_closure_warshall",
    "triangle_count",
    "triangles",
]


def __getattr__(name: str) -> Any:
    raise _unknown_name(__name__, name, __all__)


@validation.explains_wrong_calls
def bfs(G: Graph, source: int, *, progress: bool = False) -> BFS:
    """Search breadth-first from one vertex: the hand-written version of :func:`graphla.bfs`.

    Parameters, result and errors are the same.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1, 0, 3], [1, 2, 3, 2], n=5)
    >>> gl.native.bfs(G, 0).level.to_dense(fill_value=-1).tolist()
    [0, 1, 2, 1, -1]
    """
    return _run("bfs", G, validation.check_vertex(G, source), progress=progress)


@validation.explains_wrong_calls
def bfs_compressed(lists: Compressed, source: int) -> BFS:
    """Search breadth-first in the compressed neighbour lists of :func:`graphla.transform.compress`.

    Parameters
    ----------
    lists : graphla.transform.Compressed
        On engine "cpu". The search of a directed graph is top-down only.
    source : int
        A vertex.

    Returns
    -------
    BFS
        The same as from :func:`bfs`.

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
    return _run("bfs_compressed", lists, validation.check_vertex_number(lists.n, source))


@validation.explains_wrong_calls
def sssp(G: Graph, source: int, *, delta: float | None = None, progress: bool = False) -> SSSP:
    """Find the shortest paths from one vertex: the hand-written version of :func:`graphla.sssp`.

    Parameters, result and errors are the same, except for the default of `delta`. On engine "cpu"
    it is 16 w / d^2, where w is the mean weight and d the mean degree; with t > 4 threads,
    min(t, 16) / 4 times that if no vertex has 8 d out-edges or more. On engine "cuda" a round
    expands the queued vertices whose distance is within `delta` of the smallest queued distance;
    the default is the larger of 384 w / d^2 and 2 w / d.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 0, 1, 2], [1, 2, 3, 3], [5, 1, 1, 9], n=5)
    >>> gl.native.sssp(G, 0).distance.to_dense(fill_value=-1).tolist()
    [0, 5, 1, 6, -1]
    """
    source = validation.check_vertex(G, source)
    delta = delta if delta is None else validation.check_positive(delta, "delta")
    return _run("sssp", G, source, delta=delta, progress=progress)


@validation.explains_wrong_calls
def sssp_distances(
    G: Graph, source: int, *, delta: float | None = None, progress: bool = False
) -> Any:
    """Find the distances from one vertex: the hand-written :func:`graphla.sssp_distances`.

    Parameters, result and errors are the same, except for `delta`: see :func:`sssp`.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1], [1, 2], [0.5, 2.0])
    >>> gl.native.sssp_distances(G, 0).to_dense().tolist()
    [0.0, 0.5, 2.5]
    """
    source = validation.check_vertex(G, source)
    delta = delta if delta is None else validation.check_positive(delta, "delta")
    return _run("sssp.sssp_distances", G, source, delta=delta, progress=progress)


@validation.explains_wrong_calls
def all_pairs_shortest_paths(
    G: Graph,
    sources: Any = None,
    *,
    batch: int = 64,
    max_bytes: int | None = None,
    progress: bool = False,
) -> Any:
    """Find distances from many vertices: hand-written :func:`graphla.all_pairs_shortest_paths`.

    Parameters, result and errors are the same, except that negative weights raise NegativeWeight.
    On engine "cuda" `batch` is only an upper bound on the number of sources, 64 or 32, that are
    searched together in weighted graphs with many edges.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 0, 1], [1, 2, 2], [4, 9, 3])
    >>> gl.native.all_pairs_shortest_paths(G, [0, 2]).to_dense(fill_value=99).tolist()
    [[0, 4, 7], [99, 99, 0]]
    """
    name = "all_pairs_shortest_paths"
    validation.check_graph(G)
    sources = range(G.n) if sources is None else validation.check_vertices(G, sources)
    validation.check_count(batch, "batch")
    validation.refuse_nan(G, name)
    T = validation.distance_dtype(G, name)[0] if G.weighted else INT64
    validation.check_distance_memory(G, T, len(sources), max_bytes, name)
    validation.require_nonnegative(G, f"native.{name}", f"gl.{name}")
    return _run(name, G, sources, batch=batch, progress=progress)


@validation.explains_wrong_calls
def minimum_spanning_forest(G: Graph, *, progress: bool = False) -> Forest:
    """Find a minimum spanning forest: hand-written :func:`graphla.minimum_spanning_forest`.

    Parameters, result and errors are the same. The kernel reads rows sorted by weight, or
    ``G.ranks`` on engine "cuda"; both are computed once for a graph.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1, 0, 3], [1, 2, 2, 4], [5, 2, 3, 7], kind="undirected")
    >>> forest = gl.native.minimum_spanning_forest(G)
    >>> forest.weight, forest.edges.src.to_dense().tolist(), forest.edges.dst.to_dense().tolist()
    (12, [0, 1, 3], [2, 2, 4])
    """
    validation.require_symmetric(G, "minimum_spanning_forest")
    validation.refuse_nan(G, "minimum_spanning_forest")
    validation.total_weight_dtype(G, "minimum_spanning_forest")
    return _run("minimum_spanning_forest", G, progress=progress)


@validation.explains_wrong_calls
def transitive_closure(G: Graph, *, max_bytes: int | None = None, progress: bool = False) -> Any:
    """Find all pairs that a path joins: the hand-written :func:`graphla.transitive_closure`.

    Parameters, result and errors are the same, except for the memory. The size of the result is
    counted before it is built, not estimated, and one bit for each pair of strongly connected
    components must fit in half of the available memory, or in `max_bytes`.

    On engine "cuda" the result is stored as bits, so one bit for each pair of vertices must fit.
    If there is a large strongly connected component, the kernel first closes the graph without it,
    in a second array of up to 0.8 times the bytes of the result. `max_bytes` bounds both arrays
    together; if they do not fit, the whole graph is closed in place. The bound includes padding
    (rows to a multiple of 128 in small arrays) and 32 KiB of working memory for large ones.

    Examples
    --------
    >>> import graphla as gl
    >>> R = gl.native.transitive_closure(gl.Graph.from_edges([0, 1, 2], [1, 2, 1], n=4))
    >>> [x.tolist() for x in R.to_coo()[:2]]
    [[0, 0, 1, 1, 2, 2], [1, 2, 1, 2, 1, 2]]
    """
    _check_closure(G, max_bytes)
    return _run("transitive_closure", G, max_bytes=max_bytes, progress=progress)


@validation.explains_wrong_calls
def transitive_closure_warshall(
    G: Graph, *, max_bytes: int | None = None, progress: bool = False
) -> Any:
    """Find all pairs that a path joins by Warshall's algorithm, with one bit for each pair.

    The hand-written version of :func:`graphla.transitive_closure_warshall`. It closes the relation
    of the vertices, not that of their strongly connected components: for graphs whose components
    are mostly single vertices, and as a reference. Parameters, result and errors are those of
    :func:`graphla.native.transitive_closure`.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.native.transitive_closure_warshall(gl.Graph.from_edges([0, 1], [1, 0], n=3)).nvals
    4
    """
    _check_closure(G, max_bytes)
    return _run("transitive_closure_warshall", G, max_bytes=max_bytes, progress=progress)


def _check_closure(G: Graph, max_bytes: int | None) -> None:
    validation.check_graph(G)
    if max_bytes is not None:  # by default the kernel asks how much memory is free
        memory.budget(max_bytes)


@validation.explains_wrong_calls
def connected_components(G: Graph, *, progress: bool = False) -> Any:
    """Label weak components: the hand-written version of :func:`graphla.connected_components`.

    Parameters, result and errors are the same.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([4, 1, 2], [1, 0, 3], n=6)
    >>> gl.native.connected_components(G).to_dense().tolist()
    [0, 0, 2, 2, 0, 5]
    """
    validation.check_graph(G)
    return _run("connected_components", G, progress=progress)


@validation.explains_wrong_calls
def pagerank(
    G: Graph,
    *,
    damping: float = 0.85,
    tol: float = 1e-4,
    max_iter: int = 100,
    dtype: str = "FP64",
    progress: bool = False,
) -> PageRank:
    """Rank vertices by a random walk: the hand-written version of :func:`graphla.pagerank`.

    Parameters, result and errors are the same. FP32 ranks may take one iteration more or
    fewer, because their change is summed with less rounding.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1, 2], [2, 2, 0], n=3)
    >>> gl.native.pagerank(G, tol=1e-6).rank.to_dense().round(4).tolist()
    [0.4635, 0.05, 0.4865]
    """
    validation.check_graph(G)
    arguments = validation.check_iteration(damping, tol, max_iter, dtype)
    return _run("pagerank", G, True, *arguments, progress=progress)


@validation.explains_wrong_calls
def pagerank_gap(
    G: Graph,
    *,
    damping: float = 0.85,
    tol: float = 1e-4,
    max_iter: int = 100,
    dtype: str = "FP32",
    progress: bool = False,
) -> PageRank:
    """Rank vertices as GAP does: the hand-written version of :func:`graphla.pagerank_gap`.

    Parameters, result and errors are the same. FP32 ranks may take one iteration more or
    fewer, because their change is summed with less rounding.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1], [1, 2], n=3)
    >>> gl.native.pagerank_gap(G, dtype="FP64").rank.to_dense().round(4).tolist()
    [0.05, 0.0925, 0.1286]
    """
    validation.check_graph(G)
    arguments = validation.check_iteration(damping, tol, max_iter, dtype)
    return _run("pagerank", G, False, *arguments, progress=progress)


@validation.explains_wrong_calls
def triangle_count(G: Graph) -> int:
    """Count triangles: the hand-written version of :func:`graphla.triangle_count`.

    Parameters, result and errors are the same.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], kind="undirected")
    >>> gl.native.triangle_count(G)
    1
    """
    validation.require_symmetric(G, "triangle_count")
    return _run("triangle_count", G)


@validation.explains_wrong_calls
def triangles(G: Graph) -> Any:
    """Count triangles at each vertex: the hand-written version of :func:`graphla.triangles`.

    Parameters, result and errors are the same. On engine "cpu" each thread takes 8 bytes for each
    vertex.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], kind="undirected")
    >>> gl.native.triangles(G).to_dense().tolist()
    [1, 1, 1, 0]
    """
    validation.require_symmetric(G, "triangles")
    return _run("clustering_coefficient.triangles", G)


@validation.explains_wrong_calls
def clustering_coefficient(G: Graph) -> Any:
    """Find clustering coefficients: hand-written :func:`graphla.clustering_coefficient`.

    Parameters, result and errors are the same. On engine "cpu" each thread takes 8 or 9 bytes for
    each vertex.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], kind="undirected")
    >>> gl.native.clustering_coefficient(G).to_dense().round(3).tolist()
    [1.0, 1.0, 0.333, 0.0]
    """
    validation.check_graph(G)
    return _run("clustering_coefficient", G)


@validation.explains_wrong_calls
def closeness_centrality(G: Graph, *, wf_improved: bool = True, progress: bool = False) -> Any:
    """Find how close each vertex is: hand-written :func:`graphla.closeness_centrality`.

    Parameters, result and errors are the same. Only on engine "cpu". Each thread takes 8 bytes for
    each vertex, or 48 if the mean degree is at least 8.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1], [1, 2], n=4, kind="undirected")
    >>> gl.native.closeness_centrality(G).to_dense().round(3).tolist()
    [0.444, 0.667, 0.444, 0.0]
    """
    validation.check_graph(G)
    return _run("closeness_centrality", G, wf_improved, progress=progress)


@validation.explains_wrong_calls
def core_number(G: Graph, *, progress: bool = False) -> Any:
    """Find core numbers: the hand-written version of :func:`graphla.core_number`.

    Parameters, result and errors are the same. The kernel of engine "cpu" runs in one thread.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], n=5, kind="undirected")
    >>> gl.native.core_number(G).to_dense().tolist()
    [2, 2, 2, 1, 0]
    """
    validation.check_graph(G)
    return _run("core_number", G, progress=progress)


@validation.explains_wrong_calls
def k_truss(G: Graph, k: int, *, progress: bool = False) -> Any:
    """Find the k-truss: the hand-written version of :func:`graphla.k_truss`.

    Parameters, result and errors are the same.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], kind="undirected")
    >>> [x.tolist() for x in gl.native.k_truss(G, 3).to_coo()]
    [[0, 0, 1, 1, 2, 2], [1, 2, 0, 2, 0, 1], [1, 1, 1, 1, 1, 1]]
    """
    validation.require_symmetric(G, "k_truss")
    return _run("k_truss", G, validation.check_count(k, "k"), progress=progress)


@validation.explains_wrong_calls
def betweenness_centrality(
    G: Graph, sources: Any, *, batch: int = 16, progress: bool = False
) -> Any:
    """Sum shares of shortest paths: the hand-written :func:`graphla.betweenness_centrality`.

    Parameters, result and errors are the same, except for `batch`. On engine "cpu" at most 32
    sources are searched together; if the mean degree is below 8, or a vertex has more than 2^1600
    shortest paths from a source, each thread takes one source, with about 30 bytes for each
    vertex. On engine "cuda" at most 64 are. A batch there takes
    8 bytes for each vertex and source, and 8 or 12 bytes for each vertex of each level: a vertex
    is in as many levels as there are different distances to it from the sources. InvalidValue is
    raised there, during the search, if numbers of shortest paths to vertices at equal distance
    differ by more than about 2^1440.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1, 2], [1, 2, 3], kind="undirected")
    >>> gl.native.betweenness_centrality(G, range(4)).to_dense().tolist()
    [0.0, 4.0, 4.0, 0.0]
    """
    sources = validation.check_vertices(G, sources)
    batch = validation.check_count(batch, "batch")
    return _run("betweenness_centrality", G, sources, batch=batch, progress=progress)


@validation.explains_wrong_calls
def greedy_color(G: Graph, *, progress: bool = False) -> Any:
    """Colour the vertices: the hand-written version of :func:`graphla.greedy_color`.

    Parameters, result and errors are the same. Only on engine "cpu".

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], kind="undirected")
    >>> gl.native.greedy_color(G).to_dense().tolist()
    [1, 2, 0, 1]
    """
    validation.require_symmetric(G, "greedy_color")
    return _run("greedy_color", G, progress=progress)


@validation.explains_wrong_calls
def label_propagation(G: Graph, *, progress: bool = False) -> Any:
    """Label communities: the hand-written version of :func:`graphla.label_propagation`.

    Parameters, result and errors are the same. Only on engine "cpu".

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1, 2, 3, 4, 5, 2], [1, 2, 0, 4, 5, 3, 3], kind="undirected")
    >>> gl.native.label_propagation(G).to_dense().tolist()
    [0, 0, 0, 3, 3, 3]
    """
    validation.require_symmetric(G, "label_propagation")
    return _run("label_propagation", G, progress=progress)


@validation.explains_wrong_calls
def louvain(
    G: Graph,
    *,
    resolution: float = 1.0,
    tol: float = 1e-7,
    max_levels: int | None = None,
    progress: bool = False,
) -> Communities:
    """Find communities of large modularity: the hand-written version of :func:`graphla.louvain`.

    Parameters and errors are the same; only on engine "cpu". The communities are others: after
    the merges, vertices move again at every level, which mostly raises the modularity. They are
    deterministic, whatever the number of threads. Unless `tol` or `max_levels` ends the search, no
    merge of two adjacent ones raises the modularity by more than rounding errors.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 1, 2, 3, 4, 5, 2], [1, 2, 0, 4, 5, 3, 3], kind="undirected")
    >>> r = gl.native.louvain(G)
    >>> r.community.to_dense().tolist(), round(r.modularity, 4)
    ([0, 0, 0, 3, 3, 3], 0.3571)
    """
    limit = None if max_levels is None else validation.check_count(max_levels, "max_levels")
    validation.check_graph(G)
    resolution = validation.check_finite(resolution, "resolution")
    tol = validation.check_positive(tol, "tol")
    return _run("louvain", G, resolution, tol, limit, progress=progress)
