"""A Matrix as compressed sparse rows, and its conversions to and from lists of positions."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from graphla.cuda.runtime.compile import kernel
from graphla.cuda.runtime.device import device
from graphla.cuda.storage.vector_formats import Sparse, bitmap_words, cuda_type, kernel_index_dtype
from graphla.errors import OutOfDeviceMemory

LONG = 2048  # entries of a piece (spmv_pull_balanced.cu)
SAMPLE = 1 << 16  # entries
LOOK = 64  # entries of a row among which its head is looked for


class Pieces(NamedTuple):
    """Long rows: where each piece begins and whose it is; the rows, and where their pieces end."""

    begins: Any
    owners: Any
    rows: Any
    ends: Any


class Heads(NamedTuple):
    """A column of each row, and bits that say which rows have one."""

    columns: Any
    rows: Any


class CSR:
    """Columns ascend in each row; ``values`` has one element alone where ``iso``: all are equal.

    ``indices`` are of 32 bits up to 2^31 - 4097 columns, ``indptr`` up to as many entries. What is
    derived (the transpose, the longest row) is kept here, as a CSR never changes.
    """

    __slots__ = (
        "_diagonal",
        "_heads",
        "_longest",
        "_pieces",
        "_shares",
        "_sliced",
        "_transposed",
        "indices",
        "indptr",
        "iso",
        "ncols",
        "values",
    )
    form = "rows"

    def __init__(
        self, indptr: Any, indices: Any, values: Any, ncols: int, iso: bool = False
    ) -> None:
        self.indptr, self.indices, self.values = indptr, indices, values
        self.ncols, self.iso = ncols, iso
        self._transposed: CSR | None = None
        self._diagonal: bool | None = None
        self._longest: int | None = None
        self._heads: Heads | None = None
        self._pieces: Pieces | None = None
        self._shares: dict[int, float] = {}
        self._sliced: Any = None  # see sliced.py

    @classmethod
    def empty(cls, nrows: int, ncols: int, dtype: Any) -> CSR:
        """Make one without entries."""
        xp = device.xp
        indices = xp.empty(0, kernel_index_dtype(ncols))
        return cls(xp.zeros(nrows + 1, np.int32), indices, xp.empty(0, dtype.np_type), ncols)

    @property
    def nvals(self) -> int:
        """Number of entries."""
        return int(self.indices.size)

    @property
    def nrows(self) -> int:
        """Number of rows."""
        return int(self.indptr.size) - 1

    @property
    def is_diagonal(self) -> bool:
        """Whether the entries are those (i, i), all of them."""
        if self._diagonal is None:
            self._diagonal = self.nvals == self.nrows == self.ncols
            if self._diagonal and self.nvals:
                number = device.xp.arange(self.nvals + 1)
                once = (self.indptr == number).all() & (self.indices == number[:-1]).all()
                self._diagonal = bool(device.read_scalar(once))
        return self._diagonal

    @property
    def max_row_length(self) -> int:
        """Entries of the longest row."""
        if self._longest is None:
            counts = self.indptr[1:] - self.indptr[:-1]
            self._longest = int(device.read_scalar(counts.max())) if counts.size else 0
        return self._longest

    @property
    def hub_neighbors(self) -> Heads:
        """Of each row the column, among its first ones, whose own row is longest; -1 is none.

        The matrix is square. A search is likely to find that one before the others.
        """
        if self._heads is None:
            xp, n = device.xp, self.nrows
            found = Heads(xp.empty(n, self.indices.dtype), xp.empty(bitmap_words(n), np.uint32))
            run = kernel("hub_neighbors", self.typedefs() + f"enum {{ LOOK = {LOOK} }};\n")
            run(n, n, self.indptr, self.indices, *found)
            self._heads = found
        return self._heads

    def share_of_first_columns(self, first: int) -> float:
        """Return what part of the entries, sampled evenly, lies in the `first` columns."""
        if first not in self._shares:
            some = self.indices[:: max(1, self.nvals // SAMPLE)]
            count = int(device.read_scalar((some < first).sum(dtype=np.int64)))
            self._shares[first] = count / max(1, some.size)
        return self._shares[first]

    @property
    def long_row_pieces(self) -> Pieces:
        """The rows of LONG entries and more, cut into pieces."""
        if self._pieces is None:
            xp = device.xp
            counts = self.indptr[1:] - self.indptr[:-1]
            rows = xp.flatnonzero(counts >= LONG)
            pieces = -(-counts[rows].astype(np.int64) // LONG)
            ends = pieces.cumsum()
            total = int(device.read_scalar(ends[-1])) if rows.size else 0
            number = xp.arange(total)
            k = xp.searchsorted(ends, number, side="right")
            begins = self.indptr[rows[k]] + (number - (ends - pieces)[k]) * LONG
            self._pieces = Pieces(begins.astype(np.int64), rows[k], rows, ends)
        return self._pieces

    def full_values(self) -> Any:
        """Return the values with one element for each entry."""
        if not self.iso:
            return self.values
        xp = device.xp
        return xp.broadcast_to(self.values, (self.nvals,)).copy()

    def typedefs(self) -> str:
        """Return the types ``Offset`` and ``Index`` of this matrix."""
        return (
            f"typedef {cuda_type(self.indptr.dtype)} Offset;\n"
            f"typedef {cuda_type(self.indices.dtype)} Index;\n"
        )

    def rows(self) -> Any:
        """Return the row of each entry, of the type of the indices of rows."""
        out = device.xp.empty(self.nvals, kernel_index_dtype(self.nrows))
        text = self.typedefs() + f"typedef {cuda_type(out.dtype)} Row;\n"
        run = kernel("csr_row_indices", text)
        run(self.nvals, self.nvals, self.nrows, self.indptr, out)
        return out

    def keys(self) -> Any:
        """Return the position row * ncols + column of each entry, ascending."""
        kind = kernel_index_dtype(self.nrows * self.ncols)
        return self.rows().astype(kind) * kind(self.ncols) + self.indices

    def to_list(self) -> Sparse:
        """Return the entries by position."""
        return Sparse.of(self.keys(), self.full_values())

    @classmethod
    def from_list(cls, entries: Sparse, nrows: int, ncols: int) -> CSR:
        """Make one of entries by position."""
        keys, values = entries.arrays()
        return cls.from_keys(keys, values, nrows, ncols)

    @classmethod
    def from_keys(cls, keys: Any, values: Any, nrows: int, ncols: int, iso: bool = False) -> CSR:
        """Make one of ascending positions row * ncols + column."""
        xp = device.xp
        offsets = kernel_index_dtype(keys.size)
        if not ncols:
            return cls(xp.zeros(nrows + 1, offsets), keys.astype(np.int32), values, ncols, iso)
        starts = xp.arange(nrows + 1, dtype=np.int64) * ncols
        indptr = xp.searchsorted(keys, starts).astype(offsets)
        indices = (keys % keys.dtype.type(ncols)).astype(kernel_index_dtype(ncols))
        return cls(indptr, indices, values, ncols, iso)

    def transposed(self) -> CSR:
        """Return the transpose, made once."""
        if self._transposed is None:
            xp = device.xp
            order = self.indices.argsort(kind="stable")
            columns = self.indices[order]
            ends = xp.arange(self.ncols + 1, dtype=columns.dtype)
            indptr = xp.searchsorted(columns, ends).astype(self.indptr.dtype)
            values = self.values if self.iso else self.values[order]
            found = CSR(indptr, self.rows()[order], values, self.nrows, self.iso)
            found._transposed = self
            self._transposed = found
        return self._transposed

    def copy(self) -> CSR:
        """Return the same: it never changes."""
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
