"""SciPy: `scipy.sparse.csgraph`, and sparse matrices where it has no function.

All of it runs on one thread, on a float64 matrix with 32-bit indices, the form that
csgraph does not copy. An explicit zero is an edge for the searches, but not for
`minimum_spanning_tree`, which drops it.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from graphla.comparison import convert
from graphla.comparison.implementations import Implementation
from graphla.comparison.refusals import negative_weights, too_long
from graphla.core.results import BFS, SSSP

if TYPE_CHECKING:
    from graphla.core.graph import Graph


def matrix(G: Graph) -> Any:
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
    """Iterate r = t + A' (d r / degree): SciPy has the product only."""
    n, degree = S.shape[0], np.diff(S.indptr)
    share, AT, r = damping / np.maximum(degree, 1), S.T, np.full(S.shape[0], 1 / max(S.shape[0], 1))
    change = np.inf
    while n and change >= tol:
        following = (1 - damping) / n + AT @ (r * share)
        following += (1 - following.sum()) / n
        change = abs(following - r).sum()
        r = following
    return r


def triangles(S: Any, start: None) -> int:
    """Sum (U U) * U, each edge once, to the end of higher degree."""
    from scipy.sparse import csr_array

    n, degree = S.shape[0], np.diff(S.indptr)
    src = np.repeat(np.arange(n, dtype=S.indices.dtype), degree)
    up = np.lexsort((np.arange(n), degree)).argsort()  # place in the order of degrees
    kept = up[src] < up[S.indices]
    U = csr_array((np.ones(int(kept.sum())), (src[kept], S.indices[kept])), shape=S.shape)
    return int((U @ U).multiply(U).sum())


def closure(S: Any, start: None) -> Any:
    """Search from every vertex; a vertex reaches itself where its strong component has a cycle."""
    from scipy.sparse.csgraph import breadth_first_order, connected_components

    _, part = connected_components(S, connection="strong")
    cyclic = (np.bincount(part)[part] > 1) | (S.diagonal() != 0) if S.shape[0] else part
    rows = (breadth_first_order(S, i, return_predecessors=False) for i in range(S.shape[0]))
    return [row if cyclic[i] else row[1:] for i, row in enumerate(rows)]


def as_bfs(G: Graph, result: Any) -> Any:
    order, before = result
    return BFS(None, convert.parents(before, order[0]))


def as_sssp(G: Graph, result: Any) -> Any:
    distance, before = result
    return SSSP(convert.distances(distance), convert.parents(before, source_of(distance, before)))


def source_of(distance: Any, before: Any) -> int:
    """Return the one vertex at distance 0 without a predecessor."""
    return int(np.flatnonzero((distance == 0) & (before < 0))[0])


def as_forest(G: Graph, tree: Any) -> Any:
    tree = tree.tocoo()
    src, dst = tree.coords
    return convert.forest(src, dst, tree.data)


def as_closure(G: Graph, rows: Any) -> Any:
    return convert.closure(G, rows)


def zero_weights(G: Graph) -> str | None:
    """csgraph's spanning tree takes a stored zero for no edge."""
    zero = G.csr.values is not None and not G.csr.values.all()
    return "takes edges of weight 0 for no edges" if zero else None


entry = partial(Implementation, name="scipy", prepare=matrix, library="scipy")
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
        result=lambda G, found: convert.distance_matrix(found),
        refuses=negative_weights,
    ),
    entry(
        algorithm="bellman_ford",
        returns="distances, parents",
        run=partial(paths, method="bellman_ford", tree=True),
        result=as_sssp,
        refuses=lambda G: too_long(G.n * G.A.nvals * 2e-9, "n m steps, without an early end"),
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
        result=as_closure,
        refuses=lambda G: too_long(G.n * G.A.nvals * 2e-9, "a search from each vertex"),
    ),
    entry(
        algorithm="connected_components",
        returns="components",
        run=partial(components, connection="weak"),
        result=lambda G, found: convert.smallest_vertices(found[1]),
    ),
    entry(
        algorithm="strongly_connected_components",
        returns="components",
        run=partial(components, connection="strong"),
        result=lambda G, found: convert.smallest_vertices(found[1]),
    ),
    entry(
        algorithm="pagerank",
        returns="ranks",
        run=pagerank,
        result=lambda G, ranks: convert.ranks(ranks),
    ),
    entry(algorithm="triangle_count", returns="count", run=triangles),
)
