"""The basic procedures of the model: comparison, extremes, arithmetic and merging of rows.

Each works on all rows that a control slice X selects; without X, on all rows. In the model a
procedure takes time proportional to the number of columns. On engine "cuda" each is one kernel.
The right operand v is a word, a non-negative integer (a word of the table's width), or a table,
which is taken row by row.
"""

from __future__ import annotations

from typing import Any

from graphla.errors import DimensionMismatch, DomainMismatch, InvalidValue
from graphla.star.bits import check_length
from graphla.star.slices import EQUAL, GREATER, LESS, Slice, Word
from graphla.star.table import Table

COPY, ADD, SUBTRACT = range(3)


def match(T: Table, v: Word | Table | int, X: Slice | None = None) -> Slice:
    """MATCH (a word), HIT (a table): return the rows of X that equal v.

    Parameters
    ----------
    T : Table
    v : Word, Table or int
        With as many bits as `T` has columns; a table also has as many rows.
    X : Slice, optional
        The control slice; all rows by default.

    Returns
    -------
    Slice

    Raises
    ------
    DimensionMismatch, EngineMismatch
        Operands differ in size, or in engine.
    InvalidValue
        An integer that does not fit the columns.

    Examples
    --------
    >>> from graphla.star import Table, Slice, match
    >>> T = Table.from_integers([5, 2, 7, 2], bits=3)
    >>> match(T, 2), match(T, 2, Slice.from_numpy([1, 1, 1, 0]))
    (Slice('0101'), Slice('0100'))
    """
    return _compare(EQUAL, T, v, X)


def unequal(T: Table, v: Word | Table | int, X: Slice | None = None) -> Slice:
    """Return the rows of X that differ from v; see :func:`match`."""
    return _compare(LESS | GREATER, T, v, X)


def less(T: Table, v: Word | Table | int, X: Slice | None = None) -> Slice:
    """LESS (a word), SETMIN (a table): return the rows of X less than v; see :func:`match`."""
    return _compare(LESS, T, v, X)


def less_equal(T: Table, v: Word | Table | int, X: Slice | None = None) -> Slice:
    """LESSEQ: return the rows of X less than or equal to v; see :func:`match`."""
    return _compare(LESS | EQUAL, T, v, X)


def greater(T: Table, v: Word | Table | int, X: Slice | None = None) -> Slice:
    """GREAT: return the rows of X greater than v; see :func:`match`."""
    return _compare(GREATER, T, v, X)


def greater_equal(T: Table, v: Word | Table | int, X: Slice | None = None) -> Slice:
    """GREATEQ: return the rows of X greater than or equal to v; see :func:`match`."""
    return _compare(GREATER | EQUAL, T, v, X)


def minimum(T: Table, X: Slice | None = None) -> Slice:
    """MIN: return the rows of X with the smallest value; none if X is empty.

    Examples
    --------
    >>> from graphla.star import Table, minimum, maximum
    >>> T = Table.from_integers([5, 2, 7, 2], bits=3)
    >>> minimum(T), maximum(T)
    (Slice('0101'), Slice('0010'))
    """
    return _extreme(False, T, X)


def maximum(T: Table, X: Slice | None = None) -> Slice:
    """MAX: return the rows of X with the largest value; none if X is empty."""
    return _extreme(True, T, X)


def add(
    T: Table,
    v: Word | Table | int,
    X: Slice | None = None,
    *,
    bits: int | None = None,
    out: Table | None = None,
) -> Table:
    """ADDV (a word), ADDC (a table): return T + v, row by row, modulo 2^bits.

    Parameters
    ----------
    T : Table
    v : Word, Table or int
        With at most `bits` bits.
    X : Slice, optional
        The control slice; all rows by default.
    bits : int, optional
        Columns of the result; by default those of the wider operand.
    out : Table, optional
        The table whose rows X are written; other rows keep their values. It may be an operand,
        but must not overlap one at shifted columns. By default a new table of zeros.

    Examples
    --------
    >>> from graphla.star import Table, add
    >>> T = Table.from_integers([5, 2, 7], bits=3)
    >>> add(T, 1).to_integers().tolist(), add(T, T, bits=4).to_integers().tolist()
    ([6, 3, 0], [10, 4, 14])
    """
    return _arithmetic(ADD, T, v, X, bits, out)


def subtract(
    T: Table,
    v: Word | Table | int,
    X: Slice | None = None,
    *,
    bits: int | None = None,
    out: Table | None = None,
) -> Table:
    """SUBTV (a word), SUBTC (a table): return T - v, row by row, modulo 2^bits; see :func:`add`."""
    return _arithmetic(SUBTRACT, T, v, X, bits, out)


