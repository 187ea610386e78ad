"""The device with a substitute for CuPy: the calls that it receives, and the use of its results.

The stand-in has the functions of CuPy that the device calls, on the host. Tests that compute run on
the simulator, or on a GPU.
"""

from __future__ import annotations

import ctypes
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from graphla.cuda.runtime.device import GRAPH_LAUNCHES, POLLS, Device, Memory
from graphla.errors import EngineUnavailable, KernelFailure, OutOfDeviceMemory, OutOfMemory


class RuntimeFailure(Exception):
    """CuPy's CUDARuntimeError."""


class Pool:
    """A memory pool with numbers that a test sets."""

    used, unused, limit = 0, 0, 0

    def used_bytes(self):
        return self.used

    def free_bytes(self):
        return self.unused

    def total_bytes(self):
        return self.used + self.unused

    def free_all_blocks(self):
        self.unused = 0

    def get_limit(self):
        return self.limit

    def set_limit(self, size):
        self.limit = size


class Pinned(np.ndarray):
    """Pinned memory: a buffer with an address."""

    @property
    def ptr(self):
        return self.ctypes.data


class Stream:
    """A stream in which everything is done at once, or recorded into a graph."""

    ptr = 11

    def __init__(self, non_blocking=False):
        self.synchronized, self.captured, self.waits = 0, None, []

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None

    def record(self):
        return "event"

    def wait_event(self, event):
        self.waits.append(event)

    def synchronize(self):
        self.synchronized += 1

    def begin_capture(self):
        self.captured = []

    def end_capture(self):
        numbers, self.captured = self.captured, None
        return SimpleNamespace(launch=lambda: self.replay(numbers))


class Cupy:
    """The part of CuPy that the device uses; `current` is the number of the current device."""

    ndarray = np.ndarray
    zeros = staticmethod(np.zeros)

    def __init__(self):
        self.current, self.pool, self.stream = 0, Pool(), Stream()
        self.streams, self.asked, self.pinned, self.used = [], [], [], []
        self.device_count = lambda: 1
        self.synchronized = []
        runtime = SimpleNamespace(
            CUDARuntimeError=RuntimeFailure,
            getDeviceCount=lambda: self.device_count(),
            getDevice=lambda: self.current,
            getDeviceProperties=self.properties,
            driverGetVersion=lambda: 12040,
            deviceGetPCIBusId=lambda number: f"0000:{number:02d}:00.0",
            memGetInfo=lambda: (1000, 4000),
        )
        self.cuda = SimpleNamespace(
            runtime=runtime,
            get_current_stream=lambda: self.stream,
            Stream=self.new_stream,
            Device=self.device,
            alloc_pinned_memory=self.allocate_pinned,
        )

    def properties(self, number):
        self.asked.append(number)
        return {"multiProcessorCount": 132 + number, "sharedMemPerBlockOptin": 10_240, "name": b"H"}

    def device(self, number=None):
        return SimpleNamespace(
            compute_capability="90",
            synchronize=lambda: self.synchronized.append(self.current),
            use=lambda: self.used.append(self.current),
        )

    def new_stream(self, non_blocking):
        assert non_blocking
        self.streams.append(Stream())
        return self.streams[-1]

    def allocate_pinned(self, nbytes):
        self.pinned.append(np.zeros(nbytes, np.uint8).view(Pinned))
        return self.pinned[-1]

    def get_default_memory_pool(self):
        return self.pool

    def asnumpy(self, x):
        return x.copy()


@pytest.fixture
def cupy(monkeypatch):
    module = Cupy()
    monkeypatch.setitem(sys.modules, "cupy", module)
    return module


