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
from graphla.cuda.storage.vector_formats import cuda_type, kernel_index_dtype

QUAD = 128  # bits
COUNTERS, SHARE = 1 << 16, 128  # threads that count, and words of each where there are more


class BitMatrix:
    """``words``: row behind row, ``across`` quads each.

    It never changes, as a CSR does not, so that other forms made of it are kept here.
    """

    __slots__ = ("_nvals", "_rows", "_transposed", "ncols", "nrows", "words")
    form = "bits"

    def __init__(self, words: Any, nrows: int, ncols: int) -> None:
        self.words, self.nrows, self.ncols = words, nrows, ncols
        self._nvals: int | None = None
        self._rows: CSR | None = None
        self._transposed: BitMatrix | None = None

    @classmethod
    def allocate(cls, nrows: int, ncols: int) -> BitMatrix:
        """Make one for a kernel to fill."""
        size = bit_matrix_words(nrows, ncols)
        with device.allocation(4 * size, f"a Matrix of {nrows:,} x {ncols:,} bits"):
            return cls(device.xp.empty(size, np.uint32), nrows, ncols)

    @classmethod
    def from_csr(cls, A: CSR, nrows: int | None = None) -> BitMatrix:
        """Make one with the structure of compressed sparse rows, and perhaps empty rows below."""
        found = cls.allocate(A.nrows if nrows is None else nrows, A.ncols)
        found.words[:] = 0
        pack = _kernel("csr_to_bits", A.indptr, A.indices)
        pack(A.nvals, A.nvals, A.nrows, A.indptr, A.indices, found.row_quads, found.words)
        return found

    @property
    def row_quads(self) -> int:
        """Quads of a row."""
        return -(-self.ncols // QUAD)

    @property
    def table(self) -> Any:
        """The words, a row for each row."""
        return self.words.reshape(self.nrows, 4 * self.row_quads)

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
            self._nvals = int(device.read_scalar(sum))
        return self._nvals

    def counts(self) -> Any:
        """Return the number of entries of each row."""
        n, found = self.nrows, device.xp.empty(self.nrows, np.int64)
        _kernel("count_row_bits", found, found)(32 * n, n, self.row_quads, self.words, found)
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
        self._nvals = total = int(device.read_scalar(ends[-1]))
        indptr = ends.astype(kernel_index_dtype(total))
        column = np.dtype(kernel_index_dtype(self.ncols))
        with device.allocation(total * column.itemsize, f"a Matrix of {total:,} entries"):
            indices = xp.empty(total, column)
        unpack = _kernel("bits_to_csr", indptr, indices)
        unpack(32 * n, n, self.row_quads, self.words, indptr, indices)
        return CSR(indptr, indices, xp.ones(1, np.bool_), self.ncols, True)

    def transposed(self) -> BitMatrix:
        """Return the transpose, made once."""
        if self._transposed is not None:
            return self._transposed
        found = BitMatrix.allocate(self.ncols, self.nrows)
        turn = _kernel("transpose_bits", found.words, found.words)
        size = found.words.size
        turn(
            size, size, self.nrows, self.ncols, self.row_quads, self.words, found.row_quads,
            found.words,
        )  # fmt: skip
        self._transposed = found
        return found

    def columns(self, Q: Any) -> BitMatrix:
        """Return the columns that a list names."""
        found = BitMatrix.allocate(self.nrows, Q.size)
        take = _kernel("extract_bit_columns", found.words, Q)
        size = 32 * found.words.size
        take(size, size, self.row_quads, self.words, found.row_quads, Q.size, Q, found.words)
        return found

    def copy(self) -> BitMatrix:
        """Return the same: it never changes."""
        return self


def bit_matrix_words(nrows: int, ncols: int) -> int:
    """Return the number of words of a matrix."""
    return nrows * -(-ncols // QUAD) * (QUAD // 32)


def _kernel(name: str, offsets: Any, indices: Any) -> Kernel:
    types = (
        f"typedef {cuda_type(offsets.dtype)} Offset;\ntypedef {cuda_type(indices.dtype)} Index;\n"
    )
    return kernel("bit_matrix_convert", types, name)
