"""Whether a graph is a tree, a forest, a branching or an arborescence, by counting.

    forest        m = n - c,    m edges, c weakly connected components
    tree          m = n - 1,    c = 1
    branching     a forest,     max (A' plus.pair 1) <= 1
    arborescence  a tree,       max (A' plus.pair 1) <= 1

Cost: O(m), most of it for the components.

Source: R. Diestel, "Graph Theory", ch. 1.5; J. Edmonds, "Optimum branchings", J. Res. Natl.
Bur. Stand. 71B (1967).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphblas import binary, indexunary, monoid
from graphblas.dtypes import INT64

from graphla.algorithms.components.connected_components import connected_components
from graphla.core import validation
from graphla.errors import InvalidGraph

if TYPE_CHECKING:
    from graphla.core.graph import Graph


@validation.explains_wrong_calls
def is_forest(G: Graph) -> bool:
    """Return whether a graph has no cycle, edges being undirected.

    Parameters
    ----------
    G : Graph
        In a directed graph two edges u -> v and v -> u are a cycle. A self-loop is a
        cycle, too.

    Returns
    -------
    bool

    Raises
    ------
    InvalidGraph
        The graph has no vertex.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.is_forest(gl.Graph.from_edges([0, 2, 3], [1, 3, 4], n=6, kind="undirected"))
    True
    """
    return _count_edges(G, "is_forest") == G.n - _count_components(G)


@validation.explains_wrong_calls
def is_tree(G: Graph) -> bool:
    """Return whether a graph is a forest and (weakly) connected.

    Parameters and errors are those of :func:`is_forest`.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.is_tree(gl.Graph.from_edges([0, 1, 1], [1, 2, 3], kind="undirected"))
    True
    """
    return _count_edges(G, "is_tree") == G.n - 1 and _count_components(G) == 1


@validation.explains_wrong_calls
def is_branching(G: Graph) -> bool:
    """Return whether a directed graph is a forest in which no vertex has two edges into it.

    Parameters and errors are those of :func:`is_forest`; an undirected graph is refused
    (InvalidGraph).

    Examples
    --------
    >>> import graphla as gl
    >>> gl.is_branching(gl.Graph.from_edges([0, 1], [2, 2]))
    False
    """
    _require_directed(G, "is_branching")
    return is_forest(G) and _has_in_degrees_below_two(G)


@validation.explains_wrong_calls
def is_arborescence(G: Graph) -> bool:
    """Return whether a directed graph is a tree in which no vertex has two edges into it.

    Parameters and errors are those of :func:`is_branching`.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.is_arborescence(gl.Graph.from_edges([0, 0], [1, 2]))
    True
    """
    _require_directed(G, "is_arborescence")
    return is_tree(G) and _has_in_degrees_below_two(G)


def _require_directed(G: Graph, algorithm: str) -> None:
    """Raise InvalidGraph for an undirected graph."""
    if G.kind != "directed":
        raise InvalidGraph(f"{algorithm}: the graph is undirected")


def _count_edges(G: Graph, algorithm: str) -> int:
    """Return the number of edges, undirected ones counted once; refuse an empty graph."""
    validation.check_graph(G)
    if not G.n:
        raise InvalidGraph(f"{algorithm}: the graph has no vertex")
    if G.kind == "directed":
        return int(G.A.nvals)
    return int(G.A.nvals + G.nself_edges) // 2


def _count_components(G: Graph) -> int:
    """Return the number of weak components: of the vertices that are their own label."""
    label = connected_components(G)
    own = label.apply(indexunary.rowindex).new(INT64)
    return int(label.ewise_mult(own, binary.eq).new(INT64).reduce(monoid.plus).new().get(0))


def _has_in_degrees_below_two(G: Any) -> bool:
    """Return whether no vertex has two edges into it."""
    return int(G.in_degree.reduce(monoid.max).new().get(0)) <= 1
