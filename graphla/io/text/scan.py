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

from graphla.io.text.decimals import nearest
from graphla.io.text.text_bytes import byte, text_of, word

TAB, NEWLINE, RETURN, BLANK, PLUS, COMMA, MINUS, DOT, ZERO, QUOTE = b'\t\n\r +,-.0"'
LETTER_E, INFINITY, SHORT_INFINITY = ord("e"), b"infinity", 3
INFINITE = 1 << 60  # the exponent that represents infinity; no scanned exponent reaches it
FAR = np.uint64(1 << 53)  # larger exponents are replaced by this one

# status of a scan; all but DONE are the error at the returned line
DONE, TOO_FEW, TOO_MANY, NOT_A_NUMBER, NOT_AN_INTEGER, OUT_OF_RANGE = range(6)
TOO_LARGE, TOO_SMALL, WRONG_LEAD, EXTRA_RECORDS, WRONG_ROW_COUNT, OPEN_QUOTE = range(6, 12)

# type of a value in its 64 bits
INTEGER, UNSIGNED, REAL = range(3)

# A decimal that `decimals.nearest` leaves undecided is stored as a NaN, whose payload is the place
# of the decimal in the text ("boxed"), and is rounded by `round_boxed_decimals` after the scan.
BOXED = np.uint64(0x7FF8 << 48)  # quiet NaN with payload 0

