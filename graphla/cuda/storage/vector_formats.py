"""Storage formats of a Vector: a list of entries, a bitmap, or a full array.

A Matrix of few rows can have the same formats, its rows one after the other: position p is entry
(p // ncols, p % ncols). ``size`` below is the number of positions.

A ``value`` is a NumPy scalar of any dtype; the kernels of convert_values.cu cast it as every
update does.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from typing import Any

import numpy as np

from graphla.cuda.memory.buffer_pool import (
    BufferPool,
    PlanBuffers,
    SharedArray,
    empty_array,
    zeroed_words,
)
from graphla.cuda.runtime.device import device
from graphla.cuda.runtime.kernel import HostResult, kernel

# Kernels compute indices less than 4096 beyond one. So -1 in an unsigned type is no index either.
MAX_INT32_SIZE, MAX_UINT32_SIZE = np.iinfo(np.int32).max - 4096, np.iinfo(np.uint32).max - 4096


def kernel_index_dtype(size: int) -> Any:
    """Return the type in which kernels compute an index below `size`, or `size` itself."""
    if size <= MAX_INT32_SIZE:
        return np.int32
    return np.uint32 if size <= MAX_UINT32_SIZE else np.int64


def no_index(dtype: Any) -> Any:
    """Return what stands for a missing index of this type: -1, which wraps if it is unsigned."""
    return np.int64(-1).astype(dtype)


def bitmap_words(size: int) -> int:
    """Return the number of 32-bit words for `size` bits, at least 1, so that no array is empty."""
    return max(1, (size + 31) // 32)


@cache
def cuda_type(dtype: Any) -> str:
    """Return the CUDA name of a NumPy dtype (types.cuh)."""
    dtype = np.dtype(dtype)
    return "bool" if dtype.kind == "b" else f"{dtype.kind}{8 * dtype.itemsize}"


UNUSED_BYTES = 1 << 10  # that a new object may keep beyond its entries, once they are counted
UNCOUNTED_UNUSED_BYTES = 1 << 20  # and before
UNSORTED_SPARSITY = 64  # positions for each entry from which a bitmap becomes an unsorted list
COUNT_TYPES = "typedef i32 Index; typedef bool V;\n"  # for count_entries, which uses neither


class Sparse:
    """A list of entries: ``keys``, their positions, and ``values``; the first ``count`` are used.

    Kernels write the count on the device and read it there. The host reads it when ``nvals`` is
    requested. If that was requested of the list that this one replaces (``count_wanted``), the
    kernel that writes this one publishes the count to the host, too (``count_result``). Until the
    host has read it, ``limit`` bounds it. The keys ascend if ``sorted``.

    The entries never change. An array is valid as long as the list, which may release it to a pool
    (see :mod:`graphla.cuda.memory.buffer_pool`); the arrays of ``sorted_arrays`` stay valid.
    """

    __slots__ = (
        "_count", "_keys_owner", "_nvals", "_sorted_arrays", "_values_pool", "count_result",
        "count_wanted", "keys", "limit", "sorted", "trim_when_counted", "values",
    )  # fmt: skip
    form = "sparse"

    def __init__(
        self, keys: Any, values: Any, count: Any, nvals: int | None, in_order: bool,
        keys_owner: SharedArray | None = None, values_pool: BufferPool | None = None,
    ) -> None:  # fmt: skip
        self._keys_owner, self._values_pool = keys_owner, values_pool
        self.keys, self.values, self._count = keys, values, count
        self._nvals, self.sorted = nvals, in_order
        self._sorted_arrays: tuple[Any, Any] | None = None
        self.limit = keys.size
        self.count_wanted = self.trim_when_counted = False
        self.count_result: HostResult | None = None

    @classmethod
    def of(cls, keys: Any, values: Any) -> Sparse:
        """Return a list of arrays that contain its entries, sorted, and nothing else."""
        return cls(keys, values, None, keys.size, True)

    @classmethod
    def empty(cls, size: int, dtype: Any) -> Sparse:
        """Return a list without entries."""
        return cls.of(empty_array(kernel_index_dtype(size)), empty_array(dtype.np_type))

    @classmethod
    def single_entry(cls, size: int, position: int, value: Any, dtype: Any) -> Sparse:
        """Return a list of one entry."""
        xp = device.active.xp
        keys, values = xp.empty(1, kernel_index_dtype(size)), xp.empty(1, dtype.np_type)
        count = xp.empty(1, np.uint64)
        run = _cast_kernel("single_entry_list", values.dtype, value.dtype, keys.dtype)
        run(1, position, value, keys, values, count)
        return cls(keys, values, count, 1, True)

    @classmethod
    def allocate(
        cls, size: int, limit: int, dtype: Any, before: Any = None,
        buffers: PlanBuffers | None = None, whole: bool = False, stream: Any = None,
    ) -> Sparse:  # fmt: skip
        """Return an empty list for a kernel to fill, in the place of the store `before`.

        Parameters
        ----------
        limit : int
            The most entries that the kernel writes.
        before : Sparse or Dense, optional
            If it is a list whose count was requested, the kernel publishes the new list's, too.
        buffers : PlanBuffers, optional
            The arrays are acquired from them and released to them.
        whole : bool, optional
            Let the arrays have `size` elements: a plan whose limits vary then reuses them always.
        stream : optional
            The key of the current stream, if it is known.
        """
        stream = stream or device.active.stream_key
        length = size if whole else min(size, 1 << (limit - 1).bit_length())  # few sizes, for reuse
        index, count = kernel_index_dtype(size), zeroed_words(stream)
        if buffers is None:
            empty = device.active.xp.empty
            out = cls(empty(length, index), empty(length, dtype.np_type), count, None, False)
        else:
            keys_pool, values_pool = buffers[stream]
            keys = keys_pool.acquire(length, index)
            values = values_pool.acquire(length, dtype.np_type)
            owner = SharedArray(keys, keys_pool)
            out = cls(keys, values, count, None, False, owner, values_pool)
        out.limit = limit
        if before is not None and before.form == "sparse" and before.count_wanted:
            out.count_result, out.count_wanted = HostResult(), True
        return out

    def with_new_values(self, dtype: Any, buffers: PlanBuffers) -> Sparse:
        """Return a list that shares the keys, for a kernel to write its values."""
        _, pool = buffers[device.active.stream_key]
        values = pool.acquire(self.keys.size, dtype.np_type)
        out = Sparse(
            self.keys, values, self.count, self._nvals, self.sorted, self._keys_owner, pool
        )
        out.count_result, out.limit = self.count_result, self.limit
        return out

    def __del__(self) -> None:
        if (pool := self._values_pool) is not None:
            pool.release(self.values)

    def _withdraw(self) -> None:
        """Never release the arrays: they may be used longer than the list lives."""
        self._values_pool = None
        if self._keys_owner is not None:
            self._keys_owner.pool = None

    @property
    def host_count(self) -> Any:
        """The address to which a kernel publishes the count; None if the host does not need it."""
        return None if self.count_result is None else self.count_result.device_words

    @property
    def count(self) -> Any:
        """The number of entries, on the device."""
        if self._count is None:
            xp, nvals = device.xp, self._nvals
            self._count = xp.full(1, nvals, np.uint64) if nvals else zeroed_words()
        return self._count

    @property
    def nvals(self) -> int:
        """The number of entries; the first time, the host waits for it."""
        self.count_wanted = True
        if self._nvals is None:
            if self.count_result is None:
                self._nvals = int(device.read_scalar(self._count))
            else:
                self._nvals = self.count_result.wait()[0]
            if self.trim_when_counted:
                self._trim()
        return self._nvals

    @property
    def is_counted(self) -> bool:
        """Whether the host has read the number of entries."""
        return self._nvals is not None

    @property
    def max_nvals(self) -> int:
        """An upper bound of `nvals`, without waiting."""
        return self.limit if self._nvals is None else self._nvals

    def trimmed(self) -> Sparse:
        """Return a list of the same entries without much unused memory, for a new object.

        If only the device has their number, the arrays are trimmed when the host reads it.
        """
        if self._unused_bytes <= (UNUSED_BYTES if self.is_counted else UNCOUNTED_UNUSED_BYTES):
            self.trim_when_counted = not self.is_counted
            return self
        k = self.max_nvals
        keys, values = self.keys[:k].copy(), self.values[:k].copy()
        out = Sparse(keys, values, self._count, self._nvals, self.sorted)
        out.count_result, out.count_wanted = self.count_result, self.count_wanted
        out.trim_when_counted = not self.is_counted
        return out

    @property
    def _unused_bytes(self) -> int:
        return int(self.keys.size - self.max_nvals) * (self.keys.itemsize + self.values.itemsize)

    def _trim(self) -> None:
        """Replace the arrays by shorter ones if the entries, now counted, leave much unused."""
        self.trim_when_counted = False
        if self._unused_bytes > UNUSED_BYTES:
            k = self.max_nvals
            with suppress(device.out_of_memory):  # no memory for the copies: they stay as they are
                keys, values = self.keys[:k].copy(), self.values[:k].copy()
                self._withdraw()  # another thread may be about to launch a kernel that reads them
                self.keys, self.values, self._keys_owner = keys, values, None

    def sorted_arrays(self) -> tuple[Any, Any]:
        """Return the keys, ascending, and their values; the caller may keep the arrays."""
        if self._sorted_arrays is None:  # views of withdrawn arrays if sorted, else sorted copies
            k = self.nvals
            keys, values = self.keys[:k], self.values[:k]
            if self.sorted:
                self._withdraw()
                self._sorted_arrays = keys, values
            else:
                order = keys.argsort()
                self._sorted_arrays = keys[order], values[order]
        return self._sorted_arrays

    def copy(self) -> Sparse:
        """Return a list with copies of the arrays."""
        k = self.nvals
        out = Sparse.of(self.keys[:k].copy(), self.values[:k].copy())
        out.sorted = self.sorted
        return out


class Dense:
    """A value for each position: a bitmap, whose ``bits`` mark the entries, or full (no bits)."""

    __slots__ = ("_nvals", "bits", "count_result", "form", "values")

    def __init__(self, values: Any, bits: Any = None, nvals: int | None = None) -> None:
        self.values, self.bits, self._nvals = values, bits, nvals
        self.count_result: HostResult | None = (
            None  # of the kernel that counted the entries that it wrote
        )
        self.form = "full" if bits is None else "bitmap"

    @classmethod
    def empty(cls, size: int, dtype: Any) -> Dense:
        """Return a bitmap without entries."""
        xp = device.xp
        return cls(xp.empty(size, dtype.np_type), xp.zeros(bitmap_words(size), np.uint32), 0)

    @classmethod
    def single_entry(cls, size: int, position: int, value: Any, dtype: Any) -> Dense:
        """Return a bitmap of one entry."""
        xp, nwords = device.active.xp, bitmap_words(size)
        values, bits = xp.empty(size, dtype.np_type), xp.empty(nwords, np.uint32)
        run = _cast_kernel("single_entry_bitmap", values.dtype, value.dtype)
        run(nwords, nwords, position, value, values, bits)
        return cls(values, bits, 1)

    @classmethod
    def full(cls, values: Any, value: Any) -> Dense:
        """Return a full array in the memory of `values`, with one value everywhere."""
        size = values.size
        _cast_kernel("fill_values", values.dtype, value.dtype)(size, size, value, values)
        return cls(values)

    @property
    def nvals(self) -> int:
        """The number of entries."""
        if self.bits is None:
            return self.values.size
        if self._nvals is None:
            result = self.count_result
            if result is None:
                size, result = self.bits.size, HostResult()
                _counter()(size, size, self.bits, zeroed_words(), result.device_words)
            self._nvals = result.wait()[0]
        return self._nvals

    def forget_count(self) -> None:
        """Count the entries again at the next request: a kernel changes them."""
        self._nvals = self.count_result = None

    def write_entry(self, position: int, value: Any) -> None:
        """Write one entry in place."""
        run = _cast_kernel("write_entry", self.values.dtype, value.dtype)
        run(1, position, value, self.values, self.bits)
        self.forget_count()

    def astype(self, dtype: Any) -> Dense:
        """Return a copy with values of another dtype."""
        return self._converted(dtype.np_type)

    def copy(self) -> Dense:
        """Return a store with copies of the arrays; values of absent entries are not read."""
        if self.bits is None:
            return Dense(self.values.copy(), None, self._nvals)
        return self._converted(self.values.dtype)

    def _converted(self, dtype: Any) -> Dense:
        xp, size = device.active.xp, self.values.size
        values = xp.empty(size, dtype)
        bits = None if self.bits is None else xp.empty(self.bits.size, np.uint32)
        run = _cast_kernel("convert_values", values.dtype, self.values.dtype)
        run(size, size, bitmap_words(size), self.values, self.bits, values, bits)
        return Dense(values, bits, self._nvals)


class ReorderedDense(Dense):
    """Values of a full array in another order: element k is the value at position ``order[k]``.

    It is the operand of products that read no other position. ``values`` are those of all
    positions, with zero at the others; they are made when they are first read.
    """

    __slots__ = ("_size", "_values", "order", "reordered")

    def __init__(self, reordered: Any, order: Any, size: int) -> None:
        self.reordered, self.order, self._size = reordered, order, size
        self._values: Any = None
        self.bits, self.count_result, self.form, self._nvals = None, None, "full", size

    @property
    def values(self) -> Any:
        """The values of all positions."""
        if self._values is None:
            self._values = device.xp.zeros(self._size, self.reordered.dtype)
            self._values[self.order] = self.reordered
        return self._values

    @property
    def nvals(self) -> int:
        """The number of positions."""
        return self._size


@cache
def _counter() -> Any:
    return kernel("vector_formats", COUNT_TYPES, "count_entries")


@cache
def _kernel(keys: Any, values: Any, name: str) -> Any:
    types = f"typedef {cuda_type(keys)} Index; typedef {cuda_type(values)} V;\n"
    return kernel("vector_formats", types, name)


@cache
def _cast_kernel(name: str, values: Any, source: Any, keys: Any = np.int32) -> Any:
    types = f"typedef {cuda_type(keys)} Index;\ntypedef {cuda_type(values)} V;\n"
    return kernel("convert_values", f"{types}typedef {cuda_type(source)} S;\n", name)


def to_dense(store: Any, size: int) -> Dense:
    """Return a list as a bitmap; a bitmap or full store as it is."""
    if isinstance(store, Dense):
        return store
    xp = device.active.xp
    values, bits = xp.empty(size, store.values.dtype), xp.zeros(bitmap_words(size), np.uint32)
    if not store.max_nvals:
        return Dense(values, bits, 0)
    write = _kernel(store.keys.dtype, store.values.dtype, "list_to_bitmap")
    write(store.max_nvals, store.count, store.keys, store.values, values, bits)
    return Dense(values, bits, store._nvals)


def filled(store: Any, size: int, fill: Any) -> Any:
    """Return an array of the values; `fill`, a NumPy scalar of its dtype, replaces missing ones."""
    dense = to_dense(store, size)
    out = device.xp.empty(size, fill.dtype)
    types = f"typedef {cuda_type(dense.values.dtype)} V; typedef {cuda_type(out.dtype)} Z;\n"
    kernel("fill_missing", types)(size, size, dense.values, dense.bits, fill, out)
    return out


def to_list(store: Dense, size: int) -> Sparse:
    """Return a bitmap or full store as a list; that of a bitmap with few entries is not sorted."""
    if store.bits is None or store.nvals * UNSORTED_SPARSITY > size:
        return to_sorted_list(store, size)
    xp, count = device.xp, zeroed_words()
    keys = xp.empty(store.nvals, kernel_index_dtype(size))
    values = xp.empty(store.nvals, store.values.dtype)
    write = _kernel(keys.dtype, values.dtype, "bitmap_to_unsorted_list")
    write(store.bits.size, store.bits.size, store.bits, store.values, keys, values, count)
    return Sparse(keys, values, count, store.nvals, False)


def spread_values(bits: Any, values: Any, size: int) -> Any:
    """Return the values of a bitmap's entries, in order, as an array of all positions.

    Elements at positions without an entry are not set.
    """
    out, ends = device.xp.empty(size, values.dtype), _entries_end(bits, size)
    write = _kernel(ends.dtype, values.dtype, "sorted_values_to_bitmap")
    write(size, size, bits, ends, values, out)
    return out


def _entries_end(bits: Any, size: int) -> Any:
    """Return how many entries a bitmap has up to the end of each word."""
    counts = device.xp.empty(bits.size, kernel_index_dtype(size))
    count = _kernel(counts.dtype, np.dtype(bool), "count_word_entries")
    count(counts.size, counts.size, bits, counts)
    return counts.cumsum(dtype=counts.dtype)


def to_sorted_list(store: Any, size: int) -> Sparse:
    """Return a bitmap or full store as a sorted list; a list as it is."""
    if isinstance(store, Sparse):
        return store
    xp = device.xp
    if store.bits is None:
        keys = xp.arange(size, dtype=kernel_index_dtype(size))
        return Sparse.of(keys, store.values.copy())  # full stores are written in place, lists not
    ends = _entries_end(store.bits, size)
    nvals = int(device.read_scalar(ends[-1]))
    keys, values = xp.empty(nvals, kernel_index_dtype(size)), xp.empty(nvals, store.values.dtype)
    write = _kernel(keys.dtype, values.dtype, "bitmap_to_sorted_list")
    write(ends.size, ends.size, store.bits, ends, store.values, keys, values)
    return Sparse.of(keys, values)
