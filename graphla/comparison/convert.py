"""Arrays of other libraries as graphla's results, for the check, and graphs as their columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from graphblas import Matrix, Vector

from graphla.core.results import Edges, Forest, PageRank

if TYPE_CHECKING:
    from graphla.core.graph import Graph


def vector(values: Any, present: Any = True) -> Any:
    """Return an array as a Vector, with entries where `present`."""
    values = np.asarray(values)
    index = np.flatnonzero(np.broadcast_to(present, values.shape))
    return Vector.from_coo(index, values[index], size=values.size)


def mapping(G: Graph, values: Any, dtype: Any = np.int64) -> Any:
    """Return {vertex: value} as a Vector."""
    index = np.fromiter(values.keys(), np.int64, len(values))
    return Vector.from_coo(index, np.fromiter(values.values(), dtype, len(values)), size=G.n)


def distances(values: Any) -> Any:
    """Return an array of distances as a Vector without the unreached: infinity, or the largest."""
    values = np.asarray(values, np.float64)
    return vector(values, values < np.finfo(np.float64).max)


def table(values: Any) -> Any:
    """Return distances, a row a source, as a Matrix without the unreached."""
    return Matrix.from_dense(np.asarray(values, np.float64), missing_value=np.inf)


def levels(values: Any) -> Any:
    """Return distances without weights as a Vector of integers."""
    values = np.asarray(values, np.float64)
    reached = values < np.finfo(np.float64).max
    return vector(np.where(reached, values, 0).astype(np.int64), reached)


def parents(values: Any, source: int) -> Any:
    """Return an array of parents, negative where there is none, as a Vector."""
    values = np.array(values, np.int64)
    values[source] = source
    return vector(values, values >= 0)


def smallest(label: Any) -> Any:
    """Return any labels of components as a Vector of each one's smallest vertex."""
    _, first, inverse = np.unique(np.asarray(label), return_index=True, return_inverse=True)
    return vector(first[inverse].astype(np.int64))


def members(G: Graph, sets: Any) -> Any:
    """Return components given as collections of vertices as a Vector of smallest vertices."""
    label = np.full(G.n, -1)
    for each in sets:
        index = np.fromiter(each, np.int64, len(each))
        label[index] = index.min()
    return vector(label, label >= 0)


def forest(src: Any, dst: Any, weight: Any) -> Forest:
    """Return the edges of a forest, whose total weight and components are left to the check."""
    src, dst = np.asarray(src, np.int64), np.asarray(dst, np.int64)
    return Forest(
        Edges(*map(vector, (np.minimum(src, dst), np.maximum(src, dst), np.asarray(weight)))),
        None,
        None,
    )


def weights_of(G: Graph, src: Any, dst: Any) -> Any:
    """Return the weights of edges of an undirected graph."""
    first, second, weight = edges(G)
    if weight is None:
        return np.ones(src.size, np.int64)
    key = first * np.int64(G.n) + second
    return weight[np.searchsorted(key, np.minimum(src, dst) * np.int64(G.n) + np.maximum(src, dst))]


def closure(G: Graph, rows: Any) -> Any:
    """Return a closure given as the reached vertices of each row."""
    src = np.repeat(np.arange(G.n), np.array([len(row) for row in rows], np.int64))
    dst = np.concatenate([np.empty(0, np.int64), *(np.asarray(row, np.int64) for row in rows)])
    return Matrix.from_coo(src, dst, True, nrows=G.n, ncols=G.n)


def ranks(values: Any) -> PageRank:
    """Return ranks alone."""
    return PageRank(vector(np.asarray(values, np.float64)), None, None)  # type: ignore[arg-type]


def columns(G: Graph) -> tuple[Any, Any, Any]:
    """Return sources, targets and weights of the stored edges; None for no weights."""
    indptr, indices, values = G.csr
    return np.repeat(np.arange(G.n, dtype=indices.dtype), np.diff(indptr)), indices, values


def edges(G: Graph) -> tuple[Any, Any, Any]:
    """Return the columns with each edge of an undirected graph once: source <= target."""
    src, dst, weight = columns(G)
    if G.kind == "directed":
        return src, dst, weight
    once = src <= dst
    return src[once], dst[once], None if weight is None else weight[once]
