"""Counting sort against NumPy's stable sort."""

from __future__ import annotations

import numpy as np

from graphla.numba_support.counting_sort import sort_by_value


def test_sort_by_value():
    values = np.array([2, 0, 2, 1, 0], np.int32)
    order, starts = sort_by_value(values, 4)
    assert order.tolist() == [1, 4, 3, 0, 2]
    assert starts.tolist() == [0, 2, 3, 5, 5]
    order, starts = sort_by_value(values[:0], 0)
    assert (order.size, starts.tolist()) == (0, [0])
