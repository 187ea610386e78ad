"""Prefetching changes no value, compiled or not, also beyond the last element."""

from __future__ import annotations

import numpy as np
import pytest
from numba import njit

from graphla.numba_support.prefetch import prefetch


@njit
def _sum(array):
    total = 0.0
    for i in range(array.size):
        prefetch(array, i + 1)
        total += array[i]
    return total


@pytest.mark.parametrize("function", [_sum, _sum.py_func], ids=["compiled", "plain"])
def test_sums_are_as_without(function):
    array = np.arange(9.0)
    assert function(array) == 36
    assert array.tolist() == list(range(9))


def test_the_instruction_is_there():
    _sum(np.arange(9.0))
    (text,) = _sum.inspect_llvm().values()
    assert "llvm.prefetch" in text
