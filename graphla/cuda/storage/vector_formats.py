"""How the entries of a Vector lie in memory: a list, a bitmap, or a full array.

A Matrix of few rows may take the same forms, row behind row: position p is entry
(p // ncols, p % ncols). ``size`` below is the number of positions.
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
from graphla.cuda.runtime.compile import kernel
from graphla.cuda.runtime.device import device
from graphla.cuda.runtime.host_result import HostResult

NARROW = np.iinfo(np.int32).max - 4096  # kernels look less than that ahead of a position


def kernel_index_dtype(size: int) -> Any:
    """Return the type of a position among `size`."""
    return np.int32 if size <= NARROW else np.int64


def bitmap_words(size: int) -> int:
    """Return how many words hold `size` bits; one at least, so that no array is empty."""
    return max(1, (size + 31) // 32)


@cache
def cuda_type(dtype: Any) -> str:
    """Return the CUDA name of the type of an array's elements."""
    dtype = np.dtype(dtype)
    return "bool" if dtype.kind == "b" else f"{dtype.kind}{8 * dtype.itemsize}"


SLACK = 1 << 10  # bytes that a list which is kept may have unused, once it is counted
UNCOUNTED_SLACK = 1 << 20  # and before
FEW = 64  # positions of a bitmap for each entry: a list of so few need not be in order
BITS = "typedef i32 Index; typedef bool V;\n"  # where no position is count_wanted for


