"""Tests of data races run kernels in more threads than there are cores."""

from __future__ import annotations

from contextlib import contextmanager

import numba
import pytest

RUNS = 50
COUNTS = (2, 3, 8)
compiled = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="uncompiled code runs in one thread")


@contextmanager
def threads(n):
    """Let Numba use n threads inside the block."""
    before = numba.get_num_threads()
    numba.set_num_threads(n)
    try:
        yield
    finally:
        numba.set_num_threads(before)
