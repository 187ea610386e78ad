"""The device of these tests: a GPU if there is one, otherwise the simulator."""

from __future__ import annotations

import numpy as np
import pytest

from graphla import cuda
from graphla.cuda.memory.buffer_pool import BufferPool
from graphla.cuda.runtime.device import Device, device
from graphla.errors import EngineUnavailable
from tests.cuda.shared_objects import SharedObjects
from tests.cuda.simulator import Simulator, simulate_device
from tests.cuda.warp_simulator import WarpSimulator


@pytest.fixture(autouse=True)
def cuda_device(request, monkeypatch):
    """Return the device; without a GPU, a simulator takes its place."""
    try:
        device.xp
    except EngineUnavailable:
        if request.node.get_closest_marker("gpu"):
            pytest.skip("no CUDA device")
        simulate_device(monkeypatch)
    return device


@pytest.fixture
def warps(monkeypatch):
    """Replace the simulator of one thread by that of warps of 32 lanes."""
    if isinstance(device.active, Simulator):
        monkeypatch.setattr(device, "active", WarpSimulator())


@pytest.fixture
def small_memory_limit(request):
    """Leave room for small arrays only, when called; put the limit back afterwards.

    A device's pool rounds sizes and reuses what the test has freed: only tests that allow for
    that run there.
    """
    if isinstance(device.active, Device) and not request.node.get_closest_marker("gpu"):
        pytest.skip("bytes are counted exactly in the simulator")

    def limit():
        cuda.clear_workspaces()  # what the pool holds unused is under no limit
        cuda.set_memory_limit(cuda.memory().used + 10_000)

    yield limit
    cuda.set_memory_limit(None)


@pytest.fixture
def objects():
    """Objects for tests of errors; checks at the end that none has changed."""
    objects = SharedObjects()
    yield objects
    objects.check_unchanged()


@pytest.fixture(autouse=True)
def overwrite_released_buffers(cuda_device, monkeypatch):
    """Overwrite arrays that are released to a pool, so that reading one afterwards fails a test."""
    if not isinstance(device.active, Simulator):
        return
    original = BufferPool.__init__

    def poisoning(self, *args):
        original(self, *args)
        release = self.release

        def poisoned(buffer):
            if isinstance(buffer, np.ndarray):
                buffer.view(np.uint8)[:] = 0xA5
            release(buffer)

        self.release = poisoned

    monkeypatch.setattr(BufferPool, "__init__", poisoning)
