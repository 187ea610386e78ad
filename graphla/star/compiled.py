"""Loops over the words of tables, compiled by Numba: those that NumPy would take in many passes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, prange

CHUNK = 128  # words of a column that a thread takes at a time, with those of the other columns
SMALL = 2048  # words of a column up to which one thread does all: others take longer to come
SMALL_TABLE = 1 << 20  # and words of a table, where a pass takes few of them


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
def _combine(low, high, op, left, right, control, out):
    k = out.shape[0]
    zero = np.uint64(0)
    kl, kr = left.shape[0], right.shape[0]
    left_table, right_table = left.shape[1] > 1, right.shape[1] > 1
    while low < high:
        until = min(low + CHUNK, high)
        carry = np.full(until - low, ~zero if op == 2 else zero)
        for q in range(k):  # from the least significant column
            for i in range(low, until):
                x = control[i]
                a = left[kl - 1 - q, i if left_table else 0] if q < kl else zero
                s = a
                if op:
                    b = right[kr - 1 - q, i if right_table else 0] if q < kr else zero
                    b = ~b if op == 2 else b
                    s = a ^ b ^ carry[i - low]
                    carry[i - low] = (a & b) | (carry[i - low] & (a ^ b))
                out[k - 1 - q, i] = (s & x) | (out[k - 1 - q, i] & ~x)
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
    n = words.shape[0]
    _run(_turn, _turn_by_threads, n, n <= SMALL, words, out)


def compare(wanted: int, data: Any, right: Any, control: Any, out: Any) -> None:
    """Write the rows of the control slice that are less, equal, greater, as `wanted` says."""
    n = out.size
    _run(_compare, _compare_by_threads, n, n <= SMALL, wanted, data, right, control, out)


def combine(op: int, left: Any, right: Any, control: Any, out: Any) -> None:
    """Copy `left`, or add or subtract `right`, into the rows of the control slice."""
    n = out.shape[1]
    _run(_combine, _combine_by_threads, n, n <= SMALL, op, left, right, control, out)


def unite(data: Any, x: Any, word: Any) -> None:
    """Or x into the columns that a word selects."""
    _run(_unite, _unite_by_threads, len(data), data.size <= SMALL_TABLE, data, x, word)


def step(data: Any, k: int) -> None:
    """Or column k into the columns whose bit k is set."""
    _run(_step, _step_by_threads, len(data), data.size <= SMALL_TABLE, data, k)


def _run(serial: Any, by_threads: Any, n: int, small: bool, *args: Any) -> None:
    """Call one of two forms, for n words or columns."""
    if small:
        serial(0, n, *args)
    else:
        by_threads(-(-n // CHUNK), *args)
