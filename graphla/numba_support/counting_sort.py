"""Sort small integers, such as degrees, colours and communities, in linear time and stably.

Parallel split: threads take equal parts of the elements, count the values in them, and move them.
Conflicts: none, each part has its own places for each value, after those of the parts before it.

Source: D. Knuth, The Art of Computer Programming 3, 5.2 (distribution counting).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, prange

PADDING = 8  # counts between those of two threads, which would otherwise share a cache line
PER_COUNT = 16  # elements for each count of a value by a thread, from which several threads pay


@njit(cache=True, nogil=True)
def sort_by_value(values: Any, num_values: int, threads: int = 1) -> Any:
    """Return the positions of an array's elements by value, and where each value starts.

    The values are in 0..num_values - 1. Positions of equal values are in ascending order; they have
    the dtype of the values. Up to `threads` threads share the work of a long array.
    """
    if values.size < PER_COUNT * threads * (num_values + PADDING):
        threads = 1
    order, starts = np.empty(values.size, values.dtype), np.zeros(num_values + 1, np.int64)
    position = np.zeros((threads, num_values + PADDING), np.int64)
    if threads == 1:
        _count(values, position[0], 0, values.size)
    else:
        _count_in_threads(values, position)
    for x in range(num_values):
        end = starts[x]
        for t in range(threads):
            position[t, x], end = end, end + position[t, x]
        starts[x + 1] = end
    if threads == 1:
        _move(values, position[0], order, 0, values.size)
    else:
        _move_in_threads(values, position, order)
    return order, starts


@njit(parallel=True, cache=True, nogil=True)
def inverse(order: Any) -> Any:
    """Return the place of each element in a permutation: inverse[order[i]] = i."""
    places = np.empty_like(order)
    for i in prange(order.size):
        places[order[i]] = i
    return places


@njit(cache=True, nogil=True)
def _count(values, count, first, last):
    for v in range(first, last):
        count[values[v]] += 1


@njit(cache=True, nogil=True)
def _move(values, position, order, first, last):
    for v in range(first, last):
        x = values[v]
        order[position[x]] = v
        position[x] += 1


@njit(parallel=True, cache=True, nogil=True)
def _count_in_threads(values, counts):
    n, threads = values.size, counts.shape[0]
    for t in prange(threads):
        _count(values, counts[t], n * t // threads, n * (t + 1) // threads)


@njit(parallel=True, cache=True, nogil=True)
def _move_in_threads(values, positions, order):
    n, threads = values.size, positions.shape[0]
    for t in prange(threads):
        _move(values, positions[t], order, n * t // threads, n * (t + 1) // threads)
