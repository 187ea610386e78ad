"""Values at indices, by blocks of all threads, are those of NumPy's indexing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphla.core import threads
from graphla.execution.large_arrays import values_at


@pytest.mark.parametrize("dtype", ["?", "i4", "u8", "f4", "f8"])
@pytest.mark.parametrize("index", ["i4", "i8", "u4", "u8"])
def test_every_dtype(index, dtype):
    x = np.arange(9).astype(dtype)
    indices = np.array([8, 0, 3, 3, 8], index)
    found = values_at(x, indices)
    assert found.dtype == x.dtype
    assert found.tolist() == x[indices].tolist()


@given(st.lists(st.integers(0, 4), max_size=40), st.integers(1, 9))
def test_blocks(indices, block):
    x, indices = np.array([5, 3, -1, 0, 2]), np.array(indices, np.int32)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(threads, "BLOCK", block)
        np.testing.assert_array_equal(values_at(x, indices), x[indices])
