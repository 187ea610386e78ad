"""Dynamic minimum spanning forest: edges and vertices are inserted and deleted.

    delete an edge of the forest    the lightest edge that joins both parts replaces it
    insert an edge                  it replaces the heaviest edge of the cycle that it closes
    delete a vertex                 Kruskal's algorithm joins the remaining trees
    insert a vertex                 Kruskal's algorithm on the old forest and the new edges

Source: P. Spira, A. Pan, "On finding and updating spanning trees and shortest paths",
SIAM J. Comput. 4, 1975; F. Chin, D. Houck, "Algorithms for updating minimal spanning
trees", J. Comput. Syst. Sci. 16, 1978; on the machine: A. Nepomniaschaya, "Associative
parallel algorithms for dynamic edge update of minimum spanning trees", PaCT 2003.
"""

from __future__ import annotations

from collections.abc import Mapping

from graphla.errors import InvalidValue
from graphla.star.algorithms.kruskal import edge_tables, kruskal
from graphla.star.arcs import Arcs, check_vertex, check_weight
from graphla.star.procedures import maximum, minimum
from graphla.star.slices import Slice
from graphla.star.trees import cut_edges, search_tree, tree_path


class SpanningForest:
    """A minimum spanning forest, updated when its graph changes.

    Parameters
    ----------
    E : Arcs
        The edges, no two between the same vertices. They are copied. `capacity` bounds the
        number of edges, and `weight.bits` the weights.

    Attributes
    ----------
    edges : Arcs
        The current edges.
    forest : Slice
        The rows of the forest.
    vertices : Slice
        The current vertices, initially all.

    Raises
    ------
    InvalidIndex
        A vertex is out of range 1..n.
    InvalidValue
        An edge to insert exists, or an edge to delete does not; an edge is a loop; a vertex was
        deleted; a weight does not fit; no row is free. Nothing is changed.

    Examples
    --------
    >>> from graphla.star import Arcs
    >>> from graphla.star.algorithms import SpanningForest
    >>> S = SpanningForest(Arcs.from_edges([1, 2, 1], [2, 3, 3], [5, 2, 3], capacity=4))
    >>> S.forest, S.weight
    (Slice('0110'), 5)
    >>> S.delete_edge(3, 2)
    >>> S.forest, S.weight
    (Slice('1010'), 8)
    """

    def __init__(self, E: Arcs) -> None:
        if edge_tables(E, None)[2] != E.used:
            raise InvalidValue("an edge is a loop")
        self.edges, self.forest = E.copy(), kruskal(E)
        self.vertices = Slice(E.n, engine=E.engine).set_all()

    @property
    def weight(self) -> int:
        """Total weight of the forest."""
        rows = self.forest.positions().tolist()
        return sum(int(self.edges.weight.row(e)) for e in rows)

    def insert_edge(self, u: int, v: int, w: int) -> None:
        """Add an edge of weight w between u and v."""
        u, v = self._ends(u, v)
        if self._row(u, v):
            raise InvalidValue(f"there is an edge {u}-{v} already")
        _, via = search_tree(self.edges, self.forest, u)
        e = self.edges.insert(u, v, w)
        cycle = tree_path(self.edges, via, v)
        cycle[e] = self.forest[e] = True
        if via.row(v):  # the edge closes a cycle
            heaviest = maximum(self.edges.weight, cycle)
            self.forest[e if heaviest[e] else int(heaviest.find())] = False

    def delete_edge(self, u: int, v: int) -> None:
        """Remove the edge between u and v."""
        u, v = self._ends(u, v)
        e = self._row(u, v)
        if not e:
            raise InvalidValue(f"there is no edge {u}-{v}")
        self.edges.delete(e)
        if self.forest[e]:
            self.forest[e] = False
            part, _ = search_tree(self.edges, self.forest, u)
            crossing = cut_edges(self.edges, part, self.edges.used)
            if e := int(minimum(self.edges.weight, crossing).find()):
                self.forest[e] = True

    def delete_vertex(self, v: int) -> None:
        """Remove a vertex and its edges."""
        v = self._current(v)
        deleted = self.edges.touching(v)
        self.vertices[v] = False
        self.edges.used -= deleted
        self.forest = kruskal(self.edges, kept=self.forest - deleted)

    def insert_vertex(self, v: int, neighbours: Mapping[int, int]) -> None:
        """Add a vertex that was deleted, with a weighted edge to each neighbour.

        Parameters
        ----------
        v : int
            The vertex.
        neighbours : mapping of int to int
            The weight of the edge to each neighbour.
        """
        E = self.edges
        v = check_vertex(v, E.n)
        if self.vertices[v]:
            raise InvalidValue(f"vertex {v} exists already")
        weights = {self._current(u): check_weight(w, E.weight.bits) for u, w in neighbours.items()}
        free = E.capacity - int(E.used.count())
        if len(weights) > free:
            raise InvalidValue(f"{len(weights)} edges do not fit in {free} free rows")
        self.vertices[v] = True
        candidates = self.forest.copy()
        for u, w in weights.items():
            candidates[E.insert(u, v, w)] = True
        self.forest = kruskal(E, candidates)

    def _current(self, v: int) -> int:
        """Return v; raise if it is not a current vertex."""
        v = check_vertex(v, self.edges.n)
        if not self.vertices[v]:
            raise InvalidValue(f"vertex {v} was deleted")
        return v

    def _ends(self, u: int, v: int) -> tuple[int, int]:
        u, v = self._current(u), self._current(v)
        if u == v:
            raise InvalidValue(f"{u}-{v} is a loop")
        return u, v

    def _row(self, u: int, v: int) -> int:
        """Return the row of an edge; 0 if there is none."""
        return self.edges.find(u, v) or self.edges.find(v, u)
