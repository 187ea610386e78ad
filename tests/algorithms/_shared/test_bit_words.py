"""Sets of 64 bits."""

from __future__ import annotations

import graphblas as gb
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from graphla.algorithms._shared.bit_words import count_bits


@given(st.lists(st.integers(0, 2**64 - 1), min_size=1))
def test_bits_are_counted(words):
    count = count_bits(gb.Vector.from_dense(np.array(words, np.uint64)))
    assert count.dtype == "INT64"
    assert count.to_dense().tolist() == [x.bit_count() for x in words]
