"""Decimals to the nearest float64: Python's conversion is the oracle."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from graphla.io.text.decimals import leading_zeros, multiply, nearest
from tests.strategies import examples

words = st.integers(0, 2**64 - 1) | st.integers(0, 63).map(lambda k: 2**k)


@examples(300)
@given(words, st.integers(-400, 400) | st.integers(-30, 30))
@example(9007199254740993, 0)  # 2^53 + 1: halfway, to even
@example(9007199254740995, 0)
@example(5, -324)
@example(2**64 - 1, 308)
@example(17976931348623157, 292)
@example(1, 23)
@example(0, 400)
def test_nearest_is_that_of_python_or_undecided(m, e):
    x = nearest(np.uint64(m), e)
    expected = float(f"{m}e{e}")
    if np.isnan(x):
        assert not 2.0**-1020 < expected < 2.0**1020 or is_nearly_halfway(m, e)
    else:
        assert x == expected


def is_nearly_halfway(m, e):
    """Whether m * 10^e is within 62 bits of the middle of two floats."""
    value, x = Fraction(m) * Fraction(10) ** e, float(f"{m}e{e}")
    middles = [(Fraction(x) + Fraction(np.nextafter(x, end))) / 2 for end in (0, np.inf)]
    return any(abs(value - middle) <= value / 2**62 for middle in middles)


@pytest.mark.thorough
@examples(3000)
@given(st.floats(2.0**-1000, 2.0**1000))
def test_shortest_decimals_are_decided(x):
    mantissa, _, exponent = f"{x!r}e0".partition("e")
    whole, _, fraction = mantissa.partition(".")
    power = int(exponent.removesuffix("e0") or 0) - len(fraction)
    assert nearest(np.uint64(int(whole + fraction)), power) == x


@examples(200)
@given(words, words)
def test_products_of_words(a, b):
    high, low = multiply(np.uint64(a), np.uint64(b))
    assert (int(high) << 64) + int(low) == a * b


@examples(100)
@given(words.filter(bool))
@example(2**64 - 1)
@example(2**63 - 1)
@example(1)
def test_leading_zeros(word):
    assert leading_zeros(np.uint64(word)) == 64 - word.bit_length()