def test_without_cupy(monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", None)
    with pytest.raises(EngineUnavailable, match="needs an NVIDIA GPU and CuPy: pip install"):
        Device().xp


def test_without_a_device(cupy):
    def fail():
        raise RuntimeFailure("cudaErrorNoDevice")

    cupy.device_count = fail
    with pytest.raises(EngineUnavailable, match=r"finds no NVIDIA GPU.*cudaErrorNoDevice"):
        Device().xp


def test_properties_are_queried_once_for_each_device(cupy):
    device = Device()
    assert [device.multiprocessors for _ in range(3)] == [132] * 3
    assert device.shared_per_block == 9 << 10
    cupy.current = 1
    assert device.multiprocessors == 133
    assert cupy.asked == [0, 1]


def test_the_current_device_and_stream(cupy):
    device = Device()
    assert (device.id, device.stream_key, device.stream_pointer()) == (0, (0, 11), 11)
    assert device.current_stream is cupy.stream
    cupy.current = 1
    assert device.stream_key == (1, 11)
    assert device.pci_bus_id == "0000:01:00.0"
    assert device.arch == "90"
    assert device.about() == {"gpu": "H", "driver": "CUDA 12.4"}


@pytest.mark.parametrize(
    ("used", "unused", "limit", "free"),
    [(300, 200, 0, 1200), (300, 200, 900, 600), (300, 200, 9000, 1200), (300, 200, 100, 0)],
)
def test_free_memory_is_within_the_limit(cupy, used, unused, limit, free):
    """The pool's unused memory can be allocated too; arrays may be there before the limit."""
    cupy.pool.used, cupy.pool.unused = used, unused
    device = Device()
    device.limit_memory(limit or None)
    assert device.usage() == Memory(used, free, limit or None)
    assert device.free() == free


def test_unused_memory_is_given_back_on_request(cupy):
    cupy.pool.used, cupy.pool.unused = 300, 200
    assert Device().pool_bytes() == 500
    assert Device().pool_bytes(release=True) == 300


def test_an_allocation_that_fails(cupy):
    device = Device()
    with (
        pytest.raises(OutOfDeviceMemory, match="a result") as caught,
        device.allocation(5000, "a result"),
    ):
        raise MemoryError
    assert (caught.value.needed, caught.value.free) == (5000, 1000)
    own = OutOfMemory("a closure")
    with pytest.raises(OutOfMemory) as caught, device.allocation(5000, "a result"):
        raise own
    assert caught.value is own


def test_a_few_bytes_are_read_through_the_same_pinned_memory(cupy):
    class Array(np.ndarray):
        """Copies its elements to an address, as an array of the device does."""

        @property
        def data(self):
            def copy(address, nbytes, stream):
                assert stream is cupy.stream
                ctypes.memmove(address, self.ctypes.data, nbytes)

            return SimpleNamespace(copy_to_host_async=copy)

    device = Device()
    first = device.read_words(np.array([7, -3]).view(Array))
    assert device.read_scalar(np.array([2.5], np.float32).view(Array)) == 2.5
    assert first.tolist() == [7, -3]  # a copy: the second read did not change it
    assert len(cupy.pinned) == 1
    assert cupy.stream.synchronized == 2


def test_pinned_memory_is_shared_with_the_host(cupy):
    words = np.array([-1, 5])
    view = Device().host_view(
        SimpleNamespace(nbytes=16, data=SimpleNamespace(ptr=words.ctypes.data))
    )
    words[0] = 4
    assert view.tolist() == [4, 5]
    view[1] = 6
    assert words.tolist() == [4, 6]


class Words(list):
    """Host words that a kernel changes after some reads."""

    def __init__(self, reads):
        super().__init__([-1])
        self.reads = reads

    def __getitem__(self, index):
        self.reads -= 1
        return super().__getitem__(index) if self.reads >= 0 else 0


class DeviceBlock:
    """``with cupy.cuda.Device(n)``, which notes its number."""

    def __init__(self, entered, number):
        self.entered, self.number = entered, number

    def __enter__(self):
        self.entered.append(self.number)

    def __exit__(self, *error):
        return None


@pytest.mark.parametrize(
    ("reads", "streams", "devices"),
    [(POLLS + 9, 1, None), (POLLS + 1, 1, [5]), (POLLS, 1, []), (3, 0, [])],
)
def test_a_word_is_polled_then_the_stream_and_the_device_are_waited_for(
    cupy, monkeypatch, reads, streams, devices
):
    device, entered = Device(), []
    cupy.cuda.Device = lambda number=None: DeviceBlock(entered, number)
    monkeypatch.setattr(Device, "synchronise", lambda self: None)
    if devices is None:
        with pytest.raises(KernelFailure, match="without writing its result"):
            device.wait_for(Words(reads), 0, -1, cupy.stream, 5)
    else:
        device.wait_for(Words(reads), 0, -1, cupy.stream, 5)
        assert entered == devices
    assert cupy.stream.synchronized == streams


class SequenceKernel:
    """A compiled kernel that notes the number of each launch, ``*first + k``."""

    def __init__(self, streams):
        self.streams, self.numbers = streams, []

    def packed(self, arguments):
        *_, self.first, _ = arguments
        self.words = list(arguments)
        return SimpleNamespace(words=self.words, address=99)

    def grid(self, threads, block, shared):
        return -(-threads // block)

    def call(self, blocks, block, shared, stream, address):
        assert (blocks, block, shared, address) == (4, 256, 16, 99)
        k = self.words[-1]
        for stream in self.streams:
            stream.captured.append(k)
            stream.replay = lambda ks: self.numbers.extend(int(self.first[0]) + k for k in ks)
        if not self.streams:
            self.numbers.append(k)


@pytest.mark.parametrize("count", [8 * GRAPH_LAUNCHES + 1, 1000, 8 * GRAPH_LAUNCHES, 1, 0])
def test_a_sequence_launches_each_number_in_order(cupy, count):
    """Many launches replay a graph, which may launch numbers beyond the last."""
    run = SequenceKernel(cupy.streams)
    Device().launch_sequence(run, count, 1000, 256, 16, ("x", "y"))
    assert run.numbers[:count] == list(range(count))
    assert len(run.numbers) - count < GRAPH_LAUNCHES
    if count > 8 * GRAPH_LAUNCHES:
        [stream] = cupy.streams
        assert (stream.waits, stream.synchronized) == (["event"], 1)
    else:
        assert not cupy.streams


def test_cluster_occupancy_is_queried_in_a_thread_with_a_context(cupy):
    class Kernel:
        def max_active_clusters(self, *sizes):
            assert cupy.used == [0]
            return np.int32(sum(sizes))

    assert Device().max_active_clusters(Kernel(), 1, 2, 3) == 6


def test_arrays(cupy):
    device, x = Device(), np.arange(3)
    assert device.is_array(x)
    assert not device.is_array([1])
    copy = device.to_host(x)
    copy[0] = 9
    assert x[0] == 0
    assert device.device_of(SimpleNamespace(data=SimpleNamespace(device_id=2))) == 2
    device.synchronise()
    assert cupy.synchronized == [0]
