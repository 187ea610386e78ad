"""A sparse matrix by rows, as arrays of the device."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from graphla.cuda.device import device
from graphla.cuda.storage import index_dtype
from graphla.errors import OutOfDeviceMemory

CUDA = {
    np.dtype(dtype): name
    for name, dtype in {
        "bool": np.bool_,
        "i8": np.int8,
        "i16": np.int16,
        "i32": np.int32,
        "i64": np.int64,
        "u8": np.uint8,
        "u16": np.uint16,
        "u32": np.uint32,
        "u64": np.uint64,
        "f32": np.float32,
        "f64": np.float64,
    }.items()
}


class CSRArrays(NamedTuple):
    """Rows one after another: row i has the entries ``indptr[i]`` to ``indptr[i + 1]``.

    Attributes
    ----------
    indptr : array of int32 or int64, length nrows + 1
    indices : array of int32 or int64
        Columns, sorted in each row, no duplicates.
    values : array or None
        One for each entry; a single one where all entries have the same (iso); None where
        only the structure is meant.
    """

    indptr: Any
    indices: Any
    values: Any = None


def typedef(name: str, dtype: Any) -> str:
    """Return the line that names a type for a kernel."""
    return f"typedef {CUDA[np.dtype(dtype)]} {name};\n"


def running(counts: Any) -> tuple[Any, int]:
    """Return the running sum of `counts` from 0 in 64 bits, and the total on the host."""
    total = device.xp.zeros(len(counts) + 1, np.int64)
    device.xp.cumsum(counts.astype(np.int64, copy=False), out=total[1:])
    return total, int(device.word(total[-1]))


def offsets(counts: Any) -> tuple[Any, int]:
    """Return where rows of these lengths begin, in 32 bits where they suffice, and the total."""
    total, nvals = running(counts)
    return total.astype(index_dtype(nvals), copy=False), nvals


def allocate(indptr: Any, nvals: int, index: Any, zdtype: Any) -> CSRArrays:
    """Return a matrix with room for `nvals` entries, or refuse with the bytes they take."""
    needed = nvals * (np.dtype(index).itemsize + zdtype.itemsize)
    what = f"a product with {nvals:,} entries"
    if needed > (free := device.free()):
        raise OutOfDeviceMemory(what, needed=needed, free=free)
    with device.memory(needed, what):
        xp = device.xp
        return CSRArrays(indptr, xp.empty(nvals, index), xp.empty(nvals, zdtype))
