"""Transitive closure of an adjacency table, by Warshall's algorithm, in four forms.

    for each vertex k: every vertex that reaches k reaches what k reaches

by rows (ROW(i) |= ROW(k) where i reaches k), by columns, which the machine has cheaper
(COL(j) |= COL(k) where k reaches j), with one kernel for each k, and with one for 64.

Source: S. Warshall, "A theorem on Boolean matrices", J. ACM 9, 1962; T. Snytnikova,
A. Nepomniaschaya, the STAR-machine on a GPU, 2016; blocks: V. Arlazarov, E. Dinic,
M. Kronrod, I. Faradzev ("the four Russians"), 1970.
"""

from __future__ import annotations

from graphla.errors import DimensionMismatch, DomainMismatch
from graphla.star.procedures import unite
from graphla.star.table import Table


def _closing(T: Table, overwrite: bool) -> Table:
    """Return the table to work on."""
    if not isinstance(T, Table):
        raise DomainMismatch(f"expected a Table, not {type(T).__name__}; Table.from_graph makes it")
    if T.n != T.bits:
        raise DimensionMismatch(f"an adjacency table is square, not {T.n} x {T.bits}")
    return T if overwrite else T.copy()


def warshall(T: Table, *, overwrite: bool = False) -> Table:
    """Close a table by rows: the model's WARSHALL, step by step, for small tables.

    Parameters
    ----------
    T : Table
        n x n; bit (i, j) is an edge from i to j.
    overwrite : bool
        Write the closure into `T` instead of a copy.

    Returns
    -------
    Table
        Bit (i, j) is 1 where a path of at least one edge leads from i to j.

    Raises
    ------
    DimensionMismatch
        The table is not square.

    Examples
    --------
    >>> from graphla.star import Table
    >>> from graphla.star.algorithms import warshall
    >>> T = warshall(Table.from_numpy([[0, 1, 0], [0, 0, 1], [0, 1, 0]]))
    >>> [T.row(i).to_string() for i in (1, 2, 3)]
    ['011', '011', '011']
    """
    T = _closing(T, overwrite)
    for k in range(1, T.n + 1):
        X, w = T.col(k).copy(), T.row(k)
        while i := int(X.step()):
            T.set_row(i, T.row(i) | w)
    return T


def warshall_columns(T: Table, *, overwrite: bool = False) -> Table:
    """Close a table by columns: the model's WARSHALL-C.

    The inner loop, over the columns that ROW(k) selects, is one procedure. Parameters,
    result and errors are those of :func:`warshall`.

    Examples
    --------
    >>> from graphla.star import Table
    >>> from graphla.star.algorithms import warshall_columns
    >>> int(warshall_columns(Table.from_numpy([[0, 1], [1, 0]])).row(1))
    3
    """
    T = _closing(T, overwrite)
    for k in range(1, T.n + 1):
        unite(T, T.row(k), T.col(k))
    return T


def warshall_adapted(T: Table, *, overwrite: bool = False) -> Table:
    """Close a table by columns, one kernel for each vertex: the form adapted for a GPU.

    Column j asks its own bit k, so that no row is read. Parameters, result and errors are
    those of :func:`warshall`.

    Examples
    --------
    >>> from graphla.star import Table
    >>> from graphla.star.algorithms import warshall_adapted
    >>> int(warshall_adapted(Table.from_numpy([[0, 1], [1, 0]])).row(1))
    3
    """
    T = _closing(T, overwrite)
    T._ops.adapted(T.data)
    return T


def warshall_blocked(T: Table, *, overwrite: bool = False) -> Table:
    """Close a table by columns, 64 vertices at a time.

    The 64 columns of a block are closed among themselves; their unions by a few are put in
    tables, and every other column adds the unions that its 64 bits ask for. Parameters,
    result and errors are those of :func:`warshall`.

    Examples
    --------
    >>> from graphla.star import Table
    >>> from graphla.star.algorithms import warshall_blocked
    >>> int(warshall_blocked(Table.from_numpy([[0, 1], [1, 0]])).row(1))
    3
    """
    T = _closing(T, overwrite)
    T._ops.blocked(T.data)
    return T
