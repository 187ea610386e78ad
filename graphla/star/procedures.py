"""The basic procedures: for the rows that a control slice selects, all at once.

Their cost is proportional to the number of columns, whatever the number of rows; on engine
"cuda" each is one kernel. Rows are compared with a word, a non-negative integer, or row by
row with another table. Without a control slice, all rows take part.
"""

from __future__ import annotations

from typing import Any

from graphla.errors import DimensionMismatch, DomainMismatch, InvalidValue
from graphla.star.bits import length
from graphla.star.slice import Slice
from graphla.star.table import Table
from graphla.star.word import EQUAL, GREATER, LESS, Word

COPY, ADD, SUBTRACT = range(3)


def match(T: Table, v: Word | Table | int, X: Slice | None = None) -> Slice:
    """MATCH (a word), HIT (a table): return the rows of X that are equal to v.

    Parameters
    ----------
    T : Table
    v : Word, Table or int
        As many bits as `T` has columns; a table has as many rows too.
    X : Slice, optional
        The rows that take part; all by default.

    Returns
    -------
    Slice

    Raises
    ------
    DimensionMismatch, EngineMismatch
        Operands of other sizes, or on another engine.
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
    """LESS (a word), SETMIN (a table): return the rows of X below v; see :func:`match`."""
    return _compare(LESS, T, v, X)


def less_equal(T: Table, v: Word | Table | int, X: Slice | None = None) -> Slice:
    """LESSEQ: return the rows of X that are not above v; see :func:`match`."""
    return _compare(LESS | EQUAL, T, v, X)


def greater(T: Table, v: Word | Table | int, X: Slice | None = None) -> Slice:
    """GREAT: return the rows of X above v; see :func:`match`."""
    return _compare(GREATER, T, v, X)


def greater_equal(T: Table, v: Word | Table | int, X: Slice | None = None) -> Slice:
    """GREATEQ: return the rows of X that are not below v; see :func:`match`."""
    return _compare(GREATER | EQUAL, T, v, X)


def minimum(T: Table, X: Slice | None = None) -> Slice:
    """MIN: return the rows of X that hold their smallest value; none if X has none.

    Examples
    --------
    >>> from graphla.star import Table, minimum, maximum
    >>> T = Table.from_integers([5, 2, 7, 2], bits=3)
    >>> minimum(T), maximum(T)
    (Slice('0101'), Slice('0010'))
    """
    return _extreme(False, T, X)


def maximum(T: Table, X: Slice | None = None) -> Slice:
    """MAX: return the rows of X that hold their largest value; none if X has none."""
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
        Of any number of bits up to `bits`.
    X : Slice, optional
        The rows that take part; all by default.
    bits : int, optional
        Columns of the result; by default as many as the wider operand has.
    out : Table, optional
        Where to write the rows of X, and no others; it may be `T`. By default a new
        table, whose other rows are 0.

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
    """TMERGE, WMERGE: write the rows of X from a table, or one word, into another table.

    Parameters
    ----------
    T : Table or Word
        As wide as `out`.
    X : Slice
        The rows to write.
    out : Table
        Its other rows stay.

    Returns
    -------
    Table
        `out`.
    """
    _check(out, X)
    out.check(T)
    source = T.data if isinstance(T, Table) else T.words
    if out.n and out.bits:
        out.on.combine(COPY, out.n, source, None, X.words, out.data)
    return out


def unite(T: Table, w: Word, X: Slice) -> Table:
    """Add the ones of a slice to the columns of a table that a word selects, all at once.

    Parameters
    ----------
    T : Table
        It is changed.
    w : Word
        Bit j is 1 where ``T.col(j) |= X`` is to be done.
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
    _check(T, X)
    if not isinstance(w, Word):
        raise DomainMismatch(f"expected a Word, not {type(w).__name__}")
    T.check(w)
    T.on.unite(T.data, X.words, w.words)
    return T


# ---- checks, and the call of the engine


def _check(T: Any, X: Any) -> Any:
    """Return the words of the control slice, or None."""
    if not isinstance(T, Table):
        raise DomainMismatch(f"expected a Table, not {type(T).__name__}")
    if X is None:
        return None
    if not isinstance(X, Slice):
        raise DomainMismatch(f"the control slice is a {type(X).__name__}, not a Slice")
    T.check(X)
    return X.words


def _right(T: Table, v: Any, bits: int) -> Any:
    """Return the words of the right operand: a table, or a word of `bits` bits."""
    if isinstance(v, Table):
        T.check(v, bits=False)
        return v.data
    if isinstance(v, Word):
        T.check(v, bits=False)
        if v.n < bits:
            v = Word(bits, engine=v.engine).rep(bits - v.n + 1, bits, v) if v.n else Word(bits)
        return v.words
    return Word.from_integer(v, bits, engine=T.engine).words


def _compare(wanted: int, T: Table, v: Any, X: Slice | None) -> Slice:
    control = _check(T, X)
    if isinstance(v, (Word, Table)):
        T.check(v)
    right = _right(T, v, T.bits)
    out = Slice._of(T.on.empty(-(-T.n // 64)), T.n, T.engine)
    if T.n:
        T.on.compare(wanted, T.n, T.data, right, control, out.words)
    return out


def _extreme(largest: bool, T: Table, X: Slice | None) -> Slice:
    control = _check(T, X)
    out = Slice._of(T.on.empty(-(-T.n // 64)), T.n, T.engine)
    if T.n:
        T.on.extreme(largest, T.n, T.data, control, out.words)
    return out


def _arithmetic(
    op: int, T: Table, v: Any, X: Slice | None, bits: int | None, out: Table | None
) -> Table:
    control = _check(T, X)
    if isinstance(v, Table | Word):
        T.check(v, bits=False)
    wide = v.bits if isinstance(v, Table) else v.n if isinstance(v, Word) else 0
    if bits is None:
        bits = max(T.bits, wide) if out is None else out.bits
    if (bits := length(bits, "bits")) < wide:
        raise InvalidValue(f"bits={bits} is less than the {wide} of an operand")
    if out is None:
        out = Table(T.n, bits, engine=T.engine)
    T.check(out, bits=False)
    if out.bits != bits:
        raise DimensionMismatch(f"out has {out.bits} columns, not bits={bits}")
    right = _right(T, v, bits)
    if T.n and bits:
        T.on.combine(op, T.n, T.data, right, control, out.data)
    return out
