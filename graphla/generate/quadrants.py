"""Append a bit to both ends of each edge of an R-MAT graph, by a compiled loop."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def append_bits(src: Any, dst: Any, u: Any, end_a: Any, end_b: Any, end_c: Any) -> None:
    """Append the bits of the quadrant that u[k] selects to src[k] and dst[k]; all are uint32.

    Quadrant a is below `end_a`, b below `end_b`, c below `end_c`, and d is the rest.
    """
    for k in range(src.size):
        x = np.uint64(u[k])
        is_lower = x >= end_b
        is_right = (x >= end_a) ^ is_lower ^ (x >= end_c)
        src[k] = src[k] << np.uint32(1) | np.uint32(is_lower)
        dst[k] = dst[k] << np.uint32(1) | np.uint32(is_right)


@njit(cache=True, nogil=True)
def rename(vertices: Any, names: Any) -> None:
    """Replace each vertex by its name."""
    for k in range(vertices.size):
        vertices[k] = names[vertices[k]]
