"""Scan the numbers of a text file into arrays, strictly, in one pass (Numba).

Every field must be a complete number in range, else the scan stops and returns a status and the
line at fault. Other fast readers are lenient: SciPy's Matrix Market reader reads ``3.5`` in an
integer field as 3 and ``0x10`` as 0, pandas fills short lines, NumPy saturates.

The text is a uint8 array whose last byte is a newline, so inner loops need no test for its end.
`pos` is always an index into it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

TAB, NEWLINE, RETURN, BLANK, PLUS, COMMA, MINUS, DOT, ZERO, QUOTE = b'\t\n\r +,-.0"'
LETTER_E, INFINITY, SHORT_INFINITY = ord("e"), b"infinity", 3
INFINITE = 1 << 60  # the exponent that represents infinity; no scanned exponent reaches it

# status of a scan; all but DONE are the error at the returned line
DONE, TOO_FEW, TOO_MANY, NOT_A_NUMBER, NOT_AN_INTEGER, OUT_OF_RANGE = range(6)
TOO_LARGE, TOO_SMALL, WRONG_LEAD, EXTRA_RECORDS, WRONG_ROW_COUNT, OPEN_QUOTE = range(6, 12)

# type of a value in its 64 bits
INTEGER, UNSIGNED, REAL = range(3)

# In float64, m * 10^e and m / 10^e are correctly rounded for m <= 2^53 and e <= 22 (Clinger 1990).
# Any other decimal is stored as a NaN whose payload is the decimal's position in the text
# ("boxed"), and is rounded by `round_boxed_decimals` after the scan.
EXACT = np.uint64(2**53)
POWERS = 10.0 ** np.arange(23)
BOXED = np.uint64(0x7FF8 << 48)  # quiet NaN with payload 0

TEN, NONE = np.uint64(10), np.uint64(0)
TENTH, LAST = np.uint64((2**64 - 1) // 10), np.uint64((2**64 - 1) % 10)
TOP = np.uint64(2**63)


@njit(cache=True, nogil=True)
def skip_blanks(data: Any, pos: int) -> int:
    while data[pos] == BLANK or data[pos] == TAB or data[pos] == RETURN:
        pos += 1
    return pos


@njit(cache=True, nogil=True)
def skip_line(data: Any, pos: int) -> int:
    while data[pos] != NEWLINE:
        pos += 1
    return pos


@njit(cache=True, nogil=True)
def is_separator(c: int, comma: bool) -> bool:
    return c in (BLANK, NEWLINE, TAB, RETURN) or (comma and c == COMMA)


@njit(cache=True, nogil=True)
def scan_digits(data: Any, pos: int, magnitude: Any, fits: Any) -> Any:
    """Append decimal digits to `magnitude`; `fits` becomes False if it exceeds 2^64 - 1."""
    while ZERO <= data[pos] <= ZERO + 9:
        d = np.uint64(data[pos] - ZERO)
        fits = fits and (magnitude < TENTH or (magnitude == TENTH and d <= LAST))
        magnitude = magnitude * TEN + d
        pos += 1
    return pos, magnitude, fits


@njit(cache=True, nogil=True)
def scan_number(data: Any, pos: int) -> Any:
    """Scan [+-] digits [. digits] [e [+-] digits], or [+-] inf[inity].

    Returns (end, whole, m, e, negative, fits): the value is m * 10^e, or infinite if e = INFINITE;
    `whole` is True if it has neither point nor exponent, `fits` if m < 2^64. If there is no
    number, end = -1.
    """
    negative = data[pos] == MINUS
    if negative or data[pos] == PLUS:
        pos += 1
    start = pos
    while pos - start < len(INFINITY) and data[pos] | 32 == INFINITY[pos - start]:
        pos += 1
    if pos - start == len(INFINITY) or pos - start == SHORT_INFINITY:
        return pos, False, NONE, INFINITE, negative, False
    pos, m, fits = scan_digits(data, start, NONE, True)
    digit_count, whole = pos - start, True
    e: Any = 0
    if data[pos] == DOT:
        point = pos + 1
        pos, m, fits = scan_digits(data, point, m, fits)
        digit_count, whole, e = digit_count + pos - point, False, point - pos
    if digit_count == 0:
        return -1, False, NONE, 0, negative, False
    if data[pos] | 32 == LETTER_E:
        sign = data[pos + 1]
        first = pos + 2 if sign in (MINUS, PLUS) else pos + 1
        pos, power, power_fits = scan_digits(data, first, NONE, True)
        if pos == first:
            return -1, False, NONE, 0, negative, False
        shift = np.int64(power) if power_fits and power < EXACT else 1 << 53
        whole, e = False, e - shift if sign == MINUS else e + shift
    return pos, whole, m, e, negative, fits


@njit(cache=True, nogil=True)
def integer_bits(whole: bool, m: Any, negative: bool, fits: bool, mode: int) -> Any:
    """Return (status, bits) of an integer: two's complement, or unsigned if the mode says so."""
    if not whole:
        return NOT_AN_INTEGER, NONE
    if negative and mode == UNSIGNED and m != NONE:
        return TOO_SMALL, NONE
    if not fits or (mode == INTEGER and m >= TOP and not (negative and m == TOP)):
        return TOO_LARGE, NONE
    return DONE, NONE - m if negative else m


