"""Blocks of consecutive rows of about equal work, for threads to take one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def equal_blocks(indptr: Any, k: int) -> Any:
    """Return bounds of `k` blocks of rows, a row weighing its entries plus one.

    Block b is rows bounds[b]..bounds[b + 1] - 1; one that holds no row is empty. A
    row is not split.
    """
    n = indptr.size - 1
    bounds = np.empty(k + 1, np.int64)
    bounds[0], bounds[k] = 0, n
    total = np.int64(indptr[n]) + n
    for b in range(1, k):
        low, high, goal = bounds[b - 1], n, total // k * b
        while low < high:
            middle = (low + high) // 2
            if indptr[middle] + middle < goal:
                low = middle + 1
            else:
                high = middle
        bounds[b] = low
    return bounds
