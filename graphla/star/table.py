"""A table: n rows of k bits, stored by columns, each of which is a slice."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.core import memory, validation
from graphla.errors import (
    DimensionMismatch,
    DomainMismatch,
    EngineMismatch,
    InvalidValue,
    OutOfDeviceMemory,
)
from graphla.star.bits import interval, length, machine, position
from graphla.star.slice import Slice
from graphla.star.word import Word


class Table:
    """n rows and k columns of bits, all 0; a row is a number, column 1 its highest bit.

    Columns are cheap (a pointer), rows dearer (a bit of each column).

    Parameters
    ----------
    n : int
        Number of rows.
    bits : int
        Number of columns.
    engine : {"cpu", "cuda"}

    Attributes
    ----------
    data : array of uint64, shape (bits, ceil(n / 64))
        Column c + 1 in ``data[c]``.

    Raises
    ------
    OutOfMemory
        The table takes more than half of the memory that is available.

    Examples
    --------
    >>> from graphla.star import Table, Word, match
    >>> T = Table.from_integers([5, 2, 7, 2], bits=3)
    >>> T.col(1), T.row(3), match(T, Word.from_string("010"))
    (Slice('1010'), Word('111'), Slice('0101'))
    """

    __slots__ = ("bits", "data", "engine", "n", "on")

    def __init__(self, n: int, bits: int, *, engine: str = "cpu") -> None:
        self.n, self.bits = length(n), length(bits, "bits")
        self.engine, self.on = engine, machine(engine)
        self._room()
        self.data = self.on.zeros((self.bits, -(-self.n // 64)))

    def _room(self) -> None:
        """Refuse what does not fit."""
        needed = 8 * self.bits * -(-self.n // 64)
        if needed < 1 << 24:
            return
        what = f"a table of {self.n:,} rows and {self.bits:,} columns"
        free = memory.available(self.engine)
        if self.engine == "cuda" and needed > free:
            raise OutOfDeviceMemory(what, needed=needed, free=free)
        if self.engine == "cpu":
            memory.require(needed, free, what)

    @classmethod
    def _of(cls, data: Any, n: int, engine: str) -> Table:
        made = cls.__new__(cls)
        made.data, made.n, made.bits = data, n, data.shape[0]
        made.engine, made.on = engine, machine(engine)
        return made

    @classmethod
    def from_integers(cls, values: Any, bits: int, *, engine: str | None = None) -> Table:
        """Make a table whose row i is the number ``values[i - 1]``.

        Parameters
        ----------
        values : 1-D array_like of integers
            Of NumPy or, for engine "cuda", of CuPy.
        bits : int
            Number of columns, up to 64.
        engine : {"cpu", "cuda"}, optional
            By default where the values lie.

        Raises
        ------
        InvalidValue
            A value is negative, or takes more than `bits` bits.
        """
        bits = length(bits, "bits")
        if bits > 64:
            raise InvalidValue(f"bits={bits}: an integer has at most 64")
        if engine is None:
            engine = "cuda" if type(values).__module__.startswith("cupy") else "cpu"
        on = machine(engine)
        values = on.array(values)
        if values.ndim != 1:
            raise DimensionMismatch(f"values have {values.ndim} dimensions, not 1")
        if values.size and values.dtype.kind not in "iub":
            raise DomainMismatch(f"values must be integers, not {values.dtype}")
        if values.size:
            low, high = int(values.min()), int(values.max())
            if low < 0 or high >> bits:
                raise InvalidValue(f"{low if low < 0 else high} does not fit {bits} bits")
        T = cls(values.size, bits, engine=engine)
        if values.size and bits:
            on.from_integers(values.astype(np.uint64), T.data, T.n)
        return T

    @classmethod
    def from_graph(cls, G: Any) -> Table:
        """Make the adjacency table of a graph: n x n, bit (i, j) is the edge i - 1 -> j - 1."""
        validation.room(G)
        T = cls(G.n, G.n, engine=G.engine)
        T.on.from_matrix(G, T.data)
        return T

    @classmethod
    def from_numpy(cls, values: Any, *, engine: str = "cpu") -> Table:
        """Make a table of a Boolean array, a row for each of its rows."""
        rows = np.asarray(values)
        if rows.ndim != 2:
            raise DimensionMismatch(f"values have {rows.ndim} dimensions, not 2")
        n, bits = rows.shape
        data = np.zeros((bits, -(-n // 64)), np.uint64)
        packed = np.packbits((rows != 0).T, axis=1, bitorder="little")
        data.view(np.uint8)[:, : packed.shape[1]] = packed
        return cls._of(machine(engine).array(data), n, engine)

    def to_numpy(self) -> Any:
        """Copy into a Boolean NumPy array of n rows."""
        data = self.on.to_host(self.data)
        found = np.unpackbits(data.view(np.uint8), axis=1, count=self.n, bitorder="little")
        return found.T.view(bool) if found.flags.f_contiguous else found.T.astype(bool)

    def to_integers(self) -> Any:
        """Return the rows, of up to 64 bits, as an array of uint64 on the engine of the table."""
        if self.bits > 64:
            raise InvalidValue(f"a row of {self.bits} bits is no 64-bit integer")
        values = self.on.zeros(self.n)
        if self.n and self.bits:
            self.on.to_integers(self.data, values, self.n)
        return values

    def copy(self) -> Table:
        """TCOPY: return another with the same bits."""
        data = self.on.empty(self.data.shape)
        data[...] = self.data
        return self._of(data, self.n, self.engine)

    def to(self, engine: str) -> Table:
        """Return a copy on an engine, or itself if it is there."""
        if engine == self.engine:
            return self
        return self._of(machine(engine).array(self.on.to_host(self.data)), self.n, engine)

    def transpose(self) -> Table:
        """Return the table whose columns are the rows of this one, by tiles of 64 x 64 bits."""
        out = Table(self.bits, self.n, engine=self.engine)
        if self.n and self.bits:
            self.on.transpose(self.data, self.n, out.data)
        return out

    def col(self, i: int) -> Slice:
        """COL: return column i itself, not a copy: writing to the slice writes to the table."""
        column = self.data[position(i, self.bits, "column")]
        return Slice._of(column, self.n, self.engine)

    def set_col(self, i: int, x: Slice) -> None:
        """Write a slice to column i."""
        column = self.col(i)
        column._check(x)
        column.words[...] = x.words

    def row(self, i: int) -> Word:
        """ROW: return row i as a word of its own."""
        at = position(i, self.n, "row")
        out = Word._of(self.on.empty(-(-self.bits // 64)), self.bits, self.engine)
        self.on.row(self.data, at, out.words)
        return out

    def set_row(self, i: int, w: Word) -> None:
        """Write a word to row i."""
        at = position(i, self.n, "row")
        if not isinstance(w, Word):
            raise DomainMismatch(f"expected a Word, not {type(w).__name__}")
        self.check(w)
        self.on.put_row(self.data, at, w.words)

    def __getitem__(self, at: tuple[int, int]) -> bool:
        i, j = at
        return self.col(j)[i]

    def __setitem__(self, at: tuple[int, int], bit: Any) -> None:
        i, j = at
        self.col(j)[i] = bit

    def columns(self, i: int, j: int) -> Table:
        """Return columns i..j, not a copy, as a table: a field of the rows."""
        first, count = interval(i, j, self.bits)
        return self._of(self.data[first : first + count], self.n, self.engine)

    def check(self, other: Any, *, bits: bool = True) -> None:
        """Refuse a slice, word or table that does not go with this table."""
        if not isinstance(other, (Slice, Word, Table)):
            raise DomainMismatch(f"expected a Slice, Word or Table, not {type(other).__name__}")
        if other.engine != self.engine:
            raise EngineMismatch(f"one is on engine {self.engine!r}, one on {other.engine!r}")
        if not isinstance(other, Word) and other.n != self.n:
            raise DimensionMismatch(f"{other.n} rows do not go with the {self.n} of a table")
        width = other.n if isinstance(other, Word) else getattr(other, "bits", self.bits)
        if bits and width != self.bits:
            raise DimensionMismatch(f"{width} bits do not go with the {self.bits} of a table")

    @property
    def nbytes(self) -> int:
        """Bytes that the table takes."""
        return 8 * self.bits * -(-self.n // 64)

    COL, ROW = col, row

    def __repr__(self) -> str:
        return f"<Table: {self.n:,} rows of {self.bits:,} bits, {self.engine}>"
