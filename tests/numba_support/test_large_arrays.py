"""Arrays that all threads make: each element, at the sizes where another thread begins."""

from __future__ import annotations

import numpy as np
import pytest

from graphla.numba_support import large_arrays
from tests.native.threads import threads

SIZES = [0, 1, 5, 7, 64, 1001]


@pytest.fixture(autouse=True)
def every_array_is_large(monkeypatch):
    monkeypatch.setattr(large_arrays, "LARGE", 5)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize(
    ("value", "dtype"),
    [(-1, np.int32), (2**63 - 1, np.int64), (np.inf, np.float32), (-0.5, np.float64)],
)
def test_equal_elements(n, value, dtype):
    for count in (1, 2, 3):
        with threads(count):
            found = large_arrays.full(n, value, np.dtype(dtype), count)
        np.testing.assert_array_equal(found, np.full(n, value, dtype), strict=True)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("dtype", [np.uint32, np.int64, np.float64])
def test_elements_below_a_bound(n, dtype):
    values = np.random.default_rng(n).integers(0, 9, n).astype(dtype)
    for count in (1, 2, 3):
        with threads(count):
            found = large_arrays.less(values, 4, count)
        np.testing.assert_array_equal(found, values < 4, strict=True)
