"""Bytes and words at an address, compiled and not."""

from __future__ import annotations

import numpy as np
from numba import njit

from graphla.io.text.text_bytes import byte, text_of, word

DATA = np.frombuffer(bytes(range(250, 256)) + bytes(range(20)), np.uint8)


def words_of(data):
    text = text_of(data)
    return [(byte(text, k), word(text, k)) for k in np.arange(data.size - 7)]


def test_bytes_and_words_at_any_position():
    text = DATA.tobytes()
    expected = [(text[k], int.from_bytes(text[k : k + 8], "little")) for k in range(DATA.size - 7)]
    assert words_of(DATA) == njit(words_of)(DATA) == expected
    assert text_of(DATA)[1] == DATA.size
