"""The operations of engine "cpu": NumPy on 64-bit words, and Numba for loops over tables.

The public functions here and in on_cuda.py have the same names and parameters. A table is an array
`data`, whose row data[c] is column c of the table, in words. A right operand is a table (2
dimensions) or one word for all rows. `outcomes` combines LESS (1), EQUAL (2) and GREATER (4).
Positions and indices are from 0 here, except results of FND and STEP.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.native.cpu.closure.transitive_closure_warshall import close_rows, set_edges
from graphla.star import cpu_loops

FULL = np.uint64(2**64 - 1)
BITWISE = {
    "not": lambda x, y, out: np.invert(x, out=out),
    "and": lambda x, y, out: np.bitwise_and(x, y, out=out),
    "or": lambda x, y, out: np.bitwise_or(x, y, out=out),
    "xor": lambda x, y, out: np.bitwise_xor(x, y, out=out),
    "andnot": lambda x, y, out: np.bitwise_and(x, ~y, out=out),
    "set": lambda x, y, out: out.fill(FULL),
}


def array(x: Any) -> Any:
    """Return a NumPy array."""
    return np.asarray(x)


def zeros(shape: Any) -> Any:
    """Return words, all 0."""
    return np.zeros(shape, np.uint64)


def empty(shape: Any) -> Any:
    """Return uninitialized words."""
    return np.empty(shape, np.uint64)


def to_host(x: Any) -> Any:
    """Return a NumPy array that shares no memory with x."""
    return x.copy()


def _bit(i: int) -> Any:
    """Return a word with bit i % 64 set."""
    return np.uint64(1) << np.uint64(i & 63)


def _unpack(word: Any, n: int) -> Any:
    """Return n bits as a Boolean array."""
    return np.unpackbits(word.view(np.uint8), count=n, bitorder="little").view(bool)


def _last_word_mask(n: int) -> Any:
    """Return the mask of the used bits in the last word of n bits."""
    return FULL >> np.uint64(-n & 63)


# ---- slices and words


def bitwise(op: str, n: int, x: Any, y: Any, out: Any) -> None:
    """Combine n bits: not, and, or, xor, andnot, set."""
    BITWISE[op](x, y, out)
    if out.size:
        out[-1] &= _last_word_mask(n)


def count(x: Any) -> int:
    """NUMB: return the number of ones."""
    return int(np.bitwise_count(x).sum(dtype=np.int64))


def first_position(x: Any) -> int:
    """FND: return the position, from 1, of the first 1; 0 if there is none."""
    if not x.size:
        return 0
    w = int((x != 0).argmax())
    word = int(x[w])
    return 64 * w + (word & -word).bit_length() if word else 0


def step(x: Any) -> int:
    """STEP: as FND, and clear that bit."""
    if p := first_position(x):
        x[p - 1 >> 6] &= ~_bit(p - 1)
    return p


def some(x: Any) -> bool:
    """SOME: return whether any bit is 1."""
    return bool(x.any())


def compare_words(x: Any, y: Any, outcomes: int) -> bool:
    """Return whether the comparison of two words has one of the outcomes."""
    p = first_position(x ^ y)
    return bool(outcomes & (2 if not p else 1 if get_bit(y, p - 1) else 4))


def keep_first(x: Any, out: Any) -> None:
    """FRST: write the first 1 of x to `out`, and zeros."""
    p = first_position(x)
    out.fill(0)
    if p:
        out[p - 1 >> 6] = _bit(p - 1)


def copy_bits(length: int, x: Any, source: int, out: Any, target: int) -> None:
    """Copy `length` bits from index `source` of x to index `target` of `out`."""
    low, high = target >> 6, target + length - 1 >> 6
    first_bit = source - (target & 63)  # of x, at bit 0 of out[low]; negative if before x
    shift = np.uint64(first_bit & 63)
    window = zeros(high - low + 2)  # the words of x from that bit on
    begin, words = max(0, -(first_bit >> 6)), x[max(0, first_bit >> 6) :][: window.size]
    words = words[: window.size - begin]
    window[begin : begin + words.size] = words
    shifted = window[:-1] >> shift
    if shift:
        shifted |= window[1:] << (np.uint64(64) - shift)
    mask = np.full(shifted.size, FULL)
    mask[-1] &= _last_word_mask(target + length)
    mask[0] &= FULL << np.uint64(target & 63)
    out[low : high + 1] = out[low : high + 1] & ~mask | shifted & mask


def add_words(n: int, subtract: bool, x: Any, y: Any, out: Any) -> None:
    """Write x + y, or x - y, modulo 2^n."""
    a, b = _to_integer(x, n), _to_integer(y, n)
    out[:] = _from_integer((a - b if subtract else a + b) % (1 << n), n)


def _to_integer(x: Any, n: int) -> int:
    """Return n bits as a number, position 1 the most significant."""
    text = bin(int.from_bytes(x.tobytes(), "little"))[2:].zfill(n)
    return int("0" + text[::-1], 2)


def _from_integer(value: int, n: int) -> Any:
    """Return a number of n bits as words."""
    reversed_bits = int("0" + bin(value)[2:].zfill(n)[::-1], 2) if n else 0
    return np.frombuffer(reversed_bits.to_bytes(8 * (-(-n // 64)), "little"), np.uint64).copy()


def get_bit(x: Any, i: int) -> bool:
    """Return bit i."""
    return bool(x[i >> 6] & _bit(i))


def put_bit(x: Any, i: int, bit: bool) -> None:
    """Set or clear bit i."""
    x[i >> 6] = x[i >> 6] | _bit(i) if bit else x[i >> 6] & ~_bit(i)


# ---- tables


def read_row(data: Any, i: int, out: Any) -> None:
    """Write row i to the word `out`."""
    packed = np.packbits(data[:, i >> 6] & _bit(i) != 0, bitorder="little")
    out.fill(0)
    out.view(np.uint8)[: packed.size] = packed


def write_row(data: Any, i: int, word: Any) -> None:
    """Write a word to row i."""
    bits = _unpack(word, data.shape[0])
    column = data[:, i >> 6]
    np.copyto(column, np.where(bits, column | _bit(i), column & ~_bit(i)))


def from_integers(values: Any, data: Any, n: int) -> None:
    """Write n unsigned numbers to the rows."""
    numbers = _tiles(data.shape[1])
    padded = zeros(64 * data.shape[1])
    padded[:n] = values
    numbers[:] = padded.reshape(-1, 64)
    cpu_loops.transpose_tiles(numbers, data[::-1].T)


def to_integers(data: Any, values: Any, n: int) -> None:
    """Write the rows to `values` as n unsigned numbers."""
    numbers = _tiles(data.shape[1])
    cpu_loops.transpose_tiles(data[::-1].T, numbers)
    values[:] = numbers.reshape(-1)[:n]


def transpose(data: Any, n: int, out: Any) -> None:
    """Write row i of a table of n rows to column i of `out`, 64 rows of `out` at a time."""
    for c in range(out.shape[1]):
        tiles, transposed = _tiles(data.shape[1]), _tiles(data.shape[1])
        columns = data[64 * c : 64 * c + 64].T
        tiles[:, : columns.shape[1]] = columns
        cpu_loops.transpose_tiles(tiles, transposed)
        out[:, c] = transposed.reshape(-1)[:n]


def _tiles(count: int) -> Any:
    """Return tiles of 64 words, strided like the columns of a table: one array type for Numba."""
    return zeros((count, 65))[:, :64]


def from_matrix(G: Any, data: Any) -> None:
    """Set bit i of column j for each edge from i to j."""
    set_edges(G.csr_transposed.indptr, G.csr_transposed.indices, data)


# ---- procedures


def _as_table(right: Any, k: int) -> Any:
    """Return a table unchanged, and a word as a column of words, each all 0 or all 1."""
    if right.ndim == 2:
        return right
    return np.where(_unpack(right, k), FULL, np.uint64(0))[:, None]


def _control_words(n: int, control: Any, words: int) -> Any:
    """Return the control slice; all rows if it is None."""
    if control is None:
        control = np.full(words, FULL)
        control[-1:] &= _last_word_mask(n)
    return control


def compare_rows(outcomes: int, n: int, data: Any, right: Any, control: Any, out: Any) -> None:
    """Write the rows of the control slice whose comparison has one of the outcomes."""
    right = _as_table(right, data.shape[0])
    cpu_loops.compare_rows(outcomes, data, right, _control_words(n, control, out.size), out)


def combine_rows(op: int, n: int, left: Any, right: Any, control: Any, out: Any) -> None:
    """Copy (0) `left`, or add (1) or subtract (2) `right`, into the rows of the control slice."""
    k, words = out.shape
    left = _as_table(left, k)
    right = left if right is None else _as_table(right, k)
    cpu_loops.combine_rows(op, left, right, _control_words(n, control, words), out)


def extreme_rows(largest: bool, n: int, data: Any, control: Any, out: Any) -> None:
    """Write the rows of the control slice with the maximum, or the minimum."""
    out[:] = _control_words(n, control, out.size)
    better = np.empty_like(out)
    for column in data:
        np.bitwise_and(out, column if largest else ~column, out=better)
        if better.any():
            out[:] = better


# ---- closure


def unite_columns(data: Any, x: Any, word: Any) -> None:
    """Set the ones of x in the columns that a word selects."""
    cpu_loops.unite_columns(data, x, word)


def adapted(data: Any) -> None:
    """Close a square table: one pass over all columns for each pivot."""
    for pivot in range(data.shape[0]):
        cpu_loops.unite_pivot(data, pivot)


def blocked(data: Any) -> None:
    """Close a square table: one pass over all columns for 64 pivots."""
    close_rows(data)
