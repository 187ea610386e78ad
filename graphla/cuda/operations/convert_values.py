"""Values cast from one dtype to another in one launch: ``v[i] = x``, ``v << x``, ``v.dup(dtype)``.

A value is a NumPy scalar of any dtype; the kernels of convert_values.cu cast it as every update
does.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from graphla.cuda.expressions.arguments import to_numpy_scalar
from graphla.cuda.expressions.scalar import typed
from graphla.cuda.expressions.statement import translate_out_of_memory
from graphla.cuda.operations.definitions import typedefs
from graphla.cuda.runtime.compile import Kernel, kernel
from graphla.cuda.runtime.device import device
from graphla.cuda.storage.vector_formats import Dense, Sparse, bitmap_words, kernel_index_dtype


@cache
def _kernel(name: str, values: Any, source: Any, keys: Any = np.int32) -> Kernel:
    return kernel("convert_values", typedefs(Index=keys, V=values, S=source), name)


def single_entry_list(size: int, position: int, value: Any, dtype: Any) -> Sparse:
    """Return a list of one entry, at position p of `size`."""
    xp = device.active.xp
    keys, values = xp.empty(1, kernel_index_dtype(size)), xp.empty(1, dtype.np_type)
    count = xp.empty(1, np.uint64)
    run = _kernel("single_entry_list", values.dtype, value.dtype, keys.dtype)
    run(1, position, value, keys, values, count)
    return Sparse(keys, values, count, 1, True)


def _single_entry_bitmap(size: int, position: int, value: Any, dtype: Any) -> Dense:
    """Return a bitmap of one entry, at position p of `size`."""
    xp, nwords = device.active.xp, bitmap_words(size)
    values, bits = xp.empty(size, dtype.np_type), xp.empty(nwords, np.uint32)
    run = _kernel("single_entry_bitmap", values.dtype, value.dtype)
    run(nwords, nwords, position, value, values, bits)
    return Dense(values, bits, 1)


def _write_entry(x: Dense, position: int, value: Any) -> None:
    """Write the entry at position p of a bitmap or full array."""
    _kernel("write_entry", x.values.dtype, value.dtype)(1, position, value, x.values, x.bits)
    x.forget_count()


@translate_out_of_memory
def set_element(v: Any, i: int, value: Any) -> bool:
    """Write a Python number at index i of a Vector, in one launch.

    Return False, and write nothing, if i is out of range or v is a list that has entries.
    """
    store, size = v._store, v.size
    if (store.form == "sparse" and store.max_nvals) or not -size <= i < size:
        return False
    value = to_numpy_scalar(value)
    if store.form != "sparse":
        _write_entry(store, i % size, value)
    elif v._storage_hint in (None, "sparse"):
        v._store = single_entry_list(size, i % size, value, v.dtype)
    else:
        v._store = _single_entry_bitmap(size, i % size, value, v.dtype)
    return True


def fill(C: Any, s: Any) -> None:
    """Make C full, with the value of a Scalar at all positions."""
    store, size, value = C._store, C._positions, typed(s)
    dense = isinstance(store, Dense)
    values = store.values if dense else device.active.xp.empty(size, C.dtype.np_type)
    _kernel("fill_values", values.dtype, value.dtype)(size, size, value, values)
    C._store = Dense(values)


def cast_copy(x: Dense, dtype: Any) -> Dense:
    """Return a copy of a bitmap or full array with values of another dtype."""
    xp, size = device.active.xp, x.values.size
    values = xp.empty(size, dtype.np_type)
    bits = None if x.bits is None else xp.empty(x.bits.size, np.uint32)
    run = _kernel("convert_values", values.dtype, x.values.dtype)
    run(size, size, bitmap_words(size), x.values, x.bits, values, bits)
    return Dense(values, bits, x._nvals)
