"""A Matrix as compressed sparse rows: the one record of such rows in the engine."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from graphla.cuda.runtime.device import device
from graphla.cuda.runtime.kernel import Kernel, kernel
from graphla.cuda.storage.vector_formats import Sparse, bitmap_words, cuda_type, kernel_index_dtype
from graphla.errors import OutOfDeviceMemory

PART = 1 << 27  # entries that a transpose sorts at once: 28 bytes each; with 64-bit values 40
LONG = 2048  # entries of a long row, and of a piece of one (spmv_pull_balanced.cu)
SAMPLE = 1 << 16  # entries
LOOK = 64  # first entries of a row among which its hub neighbor is searched


class RowPieces(NamedTuple):
    """The long rows cut into pieces of LONG entries.

    Attributes
    ----------
    begins, owners : array
        For each piece its first entry, and the row that it is of.
    rows, ends : array
        The long rows, and for each the number of pieces up to its last one.
    """

    begins: Any
    owners: Any
    rows: Any
    ends: Any


class HubNeighbors(NamedTuple):
    """The hub neighbor of each row; bitmaps of the rows with entries, and with two or more."""

    columns: Any
    rows: Any
    longer_rows: Any


class CSR:
    """Row i has the entries ``indptr[i]`` to ``indptr[i + 1]``; their columns ascend.

    ``values`` has one element for each entry, or, if ``iso``, a single one that all share.
    ``indices`` and ``indptr`` have the dtype that :func:`kernel_index_dtype` gives for the number
    of columns and of entries. The entries never change, so what is derived
    from them (the transpose, the longest row) is cached here.
    """

    form = "rows"

    def __init__(
        self, indptr: Any, indices: Any, values: Any, ncols: int, iso: bool = False
    ) -> None:
        self.indptr, self.indices, self.values = indptr, indices, values
        self.nrows, self.ncols = int(indptr.size) - 1, ncols
        self.nvals, self.iso = int(indices.size), iso
        self._transposed: CSR | None = None
        self._fractions: dict[int, float] = {}
        self._sliced: Any = None  # see sliced_ell.py

    @classmethod
    def empty(cls, nrows: int, ncols: int, dtype: Any) -> CSR:
        """Return a matrix without entries."""
        xp = device.xp
        indices = xp.empty(0, kernel_index_dtype(ncols))
        return cls(xp.zeros(nrows + 1, np.int32), indices, xp.empty(0, dtype.np_type), ncols)

    @property
    def arrays(self) -> tuple[Any, Any, Any]:
        """Offsets, columns and values, in the order in which kernels take them."""
        return self.indptr, self.indices, self.values

    @cached_property
    def is_diagonal(self) -> bool:
        """Whether the matrix is square and its entries are all those on the diagonal."""
        if not self.nvals == self.nrows == self.ncols:
            return False
        number = device.xp.arange(self.nvals + 1)
        is_identity = (self.indptr == number).all() & (self.indices == number[:-1]).all()
        return not self.nvals or bool(device.read_scalar(is_identity))

    @cached_property
    def max_row_length(self) -> int:
        """Entries of the longest row."""
        lengths = self.indptr[1:] - self.indptr[:-1]
        return int(device.read_scalar(lengths.max())) if lengths.size else 0

    @cached_property
    def hub_neighbors(self) -> HubNeighbors:
        """For each row of a square matrix the column, among its first LOOK, with the longest row.

        An empty row has none. A traversal is likely to reach that neighbor before the others.
        """
        return self.find_hub_neighbors(self.indptr[1:] - self.indptr[:-1])

    def find_hub_neighbors(self, degrees: Any) -> HubNeighbors:
        """Return the hub neighbors by the degrees of the vertices that the columns stand for."""
        xp, n = device.xp, self.nrows
        rows, longer_rows = (xp.empty(bitmap_words(n), np.uint32) for _ in range(2))
        out = HubNeighbors(xp.empty(n, self.indices.dtype), rows, longer_rows)
        text = self.typedefs() + f"typedef {cuda_type(degrees.dtype)} Degree;\n"
        run = kernel("hub_neighbors", f"{text}enum {{ LOOK = {LOOK} }};\n")
        run(n, n, self.indptr, self.indices, degrees, *out)
        return out

    def share_of_first_columns(self, columns: int) -> float:
        """Return the fraction of the entries, by a regular sample, in the first `columns`."""
        if columns not in self._fractions:
            sample = self.indices[:: max(1, self.nvals // SAMPLE)]
            count = int(device.read_scalar((sample < columns).sum(dtype=np.int64)))
            self._fractions[columns] = count / max(1, sample.size)
        return self._fractions[columns]

    @cached_property
    def long_row_pieces(self) -> RowPieces:
        """The rows of at least LONG entries, in pieces."""
        xp = device.xp
        lengths = self.indptr[1:] - self.indptr[:-1]
        rows = xp.flatnonzero(lengths >= LONG)
        counts = -(-lengths[rows].astype(np.int64) // LONG)
        ends = counts.cumsum()
        total = int(device.read_scalar(ends[-1])) if rows.size else 0
        number = xp.arange(total)
        k = xp.searchsorted(ends, number, side="right")
        begins = self.indptr[rows[k]] + (number - (ends - counts)[k]) * LONG
        return RowPieces(begins.astype(np.int64), rows[k], rows, ends)

    def full_values(self) -> Any:
        """Return the values with one element for each entry."""
        if not self.iso:
            return self.values
        xp = device.xp
        return xp.broadcast_to(self.values, (self.nvals,)).copy()

    def typedefs(self) -> str:
        """Return the CUDA types ``Offset`` and ``Index`` of this matrix."""
        return (
            f"typedef {cuda_type(self.indptr.dtype)} Offset;\n"
            f"typedef {cuda_type(self.indices.dtype)} Index;\n"
        )

    def row_indices(self) -> Any:
        """Return the row of each entry."""
        out = device.xp.empty(self.nvals, kernel_index_dtype(self.nrows))
        text = self.typedefs() + f"typedef {cuda_type(out.dtype)} Row;\n"
        kernel("csr_row_indices", text)(self.nvals, self.nvals, self.nrows, self.indptr, out)
        return out

    def positions(self) -> Any:
        """Return the position row * ncols + column of each entry, ascending."""
        dtype = kernel_index_dtype(self.nrows * self.ncols)
        starts = self.row_indices().astype(dtype) * dtype(self.ncols)
        return device.xp.add(starts, self.indices, dtype=dtype, casting="unsafe")

    def to_list(self) -> Sparse:
        """Return the entries as a list by position."""
        return Sparse.of(self.positions(), self.full_values())

    @classmethod
    def from_list(cls, entries: Sparse, nrows: int, ncols: int) -> CSR:
        """Return the matrix of a list of entries by position."""
        positions, values = entries.sorted_arrays()
        return cls.from_positions(positions, values, nrows, ncols)

    @classmethod
    def from_positions(
        cls, positions: Any, values: Any, nrows: int, ncols: int, iso: bool = False
    ) -> CSR:
        """Return the matrix of ascending positions row * ncols + column."""
        xp = device.xp
        offset = kernel_index_dtype(positions.size)
        if not ncols:
            return cls(xp.zeros(nrows + 1, offset), positions.astype(np.int32), values, ncols, iso)
        starts = xp.arange(nrows + 1, dtype=np.int64) * ncols
        indptr = xp.searchsorted(positions, starts).astype(offset)
        columns = positions % positions.dtype.type(ncols)
        return cls(indptr, columns.astype(kernel_index_dtype(ncols)), values, ncols, iso)

    def transposed(self) -> CSR:
        """Return the transpose, made once."""
        if self._transposed is None:
            out = self._sorted_by_column() if self.nvals <= PART else self._transposed_in_parts()
            out._transposed = self
            self._transposed = out
        return self._transposed

    def _sorted_by_column(self) -> CSR:
        """Return the transpose by one sort of all entries."""
        xp = device.xp
        order = self.indices.argsort(kind="stable")
        columns = self.indices[order]
        bounds = xp.arange(self.ncols + 1, dtype=columns.dtype)
        indptr = xp.searchsorted(columns, bounds).astype(self.indptr.dtype)
        values = self.values if self.iso else self.values[order]
        return CSR(indptr, self.row_indices()[order], values, self.nrows, self.iso)

    def _transposed_in_parts(self) -> CSR:
        """Return the transpose, made of ranges of columns with less than PART + nrows entries.

        Beyond the result, memory is taken for one range, and for arrays of `nrows` or `ncols`.
        """
        xp = device.xp
        sums = prefix_sum(self._column_lengths())
        cuts = device.to_host(xp.searchsorted(sums, xp.arange(0, self.nvals, PART)))
        bounds = np.unique([*cuts, self.ncols]).tolist()
        indptr = sums.astype(self.indptr.dtype, copy=False)
        del sums
        indices = xp.empty(self.nvals, kernel_index_dtype(self.nrows))
        values = self.values if self.iso else xp.empty(self.nvals, self.values.dtype)
        out = CSR(indptr, indices, values, self.nrows, self.iso)
        begins, done = self.indptr[:-1], 0
        for first, last in pairwise(bounds):
            begins, done = self._transpose_range(first, last, begins, out, done)
        return out

    def _column_lengths(self) -> Any:
        """Return the number of entries of each column."""
        counts = device.xp.zeros(self.ncols, np.int64)
        run = self._range_kernel("count_columns", self)
        run(self.nvals, self.nvals, self.indices, counts)
        return counts

    def _transpose_range(
        self, first: int, last: int, begins: Any, out: CSR, done: int
    ) -> tuple[Any, int]:
        """Write the columns `first` to `last` - 1 as rows of the transpose `out`.

        `begins` has for each row its first entry of these columns, `done` is the number of entries
        that `out` has; both are returned for the next range.
        """
        xp = device.xp
        ends = xp.empty(self.nrows, self.indptr.dtype)
        indptr, nvals = self._range_offsets(last, begins, ends)
        indices = xp.empty(nvals, kernel_index_dtype(last - first))
        values = self.values if self.iso else xp.empty(nvals, self.values.dtype)
        part = CSR(indptr, indices, values, last - first, self.iso)
        self._range_kernel("copy_column_range", part)(
            nvals, nvals, self.nrows, first, begins, self.indices,
            None if self.iso else self.values, indptr, indices, None if self.iso else values,
        )  # fmt: skip
        turned, end = part._sorted_by_column(), done + nvals
        out.indices[done:end] = turned.indices
        if not self.iso:
            out.values[done:end] = turned.values
        return ends, end

    def _range_offsets(self, last: int, begins: Any, ends: Any) -> tuple[Any, int]:
        """Write the end of a range of columns in each row; return the offsets of its entries."""
        run = self._range_kernel("column_range_ends", self)
        run(self.nrows, self.nrows, last, self.indptr, self.indices, ends)
        return row_offsets(ends - begins)

    def _range_kernel(self, name: str, part: CSR) -> Kernel:
        """Return a kernel that reads this matrix and writes a part of its columns."""
        text = self.typedefs() + (
            f"typedef {cuda_type(part.indptr.dtype)} PartOffset;\n"
            f"typedef {cuda_type(part.indices.dtype)} PartIndex;\n"
            f"typedef {cuda_type(self.values.dtype)} V;\n"
        )
        return kernel("csr_column_range", text, name)

    def copy(self) -> CSR:
        """Return the matrix itself: it never changes."""
        return self


def prefix_sum(counts: Any) -> Any:
    """Return the sums of the first 0, 1, ... counts, in 64 bits."""
    sums = device.xp.zeros(counts.size + 1, np.int64)
    device.xp.cumsum(counts.astype(np.int64, copy=False), out=sums[1:])
    return sums


def prefix_sum_and_total(counts: Any) -> tuple[Any, int]:
    """Return the prefix sum of `counts`, and the total on the host."""
    sums = prefix_sum(counts)
    return sums, int(device.read_scalar(sums[-1]))


def row_offsets(lengths: Any) -> tuple[Any, int]:
    """Return the `indptr` of rows of these lengths, in 32 bits if they suffice, and the total."""
    sums, nvals = prefix_sum_and_total(lengths)
    return sums.astype(kernel_index_dtype(nvals), copy=False), nvals


def allocate(indptr: Any, nvals: int, index: Any, ncols: int, dtype: Any) -> CSR:
    """Return a product's matrix with room for `nvals` entries.

    Raises
    ------
    OutOfDeviceMemory
        Indices and values do not fit.
    """
    needed = nvals * (np.dtype(index).itemsize + dtype.itemsize)
    what = f"a product with {nvals:,} entries"
    if needed > (free := device.free()):
        raise OutOfDeviceMemory(what, needed=needed, free=free)
    with device.allocation(needed, what):
        xp = device.xp
        return CSR(indptr, xp.empty(nvals, index), xp.empty(nvals, dtype), ncols)
