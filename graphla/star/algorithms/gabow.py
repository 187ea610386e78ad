"""Smallest spanning tree in which one vertex has a given degree, by Gabow's exchanges.

    T = a smallest tree of those in which v has the fewest edges
    while v has too few edges:
        f = an edge of v outside T,  e = the heaviest edge of the path in T that f closes,
            those of v left out, so that weight(f) - weight(e) is the minimum
        T = T + f - e

After an exchange only the prices of the edges into the tree that e divided change.

Source: H. Gabow, "A good algorithm for smallest spanning trees with a degree constraint",
Networks 8, 1978; on the machine: A. Nepomniaschaya, "Associative version of Gabow's
algorithm for a smallest spanning tree with a degree constraint", 2002.
"""

from __future__ import annotations

from graphla.errors import InvalidValue
from graphla.star.algorithms.kruskal import edges, kruskal
from graphla.star.arcs import Arcs, check_vertex
from graphla.star.bits import check_integer
from graphla.star.procedures import maximum, minimum
from graphla.star.slices import Slice, Word
from graphla.star.table import Table
from graphla.star.trees import path, reached


def gabow(E: Arcs, v: int, degree: int, *, exact: bool = True) -> Slice:
    """Find a spanning forest of least weight in which a vertex has a given degree.

    Parameters
    ----------
    E : Arcs
        Edges; which end is on the left does not matter.
    v : int
        The vertex that is bounded, 1..n.
    degree : int
        How many edges of the forest have the end v.
    exact : bool, default True
        False for at most so many.

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
    _, _, X = edges(E, None)
    v, degree = check_vertex(v, E.n), check_integer(degree, "degree")
    T = kruskal(E, X)
    if not exact and int(E.touching(v, T).count()) <= degree:
        return T
    state = _Exchanges(E, v, X)
    while (has := int(E.touching(v, state.T).count())) < degree and state.priced:
        state.exchange()
    if has != degree:
        which = f"no spanning forest has {'' if exact else 'at most '}{degree} edges of vertex {v}"
        raise InvalidValue(f"{which}, but one has {has}")
    return state.T


class _Exchanges:
    """A forest, and for each edge f of v outside it the best exchange."""

    def __init__(self, E: Arcs, v: int, X: Slice) -> None:
        self.E, self.v, self.around = E, v, E.touching(v, X)
        self.T = kruskal(E, X, kept=kruskal(E, X - self.around))
        self.bits = E.weight.bits + 1
        self.price = Table(E.capacity, self.bits, engine=E.engine)
        self.priced = Slice(E.capacity, engine=E.engine)
        self.best: dict[int, tuple[int, int]] = {}  # of f: e, and where v enters the tree of e
        for c in self._neighbours(self.T & self.around):
            self._set_prices(c)

    def exchange(self) -> None:
        """Make the cheapest exchange."""
        f = int(minimum(self.price, self.priced).find())
        e, c = self.best[f]
        self.T[f], self.T[e] = True, False
        for root in (c, self.E.across(f, self.v)):
            self._set_prices(root)

    def _set_prices(self, c: int) -> None:
        """Price the edges of v into the tree in which c is next to v."""
        E = self.E
        seen, via = reached(E, self.T - self.around, c)
        rest = self.around.copy()
        while f := int(rest.step()):
            u = E.across(f, self.v)
            if not seen[u]:
                continue
            self.priced[f] = u != c and not self.T[f]
            if self.priced[f]:
                e = int(maximum(E.weight, path(E, via, u)).find())
                gain = int(E.weight.row(f)) - int(E.weight.row(e)) + 2 ** (self.bits - 1)
                self.price.set_row(f, Word.from_integer(gain, self.bits, engine=E.engine))
                self.best[f] = e, c

    def _neighbours(self, rows: Slice) -> list[int]:
        return [self.E.across(f, self.v) for f in rows.positions().tolist()]
