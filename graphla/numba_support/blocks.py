"""Split rows into blocks of consecutive rows with about equal work.

Kernels hand the blocks to threads one at a time, by an atomic counter.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def equal_blocks(indptr: Any, num_blocks: int) -> Any:
    """Return the bounds of `num_blocks` blocks; the work of a row is its entries plus one.

    Block b is the rows bounds[b]..bounds[b + 1] - 1. A row is never split, so blocks may be
    empty.
    """
    n = indptr.size - 1
    bounds = np.empty(num_blocks + 1, np.int64)
    bounds[0], bounds[num_blocks] = 0, n
    total_work = np.int64(indptr[n]) + n
    for block in range(1, num_blocks):
        low, high, target = bounds[block - 1], n, total_work // num_blocks * block
        while low < high:
            middle = (low + high) // 2
            if indptr[middle] + middle < target:
                low = middle + 1
            else:
                high = middle
        bounds[block] = low
    return bounds
