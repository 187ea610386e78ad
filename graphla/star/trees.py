"""Trees in a list of edges: what a vertex reaches in one, and the path between two."""

from __future__ import annotations

from graphla.star.arcs import Arcs
from graphla.star.slices import Slice, Word
from graphla.star.table import Table


def reached(E: Arcs, T: Slice, v: int) -> tuple[Slice, Table]:
    """Return the vertices that v reaches by edges of T, and the row by which each is met.

    The row of v, and of those not reached, is 0.
    """
    seen, new, X = Slice(E.n, engine=E.engine), Slice(E.n, engine=E.engine), T.copy()
    via = Table(E.n, E.capacity.bit_length(), engine=E.engine)
    seen[v] = new[v] = True
    while x := int(new.step()):
        around = E.touching(x, X)
        X -= around
        while e := int(around.step()):
            y = E.across(e, x)
            if not seen[y]:
                seen[y] = new[y] = True
                via.set_row(y, Word.from_integer(e, via.bits, engine=E.engine))
    return seen, via


def path(E: Arcs, via: Table, v: int) -> Slice:
    """Return the rows on the path from v back to where :func:`reached` began."""
    rows = Slice(E.capacity, engine=E.engine)
    while e := int(via.row(v)):
        rows[e] = True
        v = E.across(e, v)
    return rows


def leaving(E: Arcs, vertices: Slice, X: Slice) -> Slice:
    """Return the rows of X, none of them a loop, with one end among the vertices."""
    crossing, rest = Slice(E.capacity, engine=E.engine), vertices.copy()
    while v := int(rest.step()):
        crossing ^= E.touching(v, X)
    return crossing
