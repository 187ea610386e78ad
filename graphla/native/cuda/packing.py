"""Levels of 32 bits as the entries of an INT64 Vector."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.cuda.device import device
from graphla.cuda.storage import Dense, words
from graphla.native.cuda.by_degree import kernel


def pack(level: Any) -> Dense:
    """Return the levels that are not negative as entries."""
    xp, n = device.xp, level.size
    found = Dense(xp.empty(n, np.int64), xp.empty(words(n), np.uint32))
    kernel("pack")(n, n, level, found.values, found.bits)
    return found
