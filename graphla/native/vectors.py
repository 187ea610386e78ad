"""Move arrays that a kernel has filled into Vectors of the CPU engine, without a copy."""

from __future__ import annotations

from typing import Any

import numpy as np
from graphblas import Vector


def full_vector(values: Any) -> Any:
    """Return a Vector with an entry for every element; it takes over the array."""
    return Vector.ss.import_full(values=values, take_ownership=True)


def bitmap_vector(values: Any, present: Any, count: int | None = None) -> Any:
    """Return a Vector with an entry where `present` is True; it takes over both arrays.

    `count` is the number of entries, if the caller knows it.
    """
    return Vector.ss.import_bitmap(values=values, bitmap=present, nvals=count, take_ownership=True)


def sparse_vector(indices: Any, values: Any, size: int) -> Any:
    """Return a Vector with an entry at each of the rising `indices`; it takes over `values`."""
    return Vector.ss.import_sparse(
        size=size, indices=indices.astype(np.uint64), values=values, sorted_index=True,
        take_ownership=True,
    )  # fmt: skip
