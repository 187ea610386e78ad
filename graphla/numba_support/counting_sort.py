"""Sort small integers, such as degrees, colours and communities, in linear time and stably.

Source: D. Knuth, The Art of Computer Programming 3, 5.2 (distribution counting).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def sort_by_value(values: Any, num_values: int) -> Any:
    """Return the positions of an array's elements by value, and where each value starts.

    The values are in 0..num_values - 1. Positions of equal values are in ascending order; they have
    the dtype of the values.
    """
    starts = np.zeros(num_values + 1, np.int64)
    for v in range(values.size):
        starts[values[v] + 1] += 1
    for x in range(num_values):
        starts[x + 1] += starts[x]
    order, position = np.empty(values.size, values.dtype), starts.copy()
    for v in range(values.size):
        x = values[v]
        order[position[x]] = v
        position[x] += 1
    return order, starts
