"""Blocks that are objects of the CUDA engine, in the memory of this rank's device."""

from __future__ import annotations

from typing import Any

import numpy as np
from graphblas.dtypes import INT32

from graphla import cuda
from graphla.cuda.device_arrays import (
    csr_of,
    matrix_from_csr,
    vector_from_array,
    vector_from_bitmap,
    vector_from_list,
    vector_from_reordered,
)
from graphla.cuda.runtime.device import device
from graphla.cuda.storage import sliced_ell
from graphla.cuda.storage.csr import CSR
from graphla.cuda.storage.split_list import split_by_range
from graphla.cuda.storage.vector_formats import (
    UNSORTED_SPARSITY,
    Dense,
    bitmap_words,
    kernel_index_dtype,
    spread_values,
    to_dense,
    to_list,
    to_sorted_list,
)
from graphla.execution.push_pull import COSTS, register_costs
from graphla.ranks.blocks.engine import BITS, BlockEngine
from graphla.ranks.blocks.fused_traversal import BlockTraversal, is_block_traversal

WORD_BITS = 32  # of the words of a bitmap
# Vectors with at most this share of their values are gathered as lists, not as bits and values, of
# which the receiver makes an array of all positions. Other shares were not tried.
LIST_SHARE = 1 / 8
LONGEST_VALUE = 8  # bytes: longer ones are not summed by slices
ORDER_BYTES = 48  # for each column: counts of this rank and of all, their sort keys, the order


