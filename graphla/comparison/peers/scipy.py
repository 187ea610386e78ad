"""SciPy: `scipy.sparse.csgraph`, and sparse matrix products if csgraph lacks an algorithm.

Everything runs on one thread, on a float64 matrix with 32-bit indices, which csgraph does not
copy. An explicit zero is an edge in searches, but `minimum_spanning_tree` drops it.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from graphla.comparison import convert
from graphla.comparison.implementation import Implementation
from graphla.comparison.refusals import negative_weights, too_long
from graphla.core.results import BFS, SSSP

if TYPE_CHECKING:
    from graphla.core.graph import Graph


def to_matrix(G: Graph) -> Any:
    """Return the adjacency matrix; unweighted edges get weight 1."""
    from scipy.sparse import csr_array

    indptr, indices, values = G.csr
    data = np.ones(indices.size) if values is None else values.astype(np.float64)
    return csr_array((data, indices, indptr), shape=(G.n, G.n))


def bfs(S: Any, source: int) -> Any:
    from scipy.sparse.csgraph import breadth_first_order

    return breadth_first_order(S, source)


def paths(S: Any, source: int, *, method: str, tree: bool) -> Any:
    from scipy.sparse import csgraph

    return getattr(csgraph, method)(S, indices=source, return_predecessors=tree)


def spanning_forest(S: Any, start: None) -> Any:
    from scipy.sparse.csgraph import minimum_spanning_tree

    return minimum_spanning_tree(S)


def components(S: Any, start: None, *, connection: str) -> Any:
    from scipy.sparse.csgraph import connected_components

    return connected_components(S, connection=connection)


def pagerank(S: Any, start: None, *, damping: float = 0.85, tol: float = 1e-4) -> Any:
    """Iterate r = (1 - damping) / n + A' (damping r / degree), then spread the lost rank evenly."""
    n, degree = S.shape[0], np.diff(S.indptr)
    share, AT, r = damping / np.maximum(degree, 1), S.T, np.full(n, 1 / max(n, 1))
    change = np.inf
    while n and change >= tol:
        new = (1 - damping) / n + AT @ (r * share)
        new += (1 - new.sum()) / n
        change = abs(new - r).sum()
        r = new
    return r


def triangles(S: Any, start: None) -> int:
    """Sum (U U) * U, where U directs each edge to the end of higher degree."""
    from scipy.sparse import csr_array

    n, degree = S.shape[0], np.diff(S.indptr)
    src = np.repeat(np.arange(n, dtype=S.indices.dtype), degree)
    rank = np.lexsort((np.arange(n), degree)).argsort()
    upward = rank[src] < rank[S.indices]
    U = csr_array((np.ones(int(upward.sum())), (src[upward], S.indices[upward])), shape=S.shape)
    return int((U @ U).multiply(U).sum())


def closure(S: Any, start: None) -> Any:
    """Search from every vertex; a vertex reaches itself if its strong component has a cycle."""
    from scipy.sparse.csgraph import breadth_first_order, connected_components

    _, part = connected_components(S, connection="strong")
    cyclic = (np.bincount(part)[part] > 1) | (S.diagonal() != 0) if S.shape[0] else part
    rows = (breadth_first_order(S, i, return_predecessors=False) for i in range(S.shape[0]))
    return [row if cyclic[i] else row[1:] for i, row in enumerate(rows)]


def as_bfs(G: Graph, result: Any) -> Any:
    order, predecessor = result
    return BFS(None, convert.parents(predecessor, order[0]))


def as_sssp(G: Graph, result: Any) -> Any:
    distance, predecessor = result
    source = int(np.flatnonzero((distance == 0) & (predecessor < 0))[0])
    return SSSP(convert.distances(distance), convert.parents(predecessor, source))


def as_forest(G: Graph, tree: Any) -> Any:
    tree = tree.tocoo()
    src, dst = tree.coords
    return convert.forest(src, dst, tree.data)


def zero_weights(G: Graph) -> str | None:
    """Return a reason if a weight is 0: csgraph's spanning tree drops such an edge."""
    has_zero = G.csr.values is not None and not G.csr.values.all()
    return "ignores edges of weight 0" if has_zero else None


entry = partial(Implementation, name="scipy", prepare=to_matrix, library="scipy")
IMPLEMENTATIONS = (
    entry(algorithm="bfs", returns="order, parents", run=bfs, result=as_bfs),
    entry(
        algorithm="sssp",
        returns="distances, parents",
        run=partial(paths, method="dijkstra", tree=True),
        result=as_sssp,
        refuses=negative_weights,
    ),
    entry(
        algorithm="sssp_distances",
        returns="distances",
        run=partial(paths, method="dijkstra", tree=False),
        result=lambda G, distance: convert.distances(distance),
        refuses=negative_weights,
    ),
    entry(
        algorithm="all_pairs_shortest_paths",
        returns="distances",
        run=partial(paths, method="dijkstra", tree=False),
        result=lambda G, distance: convert.distance_matrix(distance),
        refuses=negative_weights,
    ),
    entry(
        algorithm="bellman_ford",
        returns="distances, parents",
        run=partial(paths, method="bellman_ford", tree=True),
        result=as_sssp,
        refuses=lambda G: too_long(G.n * G.A.nvals * 2e-9, "n m steps, it does not stop early"),
    ),
    entry(
        algorithm="minimum_spanning_forest",
        returns="forest",
        run=spanning_forest,
        result=as_forest,
        refuses=zero_weights,
    ),
    entry(
        algorithm="transitive_closure",
        returns="rows of vertices",
        run=closure,
        result=convert.closure,
        refuses=lambda G: too_long(G.n * G.A.nvals * 2e-9, "a search from each vertex"),
    ),
    entry(
        algorithm="connected_components",
        returns="components",
        run=partial(components, connection="weak"),
        result=lambda G, result: convert.smallest_vertices(result[1]),
    ),
    entry(
        algorithm="strongly_connected_components",
        returns="components",
        run=partial(components, connection="strong"),
        result=lambda G, result: convert.smallest_vertices(result[1]),
    ),
    entry(
        algorithm="pagerank",
        returns="ranks",
        run=pagerank,
        result=lambda G, ranks: convert.ranks(ranks),
    ),
    entry(algorithm="triangle_count", returns="count", run=triangles),
)