@njit(cache=True, nogil=True)
def real_value(m: Any, e: int, negative: bool, fits: bool) -> float:
    """Return the correctly rounded value of m * 10^e, or NaN if Clinger's fast case fails."""
    if e == INFINITE:
        return -np.inf if negative else np.inf
    if not fits or m > EXACT or e < -22 or e > 22:
        return np.nan
    x = np.float64(m) * POWERS[e] if e >= 0 else np.float64(m) / POWERS[-e]
    return -x if negative else x


@njit(cache=True, nogil=True)
def scan_vertex(data: Any, pos: int, comma: bool, low: int, high: int) -> Any:
    """Scan a vertex in low..high and return (status, end, vertex - low); on an error end = pos."""
    end, whole, m, _, negative, fits = scan_number(data, pos)
    if end < 0 or not is_separator(data[end], comma):
        return NOT_A_NUMBER, pos, 0
    status, bits = integer_bits(whole, m, negative, fits, INTEGER)
    if status != DONE:
        return status, pos, 0
    v = np.int64(bits)
    return (DONE, end, v - low) if low <= v <= high else (OUT_OF_RANGE, pos, 0)


@njit(cache=True, nogil=True)
def scan_value(data: Any, pos: int, comma: bool, mode: int) -> Any:
    """Scan a value and return (status, end, bits, x); on an error end = pos.

    In mode REAL the value is x, or, if x is NaN, `bits` is the boxed position of the decimal.
    """
    end, whole, m, e, negative, fits = scan_number(data, pos)
    if end < 0 or not is_separator(data[end], comma):
        return NOT_A_NUMBER, pos, NONE, 0.0
    if mode == REAL:
        x = real_value(m, e, negative, fits)
        return DONE, end, BOXED | np.uint64(pos), x
    status, bits = integer_bits(whole, m, negative, fits, mode)
    return status, end if status == DONE else pos, bits, 0.0


