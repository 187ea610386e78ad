"""Counting sort against NumPy's stable sort."""

from __future__ import annotations

import numpy as np
import pytest

from graphla.numba_support.counting_sort import PADDING, PER_COUNT, sort_by_value
from tests.native.threads import threads


def test_sort_by_value():
    values = np.array([2, 0, 2, 1, 0], np.int32)
    order, starts = sort_by_value(values, 4)
    assert order.tolist() == [1, 4, 3, 0, 2]
    assert starts.tolist() == [0, 2, 3, 5, 5]
    order, starts = sort_by_value(values[:0], 0)
    assert (order.size, starts.tolist()) == (0, [0])


@pytest.mark.parametrize("n", [2, 3, 8])
@pytest.mark.parametrize("dtype", [np.int32, np.int64])
@pytest.mark.parametrize("excess", [-1, 0, 2000])
def test_several_threads_sort_many_elements(n, dtype, excess):
    size = PER_COUNT * n * (10 + PADDING) + excess  # from 0 on several threads sort
    values = np.random.default_rng(1).integers(0, 9, size).astype(dtype)
    with threads(n):
        order, starts = sort_by_value(values, 10, n)
    np.testing.assert_array_equal(order, np.argsort(values, kind="stable"))
    np.testing.assert_array_equal(np.diff(starts), np.bincount(values, minlength=10))
