"""The device of these tests: a GPU where there is one, else the simulator."""

from __future__ import annotations

import shutil

import pytest

from graphla.cuda.device import device
from graphla.errors import EngineUnavailable
from tests.cuda.simulator import Simulator


@pytest.fixture(autouse=True)
def gpu(request, monkeypatch):
    """Put the simulator in the place of a device that is not there; return the device."""
    try:
        device.xp
    except EngineUnavailable:
        if request.node.get_closest_marker("gpu"):
            pytest.skip("there is no CUDA device")
        if shutil.which("g++") is None:
            pytest.skip("there is neither a CUDA device nor g++ to run kernels without one")
        monkeypatch.setattr(device, "now", Simulator())
    return device
