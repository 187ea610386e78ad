"""Arrays that a kernel has filled, handed over as Vectors of the CPU engine."""

from __future__ import annotations

from typing import Any

import numpy as np
from graphblas import Vector


def full(values: Any) -> Any:
    """Return a Vector with an entry for every element; it owns the array from now on."""
    return Vector.ss.import_full(values=values, take_ownership=True)


def masked(values: Any, present: Any) -> Any:
    """Return a Vector with an entry where `present` is True; it owns both arrays from now on."""
    return Vector.ss.import_bitmap(values=values, bitmap=present, take_ownership=True)


def bitmap(values: Any, bits: Any) -> Any:
    """Return a Vector with an entry where the bit is set, vertex v being bit v % 32 of word v / 32.

    It owns the array of values from now on; the words are copied.
    """
    present = np.unpackbits(bits.view(np.uint8), count=values.size, bitorder="little").view(bool)
    return masked(values, present)
