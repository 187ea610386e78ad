"""Counting sort against NumPy's stable sort."""

from __future__ import annotations

import numpy as np
import pytest

from graphla.numba_support.counting_sort import sort_by_value
from tests.native.threads import threads


def test_sort_by_value():
    values = np.array([2, 0, 2, 1, 0], np.int32)
    order, starts = sort_by_value(values, 4)
    assert order.tolist() == [1, 4, 3, 0, 2]
    assert starts.tolist() == [0, 2, 3, 5, 5]
    order, starts = sort_by_value(values[:0], 0)
    assert (order.size, starts.tolist()) == (0, [0])


@pytest.mark.parametrize("n", [2, 3, 8])
def test_several_threads_sort_many_elements(n):
    values = np.random.default_rng(1).integers(0, 9, 5000).astype(np.int32)
    with threads(n):
        order, starts = sort_by_value(values, 10, n)
    np.testing.assert_array_equal(order, np.argsort(values, kind="stable"))
    np.testing.assert_array_equal(np.diff(starts), np.bincount(values, minlength=10))
