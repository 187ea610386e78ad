"""Graphs with their vertices in another order.

The matrix becomes P A P', and its rows are sorted again in time O(n + edges) on the CPU,
by appending each column, in the new order, to the rows that it has entries in, and on
the device by one radix sort of (row, column, weight).

Sources: sort by degree and breadth-first numbering: A. Kolganov, 2018. E. Cuthill,
J. McKee, "Reducing the bandwidth of sparse symmetric matrices", ACM 1969; reversed:
A. George, J. Liu, 1981.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from graphblas import binary, unary
from graphblas.dtypes import BOOL

from graphla.core.input_arrays import index_dtype
from graphla.errors import DimensionMismatch, DomainMismatch, InvalidGraph, InvalidIndex
from graphla.transform import engine
from graphla.transform.permutation import Permutation

if TYPE_CHECKING:
    from graphla.core.graph import Graph


class Renumbered(NamedTuple):
    """A graph with its vertices in another order, and what undoes it."""

    graph: Graph
    permutation: Permutation


@engine.refusing
def renumber(G: Graph, order: Any) -> Renumbered:
    """Give the vertices other numbers: vertex ``order[k]`` becomes k.

    Parameters
    ----------
    G : Graph
    order : array_like of int
        Each vertex at most once, and each that has an edge: the others are cut off.
        For engine "cuda" an array of the device will do, too.

    Returns
    -------
    Renumbered
        ``graph`` of ``len(order)`` vertices, of the kind and dtype of G;
        ``permutation`` with ``vertex(v)``, ``undo(result)``, ``restore(graph)``.

    Raises
    ------
    DomainMismatch, DimensionMismatch
        `order` is not one list of integers.
    InvalidIndex, InvalidGraph
        It names what is no vertex; or one twice, or not one that has an edge.

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
    xp = engine.engine_for(G).xp
    try:
        order = xp.asarray(order)
    except (TypeError, ValueError) as error:
        raise DomainMismatch(f"order is not an array: {error}") from None
    if order.ndim != 1:
        raise DimensionMismatch(f"order has shape {order.shape}; it is one list of vertices")
    if order.size and order.dtype.kind not in "iu":
        raise DomainMismatch(f"order holds {order.dtype}; vertices are integers")
    if order.size and not 0 <= int(order.min()) <= int(order.max()) < G.n:
        raise InvalidIndex(f"order names what is no vertex: they are 0..n-1, n={G.n}")
    order = order.astype(index_dtype(G.n).np_type)
    place = engine.inverse(order, G.n, xp)
    if order.size > G.n or bool((place[order] != xp.arange(order.size)).any()):
        raise InvalidGraph(f"order names {order.size} vertices, one of them twice: n={G.n}")
    if bool(((place < 0) & _has_edge(G)).any()):
        raise InvalidGraph("order leaves out a vertex that has an edge")
    return _renumbered(G, order, place)


@engine.refusing
def by_degree(G: Graph, *, cut: bool = True) -> Renumbered:
    """Sort the vertices by descending out-degree; those of equal degree keep their order.

    Parameters
    ----------
    G : Graph
    cut : bool, default True
        Cut off the vertices without any edge; they come last otherwise.

    Returns
    -------
    Renumbered
        As of :func:`renumber`.

    Examples
    --------
    >>> import graphla as gl
    >>> H, permutation = gl.transform.by_degree(gl.generate.star(4))
    >>> H.out_degree.to_dense().tolist()
    [3, 1, 1, 1]
    """
    engine.engine_for(G)
    order = engine.by_degree(G)
    if cut:
        order = order[_has_edge(G)[order]]
    return _renumbered(G, order)


@engine.refusing
def breadth_first(G: Graph) -> Renumbered:
    """Number the vertices in the order of a breadth-first sweep of each component.

    A sweep begins at the smallest vertex that has no number yet, and takes neighbours in
    ascending order; edges count in both directions. Connected vertices get close numbers.

    Returns
    -------
    Renumbered
        As of :func:`renumber`; no vertex is cut off.

    Notes
    -----
    On the CPU a queue runs. On the device all components are searched together, level by
    level, a level sorted by the first neighbour in the one before, which gives the same order.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 4, 2], [4, 2, 5], n=6, kind="undirected")
    >>> gl.transform.breadth_first(G).permutation.order.tolist()
    [0, 4, 2, 5, 1, 3]
    """
    module = engine.engine_for(G)
    return _renumbered(G, module.queued(_both_ways(G), module.xp.arange(G.n), None))


@engine.refusing
def reverse_cuthill_mckee(G: Graph) -> Renumbered:
    """Number the vertices for a small bandwidth: reverse Cuthill-McKee.

    As :func:`breadth_first`, but a sweep begins at a vertex of least degree, takes neighbours
    by ascending degree, and all numbers are turned round at the end. Equal degrees are
    taken by number.

    Returns
    -------
    Renumbered
        As of :func:`renumber`; no vertex is cut off.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph.from_edges([0, 4, 2, 5], [4, 2, 5, 1], n=6, kind="undirected")
    >>> gl.transform.reverse_cuthill_mckee(G).permutation.order.tolist()
    [1, 5, 2, 4, 0, 3]
    """
    module = engine.engine_for(G)
    both = _both_ways(G)
    degree = engine.degrees(both)
    return _renumbered(G, module.queued(both, degree.argsort(kind="stable"), degree)[::-1].copy())


def _renumbered(G: Graph, order: Any, place: Any = None) -> Renumbered:
    module = engine.engine_for(G)
    permutation = Permutation(order, G.n, G.engine, module.xp)
    permutation._place = place
    rows = module.arranged(G, order.size, permutation.place, permutation.order, None)
    return Renumbered(engine.graph(rows, G), permutation)


def _has_edge(G: Graph) -> Any:
    """Return for each vertex whether it has an edge, in or out."""
    found = engine.degrees(G) > 0
    return found if G.kind == "undirected" else found | (G.in_degree.to_dense() > 0)


def _both_ways(G: Graph) -> Graph:
    """Return the structure of the graph with each edge in both directions."""
    if G.kind == "undirected":
        return G
    from graphla.core.graph import Graph

    both = binary.any(G.A | G.AT).new().apply(unary.one).new(BOOL)
    made = Graph.__new__(Graph)
    made.__setstate__((both, "undirected"))
    return made
