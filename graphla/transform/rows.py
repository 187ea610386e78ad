"""Rows for native kernels: lists of neighbours that are not in the order of columns.

A GraphBLAS matrix has ascending columns, so the result is arrays, not a Graph.

Sources: sorted by degree, so that a bottom-up search finds a visited neighbour early:
A. Kolganov, 2018; sorted by weight, so that Boruvka's algorithm finds the lightest edge out of a
tree early: A. Kolganov, 2015.
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

    The arrays are on the graph's engine; `values` is the weights, None if unweighted.
    `order` is the key by which each list is sorted: "column", "degree" or "weight".
    `kind` is the kind of the graph.
    """

    n: int
    indptr: Any
    indices: Any
    values: Any
    order: str
    kind: Kind
    engine: str


def neighbour_lists(G: Graph | Rows) -> tuple[engine.EngineOperations, Rows]:
    """Return the engine's operations, and the lists of a graph; Rows are returned unchanged."""
    if isinstance(G, Rows):
        return engine.operations(G.engine), G
    ops = engine.operations_for(G)
    indptr, indices, values = ops.csr_arrays(G)
    return ops, Rows(G.n, indptr, indices, values, "column", G.kind, G.engine)


@engine.translate_out_of_memory
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
    ops = engine.operations_for(G)
    order = engine.descending_degree_order(G)
    same_rows = ops.xp.arange(G.n)
    indptr, indices, values = ops.permute(G, G.n, same_rows, order, order)
    return Rows(G.n, indptr, indices, values, "degree", G.kind, G.engine)


@engine.translate_out_of_memory
def rows_by_weight(G: Graph) -> Rows:
    """Return each list of neighbours by ascending weight, equal weights by neighbour.

    NaN is refused (InvalidValue).

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 0, 0], [1, 2, 3], [7, -1, 5])
    >>> rows = gl.transform.rows_by_weight(G)
    >>> rows.indices.tolist(), rows.values.tolist()
    ([2, 3, 1], [-1, 5, 7])
    """
    ops = engine.operations_for(G)
    validation.refuse_nan(G, "rows_by_weight")
    indptr, indices, values = ops.sort_rows_by_weight(G)
    return Rows(G.n, indptr, indices, values, "weight", G.kind, G.engine)
