"""Scan the numbers of a text file into arrays: one strict pass, which knows the line at fault.

The fast readers at hand are lenient: SciPy's Matrix Market reader takes ``3.5`` in an
integer field for 3 and ``0x10`` for 0, pandas fills in short lines and NumPy
saturates. Here a field is a whole number in range or the scan stops there. A text
is a uint8 array whose last byte is a newline, so no inner loop tests for the end.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

TAB, NEWLINE, RETURN, BLANK, PLUS, COMMA, MINUS, DOT, ZERO = b"\t\n\r +,-.0"
LETTER_E, INFINITY, SHORT_INFINITY = ord("e"), b"infinity", 3
INFINITE = 1 << 60  # as an exponent: beyond any that is read

# how a scan ends; all but DONE name what was found at the line returned
DONE, FEW, MANY, NUMBER, WHOLE, RANGE, LARGE, SMALL, LEAD, LONG, ROWS = range(11)

# how a value is kept in its 64 bits
INTEGER, UNSIGNED, REAL = range(3)

# m * 10^e and m / 10^e are correctly rounded for m <= 2^53, e <= 22 (Clinger 1990):
# every other decimal is left to `round_boxed_decimals`
EXACT = np.uint64(2**53)
POWERS = 10.0 ** np.arange(23)
BOXED = np.uint64(0x7FF8 << 48)  # a quiet NaN, whose payload is where the decimal stands

TEN, NONE = np.uint64(10), np.uint64(0)
TENTH, LAST = np.uint64((2**64 - 1) // 10), np.uint64((2**64 - 1) % 10)
TOP = np.uint64(2**63)


@njit(cache=True, nogil=True)
def skip_blanks(data: Any, at: int) -> int:
    while data[at] == BLANK or data[at] == TAB or data[at] == RETURN:
        at += 1
    return at


@njit(cache=True, nogil=True)
def skip_line(data: Any, at: int) -> int:
    while data[at] != NEWLINE:
        at += 1
    return at


@njit(cache=True, nogil=True)
def ends(c: int, comma: bool) -> bool:
    return c in (BLANK, NEWLINE, TAB, RETURN) or (comma and c == COMMA)


@njit(cache=True, nogil=True)
def digits(data: Any, at: int, magnitude: Any, fits: Any) -> Any:
    """Append decimal digits to `magnitude`; `fits` turns False beyond 2^64 - 1."""
    while ZERO <= data[at] <= ZERO + 9:
        d = np.uint64(data[at] - ZERO)
        fits = fits and (magnitude < TENTH or (magnitude == TENTH and d <= LAST))
        magnitude = magnitude * TEN + d
        at += 1
    return at, magnitude, fits


@njit(cache=True, nogil=True)
def number(data: Any, at: int) -> Any:
    """Scan [+-] digits [. digits] [e [+-] digits], or inf: (end, whole, m, e, negative, fits).

    The value is m * 10^e, infinite where e = INFINITE; `fits` says that m is below 2^64.
    Without a number, end = -1.
    """
    negative = data[at] == MINUS
    if negative or data[at] == PLUS:
        at += 1
    start = at
    while at - start < len(INFINITY) and data[at] | 32 == INFINITY[at - start]:
        at += 1
    if at - start == len(INFINITY) or at - start == SHORT_INFINITY:
        return at, False, NONE, INFINITE, negative, False
    at, m, fits = digits(data, start, NONE, True)
    found, whole = at - start, True
    e: Any = 0
    if data[at] == DOT:
        point = at + 1
        at, m, fits = digits(data, point, m, fits)
        found, whole, e = found + at - point, False, point - at
    if found == 0:
        return -1, False, NONE, 0, negative, False
    if data[at] | 32 == LETTER_E:
        sign = data[at + 1]
        point = at + 2 if sign in (MINUS, PLUS) else at + 1
        at, power, small = digits(data, point, NONE, True)
        if at == point:
            return -1, False, NONE, 0, negative, False
        shift = np.int64(power) if small and power < EXACT else 1 << 53
        whole, e = False, e - shift if sign == MINUS else e + shift
    return at, whole, m, e, negative, fits


@njit(cache=True, nogil=True)
def integer(whole: bool, m: Any, negative: bool, fits: bool, mode: int) -> Any:
    """Return (status, bits) of an integer: two's complement, or unsigned."""
    if not whole:
        return WHOLE, NONE
    if negative and mode == UNSIGNED and m != NONE:
        return SMALL, NONE
    if not fits or (mode == INTEGER and m >= TOP and not (negative and m == TOP)):
        return LARGE, NONE
    return DONE, NONE - m if negative else m


@njit(cache=True, nogil=True)
def real(m: Any, e: int, negative: bool, fits: bool) -> float:
    """Return the exact or correctly rounded value, or NaN where that takes more work."""
    if e == INFINITE:
        return -np.inf if negative else np.inf
    if not fits or m > EXACT or e < -22 or e > 22:
        return np.nan
    x = np.float64(m) * POWERS[e] if e >= 0 else np.float64(m) / POWERS[-e]
    return -x if negative else x


