"""Weights as unsigned integers of the same width and order, and back.

An unsigned integer is its own code. A signed one has its sign bit turned round. The bits
of a float ascend with it where it is positive, and descend where it is negative: there
all of them are turned round, else the sign bit alone. -0.0 is 0.0, as they are equal.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def encode(values: Any, xp: Any) -> Any:
    """Return the codes of an array without NaN, as a new array."""
    unsigned = np.dtype(f"u{values.itemsize}")
    if values.dtype.kind in "ub":
        return values.astype(unsigned)
    sign = unsigned.type(1 << 8 * values.itemsize - 1)
    if values.dtype.kind == "i":
        return values.view(unsigned) ^ sign
    bits = (values + values.dtype.type(0)).view(unsigned)  # -0.0 + 0.0 is 0.0
    return xp.where(bits >= sign, ~bits, bits | sign)


def decode(codes: Any, dtype: Any, xp: Any) -> Any:
    """Return the values of a dtype that have these codes."""
    dtype = np.dtype(dtype)
    if dtype.kind in "ub":
        return codes.astype(dtype)
    sign = codes.dtype.type(1 << 8 * dtype.itemsize - 1)
    if dtype.kind == "i":
        return (codes ^ sign).view(dtype)
    return xp.where(codes >= sign, codes ^ sign, ~codes).view(dtype)
