"""The device of these tests: a GPU if there is one, otherwise the simulator."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from zlib import crc32

import numpy as np
import pytest

from graphla import cuda
from graphla.cuda.memory.buffer_pool import BufferPool
from graphla.cuda.runtime.device import Device, device
from graphla.errors import EngineUnavailable
from tests.cuda.shared_objects import SharedObjects
from tests.cuda.simulator import Simulator
from tests.cuda.warp_simulator import WarpSimulator

HERE = Path(__file__).parent


@pytest.fixture(autouse=True)
def cuda_device(request, monkeypatch):
    """Return the device; without a GPU, a simulator takes its place."""
    try:
        device.xp
    except EngineUnavailable:
        if request.node.get_closest_marker("gpu"):
            pytest.skip("no CUDA device")
        if shutil.which("g++") is None:
            pytest.skip("no CUDA device, and no g++ to run kernels in the simulator")
        monkeypatch.setattr(device, "active", Simulator())
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


# Without a device most of the time goes into g++: of these files one case in SHARE runs.
SHARE = 4
COSTLY = {
    *("callers/test_algorithms", "engine/test_engine_mismatch", "engine/test_refused_arguments"),
    *("expressions/test_index_keys", "objects/test_base", "objects/test_matrix"),
    *("operations/spgemm/test_diagonal", "operations/spgemm/test_dispatch"),
    *(
        "operations/spgemm/test_hash",
        "operations/spgemm/test_masked",
        "operations/spmv/test_atomic",
    ),
    *("operations/spmv/test_dispatch", "operations/spmv/test_pull", "operations/spmv/test_spmspv"),
    *("operations/test_assign_extract", "operations/test_bit_matrix", "operations/test_build"),
    *("operations/test_diagonal", "operations/test_ewise_csr", "operations/test_ewise_vector"),
    *("operations/test_kronecker", "operations/test_mxm", "operations/test_reduce"),
    *("storage/test_bit_matrix", "storage/test_sliced_ell"),
}


def pytest_collection_modifyitems(config, items):
    """Deselect most costly cases if there is no device, unless $GRAPHLA_ALL_CASES is set."""
    try:
        device.xp
    except EngineUnavailable:
        pass
    else:
        return
    if os.environ.get("GRAPHLA_ALL_CASES"):
        return
    left_out = {
        item
        for item in items
        if item.path.is_relative_to(HERE)
        and item.path.relative_to(HERE).with_suffix("").as_posix() in COSTLY
        and hasattr(item, "callspec")
        and crc32(item.name.encode()) % SHARE
    }
    items[:] = [item for item in items if item not in left_out]
    config.hook.pytest_deselected(items=list(left_out))


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
