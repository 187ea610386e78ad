"""Transitive closure of an adjacency table: Warshall's algorithm in four forms.

    for each pivot k: every vertex that reaches k reaches what k reaches

by rows: ROW(i) |= ROW(k) for the i that reach k; by columns, which are cheaper to access:
COL(j) |= COL(k) for the j that k reaches; by columns with one kernel for each pivot; and by columns
with one kernel for 64 pivots.

Source: S. Warshall, "A theorem on Boolean matrices", J. ACM 9, 1962; T. Snytnikova,
A. Nepomniaschaya, the STAR-machine on a GPU, 2016; blocks: V. Arlazarov, E. Dinic,
M. Kronrod, I. Faradzev ("the four Russians"), 1970.
"""

from __future__ import annotations

from graphla.errors import DimensionMismatch, DomainMismatch
from graphla.star.procedures import unite
from graphla.star.table import Table


def _prepare(T: Table, overwrite: bool) -> Table:
    """Check the table; return it, or a copy."""
    if not isinstance(T, Table):
        raise DomainMismatch(f"expected a Table, not {type(T).__name__}; Table.from_graph makes it")
    if T.n != T.bits:
        raise DimensionMismatch(f"an adjacency table is square, not {T.n} x {T.bits}")
    return T if overwrite else T.copy()


def warshall(T: Table, *, overwrite: bool = False) -> Table:
    """Close a table by rows: the model's procedure WARSHALL, for small tables.

    Parameters
    ----------
    T : Table
        n x n; bit (i, j) is an edge from i to j.
    overwrite : bool
        Write the closure into `T` instead of a copy.

    Returns
    -------
    Table
        Bit (i, j) is 1 if there is a path of at least one edge from i to j.

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
    T = _prepare(T, overwrite)
    for k in range(1, T.n + 1):
        X, w = T.col(k).copy(), T.row(k)
        while i := int(X.step()):
            T.set_row(i, T.row(i) | w)
    return T


def warshall_columns(T: Table, *, overwrite: bool = False) -> Table:
    """Close a table by columns: the model's procedure WARSHALL-C.

    The inner loop over the columns that ROW(k) selects is one call of :func:`unite`.
    Parameters, result and errors are those of :func:`warshall`.

    Examples
    --------
    >>> from graphla.star import Table
    >>> from graphla.star.algorithms import warshall_columns
    >>> int(warshall_columns(Table.from_numpy([[0, 1], [1, 0]])).row(1))
    3
    """
    T = _prepare(T, overwrite)
    for k in range(1, T.n + 1):
        unite(T, T.row(k), T.col(k))
    return T


def warshall_adapted(T: Table, *, overwrite: bool = False) -> Table:
    """Close a table by columns, one kernel for each pivot: the form adapted to a GPU.

    Column j tests its own bit k, so no row is read. Parameters, result and errors are those of
    :func:`warshall`.

    Examples
    --------
    >>> from graphla.star import Table
    >>> from graphla.star.algorithms import warshall_adapted
    >>> int(warshall_adapted(Table.from_numpy([[0, 1], [1, 0]])).row(1))
    3
    """
    T = _prepare(T, overwrite)
    T._ops.adapted(T.data)
    return T


def warshall_blocked(T: Table, *, overwrite: bool = False) -> Table:
    """Close a table by columns, 64 pivots at a time.

    The 64 pivot columns are closed among themselves. Lookup tables hold the unions of all subsets
    of a few pivot columns; every other column adds the unions that its 64 bits select.
    Parameters, result and errors are those of :func:`warshall`.

    Examples
    --------
    >>> from graphla.star import Table
    >>> from graphla.star.algorithms import warshall_blocked
    >>> int(warshall_blocked(Table.from_numpy([[0, 1], [1, 0]])).row(1))
    3
    """
    T = _prepare(T, overwrite)
    T._ops.blocked(T.data)
    return T
