"""Minimum spanning tree in which one vertex has a given degree: Gabow's exchanges.

    T = a minimum spanning tree among those in which v has the smallest degree
    while the degree of v is too small:
        f = an edge of v outside T,  e = the heaviest edge, not at v, of the cycle that f closes,
            chosen so that weight(f) - weight(e) is the minimum
        T = T + f - e

The price of f is weight(f) - weight(e). After an exchange, only the prices of edges of v into the
subtree that e divided change.

Source: H. Gabow, "A good algorithm for smallest spanning trees with a degree constraint",
Networks 8, 1978; on the machine: A. Nepomniaschaya, "Associative version of Gabow's
algorithm for a smallest spanning tree with a degree constraint", 2002.
"""

from __future__ import annotations

from graphla.errors import InvalidValue
from graphla.star.algorithms.kruskal import edge_tables, kruskal
from graphla.star.arcs import Arcs, check_vertex
from graphla.star.bits import check_integer
from graphla.star.procedures import maximum, minimum
from graphla.star.slices import Slice, Word
from graphla.star.table import Table
from graphla.star.trees import search_tree, tree_path


def gabow(E: Arcs, v: int, degree: int, *, exact: bool = True) -> Slice:
    """Find a spanning forest of least weight in which a vertex has a given degree.

    Parameters
    ----------
    E : Arcs
        Edges; which end is on the left does not matter.
    v : int
        The vertex whose degree is given, 1..n.
    degree : int
        Number of edges of the forest at v.
    exact : bool, default True
        False: v has at most `degree` edges.

    Returns
    -------
    Slice
        The rows of the forest.

    Raises
    ------
    InvalidValue
        No spanning forest has that degree.

    Examples
    --------
    >>> from graphla.star import Arcs
    >>> from graphla.star.algorithms import gabow
    >>> E = Arcs.from_edges([1, 1, 1, 2, 3], [2, 3, 4, 3, 4], [1, 5, 9, 2, 3])
    >>> gabow(E, 1, 1), gabow(E, 1, 2)
    (Slice('10011'), Slice('11001'))
    """
    _, _, X = edge_tables(E, None)
    v, degree = check_vertex(v, E.n), check_integer(degree, "degree")
    T = kruskal(E, X)
    if not exact and int(E.touching(v, T).count()) <= degree:
        return T
    state = _Exchanges(E, v, X)
    while (actual := int(E.touching(v, state.T).count())) < degree and state.priced:
        state.exchange()
    if actual != degree:
        bound = "" if exact else "at most "
        raise InvalidValue(
            f"no spanning forest has {bound}{degree} edges of vertex {v}, but one has {actual}"
        )
    return state.T


class _Exchanges:
    """A forest T, and for each edge f of v outside T the best exchange."""

    def __init__(self, E: Arcs, v: int, X: Slice) -> None:
        self.E, self.v, self.incident = E, v, E.touching(v, X)
        self.T = kruskal(E, X, kept=kruskal(E, X - self.incident))
        self.bits = E.weight.bits + 1
        self.price = Table(E.capacity, self.bits, engine=E.engine)
        self.priced = Slice(E.capacity, engine=E.engine)
        self.best: dict[int, tuple[int, int]] = {}  # for f: e, and the root of the subtree of e
        for f in (self.T & self.incident).positions().tolist():
            self._set_prices(E.across(f, v))

    def exchange(self) -> None:
        """Make the cheapest exchange."""
        f = int(minimum(self.price, self.priced).find())
        e, root = self.best[f]
        self.T[f], self.T[e] = True, False
        self._set_prices(root)
        self._set_prices(self.E.across(f, self.v))

    def _set_prices(self, root: int) -> None:
        """Price the edges of v into the subtree whose vertex adjacent to v is `root`."""
        E = self.E
        seen, via = search_tree(E, self.T - self.incident, root)
        rest = self.incident.copy()
        while f := int(rest.step()):
            u = E.across(f, self.v)
            if not seen[u]:
                continue
            self.priced[f] = u != root and not self.T[f]
            if self.priced[f]:
                e = int(maximum(E.weight, tree_path(E, via, u)).find())
                price = int(E.weight.row(f)) - int(E.weight.row(e)) + 2 ** (self.bits - 1)
                self.price.set_row(f, Word.from_integer(price, self.bits, engine=E.engine))
                self.best[f] = e, root
