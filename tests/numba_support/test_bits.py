"""Bits of words against Python's integers, compiled and plain."""

from __future__ import annotations

import numpy as np
import pytest
from numba import njit

from graphla.numba_support.bits import lowest, popcount, read_packed

WORDS = [1, 2, 3, 1 << 31, 1 << 32, (1 << 64) - 1, 0x8000000000000000, 0x5555AAAA00000000]


@njit
def _compiled(word):
    return popcount(word), lowest(word)


@pytest.mark.parametrize("word", WORDS)
def test_count_and_lowest(word):
    lowest_bit = f"{word:b}"[::-1].index("1")
    assert _compiled(np.uint64(word)) == (f"{word:b}".count("1"), lowest_bit)
    assert (popcount(word), lowest(word)) == (f"{word:b}".count("1"), lowest_bit)


@pytest.mark.parametrize("width", [1, 5, 12, 31, 32])
def test_numbers_that_cross_words(width):
    numbers = np.random.default_rng(width).integers(0, 1 << width, 50).tolist()
    text = sum(x << k * width for k, x in enumerate(numbers))
    words = np.frombuffer(text.to_bytes(4 * 64, "little"), np.uint32)
    mask = np.uint64((1 << width) - 1)
    found = [read_packed.py_func(words, k * width, mask) for k in range(50)]
    assert found == numbers
    assert [read_packed(words, k * width, mask) for k in range(50)] == numbers
