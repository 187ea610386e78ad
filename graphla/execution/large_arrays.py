"""Reads of long arrays by all threads, where the arrays are NumPy's; else by the engine's own."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.core.threads import map_blocks


def values_at(x: Any, indices: Any) -> Any:
    """Return ``x[indices]`` for an array and indices that are not negative.

    Arrays of NumPy are read by all threads, in blocks whose converted indices stay in cache.
    """
    if type(x) is not np.ndarray:
        return x[indices]
    out = np.empty(indices.size, x.dtype)

    def read(start: int, stop: int) -> None:
        # "clip" writes to `out` directly; "raise" makes a copy first
        np.take(x, indices[start:stop], out=out[start:stop], mode="clip")

    map_blocks(read, indices.size)
    return out
