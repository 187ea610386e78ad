"""A table: n rows of k bits, stored by columns; each column is a slice."""

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
from graphla.star.bits import check_length, check_position, index_range, operations
from graphla.star.slices import Slice, Word


class Table:
    """n rows and k columns of bits, initially 0; a row is a number, column 1 its highest bit.

    Accessing a column takes a pointer; accessing a row takes one bit from each column.

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
        Column c + 1 is ``data[c]``.

    Raises
    ------
    OutOfMemory
        The table takes more than half of the available memory.

    Examples
    --------
    >>> from graphla.star import Table, Word, match
    >>> T = Table.from_integers([5, 2, 7, 2], bits=3)
    >>> T.col(1), T.row(3), match(T, Word.from_string("010"))
    (Slice('1010'), Word('111'), Slice('0101'))
    """

    __slots__ = ("_ops", "bits", "data", "engine", "n")

    def __init__(self, n: int, bits: int, *, engine: str = "cpu") -> None:
        self.n, self.bits = check_length(n), check_length(bits, "bits")
        self.engine, self._ops = engine, operations(engine)
        self._check_memory()
        self.data = self._ops.zeros((self.bits, -(-self.n // 64)))

    def _check_memory(self) -> None:
        """Raise if the table does not fit in memory."""
        needed = 8 * self.bits * -(-self.n // 64)
        if needed < 1 << 24:
            return
        name = f"a table of {self.n:,} rows and {self.bits:,} columns"
        free = memory.available(self.engine)
        if self.engine == "cuda" and needed > free:
            raise OutOfDeviceMemory(name, needed=needed, free=free)
        if self.engine == "cpu":
            memory.require(needed, free, name)

    @classmethod
    def _of(cls, data: Any, n: int, engine: str) -> Table:
        """Return a table that uses the array `data`."""
        T = cls.__new__(cls)
        T.data, T.n, T.bits = data, n, data.shape[0]
        T.engine, T._ops = engine, operations(engine)
        return T

    @classmethod
    def from_integers(cls, values: Any, bits: int, *, engine: str | None = None) -> Table:
        """Return the table whose row i is the number ``values[i - 1]``.

        Parameters
        ----------
        values : 1-D array_like of integers
            A NumPy array or, for engine "cuda", a CuPy array.
        bits : int
            Number of columns, up to 64.
        engine : {"cpu", "cuda"}, optional
            By default the engine of the array.

        Raises
        ------
        InvalidValue
            A value is negative or does not fit `bits` bits.
        """
        bits = check_length(bits, "bits")
        if bits > 64:
            raise InvalidValue(f"bits={bits}: an integer has at most 64")
        if engine is None:
            engine = "cuda" if type(values).__module__.startswith("cupy") else "cpu"
        ops = operations(engine)
        values = ops.array(values)
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
            ops.from_integers(values.astype(np.uint64), T.data, T.n)
        return T

    @classmethod
    def from_graph(cls, G: Any) -> Table:
        """Return the adjacency table of a graph: n x n, bit (i, j) is the edge i - 1 -> j - 1."""
        validation.check_graph(G)
        T = cls(G.n, G.n, engine=G.engine)
        T._ops.from_matrix(G, T.data)
        return T

    @classmethod
    def from_numpy(cls, values: Any, *, engine: str = "cpu") -> Table:
        """Return a table with the rows of a Boolean array."""
        rows = np.asarray(values)
        if rows.ndim != 2:
            raise DimensionMismatch(f"values have {rows.ndim} dimensions, not 2")
        n, bits = rows.shape
        data = np.zeros((bits, -(-n // 64)), np.uint64)
        packed = np.packbits((rows != 0).T, axis=1, bitorder="little")
        data.view(np.uint8)[:, : packed.shape[1]] = packed
        return cls._of(operations(engine).array(data), n, engine)

    def to_numpy(self) -> Any:
        """Return a Boolean NumPy array of n rows."""
        data = self._ops.to_host(self.data)
        columns = np.unpackbits(data.view(np.uint8), axis=1, count=self.n, bitorder="little")
        return columns.T.view(bool) if columns.flags.f_contiguous else columns.T.astype(bool)

    def to_integers(self) -> Any:
        """Return the rows, of up to 64 bits, as an array of uint64 on the engine of the table."""
        if self.bits > 64:
            raise InvalidValue(f"rows of {self.bits} bits do not fit 64-bit integers")
        values = self._ops.zeros(self.n)
        if self.n and self.bits:
            self._ops.to_integers(self.data, values, self.n)
        return values

    def copy(self) -> Table:
        """TCOPY: return a copy."""
        data = self._ops.empty(self.data.shape)
        data[...] = self.data
        return self._of(data, self.n, self.engine)

    def to(self, engine: str) -> Table:
        """Return a copy on another engine; return self if it is on this one."""
        if engine == self.engine:
            return self
        return self._of(operations(engine).array(self._ops.to_host(self.data)), self.n, engine)

    def transpose(self) -> Table:
        """Return the table whose columns are the rows of this one."""
        out = Table(self.bits, self.n, engine=self.engine)
        if self.n and self.bits:
            self._ops.transpose(self.data, self.n, out.data)
        return out

    def col(self, i: int) -> Slice:
        """COL: return column i, not a copy: writing to the slice writes to the table."""
        column = self.data[check_position(i, self.bits, "column")]
        return Slice._of(column, self.n, self.engine)

    def set_col(self, i: int, x: Slice) -> None:
        """Write a slice to column i."""
        column = self.col(i)
        column._check(x)
        column.words[...] = x.words

    def row(self, i: int) -> Word:
        """ROW: return a copy of row i."""
        index = check_position(i, self.n, "row")
        out = Word._of(self._ops.empty(-(-self.bits // 64)), self.bits, self.engine)
        self._ops.read_row(self.data, index, out.words)
        return out

    def set_row(self, i: int, w: Word) -> None:
        """Write a word to row i."""
        index = check_position(i, self.n, "row")
        if not isinstance(w, Word):
            raise DomainMismatch(f"expected a Word, not {type(w).__name__}")
        self.check(w)
        self._ops.write_row(self.data, index, w.words)

    def __getitem__(self, ij: tuple[int, int]) -> bool:
        i, j = ij
        return self.col(j)[i]

    def __setitem__(self, ij: tuple[int, int], bit: Any) -> None:
        i, j = ij
        self.col(j)[i] = bit

    def columns(self, i: int, j: int) -> Table:
        """Return the field of columns i..j as a table, not a copy."""
        first, count = index_range(i, j, self.bits)
        return self._of(self.data[first : first + count], self.n, self.engine)

    def check(self, other: Any, *, bits: bool = True) -> None:
        """Raise unless a slice, word or table fits this table; `bits` also compares widths."""
        if not isinstance(other, (Slice, Word, Table)):
            raise DomainMismatch(f"expected a Slice, Word or Table, not {type(other).__name__}")
        if other.engine != self.engine:
            raise EngineMismatch(f"operands are on engines {self.engine!r} and {other.engine!r}")
        if not isinstance(other, Word) and other.n != self.n:
            raise DimensionMismatch(f"{other.n} rows do not match the {self.n} rows of a table")
        width = other.n if isinstance(other, Word) else getattr(other, "bits", self.bits)
        if bits and width != self.bits:
            raise DimensionMismatch(f"{width} bits do not match the {self.bits} columns of a table")

    @property
    def nbytes(self) -> int:
        """Bytes of the table."""
        return 8 * self.bits * -(-self.n // 64)

    COL, ROW = col, row

    def __repr__(self) -> str:
        return f"<Table: {self.n:,} rows of {self.bits:,} bits, {self.engine}>"
