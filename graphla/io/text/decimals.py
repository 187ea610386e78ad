"""Decimals to the nearest float64 (Numba).

`nearest` decides m * 10^e from one or two products of 64 bits in all but rare cases, and says so in
those: then the exact value of the decimal has to be compared with the halfway points.

Sources: Clinger, How to read floating point numbers accurately, PLDI 1990; Lemire, Number parsing
at a gigabyte per second, Software: Practice and Experience 51 (2021), sections 5 to 8.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

# m * 10^e and m / 10^e are correctly rounded for m <= 2^53 and e <= 22 (Clinger)
EXACT = np.uint64(2**53)
POWERS = 10.0 ** np.arange(23)

LOWEST, HIGHEST = -342, 308  # exponents of which a decimal with m < 2^64 may be a normal float64


def _powers_of_five() -> Any:
    """Return 5^e for e in LOWEST..HIGHEST: the leading 128 bits of each, as two words.

    Powers of negative exponents are rounded up, others down.
    """
    words = []
    for e in range(LOWEST, HIGHEST + 1):
        power = 5 ** abs(e)
        shift = 128 - power.bit_length()
        if e >= 0:
            bits = power << shift if shift >= 0 else power >> -shift
        else:
            bits = (1 << (power.bit_length() + 127)) // power + 1
            bits >>= bits.bit_length() - 128
        words.append((bits >> 64, bits & (2**64 - 1)))
    return np.array(words, np.uint64)


FIVES = _powers_of_five()
FIVES_HIGH, FIVES_LOW = FIVES.T.copy()

ZERO, ONE, HALF_WORD = np.uint64(0), np.uint64(1), np.uint64(32)
LOW_HALF = np.uint64(2**32 - 1)
UNDECIDED = np.uint64(0x1FF)  # the bits below those of a mantissa and its rounding bit
ALMOST_ONE = np.uint64(2**64 - 2)
MANTISSA_BITS, BIAS = np.uint64(52), 1023


@njit(cache=True, nogil=True)
def multiply(a: Any, b: Any) -> Any:
    """Return the high and the low word of the product of two words."""
    a1, a0, b1, b0 = a >> HALF_WORD, a & LOW_HALF, b >> HALF_WORD, b & LOW_HALF
    low = a0 * b0
    middle = a1 * b0 + (low >> HALF_WORD)
    other = a0 * b1 + (middle & LOW_HALF)
    return a1 * b1 + (middle >> HALF_WORD) + (other >> HALF_WORD), a * b


@njit(cache=True, nogil=True)
def leading_zeros(word: Any) -> Any:
    """Return the number of zeros before the highest bit of a word, which is not 0."""
    rounded_down = word & ~(word >> ONE)  # no carry into the next power of two
    return np.uint64(BIAS + 63) - (np.float64(rounded_down).view(np.uint64) >> MANTISSA_BITS)


@njit(cache=True, nogil=True)
def nearest(m: Any, e: int) -> float:
    """Return the float64 nearest to m * 10^e, ties to even; NaN if it is undecided.

    Undecided are values that are not normal, those that lie halfway between two floats or so near
    that 128 bits of 5^e do not decide.
    """
    if m <= EXACT and -22 <= e <= 22:
        return np.float64(m) * POWERS[e] if e >= 0 else np.float64(m) / POWERS[-e]
    if m == ZERO:
        return 0.0
    if e < LOWEST or e > HIGHEST:
        return np.nan
    # m * 2^zeros in [2^63, 2^64) times a power in [2^127, 2^128)
    zeros = leading_zeros(m)
    m <<= zeros
    high, low = multiply(m, FIVES_HIGH[e - LOWEST])
    if high & UNDECIDED == UNDECIDED:
        more, _ = multiply(m, FIVES_LOW[e - LOWEST])
        low += more
        high += np.uint64(low < more)
        if high & UNDECIDED == UNDECIDED and low >= ALMOST_ONE:
            return np.nan
    top = high >> np.uint64(63)
    shift = top + np.uint64(9)
    mantissa = high >> shift  # 54 bits: those of a float64 and the rounding bit
    if mantissa & ONE == ONE and mantissa << shift == high and low <= ONE:
        return np.nan  # halfway, or so near to it that the rounded power does not decide
    mantissa = (mantissa + (mantissa & ONE)) >> ONE
    # 217706 / 2^16 is the logarithm of 10 to base 2, exact enough for all exponents here
    exponent = ((217706 * e) >> 16) + 63 + BIAS + np.int64(top) - np.int64(zeros)
    if mantissa == EXACT:
        mantissa, exponent = mantissa >> ONE, exponent + 1
    if exponent <= 0 or exponent >= 2047:
        return np.nan
    bits = (np.uint64(exponent) << MANTISSA_BITS) | (mantissa ^ (ONE << MANTISSA_BITS))
    return np.uint64(bits).view(np.float64)
