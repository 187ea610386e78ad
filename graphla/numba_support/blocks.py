"""Split rows into blocks of consecutive rows with about equal work.

Kernels hand the blocks to threads one at a time, by an atomic counter.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, prange


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
    least, rest = total_work // num_blocks, total_work % num_blocks
    for block in range(1, num_blocks):
        low, high, target = bounds[block - 1], n, least * block + rest * block // num_blocks
        while low < high:
            middle = (low + high) // 2
            if indptr[middle] + middle < target:
                low = middle + 1
            else:
                high = middle
        bounds[block] = low
    return bounds


def blocks_of_vertices(begin: Any, end: Any, vertices: Any, work: int) -> Any:
    """Split a list of vertices into blocks of about `work` vertices and entries of their rows.

    The row of v is begin[v]..end[v] - 1. Returns the bounds of the blocks, as positions in the
    list; see :func:`equal_blocks`.
    """
    offsets = _lengths(begin, end, vertices)
    np.cumsum(offsets, out=offsets)
    return equal_blocks(offsets, (int(offsets[-1]) + vertices.size) // work + 1)


@njit(parallel=True, cache=True, nogil=True)
def _lengths(begin, end, vertices):
    """Return 0 and the lengths of the rows."""
    lengths = np.zeros(vertices.size + 1, np.int64)
    for i in prange(vertices.size):
        v = np.uint64(vertices[i])
        lengths[i + 1] = end[v] - begin[v]
    return lengths