@njit(cache=True, nogil=True)
def scan_records(
    data: Any, pos: int, line: int, comments: Any, lead: int, comma: bool, low: int, high: int,
    mode: int, index: Any, bits: Any, reals: Any,
) -> Any:  # fmt: skip
    """Scan one record per line: the vertices ``index[:, k]``, then the values ``bits[:, k]``.

    A record starts with the byte `lead` unless that is 0; fields are separated by blanks, or by
    commas if `comma`. Lines whose first byte is in `comments` are skipped. `reals` is a float64
    view of `bits`. Returns (status, number of records, line, position of the line's start, position
    of the error in the line); status EXTRA_RECORDS if `index` has too few columns.
    """
    k = 0
    while pos < data.size:
        start = pos
        pos = skip_blanks(data, pos)
        is_comment = False
        for mark in comments:
            is_comment = is_comment or data[pos] == mark
        if is_comment or data[pos] == NEWLINE:
            pos, line = skip_line(data, pos) + 1, line + 1
            continue
        if k == index.shape[1]:
            return EXTRA_RECORDS, k, line, start, pos
        if lead:
            if data[pos] != lead or not is_separator(data[pos + 1], False):
                return WRONG_LEAD, k, line, start, pos
            pos = skip_blanks(data, pos + 1)
        width = index.shape[0] + bits.shape[0]
        for field in range(width):
            if field and comma and data[pos] == COMMA:
                pos = skip_blanks(data, pos + 1)
            elif field and comma and data[pos] != NEWLINE:
                return NOT_A_NUMBER, k, line, start, pos
            if data[pos] == NEWLINE:
                return TOO_FEW, k, line, start, pos
            if field < index.shape[0]:
                status, pos, index[field, k] = scan_vertex(data, pos, comma, low, high)
            else:
                status, pos, word, x = scan_value(data, pos, comma, mode)
                bits[field - index.shape[0], k] = word
                if mode == REAL and x == x:
                    reals[field - index.shape[0], k] = x
            if status != DONE:
                return status, k, line, start, pos
            pos = skip_blanks(data, pos)
        if data[pos] != NEWLINE:
            return TOO_MANY, k, line, start, pos
        k, pos, line = k + 1, pos + 1, line + 1
    return DONE, k, line, data.size, data.size


@njit(cache=True, nogil=True)
def scan_rows(
    data: Any, pos: int, line: int, comment: int, high: int, weighted: bool, mode: int,
    index: Any, bits: Any, indptr: Any,
) -> Any:  # fmt: skip
    """Scan one adjacency row per line: vertices in 1..high, each followed by a value if `weighted`.

    Fills ``index[k]``, ``bits[k]`` and ``indptr``, and returns the same as `scan_records`; status
    WRONG_ROW_COUNT if the file ends before the last row or has fields after it.
    """
    k = i = 0
    while pos < data.size:
        start = pos
        pos = skip_blanks(data, pos)
        if data[pos] == comment:
            pos, line = skip_line(data, pos) + 1, line + 1
            continue
        if i == indptr.size - 1 and data[pos] != NEWLINE:
            return WRONG_ROW_COUNT, k, line, start, pos
        while data[pos] != NEWLINE:
            if k == index.size:
                return EXTRA_RECORDS, k, line, start, pos
            status, pos, index[k] = scan_vertex(data, pos, False, 1, high)
            if status == DONE and weighted:
                pos = skip_blanks(data, pos)
                if data[pos] == NEWLINE:
                    return TOO_FEW, k, line, start, pos
                status, pos, bits[k], _ = scan_value(data, pos, False, mode)
            if status != DONE:
                return status, k, line, start, pos
            k, pos = k + 1, skip_blanks(data, pos)
        if i < indptr.size - 1:
            i += 1
            indptr[i] = k
        pos, line = pos + 1, line + 1
    return DONE if i == indptr.size - 1 else WRONG_ROW_COUNT, k, line, data.size, data.size


@njit(cache=True, nogil=True)
def _copy_tokens(data: Any, starts: Any, out: Any) -> int:
    """Copy the fields at `starts` to `out`, separated by blanks; return the number of bytes."""
    size = 0
    for pos in starts:
        while not is_separator(data[pos], True) and data[pos] != QUOTE:
            out[size] = data[pos]
            pos, size = pos + 1, size + 1
        out[size] = BLANK
        size += 1
    return size


def round_boxed_decimals(data: Any, bits: Any) -> Any:
    """Replace each boxed decimal by its correctly rounded value; return those that overflow.

    The decimals are copied into one text, which NumPy parses with correct rounding.
    """
    reals = bits.view(np.float64)
    boxed = np.flatnonzero(np.isnan(reals))
    if boxed.size == 0:
        return boxed
    starts = (bits[boxed] ^ BOXED).astype(np.int64)
    text = np.empty(data.size - starts[0] + 1, np.uint8)
    size = _copy_tokens(data, starts, text)
    reals[boxed] = np.fromstring(text[:size].tobytes(), np.float64, boxed.size, sep=" ")
    return boxed[np.isinf(reals[boxed])]
