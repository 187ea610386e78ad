"""Loops over the words of tables, compiled by Numba: those that NumPy would take in many passes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, prange

CHUNK = 128  # words of a column that a thread takes at a time, with those of the other columns
SMALL = 1 << 20  # words of a table up to which one thread does all: others take longer to come


@njit(cache=True, nogil=True)
def _turn(low, high, words, out):
    for i in range(low, high):
        tile = np.zeros(64, np.uint64)
        tile[: words.shape[1]] = words[i]
        half, mask = 32, np.uint64(0xFFFFFFFF)
        while half:
            s = np.uint64(half)
            q = 0
            while q < 64:
                x = (tile[q] >> s ^ tile[q + half]) & mask
                tile[q] ^= x << s
                tile[q + half] ^= x
                q = (q + half + 1) & ~half
            half >>= 1
            mask ^= mask << np.uint64(half)
        out[i] = tile[: out.shape[1]]


@njit(cache=True, nogil=True)
def _compare(low, high, wanted, data, right, control, out):
    k, table = data.shape[0], right.shape[1] > 1
    while low < high:
        until = min(low + CHUNK, high)
        equal = control[low:until].copy()
        less, greater = np.zeros_like(equal), np.zeros_like(equal)
        for c in range(k):
            left = np.uint64(0)
            for i in range(until - low):
                t, f = data[c, low + i], right[c, low + i if table else 0]
                less[i] |= equal[i] & f & ~t
                greater[i] |= equal[i] & t & ~f
                equal[i] &= ~(t ^ f)
                left |= equal[i]
            if not left:
                break
        for i in range(until - low):
            x = less[i] if wanted & 1 else np.uint64(0)
            x |= equal[i] if wanted & 2 else np.uint64(0)
            out[low + i] = x | (greater[i] if wanted & 4 else np.uint64(0))
        low = until


@njit(cache=True, nogil=True)
def _take(operand, q, low, high, out):
    """Copy words of column q, counted from the last one: zeros beyond the first one."""
    k, words = operand.shape
    if q >= k:
        out[:] = np.uint64(0)
    elif words > 1:
        out[: high - low] = operand[k - 1 - q, low:high]
    else:
        out[:] = operand[k - 1 - q, 0]


@njit(cache=True, nogil=True)
def _combine(low, high, op, left, right, control, out):
    k = out.shape[0]
    flip = ~np.uint64(0) if op == 2 else np.uint64(0)  # a - b = a + ~b + 1
    a, b = np.empty(CHUNK, np.uint64), np.empty(CHUNK, np.uint64)
    while low < high:
        until = min(low + CHUNK, high)
        x, carry = control[low:until], np.full(CHUNK, flip)
        for q in range(k):  # from the least significant column
            r = out[k - 1 - q, low:until]
            _take(left, q, low, until, a)
            if op == 0:
                for i in range(x.size):
                    r[i] = (a[i] & x[i]) | (r[i] & ~x[i])
                continue
            _take(right, q, low, until, b)
            for i in range(x.size):
                f = b[i] ^ flip
                r[i] = ((a[i] ^ f ^ carry[i]) & x[i]) | (r[i] & ~x[i])
                carry[i] = (a[i] & f) | (carry[i] & (a[i] ^ f))
        low = until


@njit(parallel=True, cache=True, nogil=True)
def _turn_by_threads(parts, words, out):
    n = words.shape[0]
    for p in prange(parts):
        _turn(p * n // parts, (p + 1) * n // parts, words, out)


@njit(parallel=True, cache=True, nogil=True)
def _compare_by_threads(parts, wanted, data, right, control, out):
    n = out.size
    for p in prange(parts):
        _compare(p * n // parts, (p + 1) * n // parts, wanted, data, right, control, out)


@njit(parallel=True, cache=True, nogil=True)
def _combine_by_threads(parts, op, left, right, control, out):
    n = out.shape[1]
    for p in prange(parts):
        _combine(p * n // parts, (p + 1) * n // parts, op, left, right, control, out)


@njit(cache=True, nogil=True)
def _unite(low, high, data, x, word):
    for j in range(low, high):
        if word[j >> 6] >> np.uint64(j & 63) & np.uint64(1):
            for i in range(x.size):
                data[j, i] |= x[i]


@njit(cache=True, nogil=True)
def _step(low, high, data, k):
    for j in range(low, high):
        if j != k and data[j, k >> 6] >> np.uint64(k & 63) & np.uint64(1):
            for i in range(data.shape[1]):
                data[j, i] |= data[k, i]


@njit(parallel=True, cache=True, nogil=True)
def _unite_by_threads(parts, data, x, word):
    n = data.shape[0]
    for p in prange(parts):
        _unite(p * n // parts, (p + 1) * n // parts, data, x, word)


@njit(parallel=True, cache=True, nogil=True)
def _step_by_threads(parts, data, k):
    n = data.shape[0]
    for p in prange(parts):
        _step(p * n // parts, (p + 1) * n // parts, data, k)


def turn(words: Any, out: Any) -> None:
    """Turn tiles of up to 64 words round: bit r of word q becomes bit q of word r."""
    _run(_turn, _turn_by_threads, len(words), words, words, out)


def compare(wanted: int, data: Any, right: Any, control: Any, out: Any) -> None:
    """Write the rows of the control slice that are less, equal, greater, as `wanted` says."""
    _run(_compare, _compare_by_threads, out.size, data, wanted, data, right, control, out)


def combine(op: int, left: Any, right: Any, control: Any, out: Any) -> None:
    """Copy `left`, or add or subtract `right`, into the rows of the control slice."""
    _run(_combine, _combine_by_threads, out.shape[1], out, op, left, right, control, out)


def unite(data: Any, x: Any, word: Any) -> None:
    """Or x into the columns that a word selects."""
    _run(_unite, _unite_by_threads, len(data), data, data, x, word)


def step(data: Any, k: int) -> None:
    """Or column k into the columns whose bit k is set."""
    _run(_step, _step_by_threads, len(data), data, data, k)


def _run(serial: Any, by_threads: Any, n: int, table: Any, *args: Any) -> None:
    """Call one of two forms for n words, or columns, of a table."""
    if table.size <= SMALL:
        serial(0, n, *args)
    else:
        by_threads(-(-n // CHUNK), *args)
