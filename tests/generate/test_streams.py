"""Integers drawn in parts are those of one generator, and leave it in the same state."""

from __future__ import annotations

import numpy as np
import pytest

from graphla.generate import streams


@pytest.fixture(autouse=True)
def three_threads(monkeypatch):
    monkeypatch.setattr(streams, "PARALLEL_FROM", 100)
    monkeypatch.setattr(streams, "PART", 40)
    monkeypatch.setattr(streams, "num_threads", lambda: 3)


def check(seed, low, high, size, dtype):
    """Compare the numbers and those drawn next; return the words of 64 bits that were used."""
    ours, theirs = (np.random.default_rng(seed) for _ in range(2))
    found = streams.integers(ours, low, high, size, dtype)
    expected = theirs.integers(low, high, size, dtype, endpoint=True)
    assert found.dtype == dtype
    np.testing.assert_array_equal(found, expected)
    used = next(
        k for k in range(2 * size + 1) if same_words(ours, streams.advanced(fresh(seed), k))
    )
    for _ in range(3):  # also the unused half of a word
        assert ours.integers(2**32, dtype=np.uint32) == theirs.integers(2**32, dtype=np.uint32)
    np.testing.assert_array_equal(ours.permutation(50), theirs.permutation(50))
    return used


def fresh(seed):
    return np.random.default_rng(seed)


def same_words(rng, bits):
    return rng.bit_generator.state["state"] == bits.state["state"]


@pytest.mark.parametrize("size", [0, 1, 99, 100, 121, 160, 399])
@pytest.mark.parametrize(
    ("low", "high", "dtype"),
    [
        (0, 2**20 - 1, "uint32"),
        (1, 255, "int32"),
        (0, 2**32 - 1, "uint32"),
        (-(2**31), 2**31 - 1, "int32"),
        (7, 7, "int32"),
        (0, 3 * 2**29, "uint32"),  # a quarter is drawn again
        (0, 100, "uint8"),
        (0, 2**40, "int64"),
    ],
    ids=str,
)
def test_integers(size, low, high, dtype):
    check(3, low, high, size, dtype)


def test_parts_after_a_number_that_was_drawn_again():
    high = 2**32 // 2000 * 1999 // 1000  # one number in about 2000 is drawn again
    size = 160
    span = high + 1
    assert 0 < 2**32 % span * size / 2**32 < 0.5
    used = {check(seed, 0, high, size, np.uint32) for seed in range(60)}
    assert size // 2 in used  # none was drawn again
    assert max(used) > size // 2


def test_a_generator_that_has_half_a_word_left_draws_in_turn():
    ours, theirs = (np.random.default_rng(1) for _ in range(2))
    for rng in (ours, theirs):
        rng.integers(2**32, dtype=np.uint32)
    np.testing.assert_array_equal(
        streams.integers(ours, 0, 255, 200, np.int32),
        theirs.integers(0, 255, 200, np.int32, endpoint=True),
    )
