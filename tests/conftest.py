"""Tests that run in parallel processes use one thread each."""

from __future__ import annotations

import os

import graphblas as gb
from hypothesis import settings

settings.register_profile("graphla", deadline=None)  # speed is not tested here
settings.load_profile("graphla")
if "PYTEST_XDIST_WORKER" in os.environ:
    gb.ss.config["nthreads"] = 1