TEN, ZERO_WORD, DIGIT = np.uint64(10), np.uint64(0), np.uint64(ZERO)
TENTH, LAST = np.uint64((2**64 - 1) // 10), np.uint64((2**64 - 1) % 10)
TOP = np.uint64(2**63)
ONE, TENS = np.uint64(1), np.uint64(10) ** np.arange(9, dtype=np.uint64)
BLANKS = np.uint64(sum(1 << c for c in (BLANK, NEWLINE, TAB, RETURN)))
BLANKS_AND_COMMA = BLANKS | np.uint64(1 << COMMA)

# Words of eight bytes: Lemire, Number parsing at a gigabyte per second, Software: Practice and
# Experience 51 (2021), section 3
ZEROS, LOWEST_BITS = np.uint64(ZERO * 0x0101010101010101), np.uint64(0x0101010101010101)
ABOVE_NINE, HIGHEST_BITS = np.uint64(0x76 * 0x0101010101010101), np.uint64(0x8080808080808080)
PAIRS = np.uint64(0x000000FF000000FF)
WEIGHTS_0_2 = np.uint64(100 + (1000000 << 32))  # of the first and the third pair
WEIGHTS_1_3 = np.uint64(1 + (10000 << 32))
ALWAYS_FIT = 19  # any so many digits are less than 2^64
PLAIN_LINE = 36  # bytes of three numbers of 8 digits and what is between and after them, and more
PLAIN = 18  # digits of the vertices that are read without tests


@njit(cache=True, nogil=True)
def skip_blanks(text: Any, pos: int) -> int:
    c = byte(text, pos)
    while c in (BLANK, TAB, RETURN):
        pos += 1
        c = byte(text, pos)
    return pos


@njit(cache=True, nogil=True)
def skip_line(text: Any, pos: int) -> int:
    while byte(text, pos) != NEWLINE:
        pos += 1
    return pos


@njit(cache=True, nogil=True)
def end_of_line(data: Any, pos: int) -> int:
    """Return the position of the first newline from `pos` on."""
    return skip_line(text_of(data), pos)


@njit(cache=True, nogil=True)
def is_separator(c: int, comma: bool) -> bool:
    if c >= 64:
        return False
    separators = BLANKS_AND_COMMA if comma else BLANKS
    return (separators >> np.uint64(c)) & ONE != ZERO_WORD


@njit(cache=True, nogil=True)
def scan_eight_digits(text: Any, pos: int) -> Any:
    """Return the number of digits at text[pos:pos + 8], and their value, without a branch."""
    digits = word(text, pos) ^ ZEROS  # 0 to 9 in the bytes of digits
    others = ((digits + ABOVE_NINE) | digits) & HIGHEST_BITS  # right up to the first other byte
    first = (others & (ZERO_WORD - others)) >> np.uint64(7)
    before = first - ONE  # the bits of the digits
    count = ((before & LOWEST_BITS) * LOWEST_BITS) >> np.uint64(56)
    digits = (digits & before) << ((np.uint64(64) - (count << np.uint64(3))) & np.uint64(63))
    digits = digits * TEN + (digits >> np.uint64(8))  # pairs, then two and two of these at once
    pairs, others = digits & PAIRS, (digits >> np.uint64(16)) & PAIRS
    return np.int64(count), (pairs * WEIGHTS_0_2 + others * WEIGHTS_1_3) >> np.uint64(32)


@njit(cache=True, nogil=True)
def scan_digits(text: Any, pos: int, magnitude: Any) -> Any:
    """Append decimal digits to `magnitude`, modulo 2^64; return (end, magnitude)."""
    while pos + 8 <= np.int64(text[1]):
        count, value = scan_eight_digits(text, pos)
        magnitude = magnitude * TENS[count] + value
        pos += count
        if count < 8:
            return pos, magnitude
    d = np.uint64(byte(text, pos)) - DIGIT
    while d < TEN:
        magnitude = magnitude * TEN + d
        pos += 1
        d = np.uint64(byte(text, pos)) - DIGIT
    return pos, magnitude


@njit(cache=True, nogil=True)
def digits_fit(text: Any, pos: int, end: int) -> Any:
    """Whether the digits in text[pos:end], of which other bytes are left out, are below 2^64."""
    magnitude = ZERO_WORD
    fits: Any = True
    for k in range(pos, end):
        d = np.uint64(byte(text, k)) - DIGIT
        if d < TEN:
            fits = fits and (magnitude < TENTH or (magnitude == TENTH and d <= LAST))
            magnitude = magnitude * TEN + d
    return fits


@njit(cache=True, nogil=True)
def scan_number(text: Any, pos: int) -> Any:
    """Scan [+-] digits [. digits] [e [+-] digits], or [+-] inf[inity].

    Returns (end, whole, m, e, negative, fits): the value is m * 10^e, or infinite if e = INFINITE;
    `whole` is True if it has neither point nor exponent, `fits` if m < 2^64. If there is no
    number, end = -1.
    """
    negative = byte(text, pos) == MINUS
    if negative or byte(text, pos) == PLUS:
        pos += 1
    start = pos
    pos, m = scan_digits(text, start, ZERO_WORD)
    digit_count, whole = pos - start, True
    e: Any = 0
    if byte(text, pos) == DOT:
        point = pos + 1
        pos, m = scan_digits(text, point, m)
        digit_count, whole, e = digit_count + pos - point, False, point - pos
    if digit_count == 0:
        pos = start
        while pos - start < len(INFINITY) and byte(text, pos) | 32 == INFINITY[pos - start]:
            pos += 1
        is_infinite = pos - start == len(INFINITY) or pos - start == SHORT_INFINITY
        return pos if is_infinite else -1, False, ZERO_WORD, INFINITE, negative, False
    fits = digit_count <= ALWAYS_FIT or digits_fit(text, start, pos)
    if byte(text, pos) | 32 == LETTER_E:
        sign = byte(text, pos + 1)
        first = pos + 2 if sign in (MINUS, PLUS) else pos + 1
        pos, power = scan_digits(text, first, ZERO_WORD)
        if pos == first:
            return -1, False, ZERO_WORD, 0, negative, False
        is_small = pos - first <= ALWAYS_FIT or digits_fit(text, first, pos)
        shift = np.int64(power) if is_small and power < FAR else np.int64(FAR)
        whole, e = False, e - shift if sign == MINUS else e + shift
    return pos, whole, m, e, negative, fits


@njit(cache=True, nogil=True)
def integer_bits(whole: bool, m: Any, negative: bool, fits: bool, mode: int) -> Any:
    """Return (status, bits) of an integer: two's complement, or unsigned if the mode says so."""
    if not whole:
        return NOT_AN_INTEGER, ZERO_WORD
    if negative and mode == UNSIGNED and m != ZERO_WORD:
        return TOO_SMALL, ZERO_WORD
    if not fits or (mode == INTEGER and m >= TOP and not (negative and m == TOP)):
        return TOO_LARGE, ZERO_WORD
    return DONE, ZERO_WORD - m if negative else m


@njit(cache=True, nogil=True)
def nearest_to_long(text: Any, pos: int, e: int) -> float:
    """Return the float nearest to the decimal at `pos` with 20 digits or more; NaN if undecided.

    `e` is the exponent of its last digit. The decimal lies between those of its first 19 digits and
    of the next larger number: it is decided if these have the same float.
    """
    m, kept = ZERO_WORD, 0
    while True:
        c = byte(text, pos)
        d = np.uint64(c) - DIGIT
        if d < TEN:
            if kept < ALWAYS_FIT:
                m = m * TEN + d
            kept += m != ZERO_WORD
        elif c != DOT and c != MINUS and c != PLUS:
            break
        pos += 1
    e += kept - min(kept, ALWAYS_FIT)
    below, above = nearest(m, e), nearest(m + ONE, e)
    return below if below == above else np.nan


@njit(cache=True, nogil=True)
def real_bits(text: Any, pos: int, m: Any, e: int, negative: bool, fits: bool) -> Any:
    """Return the bits of the number at `pos`, or its boxed position if it is undecided."""
    if fits:
        x = nearest(m, e)
    elif e == INFINITE:
        x = np.inf
    else:
        x = nearest_to_long(text, pos, e)
    if x != x:
        return BOXED | np.uint64(pos)
    return np.float64(-x if negative else x).view(np.uint64)


@njit(cache=True, nogil=True)
def scan_vertex(text: Any, pos: int, comma: bool, low: int, high: int) -> Any:
    """Scan a vertex in low..high and return (status, end, vertex - low); on an error end = pos."""
    end, m = scan_digits(text, pos, ZERO_WORD)
    if end == pos or end - pos > PLAIN or not is_separator(byte(text, end), comma):
        end, whole, m, _, negative, fits = scan_number(text, pos)
        if end < 0 or not is_separator(byte(text, end), comma):
            return NOT_A_NUMBER, pos, 0
        status, m = integer_bits(whole, m, negative, fits, INTEGER)
        if status != DONE:
            return status, pos, 0
    v = np.int64(m)
    return (DONE, end, v - low) if low <= v <= high else (OUT_OF_RANGE, pos, 0)


@njit(cache=True, nogil=True)
def scan_value(text: Any, pos: int, comma: bool, mode: int) -> Any:
    """Scan a value and return (status, end, bits); on an error end = pos.

    In mode REAL the bits are those of a float64, perhaps of a boxed decimal.
    """
    end, whole, m, e, negative, fits = scan_number(text, pos)
    if end < 0 or not is_separator(byte(text, end), comma):
        return NOT_A_NUMBER, pos, ZERO_WORD
    if mode == REAL:
        return DONE, end, real_bits(text, pos, m, e, negative, fits)
    status, bits = integer_bits(whole, m, negative, fits, mode)
    return status, end if status == DONE else pos, bits


@njit(cache=True, nogil=True)
def scan_plain_lines(
    text: Any, pos: int, comma: bool, low: int, high: int, index: Any, bits: Any, first: int,
    last: int,
) -> Any:  # fmt: skip
    """Scan lines as long as all are plain, and return the number after the last record, and `pos`.

    A plain line has two vertices and, if `bits` has a row, a value; each of them has 1 to 8 digits
    and nothing else, and there is one separator between two. Most files have no other lines, and
    without this their scan takes 1.6 times as long.
    """
    k = first
    while k < last and pos + PLAIN_LINE <= np.int64(text[1]):
        count, u = scan_eight_digits(text, pos)
        end = pos + count
        if count == 0 or not is_plain_separator(byte(text, end), comma):
            break
        start = end + 1
        count, v = scan_eight_digits(text, start)
        end = start + count
        if count == 0:
            break
        value = ZERO_WORD
        if bits.shape[0]:
            if not is_plain_separator(byte(text, end), comma):
                break
            start = end + 1
            count, value = scan_eight_digits(text, start)
            end = start + count
            if count == 0:
                break
        if byte(text, end) == RETURN:
            end += 1
        i, j = np.int64(u), np.int64(v)
        if byte(text, end) != NEWLINE or i < low or i > high or j < low or j > high:
            break
        index[0, k], index[1, k] = i - low, j - low
        if bits.shape[0]:
            bits[0, k] = value
        k, pos = k + 1, end + 1
    return k, pos


@njit(cache=True, nogil=True)
def is_plain_separator(c: int, comma: bool) -> bool:
    return c == COMMA if comma else c in (BLANK, TAB)


@njit(cache=True, nogil=True)
def scan_records(
    data: Any, pos: int, line: int, comments: Any, lead: int, comma: bool, low: int, high: int,
    mode: int, index: Any, bits: Any, first: int, last: int,
) -> Any:  # fmt: skip
    """Scan one record per line: the vertices ``index[:, k]``, then the values ``bits[:, k]``.

    The first record of `data` is number `first`. A record starts with the byte `lead` unless that
    is 0; fields are separated by blanks, or by commas if `comma`. Lines whose first byte is in
    `comments` are skipped. Returns (status, number after the last record, line, position of the
    line's start, position of the error in the line); status EXTRA_RECORDS if there is a record
    number `last`.
    """
    text = text_of(data)
    k, vertices, width = first, index.shape[0], index.shape[0] + bits.shape[0]
    may_be_plain = lead == 0 and vertices == 2 and (width == 2 or (width == 3 and mode != REAL))
    while pos < data.size:
        if may_be_plain:
            before = k
            k, pos = scan_plain_lines(text, pos, comma, low, high, index, bits, k, last)
            line += k - before
        start = pos
        pos = skip_blanks(text, pos)
        c = byte(text, pos)
        is_comment = False
        for mark in range(comments.size):
            is_comment = is_comment or c == comments[mark]
        if is_comment or c == NEWLINE:
            pos, line = skip_line(text, pos) + 1, line + 1
            continue
        if k == last:
            return EXTRA_RECORDS, k, line, start, pos
        if lead:
            if c != lead or not is_separator(byte(text, pos + 1), False):
                return WRONG_LEAD, k, line, start, pos
            pos = skip_blanks(text, pos + 1)
        for field in range(width):
            c = byte(text, pos)
            if field and comma and c == COMMA:
                pos = skip_blanks(text, pos + 1)
                c = byte(text, pos)
            elif field and comma and c != NEWLINE:
                return NOT_A_NUMBER, k, line, start, pos
            if c == NEWLINE:
                return TOO_FEW, k, line, start, pos
            if field < vertices:
                status, pos, index[field, k] = scan_vertex(text, pos, comma, low, high)
            else:
                status, pos, bits[field - vertices, k] = scan_value(text, pos, comma, mode)
            if status != DONE:
                return status, k, line, start, pos
            pos = skip_blanks(text, pos)
        if byte(text, pos) != NEWLINE:
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
    text = text_of(data)
    k = i = 0
    while pos < data.size:
        start = pos
        pos = skip_blanks(text, pos)
        if byte(text, pos) == comment:
            pos, line = skip_line(text, pos) + 1, line + 1
            continue
        if i == indptr.size - 1 and byte(text, pos) != NEWLINE:
            return WRONG_ROW_COUNT, k, line, start, pos
        while byte(text, pos) != NEWLINE:
            if k == index.size:
                return EXTRA_RECORDS, k, line, start, pos
            status, pos, index[k] = scan_vertex(text, pos, False, 1, high)
            if status == DONE and weighted:
                pos = skip_blanks(text, pos)
                if byte(text, pos) == NEWLINE:
                    return TOO_FEW, k, line, start, pos
                status, pos, bits[k] = scan_value(text, pos, False, mode)
            if status != DONE:
                return status, k, line, start, pos
            k, pos = k + 1, skip_blanks(text, pos)
        if i < indptr.size - 1:
            i += 1
            indptr[i] = k
        pos, line = pos + 1, line + 1
    return DONE if i == indptr.size - 1 else WRONG_ROW_COUNT, k, line, data.size, data.size


@njit(cache=True, nogil=True)
def is_part_of_decimal(c: int) -> bool:
    """Whether a byte can be one of a decimal: a digit, sign, point or exponent's letter."""
    return ZERO <= c < ZERO + 10 or c in (PLUS, MINUS, DOT) or c | 32 == LETTER_E


@njit(cache=True, nogil=True)
def _copy_tokens(data: Any, starts: Any, out: Any) -> int:
    """Copy the decimals at `starts` to `out`, separated by blanks; return the number of bytes."""
    size = 0
    for pos in starts:
        while pos < data.size and is_part_of_decimal(data[pos]):
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
