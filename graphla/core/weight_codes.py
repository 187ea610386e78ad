"""Encode weights as unsigned integers of the same width and order, and decode them.

An unsigned integer is its own code. A signed integer has its sign bit flipped. The bit pattern of
a float ascends with its value if it is positive, and descends if it is negative: a negative float
has all bits flipped, a positive one its sign bit. -0.0 has the code of 0.0, as they are equal.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def encode(values: Any, xp: Any) -> Any:
    """Return the codes of an array without NaN, in a new array."""
    unsigned = np.dtype(f"u{values.itemsize}")
    if values.dtype.kind in "ub":
        return values.astype(unsigned)
    sign = unsigned.type(1 << 8 * values.itemsize - 1)
    if values.dtype.kind == "i":
        return values.view(unsigned) ^ sign
    bits = (values + values.dtype.type(0)).view(unsigned)  # -0.0 + 0.0 is 0.0
    return xp.where(bits >= sign, ~bits, bits | sign)


def decode(codes: Any, dtype: Any, xp: Any) -> Any:
    """Return the values, in a dtype, that have these codes."""
    dtype = np.dtype(dtype)
    if dtype.kind in "ub":
        return codes.astype(dtype)
    sign = codes.dtype.type(1 << 8 * dtype.itemsize - 1)
    if dtype.kind == "i":
        return (codes ^ sign).view(dtype)
    return xp.where(codes >= sign, codes ^ sign, ~codes).view(dtype)
