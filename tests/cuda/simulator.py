"""A simulated device: kernels are compiled as C++ and run by one thread on NumPy arrays.

Every kernel of the engine loops with a grid stride and treats a warp as ``WARP`` lanes, so a grid
of one block of one lane computes the whole result. This tests indices, masks, types and
arithmetic; it cannot show data races.
"""

from __future__ import annotations

import ctypes
import math
import shutil
import threading
from collections import deque
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from graphla.cuda.runtime.device import Memory, device
from graphla.errors import KernelFailure, OutOfDeviceMemory
from tests.cuda import kernel_units

SHIM = (Path(__file__).parent / "shim.h").read_text()


class Exhausted(MemoryError):
    """Out of simulated memory, like CuPy's exception."""


def poisoned(array):
    """Fill a new array with a pattern, so that reading it before it is written fails a test."""
    array.reshape(-1).view(np.uint8)[:] = 0xA5
    return array


class Arrays:
    """NumPy with a memory limit; arrays of `empty` are not zero by chance."""

    def __init__(self, simulator):
        self.simulator = simulator

    def __getattr__(self, name):
        return getattr(np, name)

    def empty(self, shape, dtype=float):
        return poisoned(self.made(np.empty, shape, dtype))

    def empty_like(self, x):
        return poisoned(np.empty(x.shape, x.dtype))

    def zeros(self, shape, dtype=float):
        return self.made(np.zeros, shape, dtype)

    def ones(self, shape, dtype=float):
        return self.made(np.ones, shape, dtype)

    def full(self, shape, value, dtype=None):
        return self.made(np.full, shape, value, dtype or np.asarray(value).dtype)

    def made(self, function, shape, *args):
        count = math.prod(shape) if isinstance(shape, tuple) else shape
        self.simulator.take(count * np.dtype(args[-1]).itemsize)
        return function(shape, *args)


class Simulator:
    name = "cuda"
    pci_bus_id = "simulated"
    multiprocessors = 1
    shared_per_block = 1 << 18
    arch = "90"
    out_of_memory = Exhausted

    def __init__(self):
        self.xp = Arrays(self)
        self.reads = self.waits = self.peak = 0
        self.limit = None
        self.free_slots = deque()
        self.id = self  # unlike the id of any other device
        self.running = threading.Lock()  # shared memory is static: one kernel at a time

    @property
    def stream_key(self):
        return self, 0

    @staticmethod
    def program(source):
        """Return the C++ of a kernel's CUDA text."""
        return kernel_units.Program(SHIM, source)

    def compile(self, source, name, cooperative):
        kernel_units.record("Simulator", source)
        library, prefix = kernel_units.load(Simulator.program(source))
        function = library[prefix + name]
        function.restype = None

        def run(threads, block, shared, args):
            with self.running:
                function(*map(argument, args))

        return run

    def launch_sequence(self, run, count, threads, block, shared, args):
        first = np.zeros(1, np.int64)
        for number in range(count + 1):  # a device may run one kernel too many
            first[0] = number // 2
            run(threads, block, shared, (*args, first, number - number // 2))

    def max_active_clusters(self, run, threads, block, shared):
        return 1

    def is_array(self, x):
        return isinstance(x, np.ndarray)

    def address_of(self, x):
        return x.ctypes.data

    def device_of(self, x):
        return 0

    def host_array(self, size, dtype):
        return self.xp.empty(size, dtype)

    current_stream = None

    def host_view(self, x):
        return memoryview(x)

    def wait_for(self, words, at, unlike, stream, number):
        self.reads += 1
        if words[at] == unlike:
            raise KernelFailure("a kernel ended without writing its result to host memory")

    def to_host(self, x):
        return x.copy()

    def read_scalar(self, x):
        self.reads += 1
        return x.item()

    def read_words(self, x):
        self.reads += 1
        return x.copy()

    def synchronise(self):
        self.waits += 1

    def about(self):
        return {"gpu": "simulator", "driver": "none"}

    # ---- memory

    def take(self, nbytes):
        """Raise Exhausted for an array larger than the limit."""
        self.peak = max(self.peak, int(nbytes))
        if self.limit is not None and nbytes > self.limit:
            error = Exhausted(f"out of memory allocating {nbytes} bytes")
            error._size = int(nbytes)
            raise error

    @contextmanager
    def allocation(self, needed, what):
        try:
            yield
        except Exhausted as error:
            raise OutOfDeviceMemory(what, needed=needed, free=self.free()) from error

    def free(self):
        return self.usage().free

    def usage(self):
        return Memory(0, 1 << 34 if self.limit is None else self.limit, self.limit)

    def limit_memory(self, limit):
        self.limit = limit

    def pool_bytes(self, release=False):
        self.peak = 0 if release else self.peak
        return self.peak


def simulate_device(monkeypatch):
    """Put the simulator in the place of the device; skip the test where no compiler is."""
    if shutil.which("g++") is None:
        pytest.skip("no g++ to run kernels in the simulator")
    monkeypatch.setattr(device, "active", Simulator())


class Recorder(Simulator):
    """Records the sources that it compiles, with the name of the kernel in each."""

    def __init__(self):
        super().__init__()
        self.sources = {}

    def compile(self, source, name, cooperative):
        self.sources[source] = name
        return super().compile(source, name, cooperative)


ctype = cache(np.ctypeslib.as_ctypes_type)


def argument(x):
    """Return a kernel argument as ctypes passes it."""
    if x is None:
        return ctypes.c_void_p(0)
    if isinstance(x, np.ndarray):
        assert x.flags.c_contiguous
        return ctypes.c_void_p(x.ctypes.data if x.size else 0)  # CuPy passes a null pointer too
    if isinstance(x, np.generic):
        return ctype(x.dtype)(x.item())
    assert isinstance(x, int), type(x)
    return ctypes.c_longlong(x)