def merge(T: Table | Word, X: Slice, out: Table) -> Table:
    """TMERGE (a table), WMERGE (a word): write the rows of X into another table.

    Parameters
    ----------
    T : Table or Word
        With as many bits as `out`.
    X : Slice
        The rows to write.
    out : Table
        Other rows keep their values. It may overlap `T` at the same columns only.

    Returns
    -------
    Table
        `out`.
    """
    _row_words(out, X)
    if not isinstance(T, Table | Word):
        raise DomainMismatch(f"expected a Table or a Word, not {type(T).__name__}")
    out.check(T)
    source = T.data if isinstance(T, Table) else T.words
    if out.n and out.bits:
        out._ops.combine_rows(COPY, out.n, source, None, X.words, out.data)
    return out


def unite(T: Table, w: Word, X: Slice) -> Table:
    """Set the ones of a slice in all columns of a table that a word selects.

    Parameters
    ----------
    T : Table
        It is modified.
    w : Word
        ``T.col(j) |= X`` is done for each j whose bit is 1.
    X : Slice
        It may be a column of `T`.

    Returns
    -------
    Table
        `T`.

    Examples
    --------
    >>> from graphla.star import Slice, Table, Word, unite
    >>> T = Table(3, 4)
    >>> T = unite(T, Word.from_string("0110"), Slice.from_numpy([1, 0, 1]))
    >>> [T.row(i).to_string() for i in (1, 2, 3)]
    ['0110', '0000', '0110']
    """
    _row_words(T, X)
    if not isinstance(w, Word):
        raise DomainMismatch(f"expected a Word, not {type(w).__name__}")
    T.check(w)
    T._ops.unite_columns(T.data, X.words, w.words)
    return T


# ---- checks of operands, and calls of the engine's operations


def _control_words(T: Any, X: Any) -> Any:
    """Check a table and a control slice; return the words of the slice, or None."""
    if not isinstance(T, Table):
        raise DomainMismatch(f"expected a Table, not {type(T).__name__}")
    return None if X is None else _row_words(T, X)


def _row_words(T: Any, X: Any) -> Any:
    """Check a table and a slice of its rows; return the words of the slice."""
    if not isinstance(T, Table):
        raise DomainMismatch(f"expected a Table, not {type(T).__name__}")
    if not isinstance(X, Slice):
        raise DomainMismatch(f"the control slice is a {type(X).__name__}, not a Slice")
    T.check(X)
    return X.words


def _operand_words(T: Table, v: Any, bits: int) -> Any:
    """Return the array of the right operand: of a table, or of a word extended to `bits` bits."""
    if isinstance(v, Table):
        T.check(v, bits=False)
        return v.data
    if isinstance(v, Word):
        T.check(v, bits=False)
        if v.n < bits:
            extended = Word(bits, engine=v.engine)
            v = extended.rep(bits - v.n + 1, bits, v) if v.n else extended
        return v.words
    return Word.from_integer(v, bits, engine=T.engine).words


def _compare(outcomes: int, T: Table, v: Any, X: Slice | None) -> Slice:
    control = _control_words(T, X)
    if isinstance(v, (Word, Table)):
        T.check(v)
    right = _operand_words(T, v, T.bits)
    out = Slice._of(T._ops.empty(-(-T.n // 64)), T.n, T.engine)
    if T.n:
        T._ops.compare_rows(outcomes, T.n, T.data, right, control, out.words)
    return out


def _extreme(largest: bool, T: Table, X: Slice | None) -> Slice:
    control = _control_words(T, X)
    out = Slice._of(T._ops.empty(-(-T.n // 64)), T.n, T.engine)
    if T.n:
        T._ops.extreme_rows(largest, T.n, T.data, control, out.words)
    return out


def _arithmetic(
    op: int, T: Table, v: Any, X: Slice | None, bits: int | None, out: Table | None
) -> Table:
    control = _control_words(T, X)
    if isinstance(v, Table | Word):
        T.check(v, bits=False)
    width = v.bits if isinstance(v, Table) else v.n if isinstance(v, Word) else 0
    if not isinstance(out, Table | None):
        raise DomainMismatch(f"out must be a Table, not {type(out).__name__}")
    if bits is None:
        bits = max(T.bits, width) if out is None else out.bits
    if (bits := check_length(bits, "bits")) < width:
        raise InvalidValue(f"bits={bits} is less than the {width} bits of an operand")
    if out is None:
        out = Table(T.n, bits, engine=T.engine)
    T.check(out, bits=False)
    if out.bits != bits:
        raise DimensionMismatch(f"out has {out.bits} columns, not bits={bits}")
    right = _operand_words(T, v, bits)
    if T.n and bits:
        T._ops.combine_rows(op, T.n, T.data, right, control, out.data)
    return out
