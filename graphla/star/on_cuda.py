"""The machine on engine "cuda": each operation is one kernel, and nothing comes to the host.

What an operation finds (a position, a count, a truth value) is a :class:`graphla.cuda.Scalar`,
which stays on the device until somebody asks for its value.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from graphblas.dtypes import BOOL, INT64

from graphla.cuda import Scalar
from graphla.cuda.runtime.compile import LazyKernel, kernel
from graphla.cuda.runtime.device import device
from graphla.errors import OutOfDeviceMemory
from graphla.native.cuda.transitive_closure_warshall import close_by_64_pivots

FOLDER = Path(__file__).parent / "kernels"
OPERATORS = {name: k for k, name in enumerate(("not", "and", "or", "xor", "andnot", "set"))}
FIND, STEP, SOME = 0, 8, 16

_states: dict[Any, Any] = {}


@cache
def launch(file: str, name: str, cooperative: bool = False) -> LazyKernel:
    """Return a kernel of a file of this folder."""
    return kernel(file, "", name, cooperative=cooperative, folder=FOLDER)


def state() -> Any:
    """Return two words that are 0 between the kernels of the current stream."""
    key = device.stream_key
    found = _states.get(key)
    if found is None:
        found = _states[key] = device.xp.zeros(2, np.uint64)
    return found


def zeros(shape: Any) -> Any:
    """Return words, all 0."""
    try:
        return device.xp.zeros(shape, np.uint64)
    except device.out_of_memory as error:
        raise _refusal(shape) from error


def empty(shape: Any) -> Any:
    """Return words of any value."""
    try:
        return device.xp.empty(shape, np.uint64)
    except device.out_of_memory as error:
        raise _refusal(shape) from error


def _refusal(shape: Any) -> OutOfDeviceMemory:
    needed = 8 * int(np.prod(shape))
    return OutOfDeviceMemory(f"{8 * needed:,} bits", needed=needed, free=device.free())


def array(x: Any) -> Any:
    """Return an array of the host, or of the device, as one of the device."""
    return device.xp.asarray(x)


def to_host(x: Any) -> Any:
    """Return an array as one of NumPy."""
    return device.to_host(x)


def owns(x: Any) -> bool:
    """Whether an array lies on the device."""
    return device.is_array(x)


# ---- slices and words


def bitwise(op: str, n: int, x: Any, y: Any, out: Any) -> None:
    """Combine n bits: not, and, or, xor, andnot, set."""
    launch("bit_slices", "bitwise")(out.size, OPERATORS[op], n, x, y, out)


def count(x: Any) -> Any:
    """NUMB."""
    result = device.xp.empty(2, np.int64)
    launch("bit_slices", "count_ones")(x.size // 4, x.size, x, state(), result)
    return Scalar.on_device(INT64, result)


def find(x: Any, y: Any = None, wanted: int = FIND) -> Any:
    """Return (position, 1) of the first 1 of x, or of x ^ y, on the device."""
    result = device.xp.empty(2, np.int64)
    launch("bit_slices", "find_first")(x.size, wanted, x.size, x, y, state(), result)
    return result


def first_position(x: Any) -> Any:
    """FND."""
    return Scalar.on_device(INT64, find(x))


def step(x: Any) -> Any:
    """STEP."""
    return Scalar.on_device(INT64, find(x, wanted=STEP))


def some(x: Any) -> Any:
    """SOME."""
    return Scalar.on_device(BOOL, find(x, wanted=SOME))


def order(x: Any, y: Any, wanted: int) -> Any:
    """Whether the word x is less (1), equal (2), greater (4) than y."""
    return Scalar.on_device(BOOL, find(x, y, wanted))


def first(x: Any, out: Any) -> None:
    """FRST."""
    launch("bit_slices", "single_one")(x.size, x.size, find(x), out)


def move(length: int, x: Any, s: int, out: Any, d: int) -> None:
    """Copy `length` bits, from position s + 1 of x to position d + 1 of `out`."""
    launch("bit_slices", "copy_range")(length // 64 + 2, length, x, x.size, s, out, d)


def sum(n: int, subtract: bool, x: Any, y: Any, out: Any) -> None:
    """Add, or subtract, words as numbers."""
    launch("bit_slices", "add_words")(256, n, int(subtract), x, y, out)


def get_bit(x: Any, i: int) -> bool:
    """Bit i, from 0."""
    return bool(int(device.read_scalar(x[i >> 6 : (i >> 6) + 1])) >> (i & 63) & 1)


def put_bit(x: Any, i: int, bit: bool) -> None:
    """Set or clear bit i, from 0."""
    launch("bit_slices", "write_bit")(1, i, int(bit), x)


# ---- tables: data[c] is column c, of n rows


def row(data: Any, i: int, out: Any) -> None:
    """ROW i, from 0."""
    k, words = data.shape
    launch("table_rows", "read_row")(64 * out.size, k, words, data, i, out)


def put_row(data: Any, i: int, word: Any) -> None:
    """Write ROW i, from 0."""
    k, words = data.shape
    launch("table_rows", "write_row")(k, k, words, data, i, word)


def from_integers(values: Any, data: Any, n: int) -> None:
    """Write n unsigned numbers into the rows."""
    launch("table_rows", "from_integers")(32 * data.shape[1], n, values, data.shape[0], data)


def to_integers(data: Any, values: Any, n: int) -> None:
    """Read the rows as n unsigned numbers."""
    launch("table_rows", "to_integers")(32 * data.shape[1], n, values, data.shape[0], data)


def transpose(data: Any, n: int, out: Any) -> None:
    """Write row i of a table of n rows as column i of `out`."""
    k, words = data.shape
    launch("table_rows", "transpose_table")(32 * words * out.shape[1], n, k, data, out)


def from_matrix(G: Any, data: Any) -> None:
    """Set bit i of column j for each edge from i to j."""
    rows, columns, _ = G.A.to_coo(values=False)
    rows, columns = (x.astype(np.int64) for x in (rows, columns))
    launch("table_rows", "set_bits")(rows.size, rows.size, rows, columns, data.shape[1], data)


# ---- procedures: `right` is a table of its own (2 dimensions) or one word for all rows


def compare(wanted: int, n: int, data: Any, right: Any, control: Any, out: Any) -> None:
    """Write the rows of the control slice that are less (1), equal (2), greater (4)."""
    stride = right.shape[1] if right.ndim == 2 else 0
    launch("table_procedures", "compare_rows")(
        out.size, wanted, data.shape[0], n, data, right, stride, control, out
    )


def combine(op: int, n: int, left: Any, right: Any, control: Any, out: Any) -> None:
    """Copy (0) `left`, a table or a word; add (1), subtract (2): into the rows of `control`."""
    k = out.shape[0]
    kl = left.shape[0] if left.ndim == 2 else k
    table, word = (left, right) if left.ndim == 2 else (None, left)
    width, stride = k, 0
    if right is not None and right.ndim == 2:
        width, stride = right.shape
    launch("table_procedures", "combine_rows")(
        out.shape[1], op, n, k, out, kl, table, width, word, stride, control
    )


def extreme(largest: bool, n: int, data: Any, control: Any, out: Any) -> None:
    """Write the rows of the control slice that hold the minimum, or the maximum."""
    k, words = data.shape
    best, flip = zeros(max(1, -(-k // 64))), 0 if largest else -1
    launch("table_procedures", "extreme_rows", cooperative=True)(
        words, flip, k, n, data, control, out, best, state()
    )


# ---- closure


def unite(data: Any, x: Any, word: Any) -> None:
    """Or x into the columns that a word selects."""
    k, words = data.shape
    launch("unite_columns", "unite_columns")(32 * k, k, words, data, x, word, None, 0)


def adapted(data: Any) -> None:
    """Close a square table: one kernel for each vertex, that unites all columns."""
    k, words = data.shape
    launch("unite_columns", "unite_columns").launch_sequence(k, 32 * k, k, words, data, None, None)


def blocked(data: Any) -> None:
    """Close a square table: one kernel for 64 vertices."""
    close_by_64_pivots(data)
