"""Rows for native kernels: each list of neighbours in another order than that of columns.

The algebra asks for ascending columns, so these are arrays, not a Graph.

Sources: by degree, so that a search bottom-up soon meets a visited neighbour:
A. Kolganov, 2018; by weight, so that Boruvka's algorithm soon meets the lightest edge
out of a tree: A. Kolganov, 2015.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from graphla.core import validation
from graphla.transform import engine

if TYPE_CHECKING:
    from graphla.core.edge_list import Kind
    from graphla.core.graph import Graph


class Rows(NamedTuple):
    """Lists of neighbours: those of vertex i are ``indices[indptr[i]:indptr[i + 1]]``.

    The arrays are of the graph's engine; `values`, the weights, is None without weights.
    `order` says what the lists are sorted by: "column", "degree" or "weight",
    `kind` is that of the graph.
    """

    n: int
    indptr: Any
    indices: Any
    values: Any
    order: str
    kind: Kind
    engine: str


@engine.refusing
def rows_by_degree(G: Graph) -> Rows:
    """Return each list of neighbours by descending out-degree of the neighbour.

    Neighbours of equal degree stay in ascending order.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 0, 1, 1], [1, 2, 2, 3], kind="undirected")
    >>> rows = gl.transform.rows_by_degree(G)
    >>> rows.indices.tolist()
    [1, 2, 0, 2, 3, 1, 0, 1]
    """
    module = engine.engine_for(G)
    order = engine.by_degree(G)
    every = module.xp.arange(G.n)
    indptr, indices, values = module.arranged(G, G.n, every, order, order)
    return Rows(G.n, indptr, indices, values, "degree", G.kind, G.engine)


@engine.refusing
def rows_by_weight(G: Graph) -> Rows:
    """Return each list of neighbours by ascending weight, equal weights by neighbour.

    On the CPU that is ``G.csr_by_weight``, kept by the graph. NaN is refused
    (InvalidValue).

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 0, 0], [1, 2, 3], [7, -1, 5])
    >>> rows = gl.transform.rows_by_weight(G)
    >>> rows.indices.tolist(), rows.values.tolist()
    ([2, 3, 1], [-1, 5, 7])
    """
    module = engine.engine_for(G)
    validation.no_nan(G, "rows_by_weight")
    indptr, indices, values = module.by_weight(G)
    return Rows(G.n, indptr, indices, values, "weight", G.kind, G.engine)
