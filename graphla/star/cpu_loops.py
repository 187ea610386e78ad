"""Loops over the words of tables, compiled by Numba.

Formulas, on words of 64 rows, column by column:
    transpose_tiles   bit r of word q becomes bit q of word r (recursive swaps of half tiles)
    compare_rows      less |= equal & f & ~t;  greater |= equal & t & ~f;  equal &= ~(t ^ f),
                      from the most significant column
    combine_rows      r = x ? a : r, or r = x ? a + b : r with a ripple carry, from the least
                      significant column; a - b = a + ~b + 1;  x is the control slice
    unite_columns     column j |= x   for the columns j that a word selects
    unite_pivot       column j |= column k   for the columns j with bit k

Parallel split: each kernel works on a range low..high - 1 of words (of tiles, of columns); tables
of more than SMALL words are split into ranges of about CHUNK, one for a thread at a time. Within a
range, comparison and arithmetic process CHUNK words of all columns before the next CHUNK, so that
these stay in cache. Conflicts: none, the ranges are disjoint.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, prange

CHUNK = 128  # words of a column, or columns, in a range
SMALL = 1 << 20  # words of a table up to which one thread is used, as starting threads takes longer


@njit(cache=True, nogil=True)
def _transpose_tiles(low, high, words, out):
    for i in range(low, high):
        tile = np.zeros(64, np.uint64)
        tile[: words.shape[1]] = words[i]
        half, mask = 32, np.uint64(0xFFFFFFFF)
        while half:
            shift = np.uint64(half)
            q = 0
            while q < 64:
                x = (tile[q] >> shift ^ tile[q + half]) & mask
                tile[q] ^= x << shift
                tile[q + half] ^= x
                q = (q + half + 1) & ~half
            half >>= 1
            mask ^= mask << np.uint64(half)
        out[i] = tile[: out.shape[1]]


@njit(cache=True, nogil=True)
def _compare_rows(low, high, outcomes, data, right, control, out):
    k, right_is_table = data.shape[0], right.shape[1] > 1
    while low < high:
        end = min(low + CHUNK, high)
        equal = control[low:end].copy()
        less, greater = np.zeros_like(equal), np.zeros_like(equal)
        for column in range(k):
            undecided = np.uint64(0)
            for i in range(end - low):
                left_word = data[column, low + i]
                right_word = right[column, low + i if right_is_table else 0]
                less[i] |= equal[i] & right_word & ~left_word
                greater[i] |= equal[i] & left_word & ~right_word
                equal[i] &= ~(left_word ^ right_word)
                undecided |= equal[i]
            if not undecided:
                break
        for i in range(end - low):
            x = less[i] if outcomes & 1 else np.uint64(0)
            x |= equal[i] if outcomes & 2 else np.uint64(0)
            out[low + i] = x | (greater[i] if outcomes & 4 else np.uint64(0))
        low = end


@njit(cache=True, nogil=True)
def _copy_column(operand, q, low, high, out):
    """Copy words low..high - 1 of column q, counted from the last; zeros beyond the first."""
    k, words = operand.shape
    if q >= k:
        out[:] = np.uint64(0)
    elif words > 1:
        out[: high - low] = operand[k - 1 - q, low:high]
    else:
        out[:] = operand[k - 1 - q, 0]


@njit(cache=True, nogil=True)
def _combine_rows(low, high, op, left, right, control, out):
    k = out.shape[0]
    flip = ~np.uint64(0) if op == 2 else np.uint64(0)
    a, b = np.empty(CHUNK, np.uint64), np.empty(CHUNK, np.uint64)
    while low < high:
        end = min(low + CHUNK, high)
        x, carry = control[low:end].copy(), np.full(CHUNK, flip)  # x may be a column of out
        for q in range(k):  # from the least significant column
            sums = out[k - 1 - q, low:end]
            _copy_column(left, q, low, end, a)
            if op == 0:
                for i in range(x.size):
                    sums[i] = (a[i] & x[i]) | (sums[i] & ~x[i])
                continue
            _copy_column(right, q, low, end, b)
            for i in range(x.size):
                addend = b[i] ^ flip
                sums[i] = ((a[i] ^ addend ^ carry[i]) & x[i]) | (sums[i] & ~x[i])
                carry[i] = (a[i] & addend) | (carry[i] & (a[i] ^ addend))
        low = end


@njit(cache=True, nogil=True)
def _unite_columns(low, high, data, x, word):
    for j in range(low, high):
        if word[j >> 6] >> np.uint64(j & 63) & np.uint64(1):
            for i in range(x.size):
                data[j, i] |= x[i]


@njit(cache=True, nogil=True)
def _unite_pivot(low, high, data, k):
    for j in range(low, high):
        if j != k and data[j, k >> 6] >> np.uint64(k & 63) & np.uint64(1):
            for i in range(data.shape[1]):
                data[j, i] |= data[k, i]


@njit(parallel=True, cache=True, nogil=True)
def _transpose_tiles_parallel(parts, words, out):
    n = words.shape[0]
    for p in prange(parts):
        _transpose_tiles(p * n // parts, (p + 1) * n // parts, words, out)


@njit(parallel=True, cache=True, nogil=True)
def _compare_rows_parallel(parts, outcomes, data, right, control, out):
    n = out.size
    for p in prange(parts):
        _compare_rows(p * n // parts, (p + 1) * n // parts, outcomes, data, right, control, out)


@njit(parallel=True, cache=True, nogil=True)
def _combine_rows_parallel(parts, op, left, right, control, out):
    n = out.shape[1]
    for p in prange(parts):
        _combine_rows(p * n // parts, (p + 1) * n // parts, op, left, right, control, out)


@njit(parallel=True, cache=True, nogil=True)
def _unite_columns_parallel(parts, data, x, word):
    n = data.shape[0]
    for p in prange(parts):
        _unite_columns(p * n // parts, (p + 1) * n // parts, data, x, word)


@njit(parallel=True, cache=True, nogil=True)
def _unite_pivot_parallel(parts, data, k):
    n = data.shape[0]
    for p in prange(parts):
        _unite_pivot(p * n // parts, (p + 1) * n // parts, data, k)


def transpose_tiles(words: Any, out: Any) -> None:
    """Transpose tiles of up to 64 words."""
    _run(_transpose_tiles, _transpose_tiles_parallel, len(words), words, words, out)


def compare_rows(outcomes: int, data: Any, right: Any, control: Any, out: Any) -> None:
    """Write the rows of the control slice whose comparison has one of the outcomes."""
    args = outcomes, data, right, control, out
    _run(_compare_rows, _compare_rows_parallel, out.size, data, *args)


def combine_rows(op: int, left: Any, right: Any, control: Any, out: Any) -> None:
    """Copy `left` (op 0), or add (1) or subtract (2) `right`, in the rows of the control slice."""
    args = op, left, right, control, out
    _run(_combine_rows, _combine_rows_parallel, out.shape[1], out, *args)


def unite_columns(data: Any, x: Any, word: Any) -> None:
    """Set the ones of x in the columns that a word selects."""
    _run(_unite_columns, _unite_columns_parallel, len(data), data, data, x, word)


def unite_pivot(data: Any, k: int) -> None:
    """Set the ones of column k in the columns whose bit k is set."""
    _run(_unite_pivot, _unite_pivot_parallel, len(data), data, data, k)


def _run(serial: Any, parallel: Any, n: int, table: Any, *args: Any) -> None:
    """Run a kernel over n words, or columns, by one thread or by all; `table` has the size."""
    if table.size <= SMALL:
        serial(0, n, *args)
    else:
        parallel(-(-n // CHUNK), *args)