class Sparse:
    """A list of entries; ``keys`` and ``values`` can be longer than their number, ``count``.

    Kernels write the count on the device and read it there. The host reads it once, if somebody
    asks. If somebody asked for the count of the list that this one replaces (``count_wanted``), the
    kernel that makes this one publishes it to the host, as ``count_result``. Until the host knows
    it, ``limit`` bounds it.
    The keys ascend only if ``sorted``. An array of a list is valid as long as the list, which may
    release it to a pool (see :mod:`graphla.cuda.memory.buffer_pool`); those of ``arrays`` stay.
    """

    __slots__ = (
        "_count", "_keys_owner", "_nvals", "_ordered", "_values_pool", "count_result",
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
        self._ordered: tuple[Any, Any] | None = None
        self.limit = keys.size
        self.count_wanted = self.trim_when_counted = False
        self.count_result: HostResult | None = None

    @classmethod
    def of(cls, keys: Any, values: Any) -> Sparse:
        """Make a list of arrays that hold the entries, in order, and nothing else."""
        return cls(keys, values, None, keys.size, True)

    @classmethod
    def empty(cls, size: int, dtype: Any) -> Sparse:
        """Make a list without entries."""
        return cls.of(empty_array(kernel_index_dtype(size)), empty_array(dtype.np_type))

    @classmethod
    def allocate(
        cls, size: int, limit: int, dtype: Any, before: Any = None,
        buffers: PlanBuffers | None = None, whole: bool = False, stream: Any = None,
    ) -> Sparse:  # fmt: skip
        """Make an empty list for a kernel to fill, in the place of the store `before`.

        It can have `limit` entries, or, if `whole`, one for each of the `size` positions. Its
        arrays are acquired from `buffers`, and released to them.
        """
        stream = stream or device.active.stream_key
        length = size if whole else min(size, 1 << (limit - 1).bit_length())  # few sizes: reused
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
        """Return a list of the same keys, for a kernel to write its values."""
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
        """Keep the arrays out of the pool: somebody may use them longer than the list lives."""
        self._values_pool = None
        if self._keys_owner is not None:
            self._keys_owner.pool = None

    @property
    def host_count(self) -> Any:
        """Where a kernel tells the count to the host, if it has to."""
        return None if self.count_result is None else self.count_result.device_words

    @property
    def count(self) -> Any:
        """The number of entries, on the device."""
        if self._count is None:
            self._count = device.xp.full(1, self._nvals, np.uint64)
        return self._count

    @property
    def nvals(self) -> int:
        """The number of entries; the first question reads a word from the device."""
        self.count_wanted = True
        if self._nvals is None:
            count_result = self.count_result
            self._nvals = (
                int(device.read_scalar(self._count))
                if count_result is None
                else count_result.wait()[0]
            )
            if self.trim_when_counted:
                self._fit()
        return self._nvals

    @property
    def is_counted(self) -> bool:
        """Whether the host knows the number of entries."""
        return self._nvals is not None

    @property
    def max_nvals(self) -> int:
        """An upper bound of `nvals` that costs nothing."""
        return self.limit if self._nvals is None else self._nvals

    def trimmed(self) -> Sparse:
        """Return a list of the same entries without spare room, for an object that may be kept.

        Where only the device knows how many there are, the room goes when the host asks.
        """
        if self._unused <= (SLACK if self.is_counted else UNCOUNTED_SLACK):
            self.trim_when_counted = not self.is_counted
            return self
        k = self.max_nvals
        keys, values = self.keys[:k].copy(), self.values[:k].copy()
        found = Sparse(keys, values, self._count, self._nvals, self.sorted)
        found.count_result, found.count_wanted, found.trim_when_counted = (
            self.count_result,
            self.count_wanted,
            not self.is_counted,
        )
        return found

    @property
    def _unused(self) -> int:
        """Bytes of the room that no entry can need."""
        return int(self.keys.size - self.max_nvals) * (self.keys.itemsize + self.values.itemsize)

    def _fit(self) -> None:
        """Give back the room that the entries, now counted, do not need."""
        self.trim_when_counted = False
        if self._unused > SLACK:
            k = self.max_nvals
            with suppress(device.out_of_memory):  # no memory for the copies: they stay as they are
                keys, values = self.keys[:k].copy(), self.values[:k].copy()
                self._withdraw()  # a kernel on another thread may be about to read them
                self.keys, self.values, self._keys_owner = keys, values, None

    def arrays(self) -> tuple[Any, Any]:
        """Return the keys, in order, and their values."""
        if self._ordered is None:  # the list stays as it is: another thread may be reading it
            k = self.nvals
            keys, values = self.keys[:k], self.values[:k]
            if self.sorted:
                self._withdraw()
                self._ordered = keys, values
            else:
                order = keys.argsort()
                self._ordered = keys[order], values[order]
        return self._ordered

    def copy(self) -> Sparse:
        """Return a list of its own."""
        k = self.nvals
        found = Sparse.of(self.keys[:k].copy(), self.values[:k].copy())
        found.sorted = self.sorted
        return found


class Dense:
    """A value for each position; ``bits`` say which are entries, and are None where all are."""

    __slots__ = ("_nvals", "bits", "count_result", "form", "values")

    def __init__(self, values: Any, bits: Any = None, nvals: int | None = None) -> None:
        self.values, self.bits, self._nvals = values, bits, nvals
        self.count_result: HostResult | None = (
            None  # by the kernel that counted while it made the entries
        )
        self.form = "full" if bits is None else "bitmap"

    @classmethod
    def empty(cls, size: int, dtype: Any) -> Dense:
        """Make a bitmap without entries."""
        xp = device.xp
        return cls(xp.empty(size, dtype.np_type), xp.zeros(bitmap_words(size), np.uint32), 0)

    @property
    def nvals(self) -> int:
        """The number of entries."""
        if self.bits is None:
            return self.values.size
        if self._nvals is None:
            count_result = self.count_result
            if count_result is None:
                size, count_result = self.bits.size, HostResult()
                _counter()(size, size, self.bits, zeroed_words(), count_result.device_words)
            self._nvals = count_result.wait()[0]
        return self._nvals

    def forget_count(self) -> None:
        """Count the entries anew when somebody asks."""
        self._nvals = self.count_result = None

    def copy(self) -> Dense:
        """Return a bitmap or full array of its own."""
        bits = None if self.bits is None else self.bits.copy()
        return Dense(self.values.copy(), bits, self._nvals)


@cache
def _counter() -> Any:
    return kernel("vector_formats", BITS, "count_entries")


@cache
def _forms(keys: Any, values: Any, name: str) -> Any:
    types = f"typedef {cuda_type(keys)} Index; typedef {cuda_type(values)} V;\n"
    return kernel("vector_formats", types, name)


def to_dense(store: Any, size: int) -> Dense:
    """Return the entries as a bitmap, or full as they are."""
    if isinstance(store, Dense):
        return store
    xp = device.active.xp
    values, bits = xp.empty(size, store.values.dtype), xp.zeros(bitmap_words(size), np.uint32)
    if not store.max_nvals:
        return Dense(values, bits, 0)
    spread = _forms(store.keys.dtype, store.values.dtype, "list_to_bitmap")
    spread(store.max_nvals, store.count, store.keys, store.values, values, bits)
    return Dense(values, bits, store._nvals)


def filled(store: Any, size: int, fill: Any) -> Any:
    """Return an array of the type of `fill`, a NumPy scalar, which stands for no entry."""
    dense = to_dense(store, size)
    out = device.xp.empty(size, fill.dtype)
    types = f"typedef {cuda_type(dense.values.dtype)} V; typedef {cuda_type(out.dtype)} Z;\n"
    kernel("fill_missing", types)(size, size, dense.values, dense.bits, fill, out)
    return out


def to_list(store: Dense, size: int) -> Sparse:
    """Return the entries as a list, those of a bitmap with few in any order."""
    if store.bits is None or store.nvals * FEW > size:
        return to_sparse(store, size)
    xp, count = device.xp, zeroed_words()
    keys, values = (
        xp.empty(store.nvals, kernel_index_dtype(size)),
        xp.empty(store.nvals, store.values.dtype),
    )
    collect = _forms(keys.dtype, values.dtype, "bitmap_to_unsorted_list")
    collect(store.bits.size, store.bits.size, store.bits, store.values, keys, values, count)
    return Sparse(keys, values, count, store.nvals, False)


def to_sparse(store: Any, size: int) -> Sparse:
    """Return the entries as a list; a bitmap's are in order."""
    if isinstance(store, Sparse):
        return store
    xp = device.xp
    if store.bits is None:
        keys = xp.arange(size, dtype=kernel_index_dtype(size))
        return Sparse.of(keys, store.values.copy())  # as a list never changes
    each = xp.empty(store.bits.size, kernel_index_dtype(size))
    count = _forms(each.dtype, np.dtype(bool), "count_word_entries")
    count(each.size, each.size, store.bits, each)
    ends = each.cumsum(dtype=each.dtype)
    total = int(device.read_scalar(ends[-1]))
    keys, values = xp.empty(total, kernel_index_dtype(size)), xp.empty(total, store.values.dtype)
    gather = _forms(keys.dtype, values.dtype, "bitmap_to_sorted_list")
    gather(ends.size, ends.size, store.bits, ends, store.values, keys, values)
    return Sparse.of(keys, values)
