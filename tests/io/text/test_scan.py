"""The scanner against Python's conversion of numbers."""

from __future__ import annotations

import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from graphla.io.text import scan
from tests.strategies import examples

GRAMMAR = re.compile(r"[+-]?((\d+\.?\d*|\.\d+)(e[+-]?\d+)?|inf(inity)?)", re.IGNORECASE)
WHOLE = re.compile(r"[+-]?\d+")


def scan_one(token, mode):
    """Return (status, value) of a line with one value."""
    data = np.frombuffer(f"{token}\n".encode(), np.uint8)
    bits = np.empty((1, 1), np.uint64)
    nothing, reals = np.empty((0, 1), np.int64), bits.view(np.float64)
    status, k, _, _, _ = scan.scan_records(
        data, 0, 1, np.frombuffer(b"#", np.uint8), 0, False, 0, 9, mode, nothing, bits, 0, 1
    )
    if status != scan.DONE:
        return status, None
    assert k == 1
    if mode == scan.REAL:
        over = scan.round_boxed_decimals(data, bits[0])
        return (scan.TOO_LARGE, None) if over.size else (status, float(reals[0, 0]))
    return status, int(bits[0].view(np.int64 if mode == scan.INTEGER else np.uint64)[0])


decimals = st.from_regex(GRAMMAR, fullmatch=True).filter(str.isascii)
junk = st.text("0123456789+-.eEinfNaty_xd", min_size=1, max_size=12)


@pytest.mark.thorough
@examples(400)
@given(decimals | junk | st.floats(allow_nan=False).map(repr))
@example("9007199254740993")  # 2^53 + 1: halfway, to even
@example("9007199254740993.0000000000000001")
@example("18446744073709551616e1")  # 2^64 wraps to 0 in 64 bits
@example("0.000000000000000000000000000000000000000000000001")
@example("1e23")
@example("2.2250738585072011e-308")
@example("123456789012345678901234567890e-20")
@example("1e99999999999999999999999")
@example("1e-99999999999999999999999")
@example("0e99999999999999999999999")
@example("-0.0")
@example(".")
@example("-")
@example("1e")
@example("1e+")
@example("infi")
@example("1.7976931348623159e308")
def test_real_is_correctly_rounded(token):
    status, found = scan_one(token, scan.REAL)
    if not GRAMMAR.fullmatch(token):
        assert status == scan.NOT_A_NUMBER
        return
    expected = float(token)
    if np.isinf(expected) and "inf" not in token.lower():
        assert status == scan.TOO_LARGE
    else:
        assert found == expected
        assert np.signbit(found) == np.signbit(expected)


@examples(300)
@given(st.integers(-(2**70), 2**70).map(str) | decimals | junk, st.booleans())
@example(str(2**64 - 1), True)
@example(str(2**64), True)
@example(str(2**63 - 1), False)
@example(str(2**63), False)
@example(str(-(2**63)), False)
@example(str(-(2**63) - 1), False)
@example("-0", True)
@example("0" * 30 + "7", False)
@example("1.0", False)
def test_integers_are_exact_or_refused(token, unsigned):
    status, found = scan_one(token, scan.UNSIGNED if unsigned else scan.INTEGER)
    low, high = (0, 2**64 - 1) if unsigned else (-(2**63), 2**63 - 1)
    if not GRAMMAR.fullmatch(token):
        assert status == scan.NOT_A_NUMBER
    elif not WHOLE.fullmatch(token):
        assert status == scan.NOT_AN_INTEGER
    elif low <= int(token) <= high:
        assert found == int(token)
    else:
        assert status in (scan.TOO_LARGE, scan.TOO_SMALL)


def test_halfway_cases_near_every_power_of_two():
    """Decimals halfway between two floats, and slightly off, as in tests of strtod."""
    for e in range(-60, 120, 7):
        x = 2.0**e * 1.375
        half = (Fraction(x) + Fraction(np.nextafter(x, np.inf))) / 2
        digits = 200
        scaled = half * 10**digits
        assert scaled.denominator == 1
        for nudge in (-1, 0, 1):
            token = f"{int(scaled) + nudge}e-{digits}"
            assert scan_one(token, scan.REAL)[1] == float(token)


@pytest.mark.parametrize(
    "token",
    ["1_0", "0x10", "1d3", "nan", "1,5", "\N{ARABIC-INDIC DIGIT ONE}", "1 2", "--1", "1e1.5"],
)
def test_invalid_numbers_are_refused(token):
    assert scan_one(token, scan.REAL)[0] in (scan.NOT_A_NUMBER, scan.TOO_MANY)
