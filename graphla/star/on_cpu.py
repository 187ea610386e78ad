"""The machine on engine "cpu": NumPy on words of 64 bits, and Numba where it would pass often."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.native.cpu.transitive_closure_warshall import close_rows, set_edges
from graphla.star import compiled

FULL = np.uint64(2**64 - 1)
FIRST = {  # operators of NumPy by their names
    "not": lambda x, y, out: np.invert(x, out=out),
    "and": lambda x, y, out: np.bitwise_and(x, y, out=out),
    "or": lambda x, y, out: np.bitwise_or(x, y, out=out),
    "xor": lambda x, y, out: np.bitwise_xor(x, y, out=out),
    "andnot": lambda x, y, out: np.bitwise_and(x, ~y, out=out),
    "set": lambda x, y, out: out.fill(FULL),
}
array = np.asarray


def zeros(shape: Any) -> Any:
    """Return words, all 0."""
    return np.zeros(shape, np.uint64)


def empty(shape: Any) -> Any:
    """Return words of any value."""
    return np.empty(shape, np.uint64)


def to_host(x: Any) -> Any:
    """Return an array of NumPy of its own."""
    return x.copy()


def owns(x: Any) -> bool:
    """Whether it is an array of NumPy."""
    return isinstance(x, np.ndarray)


def one(i: int) -> Any:
    """Return a word with bit i % 64."""
    return np.uint64(1) << np.uint64(i & 63)


def unpacked(word: Any, n: int) -> Any:
    """Return n bits as a Boolean array."""
    return np.unpackbits(word.view(np.uint8), count=n, bitorder="little").view(bool)


def tail(n: int) -> Any:
    """Return the bits of the last word of n bits."""
    return FULL >> np.uint64(-n & 63)


# ---- slices and words


def bitwise(op: str, n: int, x: Any, y: Any, out: Any) -> None:
    """Combine n bits: not, and, or, xor, andnot, set."""
    FIRST[op](x, y, out)
    if out.size:
        out[-1] &= tail(n)


def count(x: Any) -> int:
    """NUMB."""
    return int(np.bitwise_count(x).sum(dtype=np.int64))


def first_position(x: Any) -> int:
    """FND."""
    if not x.size:
        return 0
    w = int((x != 0).argmax())
    word = int(x[w])
    return 64 * w + (word & -word).bit_length() if word else 0


def step(x: Any) -> int:
    """STEP."""
    if p := first_position(x):
        x[p - 1 >> 6] &= ~one(p - 1)
    return p


def some(x: Any) -> bool:
    """SOME."""
    return bool(x.any())


def order(x: Any, y: Any, wanted: int) -> bool:
    """Whether the word x is less (1), equal (2), greater (4) than y."""
    p = first_position(x ^ y)
    return bool(wanted & (2 if not p else 1 if get_bit(y, p - 1) else 4))


def first(x: Any, out: Any) -> None:
    """FRST."""
    p = first_position(x)
    out.fill(0)
    if p:
        out[p - 1 >> 6] = one(p - 1)


def move(length: int, x: Any, s: int, out: Any, d: int) -> None:
    """Copy `length` bits, from position s + 1 of x to position d + 1 of `out`."""
    low, high = d >> 6, d + length - 1 >> 6
    at = s - (d & 63)  # where the first word of out comes from; may be before x
    r = np.uint64(at & 63)
    padded = zeros(high - low + 2)  # the words of x from there on
    begin, source = max(0, -(at >> 6)), x[max(0, at >> 6) :][: padded.size]
    source = source[: padded.size - begin]
    padded[begin : begin + source.size] = source
    found = padded[:-1] >> r
    if r:
        found |= padded[1:] << (np.uint64(64) - r)
    mask = np.full(found.size, FULL)
    mask[-1] &= tail(d + length)
    mask[0] &= FULL << np.uint64(d & 63)
    out[low : high + 1] = out[low : high + 1] & ~mask | found & mask


def sum(n: int, subtract: bool, x: Any, y: Any, out: Any) -> None:
    """Add, or subtract, words as numbers."""
    a, b = number(x, n), number(y, n)
    out[:] = bits_of((a - b if subtract else a + b) % (1 << n), n)


def number(x: Any, n: int) -> int:
    """Return n bits as a number, position 1 the most significant."""
    text = bin(int.from_bytes(x.tobytes(), "little"))[2:].zfill(n)
    return int("0" + text[::-1], 2)


def bits_of(value: int, n: int) -> Any:
    """Return a number of n bits as words."""
    turned = int("0" + bin(value)[2:].zfill(n)[::-1], 2) if n else 0
    return np.frombuffer(turned.to_bytes(8 * (-(-n // 64)), "little"), np.uint64).copy()


def get_bit(x: Any, i: int) -> bool:
    """Bit i, from 0."""
    return bool(x[i >> 6] & one(i))


def put_bit(x: Any, i: int, bit: bool) -> None:
    """Set or clear bit i, from 0."""
    x[i >> 6] = x[i >> 6] | one(i) if bit else x[i >> 6] & ~one(i)


# ---- tables: data[c] is column c, of n rows


def row(data: Any, i: int, out: Any) -> None:
    """ROW i, from 0."""
    packed = np.packbits(data[:, i >> 6] & one(i) != 0, bitorder="little")
    out.fill(0)
    out.view(np.uint8)[: packed.size] = packed


def put_row(data: Any, i: int, word: Any) -> None:
    """Write ROW i, from 0."""
    bits = unpacked(word, data.shape[0])
    column = data[:, i >> 6]
    np.copyto(column, np.where(bits, column | one(i), column & ~one(i)))


def from_integers(values: Any, data: Any, n: int) -> None:
    """Write n unsigned numbers into the rows."""
    numbers = _tiles(data.shape[1])
    padded = zeros(64 * data.shape[1])
    padded[:n] = values
    numbers[:] = padded.reshape(-1, 64)
    compiled.turn(numbers, data[::-1].T)


def to_integers(data: Any, values: Any, n: int) -> None:
    """Read the rows as n unsigned numbers."""
    numbers = _tiles(data.shape[1])
    compiled.turn(data[::-1].T, numbers)
    values[:] = numbers.reshape(-1)[:n]


def transpose(data: Any, n: int, out: Any) -> None:
    """Write row i of a table of n rows as column i of `out`."""
    for c in range(out.shape[1]):
        words, turned = _tiles(data.shape[1]), _tiles(data.shape[1])
        columns = data[64 * c : 64 * c + 64].T
        words[:, : columns.shape[1]] = columns
        compiled.turn(words, turned)
        out[:, c] = turned.reshape(-1)[:n]


def _tiles(count: int) -> Any:
    """Return tiles of 64 words, apart in memory as those of a table are: one type for Numba."""
    return zeros((count, 65))[:, :64]


def from_matrix(G: Any, data: Any) -> None:
    """Set bit i of column j for each edge from i to j."""
    set_edges(G.csr_transposed.indptr, G.csr_transposed.indices, data)


# ---- procedures: `right` is a table of its own (2 dimensions) or one word for all rows


def spread(right: Any, k: int) -> Any:
    """Return a table as it is, and a word as a column of words, all 0 or all 1."""
    if right.ndim == 2:
        return right
    return np.where(unpacked(right, k), FULL, np.uint64(0))[:, None]


def control_words(n: int, control: Any, words: int) -> Any:
    """Return the control slice, all rows where there is none."""
    if control is None:
        control = np.full(words, FULL)
        control[-1:] &= tail(n)
    return control


def compare(wanted: int, n: int, data: Any, right: Any, control: Any, out: Any) -> None:
    """Write the rows of the control slice that are less (1), equal (2), greater (4)."""
    right = spread(right, data.shape[0])
    compiled.compare(wanted, data, right, control_words(n, control, out.size), out)


def combine(op: int, n: int, left: Any, right: Any, control: Any, out: Any) -> None:
    """Copy (0) `left`, a table or a word; add (1), subtract (2): into the rows of `control`."""
    k, words = out.shape
    left = spread(left, k)
    right = left if right is None else spread(right, k)
    compiled.combine(op, left, right, control_words(n, control, words), out)


def extreme(largest: bool, n: int, data: Any, control: Any, out: Any) -> None:
    """Write the rows of the control slice that hold the minimum, or the maximum."""
    out[:] = control_words(n, control, out.size)
    better = np.empty_like(out)
    for column in data:
        np.bitwise_and(out, column if largest else ~column, out=better)
        if better.any():
            out[:] = better


# ---- closure


def unite(data: Any, x: Any, word: Any) -> None:
    """Or x into the columns that a word selects."""
    compiled.unite(data, x, word)


def adapted(data: Any) -> None:
    """Close a square table: one pass over all columns for each vertex."""
    for pivot in range(data.shape[0]):
        compiled.step(data, pivot)


def blocked(data: Any) -> None:
    """Close a square table: one pass over all columns for 64 vertices."""
    close_rows(data)
