"""Bands of path counts against integers of any size."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from graphblas import Matrix, Vector
from hypothesis import given
from hypothesis import strategies as st

from graphla.algorithms._shared.path_counts import (
    FIRST,
    PEAK,
    STEP_UP,
    assign_bands,
    shares_for_band,
)

N = 6
exponents = st.one_of(st.integers(-800, 801), st.integers(700, 900))
bands = st.dictionaries(
    st.integers(0, 4), st.dictionaries(st.integers(0, N - 1), exponents), min_size=1
)


def make(of, entries):
    """Return a Vector, or a Matrix of one row, with entries of 3 * 2^x."""
    index, values = list(entries), [3 * 2.0**x for x in entries.values()]
    if of is Vector:
        return Vector.from_coo(index, values, size=N, dtype="FP64")
    return Matrix.from_coo([0] * len(index), index, values, nrows=1, ncols=N, dtype="FP64")


def items(band):
    *_, index, values = band.to_coo()
    return zip(index.tolist(), values.tolist(), strict=True)


def totals(counts):
    """Return the sums over the bands, as fractions of the count FIRST."""
    total = {}
    for b, band in counts.items():
        for v, m in items(band):
            total[v] = total.get(v, 0) + Fraction(m) / Fraction(FIRST) * Fraction(1 / STEP_UP) ** b
    return total


@pytest.mark.parametrize("of", [Vector, Matrix])
@given(drawn=bands)
def test_counts_are_kept_and_each_vertex_is_in_one_band(of, drawn):
    """Of a band b > 0 the values are at least 2^-200, as those that assign_bands has made."""
    drawn = {b: {v: max(x, -200 if b else -800) for v, x in e.items()} for b, e in drawn.items()}
    counts = {b: make(of, entries) for b, entries in drawn.items()}
    expected = totals(counts)
    largest = assign_bands(counts)
    found = totals(counts)
    assert found.keys() == expected.keys()
    assert sum(band.nvals for band in counts.values()) == len(expected)
    for v, total in expected.items():
        assert abs(found[v] / total - 1) < 2.0**-50
    values = [m for band in counts.values() for _, m in items(band)]
    assert all(m <= PEAK * (1 + 2.0**-50) for m in values)
    assert largest >= max(values, default=0) * (1 - 2.0**-50)


@pytest.mark.parametrize("of", [Vector, Matrix])
def test_shares_of_two_bands(of):
    shares = {1: make(of, {0: 5, 1: 6}), 2: make(of, {2: 7}), 4: make(of, {3: 8})}
    expected = {
        0: {0: 3 * 2.0 ** (5 - 1000), 1: 3 * 2.0 ** (6 - 1000)},
        1: {0: 3 * 2.0**5, 1: 3 * 2.0**6, 2: 3 * 2.0 ** (7 - 1000)},
        2: {2: 3 * 2.0**7},
        3: {3: 3 * 2.0 ** (8 - 1000)},
        4: {3: 3 * 2.0**8},
    }
    for b, entries in expected.items():
        assert dict(items(shares_for_band(shares, b))) == entries


def test_one_path_is_far_from_the_limits():
    assert np.log2(FIRST) == -np.log2(PEAK) == -800