@njit(cache=True, nogil=True)
def vertex(data: Any, at: int, comma: bool, low: int, high: int) -> Any:
    """Scan a vertex in low..high and return (status, end, its number from 0)."""
    end, whole, m, _, negative, fits = number(data, at)
    if end < 0 or not ends(data[end], comma):
        return NUMBER, at, 0
    status, bits = integer(whole, m, negative, fits, INTEGER)
    if status != DONE:
        return status, at, 0
    v = np.int64(bits)
    return DONE if low <= v <= high else RANGE, end, v - low


@njit(cache=True, nogil=True)
def value(data: Any, at: int, comma: bool, mode: int) -> Any:
    """Scan a value and return (status, end, bits, x): `x` counts where the mode is REAL."""
    end, whole, m, e, negative, fits = number(data, at)
    if end < 0 or not ends(data[end], comma):
        return NUMBER, at, NONE, 0.0
    if mode == REAL:
        x = real(m, e, negative, fits)
        return DONE, end, BOXED | np.uint64(at), x
    status, bits = integer(whole, m, negative, fits, mode)
    return status, end, bits, 0.0


@njit(cache=True, nogil=True)
def table(
    data: Any, at: int, line: int, comments: Any, lead: int, comma: bool, low: int, high: int,
    mode: int, index: Any, bits: Any, reals: Any,
) -> Any:  # fmt: skip
    """Scan one record a line: the vertices ``index[:, k]``, then the values ``bits[:, k]``.

    A record starts with the byte `lead` unless that is 0. `reals` is `bits` seen as
    float64. Returns (status, records, line, where the line starts); LONG
    where there are more records than columns in `index`.
    """
    k = 0
    while at < data.size:
        start = at
        at = skip_blanks(data, at)
        comment = False
        for mark in comments:
            comment = comment or data[at] == mark
        if comment or data[at] == NEWLINE:
            at, line = skip_line(data, at) + 1, line + 1
            continue
        if k == index.shape[1]:
            return LONG, k, line, start
        if lead:
            if data[at] != lead or not ends(data[at + 1], False):
                return LEAD, k, line, start
            at = skip_blanks(data, at + 1)
        width = index.shape[0] + bits.shape[0]
        for f in range(width):
            if f and comma and data[at] == COMMA:
                at = skip_blanks(data, at + 1)
            elif f and comma and data[at] != NEWLINE:
                return NUMBER, k, line, start
            if data[at] == NEWLINE:
                return FEW, k, line, start
            if f < index.shape[0]:
                status, at, index[f, k] = vertex(data, at, comma, low, high)
            else:
                status, at, word, x = value(data, at, comma, mode)
                bits[f - index.shape[0], k] = word
                if mode == REAL and x == x:
                    reals[f - index.shape[0], k] = x
            if status != DONE:
                return status, k, line, start
            at = skip_blanks(data, at)
        if data[at] != NEWLINE:
            return MANY, k, line, start
        k, at, line = k + 1, at + 1, line + 1
    return DONE, k, line, data.size


@njit(cache=True, nogil=True)
def rows(
    data: Any, at: int, line: int, comment: int, high: int, weighted: bool, mode: int,
    index: Any, bits: Any, indptr: Any,
) -> Any:  # fmt: skip
    """Scan one row a line: vertices in 1..high, each with its integer value if `weighted`.

    Fills ``index[k]``, ``bits[k]`` and ``indptr``, and returns as `table` does; ROWS where the
    file ends before the last row, or has fields after it.
    """
    k = i = 0
    while at < data.size:
        start = at
        at = skip_blanks(data, at)
        if data[at] == comment:
            at, line = skip_line(data, at) + 1, line + 1
            continue
        if i == indptr.size - 1 and data[at] != NEWLINE:
            return ROWS, k, line, start
        while data[at] != NEWLINE:
            if k == index.size:
                return LONG, k, line, start
            status, at, index[k] = vertex(data, at, False, 1, high)
            if status == DONE and weighted:
                at = skip_blanks(data, at)
                if data[at] == NEWLINE:
                    return FEW, k, line, start
                status, at, bits[k], _ = value(data, at, False, mode)
            if status != DONE:
                return status, k, line, start
            k, at = k + 1, skip_blanks(data, at)
        if i < indptr.size - 1:
            i += 1
            indptr[i] = k
        at, line = at + 1, line + 1
    return DONE if i == indptr.size - 1 else ROWS, k, line, data.size


@njit(cache=True, nogil=True)
def _copy_tokens(data: Any, starts: Any, out: Any) -> int:
    size = 0
    for at in starts:
        while not ends(data[at], True):
            out[size] = data[at]
            at, size = at + 1, size + 1
        out[size] = BLANK
        size += 1
    return size


def round_boxed_decimals(data: Any, bits: Any) -> Any:
    """Put the correctly rounded value in place of each boxed decimal; return which overflow."""
    reals = bits.view(np.float64)
    boxed = np.flatnonzero(np.isnan(reals))
    if boxed.size == 0:
        return boxed
    starts = (bits[boxed] ^ BOXED).astype(np.int64)
    text = np.empty(data.size - starts[0] + 1, np.uint8)
    size = _copy_tokens(data, starts, text)
    reals[boxed] = np.fromstring(text[:size].tobytes(), np.float64, boxed.size, sep=" ")
    return boxed[np.isinf(reals[boxed])]
