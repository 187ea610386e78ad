"""A Boolean Matrix whose entries are all True, stored as one bit for each position.

Rows are padded with zeros to whole quads of 128 bits: kernels read four words at a time, and
bitwise operations on whole words leave the padding zero.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.cuda.memory.buffer_pool import zeroed_words
from graphla.cuda.runtime.device import device
from graphla.cuda.runtime.kernel import Kernel, kernel
from graphla.cuda.storage.csr import CSR, prefix_sum
from graphla.cuda.storage.vector_formats import cuda_type, kernel_index_dtype

QUAD = 128  # bits
COUNT_THREADS, COUNT_WORDS = 1 << 16, 128  # threads that count entries; words of each, if more


class BitMatrix:
    """``words``: the rows one after the other, ``row_quads`` quads each.

    The entries never change, so derived stores are kept.
    """

    __slots__ = ("_csr", "_nvals", "_transposed", "ncols", "nrows", "words")
    form = "bits"

    def __init__(self, words: Any, nrows: int, ncols: int) -> None:
        self.words, self.nrows, self.ncols = words, nrows, ncols
        self._nvals: int | None = None
        self._csr: CSR | None = None
        self._transposed: BitMatrix | None = None

    @classmethod
    def allocate(cls, nrows: int, ncols: int) -> BitMatrix:
        """Return a matrix for a kernel to fill."""
        size = bit_matrix_words(nrows, ncols)
        with device.allocation(4 * size, f"a Matrix of {nrows:,} x {ncols:,} bits"):
            return cls(device.xp.empty(size, np.uint32), nrows, ncols)

    @classmethod
    def from_csr(cls, A: CSR, nrows: int | None = None) -> BitMatrix:
        """Return a matrix with the structure of A, and with empty rows up to `nrows`."""
        out = cls.allocate(A.nrows if nrows is None else nrows, A.ncols)
        out.words[:] = 0
        set_bits = _kernel("csr_to_bits", A.indptr, A.indices)
        set_bits(A.nvals, A.nvals, A.nrows, A.indptr, A.indices, out.row_quads, out.words)
        return out

    @property
    def row_quads(self) -> int:
        """Quads of a row."""
        return -(-self.ncols // QUAD)

    @property
    def words_by_row(self) -> Any:
        """The words as a two-dimensional array."""
        return self.words.reshape(self.nrows, 4 * self.row_quads)

    @property
    def values(self) -> Any:
        """An array of the dtype and device of the values; its elements are never read."""
        return self.words[:1].view(np.bool_)

    @property
    def nvals(self) -> int:
        """Number of entries, counted when it is asked for."""
        if self._nvals is None:
            size, total = self.words.size, zeroed_words()
            threads = min(size, max(COUNT_THREADS, size // COUNT_WORDS))  # one atomic for each warp
            _kernel("count_all_bits", self.words, self.words)(threads, size, self.words, total)
            self._nvals = int(device.read_scalar(total))
        return self._nvals

    def row_counts(self) -> Any:
        """Return the number of entries of each row."""
        n, counts = self.nrows, device.xp.empty(self.nrows, np.int64)
        run = _kernel("count_row_bits", counts, counts)
        run(32 * n, n, self.row_quads, self.words, counts)
        return counts

    def to_csr(self) -> CSR:
        """Return compressed sparse rows with one True for all entries, made once."""
        if self._csr is None:
            xp, n = device.xp, self.nrows
            offsets = prefix_sum(self.row_counts())
            self._nvals = nvals = int(device.read_scalar(offsets[-1]))
            indptr = offsets.astype(kernel_index_dtype(nvals))
            column = np.dtype(kernel_index_dtype(self.ncols))
            with device.allocation(nvals * column.itemsize, f"a Matrix of {nvals:,} entries"):
                indices = xp.empty(nvals, column)
            run = _kernel("bits_to_csr", indptr, indices)
            run(32 * n, n, self.row_quads, self.words, indptr, indices)
            self._csr = CSR(indptr, indices, xp.ones(1, np.bool_), self.ncols, True)
        return self._csr

    def transposed(self) -> BitMatrix:
        """Return the transpose, made once."""
        if self._transposed is None:
            out = BitMatrix.allocate(self.ncols, self.nrows)
            size = out.words.size
            _kernel("transpose_bits", out.words, out.words)(
                size, size, self.nrows, self.ncols, self.row_quads, self.words, out.row_quads,
                out.words,
            )  # fmt: skip
            self._transposed = out
        return self._transposed

    def take_columns(self, columns: Any) -> BitMatrix:
        """Return the columns of these numbers, in their order."""
        out = BitMatrix.allocate(self.nrows, columns.size)
        size = 32 * out.words.size
        _kernel("extract_bit_columns", out.words, columns)(
            size, size, self.row_quads, self.words, out.row_quads, columns.size, columns, out.words
        )
        return out

    def copy(self) -> BitMatrix:
        """Return the matrix itself: it never changes."""
        return self


def bit_matrix_words(nrows: int, ncols: int) -> int:
    """Return the number of 32-bit words of a bit matrix."""
    return nrows * -(-ncols // QUAD) * (QUAD // 32)


def _kernel(name: str, offsets: Any, indices: Any) -> Kernel:
    types = (
        f"typedef {cuda_type(offsets.dtype)} Offset;\ntypedef {cuda_type(indices.dtype)} Index;\n"
    )
    return kernel("bit_matrix_convert", types, name)
