"""The scanner against Python's conversion of numbers."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import chain, product

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


def scan_lines(text, columns, **options):
    """Return the outcome of a scan of lines, and the records."""
    data, k = np.frombuffer(text, np.uint8), text.count(b"\n")
    index = np.zeros((2, k), options.get("dtype", np.int32))
    bits = np.zeros((columns - 2, k), np.uint64)
    marks, last = np.frombuffer(b"#", np.uint8), options.get("last", k)
    outcome = scan.scan_records(
        data, 0, 1, marks, 0, options["comma"], options["low"], options["high"], options["mode"],
        index, bits, 0, last,
    )  # fmt: skip
    return outcome, index[:, : outcome[1]].tolist(), bits[:, : outcome[1]].tolist()


def scan_line_by_line(lines, columns, **options):
    """Return the same from scans of single lines, which are too short for the plain scan."""
    k = start = 0
    index, bits = [[], []], [[] for _ in range(columns - 2)]
    for number, line in enumerate(lines):
        assert len(line) < scan.PLAIN_LINE
        last = min(options["last"] - k, 1)
        outcome, *records = scan_lines(line, columns, **options | {"last": last})
        status, count, _, line_start, pos = outcome
        for found, more in zip((*index, *bits), (*records[0], *records[1]), strict=True):
            found += more
        k += count
        if status != scan.DONE:
            return (status, k, number + 1, start + line_start, start + pos), index, bits
        start += len(line)
    return (scan.DONE, k, len(lines) + 1, start, start), index, bits


NUMBERS = st.one_of(
    st.integers(0, 12).map(str),
    st.integers(1, 10**8 - 1).map(str),
    st.sampled_from(["99999999", "100000000", "00000007", "000000007", "+3", "-4", "1000000001"]),
    st.sampled_from(["", "x", "7x", "2.5", "1e3", "12345678."]),
)


@examples(400)
@given(st.data(), st.booleans(), st.booleans(), st.booleans())
def test_plain_lines_are_scanned_as_all_others(data, comma, weighted, is_clean):
    """Mostly plain lines: 60 of them and some others are one text."""
    separators = [","] * comma + [" "] * (not comma)
    others = st.sampled_from([" ", "\t", ",", "  ", ", ", ";"])
    ends = st.sampled_from(["\n", "\r\n", " \n", "\t \n"])
    columns = 2 + weighted
    lines = []
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    for _ in range(data.draw(st.integers(0, 4))):
        for numbers in rng.integers(1, 10 ** rng.integers(1, 9), (rng.integers(0, 15), columns)):
            lines.append(f"{separators[0].join(map(str, numbers))}\n".encode())
        if not is_clean:
            fields = data.draw(st.lists(NUMBERS, max_size=columns + 1))
            text = data.draw(st.sampled_from(["", "#", " "]))
            for field in fields:
                text += field + data.draw(st.sampled_from(separators * 9) | others)
            lines.append(text[: data.draw(st.integers(0, 30))].encode())
            lines[-1] += data.draw(ends).encode()
    options = {
        "comma": comma,
        "mode": data.draw(st.sampled_from([scan.INTEGER, scan.UNSIGNED, scan.REAL])),
        "low": data.draw(st.sampled_from([0, 1])),
        "high": data.draw(st.sampled_from([10**5, 10**9])),
        "last": data.draw(st.just(len(lines)) | st.integers(0, len(lines))),
        "dtype": data.draw(st.sampled_from([np.int32, np.int64])),
    }
    found = scan_lines(b"".join(lines), columns, **options)
    expected = scan_line_by_line(lines, columns, **options)
    assert found == expected


SEPARATORS = [",", " ", "\t", ", ", " ,", "  ", ";", "\r", ""]
FIELDS = ["", "7", "99999999", "100000000", "0", "-3", "2.5", "x"]


@pytest.mark.parametrize("mode", [scan.INTEGER, scan.REAL])
@pytest.mark.parametrize("columns", [2, 3])
@pytest.mark.parametrize("comma", [False, True])
def test_a_line_among_plain_ones(comma, columns, mode):
    plain = [",".join("123") if comma else " ".join("123")] * 6
    plain = [f"{line[: 2 * columns - 1]}\n".encode() for line in plain]
    for separators in product(SEPARATORS, repeat=columns):
        for fields in product(FIELDS, repeat=columns):
            if fields.count("7") < columns - 1:
                continue
            text = "".join(chain.from_iterable(zip(fields, separators, strict=True)))
            lines = [*plain, f"{text}\n".encode(), *plain]
            options = {"comma": comma, "mode": mode, "last": len(lines), "low": 0, "high": 10**9}
            found = scan_lines(b"".join(lines), columns, **options)
            assert found == scan_line_by_line(lines, columns, **options)
