"""Tests of data races run kernels in more threads than there are cores."""

from __future__ import annotations

from contextlib import contextmanager

import numba
import pytest

from graphla.native import dispatch

RUNS = 50
COUNTS = (2, 3, 8)
compiled = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="uncompiled code runs in one thread")


@contextmanager
def threads(n):
    """Let Numba use n threads inside the block, also for small graphs."""
    before = numba.get_num_threads()
    numba.set_num_threads(n)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dispatch, "SMALL", 0)
        try:
            yield
        finally:
            numba.set_num_threads(before)
