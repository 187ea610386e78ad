"""Work on large NumPy arrays by all threads, in blocks that fit in cache.

NumPy releases the global lock in its loops, so that Python's threads share them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from graphla.core.threads import num_threads
from graphla.numba_support.thread_pool import run_tasks

if TYPE_CHECKING:
    from collections.abc import Callable

BLOCK = 1 << 18  # elements


def map_blocks(work: Callable[[int, int], Any], size: int) -> list[Any]:
    """Return work(start, stop) for each block of 0..size-1, in order."""
    results: list[Any] = [None] * -(-size // BLOCK)

    def task(k: int) -> None:
        results[k] = work(k * BLOCK, min((k + 1) * BLOCK, size))

    run_tasks(task, len(results), num_threads())
    return results


def largest(x: Any) -> Any:
    """Return the largest of one element or more."""
    return max(map_blocks(lambda start, stop: x[start:stop].max(), x.size))


def is_within(x: Any, stop: int) -> bool:
    """Return whether all numbers are in 0..stop-1."""
    found = map_blocks(lambda i, j: x[i:j].min() >= 0 and x[i:j].max() < stop, x.size)
    return all(found)


def copied(x: Any, dtype: Any = None) -> Any:
    """Return a copy of a one-dimensional array, with another dtype if one is given.

    Most of the time of a copy is the first touch of its pages.
    """
    out = np.empty(x.size, x.dtype if dtype is None else dtype)

    def copy(start: int, stop: int) -> None:
        out[start:stop] = x[start:stop]

    map_blocks(copy, x.size)
    return out


def increases_within_rows(indptr: Any, indices: Any) -> bool:
    """Return whether the indices of compressed rows increase within each row.

    Parameters
    ----------
    indptr : array of int, shape (n + 1,)
        Offsets that do not decrease, from 0 to the number of indices.
    indices : array of int
    """
    size = indices.size
    bounds = np.append(np.arange(0, size, BLOCK), size)
    bounds[0] = min(size, 1)  # the first index of all has none before it
    bounds = bounds.astype(indptr.dtype)
    first_row = np.searchsorted(indptr, bounds)

    def check(start: int, stop: int) -> bool:
        k = start // BLOCK
        start = int(bounds[k])
        increases = indices[start:stop] > indices[start - 1 : stop - 1]
        increases[indptr[first_row[k] : first_row[k + 1]] - bounds[k]] = True
        return bool(increases.all())

    return all(map_blocks(check, size))
