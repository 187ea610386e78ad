"""Renumber the vertices of a graph: the matrix A becomes P A P'.

The rows are sorted again: on the CPU in time O(n + edges), by appending each column, in the new
order, to its rows; on the device by one radix sort of (row, column, weight).

Sources: sort by degree and breadth-first numbering: A. Kolganov, 2018. E. Cuthill,
J. McKee, "Reducing the bandwidth of sparse symmetric matrices", ACM 1969; reversed:
A. George, J. Liu, 1981.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from graphblas import binary, unary
from graphblas.dtypes import BOOL

from graphla.core.validation import index_dtype
from graphla.errors import DimensionMismatch, DomainMismatch, InvalidGraph, InvalidIndex
from graphla.transform import engine
from graphla.transform.permutation import Permutation

if TYPE_CHECKING:
    from graphla.core.graph import Graph


class Renumbered(NamedTuple):
    """A renumbered graph, and the permutation, which brings results back to the old numbers."""

    graph: Graph
    permutation: Permutation


@engine.translate_out_of_memory
def renumber(G: Graph, order: Any) -> Renumbered:
    """Renumber the vertices: vertex ``order[k]`` becomes k.

    Parameters
    ----------
    G : Graph
    order : array_like of int
        Each vertex at most once, and at least the vertices that have an edge: the vertices that
        are not in it are cut off. On engine "cuda" it can be a device array.

    Returns
    -------
    Renumbered
        ``graph`` of ``len(order)`` vertices, of the kind and dtype of G;
        ``permutation`` with ``vertex(v)``, ``undo(result)``, ``restore(graph)``.

    Raises
    ------
    DomainMismatch, DimensionMismatch
        `order` is not one-dimensional, or not of integers.
    InvalidIndex, InvalidGraph
        It has an index out of range; a vertex twice, or not every vertex that has an edge.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph([[0, 5, 0], [0, 0, 2], [0, 0, 0]])
    >>> H, permutation = gl.transform.renumber(G, [2, 0, 1])
    >>> H.A.to_dense(fill_value=0).tolist()
    [[0, 0, 0], [0, 0, 5], [2, 0, 0]]
    >>> permutation.restore(H).A.isequal(G.A)
    True
    """
    xp = engine.operations_for(G).xp
    try:
        order = xp.asarray(order)
    except (TypeError, ValueError) as error:
        raise DomainMismatch(f"order is not an array: {error}") from None
    if order.ndim != 1:
        raise DimensionMismatch(f"order has shape {order.shape}; expected one dimension")
    if order.size and order.dtype.kind not in "iu":
        raise DomainMismatch(f"order has dtype {order.dtype}; vertices are integers")
    if order.size and not 0 <= int(order.min()) <= int(order.max()) < G.n:
        raise InvalidIndex(f"order has an index out of range 0..n-1, n={G.n}")
    order = order.astype(index_dtype(G.n).np_type)
    new_number = engine.inverse_permutation(order, G.n, xp)
    if order.size > G.n or bool((new_number[order] != xp.arange(order.size)).any()):
        raise InvalidGraph(f"order has {order.size} elements, one vertex twice: n={G.n}")
    if bool(((new_number < 0) & _has_edge(G)).any()):
        raise InvalidGraph("order leaves out a vertex that has an edge")
    return _renumbered(G, order, new_number)


@engine.translate_out_of_memory
def by_degree(G: Graph, *, cut: bool = True) -> Renumbered:
    """Sort the vertices by descending out-degree; those of equal degree keep their order.

    Parameters
    ----------
    G : Graph
    cut : bool, default True
        Cut off the vertices without edges; otherwise they come last.

    Returns
    -------
    Renumbered
        As for :func:`renumber`.

    Examples
    --------
    >>> import graphla as gl
    >>> H, permutation = gl.transform.by_degree(gl.generate.star(4))
    >>> H.out_degree.to_dense().tolist()
    [3, 1, 1, 1]
    """
    engine.operations_for(G)
    order = engine.descending_degree_order(G)
    if cut:
        order = order[_has_edge(G)[order]]
    return _renumbered(G, order)


@engine.translate_out_of_memory
def breadth_first(G: Graph) -> Renumbered:
    """Number the vertices in the order of a breadth-first search of each component.

    A search starts at the smallest vertex without a number and visits neighbours in ascending
    order, along edges in both directions. Adjacent vertices get close numbers.

    Returns
    -------
    Renumbered
        As for :func:`renumber`; no vertex is cut off.

    Notes
    -----
    On the CPU this is a search with a queue. On the device all components are searched together,
    level by level; sorting each level by the first neighbour in the level before gives the same
    order.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 4, 2], [4, 2, 5], n=6, kind="undirected")
    >>> gl.transform.breadth_first(G).permutation.order.tolist()
    [0, 4, 2, 5, 1, 3]
    """
    ops = engine.operations_for(G)
    order = ops.breadth_first_order(_both_directions(G), ops.xp.arange(G.n), None)
    return _renumbered(G, order)


@engine.translate_out_of_memory
def reverse_cuthill_mckee(G: Graph) -> Renumbered:
    """Number the vertices for a small bandwidth: reverse Cuthill-McKee.

    As :func:`breadth_first`, but a search starts at a vertex of smallest degree and visits
    neighbours by ascending degree, ties by vertex, and the order is reversed at the end.

    Returns
    -------
    Renumbered
        As for :func:`renumber`; no vertex is cut off.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 4, 2, 5], [4, 2, 5, 1], n=6, kind="undirected")
    >>> gl.transform.reverse_cuthill_mckee(G).permutation.order.tolist()
    [1, 5, 2, 4, 0, 3]
    """
    ops = engine.operations_for(G)
    symmetric = _both_directions(G)
    degree = engine.out_degrees(symmetric)
    order = ops.breadth_first_order(symmetric, degree.argsort(kind="stable"), degree)
    return _renumbered(G, order[::-1].copy())


def _renumbered(G: Graph, order: Any, new_number: Any = None) -> Renumbered:
    """Return the graph in a checked order; `new_number` is the inverse, if it is known."""
    ops = engine.operations_for(G)
    permutation = Permutation(order, G.n, G.engine, ops.xp)
    permutation._place = new_number
    rows = ops.permute(G, order.size, permutation.place, permutation.order, None)
    return Renumbered(engine.graph_from_rows(rows, G), permutation)


def _has_edge(G: Graph) -> Any:
    """Return for each vertex whether it has an edge, in or out."""
    has_out = engine.out_degrees(G) > 0
    return has_out if G.kind == "undirected" else has_out | (G.in_degree.to_dense() > 0)


def _both_directions(G: Graph) -> Graph:
    """Return the structure of the graph with each edge in both directions."""
    if G.kind == "undirected":
        return G
    symmetric = binary.any(G.A | G.AT).new().apply(unary.one).new(BOOL)
    return engine.graph_from_matrix(symmetric, "undirected")
