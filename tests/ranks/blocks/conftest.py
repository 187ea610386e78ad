"""Blocks on a device: a GPU if there is one, otherwise the simulator of the CUDA engine."""

from __future__ import annotations

from tests.cuda.conftest import cuda_device  # noqa: F401
