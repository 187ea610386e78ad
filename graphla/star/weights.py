"""A square sparse matrix of numbers: row i is a field of columns of one table.

A second table marks the entries that are present, so that every number can be an entry.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.core import validation
from graphla.errors import DomainMismatch, InvalidValue
from graphla.star.arcs import check_vertex
from graphla.star.bits import check_integer, check_length
from graphla.star.slices import Slice, Word
from graphla.star.table import Table


class Weights:
    """An n x n matrix of numbers; entry (i, j) is row j of field i. Initially it has no entry.

    Parameters
    ----------
    n : int
        Number of vertices, which are 1..n.
    bits : int
        Bits of a number.
    signed : bool
        Numbers may be negative. A number x is stored as x + `bias`, which keeps the order.
    engine : {"cpu", "cuda"}

    Attributes
    ----------
    bias : int
        2^(bits - 1) if signed, else 0.
    values : Table
        n rows, n * bits columns.
    present : Table
        n x n; row j of column i is 1 if entry (i, j) is present.

    Raises
    ------
    OutOfMemory
        The tables take more than half of the available memory.

    Examples
    --------
    >>> from graphla.star import Weights
    >>> W = Weights(3, 4)
    >>> W[1, 2], W[1, 3] = 5, 9
    >>> W.field(1).to_integers().tolist(), W.has(1), W[1, 2], W[2, 1]
    ([0, 5, 9], Slice('011'), 5, None)
    """

    __slots__ = ("bits", "engine", "n", "present", "signed", "values")

    def __init__(self, n: int, bits: int, *, signed: bool = False, engine: str = "cpu") -> None:
        self.n, self.bits = check_length(n), check_length(bits, "bits")
        if signed and not self.bits:
            raise InvalidValue("signed numbers need at least 1 bit, not bits=0")
        self.signed, self.engine = signed, engine
        self.values = Table(self.n, self.n * self.bits, engine=engine)
        self.present = Table(self.n, self.n, engine=engine)

    @classmethod
    def from_graph(cls, G: Any, *, bits: int | None = None) -> Weights:
        """Return the weights of a graph, which are integers, on its engine; vertex v becomes v + 1.

        Parameters
        ----------
        G : Graph
        bits : int, optional
            By default as many as the weights need.

        Raises
        ------
        DomainMismatch
            Weights are not integers.
        InvalidValue
            A weight does not fit `bits`, or `bits` is more than 64.
        """
        validation.check_graph(G)
        if G.dtype.np_type.kind == "f":
            raise DomainMismatch(f"weights must be integers, not {G.dtype.name}")
        engine, G = G.engine, G.to("cpu")
        low, high = (G.min_weight, G.max_weight) if G.weighted and G.A.nvals else (0, 1)
        signed = low < 0
        needed = max(int(high).bit_length(), int(-low - 1).bit_length() if signed else 0) + signed
        bits = max(1, needed) if bits is None else check_length(bits, "bits")
        if bits > 64 or bits < needed:
            raise InvalidValue(f"weights {low}..{high} need {needed} bits, not bits={bits}")
        W = cls(G.n, bits, signed=signed)
        indptr, indices, values = G.csr
        for i in range(G.n):
            entries = slice(indptr[i], indptr[i + 1])
            row, present = np.zeros(G.n, np.uint64), np.zeros(G.n, bool)
            row[indices[entries]] = 1 if values is None else values[entries].astype(np.uint64)
            present[indices[entries]] = True
            row += np.uint64(W.bias)  # modulo 2^64, then 2^bits
            W.field(i + 1).data[...] = Table.from_integers(row & np.uint64(2**bits - 1), bits).data
            W.has(i + 1).words[...] = Slice.from_numpy(present).words
        return W.to(engine)

    def to(self, engine: str) -> Weights:
        """Return a copy on another engine; return self if it is on this one."""
        if engine == self.engine:
            return self
        return self._like(self.values.to(engine), self.present.to(engine))

    def copy(self) -> Weights:
        """Return a copy."""
        return self._like(self.values.copy(), self.present.copy())

    def _like(self, values: Table, present: Table) -> Weights:
        """Return a matrix of the same format that uses these tables."""
        W = Weights.__new__(Weights)
        W.n, W.bits, W.signed, W.engine = self.n, self.bits, self.signed, values.engine
        W.values, W.present = values, present
        return W

    def transpose(self) -> Weights:
        """Return the transpose."""
        values = Table(self.n, self.n * self.bits, engine=self.engine)
        for b in range(self.bits):  # bit b of all numbers is a matrix of bits
            plane = Table._of(self.values.data[b :: self.bits].copy(), self.n, self.engine)
            values.data[b :: self.bits] = plane.transpose().data
        return self._like(values, self.present.transpose())

    def field(self, i: int) -> Table:
        """Return row i of the matrix as a table of n rows, not a copy."""
        i = check_vertex(i, self.n)
        return self.values.columns((i - 1) * self.bits + 1, i * self.bits)

    def has(self, i: int) -> Slice:
        """Return the columns in which row i has entries as a slice, not a copy."""
        return self.present.col(i)

    def word(self, i: int, j: int) -> Word:
        """Return the stored word of entry (i, j)."""
        return self.field(i).row(j)

    @property
    def bias(self) -> int:
        """The number that is added to an entry to store it."""
        return 1 << self.bits - 1 if self.signed else 0

    def __getitem__(self, ij: tuple[int, int]) -> int | None:
        i, j = ij
        return int(self.word(i, j)) - self.bias if self.present[j, i] else None

    def __setitem__(self, ij: tuple[int, int], value: int) -> None:
        i, j = ij
        value = check_integer(value, "value") + self.bias
        if value < 0 or value >> self.bits:
            low, high = -self.bias, 2**self.bits - 1 - self.bias
            raise InvalidValue(f"{value - self.bias} is out of range {low}..{high}")
        word = Word.from_integer(value, self.bits, engine=self.engine)
        self.field(i).set_row(check_vertex(j, self.n), word)
        self.present[j, i] = True

    def __delitem__(self, ij: tuple[int, int]) -> None:
        i, j = ij
        self.present[j, i] = False

    def to_numpy(self) -> tuple[Any, Any]:
        """Return the numbers, 0 for a missing entry, and a Boolean matrix of the entries."""
        W = self.to("cpu")
        present = W.present.to_numpy().T
        rows = [W.field(i + 1).to_integers() for i in range(self.n)]
        values = np.array(rows, np.uint64).reshape(self.n, self.n)
        if self.signed:
            values = (values - np.uint64(self.bias)).view(np.int64)
        return np.where(present, values, 0), present

    def __repr__(self) -> str:
        sign = ", signed" if self.signed else ""
        return f"<Weights: {self.n:,} x {self.n:,} of {self.bits} bits{sign}, {self.engine}>"