class CUDABlocks(BlockEngine):
    """Objects of the CUDA engine and arrays of CuPy."""

    name, alignment = "cuda", WORD_BITS
    keeps_both_blocks = True

    @property
    def products_before_order(self) -> int:  # type: ignore[override]
        """Number of products with full vectors before the one in which slices are made."""
        return sliced_ell.BREAK_EVEN - 1

    @property
    def xp(self) -> Any:
        """The array module of the device."""
        return device.xp

    @property
    def objects(self) -> Any:
        """The CUDA engine."""
        return cuda

    def to_host(self, array: Any) -> Any:
        """Return a NumPy array."""
        return array if type(array) is np.ndarray else device.to_host(array)

    def read(self, x: Any) -> Any:
        """Return the value of an array of one element."""
        return device.read_scalar(x)

    def range_of(self, array: Any) -> tuple[Any, Any]:
        """Return the smallest and the largest element of an array, by one copy."""
        low, high = self.to_host(device.xp.stack((array.min(), array.max()))).tolist()
        return low, high

    def from_host(self, A: Any) -> Any:
        """Return a Matrix of python-graphblas, or a Vector, in device memory."""
        return cuda.from_graphblas(A)

    def move(self, new: Any, out: Any) -> None:
        """Give an object the store of a new one, or converted values if the types differ."""
        if out.dtype != new.dtype:
            out << new
            return
        out._store = new._store
        out._apply_storage_hint()

    def index_dtype(self, length: int) -> Any:
        """Return the type of indices in kernels."""
        return kernel_index_dtype(length)

    def entries_of(self, v: Any) -> tuple[Any, Any]:
        """Return the ascending indices and the values of a Vector; the arrays are only read."""
        keys, values = to_sorted_list(v._store, v.size).sorted_arrays()
        return keys, values

    def split_by_range(self, v: Any, boundaries: Any) -> tuple[list[int], Any, Any]:
        """Return the entries of a Vector by ranges of indices; an unsorted list stays unsorted."""
        store = v._store
        if store.form == "sparse" and not store.sorted:
            return split_by_range(store, boundaries)
        return super().split_by_range(v, boundaries)

    def lists_ascending(self, v: Any) -> bool:
        """Whether the indices that :meth:`listed_entries` returns ascend."""
        return v._store.form != "sparse" or v._store.sorted

    def listed_entries(self, v: Any) -> tuple[Any, Any]:
        """Return the indices and the values of a Vector; an unsorted list stays unsorted."""
        if self.lists_ascending(v):
            return self.entries_of(v)
        store, count = v._store, v.nvals
        return store.keys[:count], store.values[:count]

    def unordered_list_vector(self, indices: Any, values: Any, size: int, dtype: Any) -> Any:
        """Return a Vector of entries in any order; no values: all are one."""
        return self._list_vector(indices, values, size, dtype, ascending=False)

    def is_list_cheaper(self, total: int, size: int, with_values: bool) -> bool:
        """Whether so many entries are gathered as a list: bits are expanded at all positions."""
        if with_values:
            return total <= LIST_SHARE * size
        return super().is_list_cheaper(total, size, with_values)

    def bits_of(self, v: Any) -> Any:
        """Return the bits of the positions that have entries, as uint8."""
        store = to_dense(v._store, v.size)
        nbytes = -(-v.size // BITS)
        if store.bits is None:
            return device.xp.packbits(device.xp.ones(v.size, bool), bitorder="little")
        return store.bits.view(np.uint8)[:nbytes]

    def values_of_full(self, v: Any) -> Any:
        """Return the values of a Vector that has all entries."""
        store = v._store
        return store.values if store.form == "full" else v.to_dense()

    def full_vector(self, values: Any, dtype: Any) -> Any:
        """Return a Vector with all entries, which keeps the array."""
        return vector_from_array(values, dtype)

    def list_vector(self, indices: Any, values: Any, size: int, dtype: Any) -> Any:
        """Return a Vector of ascending indices and their values; no values: all are one."""
        return self._list_vector(indices, values, size, dtype, ascending=True)

    def _list_vector(
        self, indices: Any, values: Any, size: int, dtype: Any, *, ascending: bool
    ) -> Any:
        if values is None:
            values = device.xp.ones(indices.size, dtype.np_type)
        keys = indices.astype(kernel_index_dtype(size), copy=False)
        return vector_from_list(keys, values, dtype, size, ascending=ascending)

    def sum_of_lists(self, lists: list[Any], monoid: Any) -> Any:
        """Return the sum of Vectors of few entries; the first one may be changed.

        They are added in a bitmap, of which those with entries become a list again: a copy of the
        result would be one of all positions.
        """
        total, *others = lists
        limit = sum(part.nvals for part in lists)
        for part in others:
            total(monoid) << part
        if limit * UNSORTED_SPARSITY <= total.size:
            total._store = to_list(to_dense(total._store, total.size), total.size)
        return total

    def bitmap_vector(self, bits: Any, values: Any, nvals: int, size: int, dtype: Any) -> Any:
        """Return a Vector of bits and the values of its entries in order; none: all are one."""
        xp = device.xp
        words = xp.zeros(bitmap_words(size), np.uint32)
        words.view(np.uint8)[: bits.size] = bits
        if values is None:
            content = xp.ones(size, dtype.np_type)
        else:
            content = spread_values(words, values, size)
        return vector_from_bitmap(Dense(content, words, nvals), dtype)

    def copy_storage_hint(self, v: Any, other: Any) -> None:
        """Give a Vector the storage hint of another."""
        v.store(other._storage_hint)

    def counts_to_order_columns(self, A: Any) -> Any:
        """Return a Vector of about the number of entries of each column of a Matrix.

        None if products with the matrix, or the view of its transpose, read values as they are, or
        if there is no memory for an order.
        """
        rows = csr_of(A)
        if not sliced_ell.will_relabel(rows, LONGEST_VALUE):
            return None
        if self.available_memory() < ORDER_BYTES * rows.ncols + sliced_ell.build_bytes(rows):
            return None
        return vector_from_array(sliced_ell.estimated_column_counts(rows), INT32)

    def order_by_count(self, counts: Any) -> Any:
        """Return the indices of the positive values of a Vector of counts, by falling count."""
        return sliced_ell.order_by_count(counts.to_dense(0))

    def set_column_order(self, A: Any, order: Any) -> Any:
        """Let products with a Matrix, or its transpose, take vectors in this order of columns.

        Returns the array that such vectors have: this one, or an equal one that was set before.
        """
        return sliced_ell.set_column_order(csr_of(A), order)

    def reordered_vector(self, values: Any, order: Any, size: int, dtype: Any) -> Any:
        """Return a full Vector of the values at the positions in `order`; others are not read."""
        return vector_from_reordered(values, order, dtype, size)

    def csr_arrays(self, A: Any) -> tuple[Any, Any, Any]:
        """Return offsets, columns and values of the rows of a Matrix, or of its transpose."""
        rows = csr_of(A)
        return rows.indptr, rows.indices, rows.values

    def csr_matrix(self, offsets: Any, columns: Any, values: Any, dtype: Any, ncols: int) -> Any:
        """Return a Matrix of rows whose columns ascend."""
        xp = device.xp
        iso = values is None or values.size == 1 != columns.size
        content = xp.ones(1, dtype.np_type) if values is None else values
        offset, column = kernel_index_dtype(columns.size), kernel_index_dtype(ncols)
        rows = CSR(
            offsets.astype(offset, copy=False),
            columns.astype(column, copy=False),
            content.astype(dtype.np_type, copy=False),
            ncols,
            iso,
        )
        return matrix_from_csr(rows, dtype)

    def row_counts(self, A: Any) -> Any:
        """Return the number of entries of each row of a Matrix, or of its transpose."""
        stored = getattr(A, "_store", None)
        return device.xp.diff(stored.indptr) if isinstance(stored, CSR) else super().row_counts(A)

    def plan_traversal(self, statements: list[tuple[Any, Any]]) -> Any:
        """Return a level of a traversal whose statements run as one kernel, or None."""
        return BlockTraversal(statements) if is_block_traversal(statements) else None

    def release_memory(self) -> None:
        """Give back the memory that no array uses.

        Otherwise the next arrays are placed in what large ones have left in CuPy's pool, and the
        rest of that cannot be given back, or used for a large one, as long as they live.
        """
        device.pool_bytes(release=True)

    def available_memory(self) -> int:
        """Return the bytes of device memory that this process can still allocate."""
        return int(cuda.memory().free)


ENGINE = CUDABlocks()
register_costs(
    ENGINE.costs_name,
    COSTS["cuda"]._replace(
        counts_edges_with_size=True,
        levels_per_check=1,
        boolean_form="bitmap",
        positions_per_byte=1,
        row_alignment=1,
    ),
)
