"""A Boolean Matrix whose entries are all True, one bit each.

A row is filled up by zeros to whole quads of 128 bits, so that kernels read four words at
a time, and any operation on words leaves the filling zero.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.cuda.memory.buffer_pool import zeroed_words
from graphla.cuda.runtime.compile import Kernel, kernel
from graphla.cuda.runtime.device import device
from graphla.cuda.storage.csr import CSR
from graphla.cuda.storage.vector_formats import element, index_dtype

QUAD = 128  # bits
COUNTERS, SHARE = 1 << 16, 128  # threads that count, and words of each where there are more


class Bits:
    """``words``: row behind row, ``across`` quads each.

    It never changes, as a CSR does not, so that other forms made of it are kept here.
    """

    __slots__ = ("_nvals", "_rows", "_transposed", "ncols", "nrows", "words")
    form = "bits"

    def __init__(self, words: Any, nrows: int, ncols: int) -> None:
        self.words, self.nrows, self.ncols = words, nrows, ncols
        self._nvals: int | None = None
        self._rows: CSR | None = None
        self._transposed: Bits | None = None

    @classmethod
    def room(cls, nrows: int, ncols: int) -> Bits:
        """Make one for a kernel to fill."""
        size = words(nrows, ncols)
        with device.memory(4 * size, f"a Matrix of {nrows:,} x {ncols:,} bits"):
            return cls(device.xp.empty(size, np.uint32), nrows, ncols)

    @classmethod
    def of(cls, A: CSR, nrows: int | None = None) -> Bits:
        """Make one with the structure of compressed sparse rows, and perhaps empty rows below."""
        found = cls.room(A.nrows if nrows is None else nrows, A.ncols)
        found.words[:] = 0
        pack = _kernel("csr_to_bits", A.indptr, A.indices)
        pack(A.nvals, A.nvals, A.nrows, A.indptr, A.indices, found.across, found.words)
        return found

    @property
    def across(self) -> int:
        """Quads of a row."""
        return -(-self.ncols // QUAD)

    @property
    def table(self) -> Any:
        """The words, a row for each row."""
        return self.words.reshape(self.nrows, 4 * self.across)

    @property
    def values(self) -> Any:
        """An array of the type, and on the device, that the values would have; never read."""
        return self.words[:1].view(np.bool_)

    @property
    def nvals(self) -> int:
        """Number of entries, counted when somebody asks."""
        if self._nvals is None:
            size, sum = self.words.size, zeroed_words()
            threads = min(size, max(COUNTERS, size // SHARE))  # each 32 add to one word
            _kernel("count_all_bits", self.words, self.words)(threads, size, self.words, sum)
            self._nvals = int(device.word(sum))
        return self._nvals

    def counts(self) -> Any:
        """Return the number of entries of each row."""
        n, found = self.nrows, device.xp.empty(self.nrows, np.int64)
        _kernel("count_row_bits", found, found)(32 * n, n, self.across, self.words, found)
        return found

    def rows(self) -> CSR:
        """Return compressed sparse rows with one True for all, made once."""
        if self._rows is None:
            self._rows = self._unpacked()
        return self._rows

    def _unpacked(self) -> CSR:
        xp, n = device.xp, self.nrows
        ends = xp.zeros(n + 1, np.int64)
        ends[1:] = self.counts().cumsum()
        self._nvals = total = int(device.word(ends[-1]))
        indptr = ends.astype(index_dtype(total))
        column = np.dtype(index_dtype(self.ncols))
        with device.memory(total * column.itemsize, f"a Matrix of {total:,} entries"):
            indices = xp.empty(total, column)
        unpack = _kernel("bits_to_csr", indptr, indices)
        unpack(32 * n, n, self.across, self.words, indptr, indices)
        return CSR(indptr, indices, xp.ones(1, np.bool_), self.ncols, True)

    def transposed(self) -> Bits:
        """Return the transpose, made once."""
        if self._transposed is not None:
            return self._transposed
        found = Bits.room(self.ncols, self.nrows)
        turn = _kernel("transpose_bits", found.words, found.words)
        size = found.words.size
        turn(
            size, size, self.nrows, self.ncols, self.across, self.words, found.across, found.words
        )  # fmt: skip
        self._transposed = found
        return found

    def columns(self, Q: Any) -> Bits:
        """Return the columns that a list names."""
        found = Bits.room(self.nrows, Q.size)
        take = _kernel("extract_bit_columns", found.words, Q)
        size = 32 * found.words.size
        take(size, size, self.across, self.words, found.across, Q.size, Q, found.words)
        return found

    def copy(self) -> Bits:
        """Return the same: it never changes."""
        return self


def words(nrows: int, ncols: int) -> int:
    """Return the number of words of a matrix."""
    return nrows * -(-ncols // QUAD) * (QUAD // 32)


def _kernel(name: str, offsets: Any, indices: Any) -> Kernel:
    types = f"typedef {element(offsets.dtype)} Offset;\ntypedef {element(indices.dtype)} Index;\n"
    return kernel("bit_matrix_convert", types, name)
