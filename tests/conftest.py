"""Tests that run in parallel processes use one thread each; race tests take up to eight."""

from __future__ import annotations

import os

os.environ.setdefault("NUMBA_NUM_THREADS", "8")  # before Numba is loaded: the most there can be

import graphblas as gb
import numba
import pytest
from hypothesis import settings

from graphla import sweeps

settings.register_profile("graphla", deadline=None)  # speed is not tested here
settings.load_profile("graphla")
if "PYTEST_XDIST_WORKER" in os.environ:
    gb.ss.config["nthreads"] = 1
    numba.set_num_threads(1)
else:
    numba.set_num_threads(min(len(os.sched_getaffinity(0)), numba.config.NUMBA_NUM_THREADS))


@pytest.fixture(scope="module")
def small_blocks():
    """Check small graphs in many blocks too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sweeps, "BLOCK", dict.fromkeys(sweeps.BLOCK, 1))
        yield
