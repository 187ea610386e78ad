"""What distributed objects need of the engine of their blocks, beyond python-graphblas's methods.

Blocks are objects of python-graphblas or of :mod:`graphla.cuda`. Every statement is a statement on
blocks; what reads or makes a block from arrays, which are sent between ranks, is here.
"""

from __future__ import annotations

import importlib
from abc import ABC, abstractmethod
from functools import cache
from typing import Any

import numpy as np

from graphla.core.properties import row_counts

MODULES = {"cpu": "graphla.ranks.blocks.cpu", "cuda": "graphla.ranks.blocks.cuda"}
BITS = 8  # in a byte


def index_type(length: int) -> Any:
    """Return the shortest unsigned NumPy type, of at least 4 bytes, of indices below `length`."""
    return np.uint32 if length <= 1 << 32 else np.uint64


class BlockEngine(ABC):
    """One engine of blocks. Arrays are of its module ``xp``; bits are packed, the lowest first.

    Attributes
    ----------
    name : str
        "cpu" or "cuda".
    alignment : int
        Pieces of a graph begin at multiples of this, so that the bits of pieces can be joined.
    """

    name: str
    alignment: int
    keeps_both_blocks = False  # of a symmetric matrix, where there is memory for it
    # How many products with full vectors a matrix has before their values are gathered in the order
    # of its columns (graphla.ranks.collectives.gather_order), by methods that only such an engine
    # has; None: they never are.
    products_before_order: int | None = None

    @property
    def costs_name(self) -> str:
        """The name of the costs of distributed graphs (:mod:`graphla.execution.push_pull`)."""
        return f"ranks of {self.name}"

    def plan_traversal(self, statements: list[tuple[Any, Any]]) -> Any:
        """Return what runs the statements of a level on the blocks; None: they run one by one."""
        return None

    @property
    @abstractmethod
    def xp(self) -> Any:
        """The array module: NumPy or CuPy."""

    @property
    @abstractmethod
    def objects(self) -> Any:
        """The module with the Matrix, the Vector and the Scalar."""

    def to_host(self, array: Any) -> Any:
        """Return a NumPy array."""
        return array

    def read(self, x: Any) -> Any:
        """Return the value of an array of one element."""
        return x.item()

    def range_of(self, array: Any) -> tuple[Any, Any]:
        """Return the smallest and the largest element of an array that has one."""
        return array.min(), array.max()

    @abstractmethod
    def from_host(self, A: Any) -> Any:
        """Return a Matrix of python-graphblas, or a Vector, as one of the engine."""

    def move(self, new: Any, out: Any) -> None:
        """Give an object the entries of a new one of its shape, which nothing else uses."""
        out << new

    def value_to_write(self, value: Any, out: Any) -> Any:
        """Return an expression, or another value, in a form that can be written to `out`."""
        return value

    @abstractmethod
    def index_dtype(self, length: int) -> Any:
        """Return the NumPy type in which indices below `length` are sent."""

    # ---- vectors

    @abstractmethod
    def entries_of(self, v: Any) -> tuple[Any, Any]:
        """Return the ascending indices and the values of a Vector; the arrays are only read."""

    def split_by_range(self, v: Any, boundaries: Any) -> tuple[list[int], Any, Any]:
        """Return the entries of a Vector by ranges of indices, from each boundary to the next.

        Returns their numbers in each range, their indices and their values: those of a range lie
        together, as :meth:`unordered_list_vector` takes them.
        """
        indices, values = self.entries_of(v)
        ends = self.to_host(self.xp.searchsorted(indices, boundaries))
        return np.diff(ends).tolist(), indices, values

    def lists_ascending(self, v: Any) -> bool:
        """Whether the indices that :meth:`listed_entries` returns ascend."""
        return True

    def listed_entries(self, v: Any) -> tuple[Any, Any]:
        """Return the indices and the values of a Vector, as it lists them; they are only read."""
        return self.entries_of(v)

    def unordered_list_vector(self, indices: Any, values: Any, size: int, dtype: Any) -> Any:
        """Return a Vector of entries in any order in which :meth:`listed_entries` returns them."""
        return self.list_vector(indices, values, size, dtype)

    def is_list_cheaper(self, total: int, size: int, with_values: bool) -> bool:
        """Whether so many entries are gathered as a list, not as bits of all positions."""
        return total * np.dtype(self.index_dtype(size)).itemsize * BITS <= size

    @abstractmethod
    def bits_of(self, v: Any) -> Any:
        """Return the bits of the positions that have entries, as uint8."""

    @abstractmethod
    def values_of_full(self, v: Any) -> Any:
        """Return the values of a Vector that has all entries; the array is only read."""

    @abstractmethod
    def full_vector(self, values: Any, dtype: Any) -> Any:
        """Return a Vector with all entries, which may keep the array."""

    @abstractmethod
    def list_vector(self, indices: Any, values: Any, size: int, dtype: Any) -> Any:
        """Return a Vector of ascending indices and their values; no values: all are one."""

    def sum_of_lists(self, lists: list[Any], monoid: Any) -> Any:
        """Return the sum of Vectors of few entries, in this order, or an expression for it.

        The first one may be changed.
        """
        total, *others, last = lists
        for part in others:
            total(monoid) << part
        return total.ewise_add(last, monoid)

    @abstractmethod
    def bitmap_vector(self, bits: Any, values: Any, nvals: int, size: int, dtype: Any) -> Any:
        """Return a Vector of bits and the values of its entries in order; none: all are one."""

    @abstractmethod
    def copy_storage_hint(self, v: Any, other: Any) -> None:
        """Give a Vector the storage hint of another."""

    def joined_bits(self, bits: Any, lengths: list[int]) -> Any:
        """Return the bits of consecutive pieces of these lengths as those of one.

        Each piece begins with a byte of its own.
        """
        if all(length % BITS == 0 for length in lengths[:-1]):
            return bits
        pieces, first = [], 0
        for length in lengths:
            last = first - (-length // BITS)
            pieces.append(self.xp.unpackbits(bits[first:last], bitorder="little")[:length])
            first = last
        return self.xp.packbits(self.xp.concatenate(pieces), bitorder="little")

    # ---- matrices

    @abstractmethod
    def csr_arrays(self, A: Any) -> tuple[Any, Any, Any]:
        """Return offsets, columns and values of the rows of a Matrix, or of its transpose.

        All values are equal if there is one value only.
        """

    @abstractmethod
    def csr_matrix(self, offsets: Any, columns: Any, values: Any, dtype: Any, ncols: int) -> Any:
        """Return a Matrix of rows whose columns ascend; one value, if there is only one, for all.

        ``values=None``: all are one.
        """

    def row_counts(self, A: Any) -> Any:
        """Return the number of entries of each row of a Matrix, or of its transpose."""
        return row_counts(A).to_dense()

    def csc_matrix(self, offsets: Any, rows: Any, values: Any, dtype: Any, nrows: int) -> Any:
        """Return a Matrix of columns whose rows ascend; values as of :meth:`csr_matrix`."""
        return self.csr_matrix(offsets, rows, values, dtype, nrows).T.new()

    @abstractmethod
    def release_memory(self) -> None:
        """Give back the memory that no array uses."""

    @abstractmethod
    def available_memory(self) -> int:
        """Return the bytes that this process can still allocate for blocks."""


@cache
def block_engine(name: str) -> BlockEngine:
    """Return the engine of blocks with this name."""
    found: BlockEngine = importlib.import_module(MODULES[name]).ENGINE
    return found
