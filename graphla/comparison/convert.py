"""Convert results of other libraries to graphla's, for verification, and graphs to edge columns."""

from __future__ import annotations

from typing import Any

import numpy as np
from graphblas import Matrix, Vector, select

from graphla.core.graph import Graph
from graphla.core.results import Communities, Edges, Forest, PageRank


def vector(values: Any, present: Any = True) -> Any:
    """Return an array as a Vector with entries where `present` is True."""
    values = np.asarray(values)
    index = np.flatnonzero(np.broadcast_to(present, values.shape))
    return Vector.from_coo(index, values[index], size=values.size)


def vector_from_dict(G: Graph, values: Any, dtype: Any = np.int64) -> Any:
    """Return a dict {vertex: value} as a Vector."""
    index = np.fromiter(values.keys(), np.int64, len(values))
    return Vector.from_coo(index, np.fromiter(values.values(), dtype, len(values)), size=G.n)


def distances(values: Any) -> Any:
    """Return distances as a Vector; infinity and the largest FP64 mean unreached: no entry."""
    values = np.asarray(values, np.float64)
    return vector(values, values < np.finfo(np.float64).max)


def distance_matrix(values: Any) -> Any:
    """Return distances, a row for each source, as a Matrix; infinity means unreached: no entry."""
    return Matrix.from_dense(np.asarray(values, np.float64), missing_value=np.inf)


def levels(values: Any) -> Any:
    """Return the distances of an unweighted search as a Vector of integers."""
    values = np.asarray(values, np.float64)
    reached = values < np.finfo(np.float64).max
    return vector(np.where(reached, values, 0).astype(np.int64), reached)


def parents(values: Any, source: int) -> Any:
    """Return parents as a Vector; a negative number means no parent. The source is its own."""
    values = np.array(values, np.int64)
    values[source] = source
    return vector(values, values >= 0)


def smallest_vertices(label: Any) -> Any:
    """Return component labels of any kind as a Vector of each component's smallest vertex."""
    _, first, inverse = np.unique(np.asarray(label), return_index=True, return_inverse=True)
    return vector(first[inverse].astype(np.int64))


def components_from_sets(G: Graph, sets: Any) -> Any:
    """Return components, given as sets of vertices, as a Vector of their smallest vertices."""
    label = np.full(G.n, -1)
    for component in sets:
        index = np.fromiter(component, np.int64, len(component))
        label[index] = index.min()
    return vector(label, label >= 0)


def forest(src: Any, dst: Any, weight: Any) -> Forest:
    """Return a Forest of these edges without total weight and components."""
    src, dst = np.asarray(src, np.int64), np.asarray(dst, np.int64)
    return Forest(
        Edges(*map(vector, (np.minimum(src, dst), np.maximum(src, dst), np.asarray(weight)))),
        None,
        None,
    )


def weights_of(G: Graph, src: Any, dst: Any) -> Any:
    """Return the weights of the edges (src, dst) of an undirected graph."""
    first, second, weight = edges(G)
    if weight is None:
        return np.ones(src.size, np.int64)
    key = first * np.int64(G.n) + second
    return weight[np.searchsorted(key, np.minimum(src, dst) * np.int64(G.n) + np.maximum(src, dst))]


def closure(G: Graph, rows: Any) -> Any:
    """Return a closure, given as the reached vertices of each vertex, as a Matrix."""
    src = np.repeat(np.arange(G.n), np.array([len(row) for row in rows], np.int64))
    dst = np.concatenate([np.empty(0, np.int64), *(np.asarray(row, np.int64) for row in rows)])
    return Matrix.from_coo(src, dst, True, nrows=G.n, ncols=G.n)


def ranks(values: Any) -> PageRank:
    """Return an array of ranks as a PageRank without iterations and residual."""
    return PageRank(vector(np.asarray(values, np.float64)), None, None)  # type: ignore[arg-type]


def communities(label: Any) -> Communities:
    """Return labels of any kind as communities without their modularity."""
    return Communities(smallest_vertices(label), None)  # type: ignore[arg-type]


def without_self_edges(G: Graph) -> Graph:
    """Return the graph without self-loops, for libraries that count them."""
    if not G.nself_edges:
        return G
    return Graph(G.A.select(select.offdiag).new(), kind=G.kind, copy=False)


def columns(G: Graph) -> tuple[Any, Any, Any]:
    """Return (src, dst, weight) of the stored edges; weight None if the graph is unweighted."""
    indptr, indices, values = G.csr
    return np.repeat(np.arange(G.n, dtype=indices.dtype), np.diff(indptr)), indices, values


def edges(G: Graph) -> tuple[Any, Any, Any]:
    """Return the same with each edge of an undirected graph once, src <= dst."""
    src, dst, weight = columns(G)
    if G.kind == "directed":
        return src, dst, weight
    once = src <= dst
    return src[once], dst[once], None if weight is None else weight[once]
