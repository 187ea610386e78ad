"""The operations of engine "cuda": each is one kernel, without copies to the host.

The public functions here and in on_cpu.py have the same names and parameters; on_cpu.py explains
them. A position, a count or a truth value is returned as a :class:`graphla.cuda.Scalar`, which is
copied to the host when its value is used.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from graphblas.dtypes import BOOL, INT64

from graphla.cuda import Scalar
from graphla.cuda.runtime.device import device
from graphla.cuda.runtime.kernel import LazyKernel, kernel
from graphla.errors import OutOfDeviceMemory
from graphla.native.cuda.transitive_closure_warshall import close_by_64_pivots

FOLDER = Path(__file__).parent / "kernels"
OPERATORS = {name: k for k, name in enumerate(("not", "and", "or", "xor", "andnot", "set"))}
FIND, STEP, SOME = 0, 8, 16

_counters: dict[Any, Any] = {}


@cache
def _launch(file: str, name: str, cooperative: bool = False) -> LazyKernel:
    """Return a kernel from the kernels folder of the STAR-machine."""
    return kernel(file, "", name, cooperative=cooperative, folder=FOLDER)


def _stream_counters() -> Any:
    """Return two words for the current stream, which each kernel leaves at 0."""
    key = device.stream_key
    counters = _counters.get(key)
    if counters is None:
        counters = _counters[key] = device.xp.zeros(2, np.uint64)
    return counters


def zeros(shape: Any) -> Any:
    """Return words, all 0."""
    try:
        return device.xp.zeros(shape, np.uint64)
    except device.out_of_memory as error:
        raise _out_of_memory(shape) from error


def empty(shape: Any) -> Any:
    """Return uninitialized words."""
    try:
        return device.xp.empty(shape, np.uint64)
    except device.out_of_memory as error:
        raise _out_of_memory(shape) from error


def _out_of_memory(shape: Any) -> OutOfDeviceMemory:
    needed = 8 * int(np.prod(shape))
    return OutOfDeviceMemory(f"{8 * needed:,} bits", needed=needed, free=device.free())


def array(x: Any) -> Any:
    """Return a host array, or a device array, as a device array."""
    return device.xp.asarray(x)


def to_host(x: Any) -> Any:
    """Return a copy as a NumPy array."""
    return device.to_host(x)


# ---- slices and words


def bitwise(op: str, n: int, x: Any, y: Any, out: Any) -> None:
    """Combine n bits: not, and, or, xor, andnot, set."""
    _launch("bit_slices", "bitwise")(out.size, OPERATORS[op], n, x, y, out)


def count(x: Any) -> Any:
    """NUMB: return the number of ones."""
    result = device.xp.empty(2, np.int64)
    _launch("bit_slices", "count_ones")(x.size // 4, x.size, x, _stream_counters(), result)
    return Scalar.on_device(INT64, result)


def _find_first(x: Any, y: Any = None, mode: int = FIND) -> Any:
    """Return (position, 1) of the first 1 of x, or of x ^ y, on the device.

    `mode` is FIND, STEP, SOME or, with y, the outcomes of a comparison.
    """
    result = device.xp.empty(2, np.int64)
    _launch("bit_slices", "find_first")(x.size, mode, x.size, x, y, _stream_counters(), result)
    return result


def first_position(x: Any) -> Any:
    """FND: return the position, from 1, of the first 1; 0 if there is none."""
    return Scalar.on_device(INT64, _find_first(x))


def step(x: Any) -> Any:
    """STEP: as FND, and clear that bit."""
    return Scalar.on_device(INT64, _find_first(x, mode=STEP))


def some(x: Any) -> Any:
    """SOME: return whether any bit is 1."""
    return Scalar.on_device(BOOL, _find_first(x, mode=SOME))


def compare_words(x: Any, y: Any, outcomes: int) -> Any:
    """Return whether the comparison of two words has one of the outcomes."""
    return Scalar.on_device(BOOL, _find_first(x, y, outcomes))


def keep_first(x: Any, out: Any) -> None:
    """FRST: write the first 1 of x to `out`, and zeros."""
    _launch("bit_slices", "single_one")(x.size, x.size, _find_first(x), out)


def copy_bits(length: int, x: Any, source: int, out: Any, target: int) -> None:
    """Copy `length` bits from index `source` of x to index `target` of `out`."""
    _launch("bit_slices", "copy_range")(length // 64 + 2, length, x, x.size, source, out, target)


def add_words(n: int, subtract: bool, x: Any, y: Any, out: Any) -> None:
    """Write x + y, or x - y, modulo 2^n."""
    _launch("bit_slices", "add_words")(256, n, int(subtract), x, y, out)


def get_bit(x: Any, i: int) -> bool:
    """Return bit i."""
    return bool(int(device.read_scalar(x[i >> 6 : (i >> 6) + 1])) >> (i & 63) & 1)


def put_bit(x: Any, i: int, bit: bool) -> None:
    """Set or clear bit i."""
    _launch("bit_slices", "write_bit")(1, i, int(bit), x)


# ---- tables


def read_row(data: Any, i: int, out: Any) -> None:
    """Write row i to the word `out`."""
    k, words = data.shape
    _launch("table_rows", "read_row")(64 * out.size, k, words, data, i, out)


def write_row(data: Any, i: int, word: Any) -> None:
    """Write a word to row i."""
    k, words = data.shape
    _launch("table_rows", "write_row")(k, k, words, data, i, word)


def from_integers(values: Any, data: Any, n: int) -> None:
    """Write n unsigned numbers to the rows."""
    _launch("table_rows", "from_integers")(32 * data.shape[1], n, values, data.shape[0], data)


def to_integers(data: Any, values: Any, n: int) -> None:
    """Write the rows to `values` as n unsigned numbers."""
    _launch("table_rows", "to_integers")(32 * data.shape[1], n, values, data.shape[0], data)


def transpose(data: Any, n: int, out: Any) -> None:
    """Write row i of a table of n rows to column i of `out`."""
    k, words = data.shape
    _launch("table_rows", "transpose_table")(32 * words * out.shape[1], n, k, data, out)


def from_matrix(G: Any, data: Any) -> None:
    """Set bit i of column j for each edge from i to j."""
    rows, columns, _ = G.A.to_coo(values=False)
    rows, columns = (x.astype(np.int64) for x in (rows, columns))
    _launch("table_rows", "set_bits")(rows.size, rows.size, rows, columns, data.shape[1], data)


# ---- procedures


def compare_rows(outcomes: int, n: int, data: Any, right: Any, control: Any, out: Any) -> None:
    """Write the rows of the control slice whose comparison has one of the outcomes."""
    stride = right.shape[1] if right.ndim == 2 else 0
    _launch("table_procedures", "compare_rows")(
        out.size, outcomes, data.shape[0], n, data, right, stride, control, out
    )


def combine_rows(op: int, n: int, left: Any, right: Any, control: Any, out: Any) -> None:
    """Copy (0) `left`, or add (1) or subtract (2) `right`, into the rows of the control slice."""
    k = out.shape[0]
    left_width = left.shape[0] if left.ndim == 2 else k
    table, word = (left, right) if left.ndim == 2 else (None, left)
    width, stride = k, 0
    if right is not None and right.ndim == 2:
        width, stride = right.shape
    _launch("table_procedures", "combine_rows")(
        out.shape[1], op, n, k, out, left_width, table, width, word, stride, control
    )


def extreme_rows(largest: bool, n: int, data: Any, control: Any, out: Any) -> None:
    """Write the rows of the control slice with the maximum, or the minimum."""
    k, words = data.shape
    best, flip = zeros(max(1, -(-k // 64))), 0 if largest else -1
    _launch("table_procedures", "extreme_rows", cooperative=True)(
        words, flip, k, n, data, control, out, best, _stream_counters()
    )


# ---- closure


def unite_columns(data: Any, x: Any, word: Any) -> None:
    """Set the ones of x in the columns that a word selects."""
    k, words = data.shape
    _launch("unite_columns", "unite_columns")(32 * k, k, words, data, x, word, None, 0)


def adapted(data: Any) -> None:
    """Close a square table: one kernel launch for each pivot."""
    k, words = data.shape
    _launch("unite_columns", "unite_columns").launch_sequence(k, 32 * k, k, words, data, None, None)


def blocked(data: Any) -> None:
    """Close a square table: one kernel launch for 64 pivots."""
    close_by_64_pivots(data)
