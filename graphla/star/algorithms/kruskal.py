"""Minimum spanning forest of a list of edges: Kruskal's algorithm.

    while an edge is left:
        e = the first row with the minimum weight;  e is in the forest
        contract e: its right end is replaced by its left end in all rows
        remove the rows whose ends are equal now

Every minimum is an edge of the forest, as no loop is left.

Source: J. Kruskal, "On the shortest spanning subtree of a graph", Proc. AMS 7, 1956; on the
machine: A. Nepomniaschaya, "Comparison of performing the Prim-Dijkstra algorithm and the
Kruskal algorithm on associative parallel processors", Cybern. Syst. Anal. 36, 2000.
"""

from __future__ import annotations

from graphla.errors import DomainMismatch
from graphla.star.arcs import Arcs
from graphla.star.procedures import match, merge, minimum
from graphla.star.slices import Slice
from graphla.star.table import Table


def kruskal(E: Arcs, X: Slice | None = None, *, kept: Slice | None = None) -> Slice:
    """Find a spanning forest of least total weight.

    Parameters
    ----------
    E : Arcs
        Edges; which end is on the left does not matter.
    X : Slice, optional
        The rows to use; by default all in use.
    kept : Slice, optional
        Rows without a cycle that the forest must contain; the weight of the others is minimal.

    Returns
    -------
    Slice
        The rows of the forest. Of equal weights the first row is preferred.

    Examples
    --------
    >>> from graphla.star import Arcs
    >>> from graphla.star.algorithms import kruskal
    >>> kruskal(Arcs.from_edges([1, 2, 1, 4], [2, 3, 3, 5], [5, 2, 3, 7]))
    Slice('0111')
    """
    left, right, X = edge_tables(E, X)
    forest = Slice(E.capacity, engine=E.engine)
    if kept is not None:
        forest._check(kept)
        rest = kept.copy()
        while e := int(rest.step()):
            _contract(e, left, right)
        forest |= kept
        X -= match(left, right, X)
    while e := int(minimum(E.weight, X).find()):
        forest[e] = True
        _contract(e, left, right)
        X -= match(left, right, X)
    return forest


def edge_tables(E: Arcs, X: Slice | None) -> tuple[Table, Table, Slice]:
    """Return copies of both end tables, and the rows of X that are not loops."""
    if not isinstance(E, Arcs):
        raise DomainMismatch(f"expected Arcs, not {type(E).__name__}")
    X = E.used if X is None else X
    return E.left.copy(), E.right.copy(), X - match(E.left, E.right, X)


def _contract(e: int, left: Table, right: Table) -> None:
    """Replace the right end of an edge by its left end in all rows."""
    u, v = left.row(e), right.row(e)
    for ends in (left, right):
        merge(u, match(ends, v), ends)
