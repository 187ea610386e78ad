"""Make large arrays by all threads: most of the time is the first touch of their pages.

Small arrays are made by NumPy, and so are all arrays of a call that runs no parallel loop, because
it is one of several threads itself (`threads` is 1).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, prange

LARGE = 1 << 21  # elements from which threads share the work


def full(n: int, value: Any, dtype: Any, threads: int) -> Any:
    """Return an array of n equal elements."""
    array = np.empty(n, dtype)
    if n < LARGE or threads == 1:
        array[:] = value
    else:
        word = f"u{array.itemsize}"  # bits instead of values: compiled once for each size
        _fill(array.view(word), array.dtype.type(value).view(word), threads)
    return array


def less(values: Any, bound: Any, threads: int) -> Any:
    """Return values < bound."""
    if values.size < LARGE or threads == 1:
        return values < bound
    out = np.empty(values.size, bool)
    _less(values, values.dtype.type(bound), out, threads)
    return out


@njit(parallel=True, cache=True, nogil=True)
def _fill(array, value, threads):
    n = array.size
    for t in prange(threads):
        array[n * t // threads : n * (t + 1) // threads] = value


@njit(parallel=True, cache=True, nogil=True)
def _less(values, bound, out, threads):
    n = values.size
    for t in prange(threads):
        part = slice(n * t // threads, n * (t + 1) // threads)
        own_values, own_out = values[part], out[part]
        for i in range(own_out.size):  # from 0 on, so that LLVM vectorises it
            own_out[i] = own_values[i] < bound
