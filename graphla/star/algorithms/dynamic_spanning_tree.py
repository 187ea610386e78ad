"""A minimum spanning forest that follows its graph: edges and vertices come and go.

    delete an edge of the forest    the lightest edge that joins both parts replaces it
    insert an edge                  it replaces the heaviest edge of the cycle that it closes
    delete a vertex                 what is left of the forest is joined again, Kruskal's way
    insert a vertex                 the forest is among the old one and the new edges

Source: P. Spira, A. Pan, "On finding and updating spanning trees and shortest paths",
SIAM J. Comput. 4, 1975; F. Chin, D. Houck, "Algorithms for updating minimal spanning
trees", J. Comput. Syst. Sci. 16, 1978; on the machine: A. Nepomniaschaya, "Associative
parallel algorithms for dynamic edge update of minimum spanning trees", PaCT 2003.
"""

from __future__ import annotations

from collections.abc import Mapping

from graphla.errors import InvalidValue
from graphla.star.algorithms.kruskal import edges, kruskal
from graphla.star.arcs import Arcs, check_vertex, check_weight
from graphla.star.procedures import maximum, minimum
from graphla.star.slices import Slice
from graphla.star.trees import leaving, path, reached


class SpanningForest:
    """A minimum spanning forest, kept while its graph changes.

    Parameters
    ----------
    E : Arcs
        The edges, no two between the same vertices; their `capacity` bounds how many
        there may ever be, and their bits the weights. They are copied.

    Attributes
    ----------
    edges : Arcs
        The edges that there are.
    forest : Slice
        The rows of the forest among them.
    vertices : Slice
        The vertices that there are, at first all.

    Raises
    ------
    InvalidIndex
        A vertex is none of 1..n.
    InvalidValue
        An update that does not apply: an edge that is there already, or is not; a loop; an
        end that is not there; a weight that does not fit; no row free. Nothing has changed.

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
        if edges(E, None)[2] != E.used:
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
        _, via = reached(self.edges, self.forest, u)
        e = self.edges.insert(u, v, w)
        cycle = path(self.edges, via, v)
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
            part, _ = reached(self.edges, self.forest, u)
            crossing = leaving(self.edges, part, self.edges.used)
            if e := int(minimum(self.edges.weight, crossing).find()):
                self.forest[e] = True

    def delete_vertex(self, v: int) -> None:
        """Remove a vertex and its edges."""
        v = self._there(v)
        gone = self.edges.touching(v)
        self.vertices[v] = False
        self.edges.used -= gone
        self.forest = kruskal(self.edges, kept=self.forest - gone)

    def insert_vertex(self, v: int, neighbours: Mapping[int, int]) -> None:
        """Add a vertex that is not there, with an edge of a weight to each neighbour.

        Parameters
        ----------
        v : int
            A vertex of 1..n that was deleted.
        neighbours : mapping of int to int
            The weight of the edge to each.
        """
        E = self.edges
        v = check_vertex(v, E.n)
        if self.vertices[v]:
            raise InvalidValue(f"vertex {v} is there already")
        new = {self._there(u): check_weight(w, E.weight.bits) for u, w in neighbours.items()}
        free = E.capacity - int(E.used.count())
        if len(new) > free:
            raise InvalidValue(f"{len(new)} edges do not fit the {free} rows that are free")
        self.vertices[v] = True
        candidates = self.forest.copy()
        for u, w in new.items():
            candidates[E.insert(u, v, w)] = True
        self.forest = kruskal(E, candidates)

    def _there(self, v: int) -> int:
        v = check_vertex(v, self.edges.n)
        if not self.vertices[v]:
            raise InvalidValue(f"vertex {v} is not there")
        return v

    def _ends(self, u: int, v: int) -> tuple[int, int]:
        u, v = self._there(u), self._there(v)
        if u == v:
            raise InvalidValue(f"{u}-{v} is a loop")
        return u, v

    def _row(self, u: int, v: int) -> int:
        """Return the row of an edge; 0 if there is none."""
        return self.edges.find(u, v) or self.edges.find(v, u)
