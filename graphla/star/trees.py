"""Trees in a list of edges: search in a tree, the path to its root, and the edges of a cut."""

from __future__ import annotations

from graphla.star.arcs import Arcs
from graphla.star.slices import Slice, Word
from graphla.star.table import Table


def search_tree(E: Arcs, T: Slice, v: int) -> tuple[Slice, Table]:
    """Search from v along the rows T of E; return the vertices reached, and the row to each.

    The row of v, and of a vertex that is not reached, is 0.
    """
    seen, new, X = Slice(E.n, engine=E.engine), Slice(E.n, engine=E.engine), T.copy()
    via = Table(E.n, E.capacity.bit_length(), engine=E.engine)
    seen[v] = new[v] = True
    while x := int(new.step()):
        incident = E.touching(x, X)
        X -= incident
        while e := int(incident.step()):
            y = E.across(e, x)
            if not seen[y]:
                seen[y] = new[y] = True
                via.set_row(y, Word.from_integer(e, via.bits, engine=E.engine))
    return seen, via


def tree_path(E: Arcs, via: Table, v: int) -> Slice:
    """Return the rows on the path from v to the vertex where :func:`search_tree` started."""
    rows = Slice(E.capacity, engine=E.engine)
    while e := int(via.row(v)):
        rows[e] = True
        v = E.across(e, v)
    return rows


def cut_edges(E: Arcs, vertices: Slice, X: Slice) -> Slice:
    """Return the rows of X with exactly one end in a set of vertices; X has no loops."""
    crossing, rest = Slice(E.capacity, engine=E.engine), vertices.copy()
    while v := int(rest.step()):
        crossing ^= E.touching(v, X)
    return crossing
