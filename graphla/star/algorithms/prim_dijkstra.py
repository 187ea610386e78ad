"""Minimum spanning forest of a list of edges: the algorithm of Prim and Dijkstra.

    repeat, v being the last vertex added to the tree:
        X = X ^ the edges of v         the edges with exactly one end in the tree
        e = the first row of X with the minimum weight;  e is in the forest
        v = the end of e that is not in the tree

Source: R. Prim, "Shortest connection networks and some generalizations", Bell Syst. Tech.
J. 36, 1957; E. Dijkstra, Numerische Mathematik 1, 1959; on the machine: A. Nepomniaschaya,
"Comparison of performing the Prim-Dijkstra algorithm and the Kruskal algorithm on
associative parallel processors", Cybern. Syst. Anal. 36, 2000.
"""

from __future__ import annotations

from graphla.star.algorithms.kruskal import edge_tables
from graphla.star.arcs import Arcs
from graphla.star.procedures import minimum
from graphla.star.slices import Slice


def prim_dijkstra(E: Arcs, X: Slice | None = None) -> Slice:
    """Find a spanning forest of least total weight, one tree after another.

    Parameters
    ----------
    E : Arcs
        Edges; which end is on the left does not matter.
    X : Slice, optional
        The rows to use; by default all in use.

    Returns
    -------
    Slice
        The rows of the forest.

    Examples
    --------
    >>> from graphla.star import Arcs
    >>> from graphla.star.algorithms import prim_dijkstra
    >>> prim_dijkstra(Arcs.from_edges([1, 2, 1, 4], [2, 3, 3, 5], [5, 2, 3, 7]))
    Slice('0111')
    """
    _, _, X = edge_tables(E, X)
    forest = Slice(E.capacity, engine=E.engine)
    outside = Slice(E.n, engine=E.engine).set_all()
    while v := int(outside.step()):
        crossing = E.touching(v, X)
        while e := int(minimum(E.weight, crossing).find()):
            forest[e] = True
            u, w = E.ends(e)
            v = u if outside[u] else w
            outside[v] = False
            crossing ^= E.touching(v, X)
    return forest
