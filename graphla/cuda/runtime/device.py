"""The device: its arrays, the launch of a kernel, and what it says when memory ends.

The engine sees the device through :data:`device` alone, which has CuPy's arrays
(``device.xp``) and runs kernels. A test may put another device in its place that
speaks the same language, such as one that runs the kernels as C++ on NumPy arrays.
"""

from __future__ import annotations

import ctypes
import threading
from collections import deque
from collections.abc import Callable
from contextlib import contextmanager
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from graphla.cuda.runtime.launcher import launcher
from graphla.cuda.runtime.nvrtc import cubin
from graphla.errors import EngineUnavailable, KernelFailure, OutOfDeviceMemory, OutOfMemory

INSTALL = "pip install 'graphla[cuda13]' (CUDA 13) or 'graphla[cuda12]' (CUDA 12)"
BLOCK = 256  # threads
PART = 64  # launches in a graph
LOOKS = 5000  # at a word of the host: some 200 us


class Memory(NamedTuple):
    """Bytes of device memory: held by arrays, still to be had, and the limit (None: all of it)."""

    used: int
    free: int
    limit: int | None


class Device:
    """A CUDA device through CuPy: the one that is current when it is asked."""

    name = "cuda"

    @cached_property
    def xp(self) -> Any:
        """The array module."""
        try:
            import cupy
        except ImportError as error:
            raise EngineUnavailable(f"engine 'cuda' needs CuPy: {INSTALL}") from error
        try:
            cupy.cuda.runtime.getDeviceCount()
        except cupy.cuda.runtime.CUDARuntimeError as error:
            raise EngineUnavailable(f"engine 'cuda' finds no device: {error}") from error
        return cupy

    @property
    def id(self) -> int:
        """Number of the current device."""
        return self._asks[0]()

    @property
    def stream(self) -> Any:
        """What tells the current stream of the current device from all others."""
        number, current = self._asks
        return number(), current().ptr

    @cached_property
    def _asks(self) -> tuple[Callable[[], int], Callable[[], Any]]:
        """What tells the current device, and its stream, without a look-up in CuPy's modules."""
        cuda = self.xp.cuda
        return cuda.runtime.getDevice, cuda.get_current_stream

    @property
    def current(self) -> Any:
        """The current stream."""
        return self._asks[1]()

    def current_stream(self) -> int:
        """Return the current stream as the driver knows it."""
        return int(self._asks[1]().ptr)

    @property
    def multiprocessors(self) -> int:
        """Number of streaming multiprocessors."""
        return int(self.properties["multiProcessorCount"])

    @property
    def properties(self) -> dict[str, Any]:
        """What CUDA tells of the device."""
        here = self.id
        if here not in self._told:  # for it takes a millisecond to tell
            self._told[here] = self.xp.cuda.runtime.getDeviceProperties(here)
        return self._told[here]

    @cached_property
    def _told(self) -> dict[int, dict[str, Any]]:
        return {}

    @property
    def shared_per_block(self) -> int:
        """Bytes of shared memory that one block can have."""
        return int(self.properties["sharedMemPerBlockOptin"]) - 1024

    def about(self) -> dict[str, str]:
        """Return the name of the device and the version of CUDA that its driver has."""
        version = self.xp.cuda.runtime.driverGetVersion()
        major, minor = version // 1000, version % 1000 // 10
        return {"gpu": self.properties["name"].decode(), "driver": f"CUDA {major}.{minor}"}

    @property
    def bus(self) -> str:
        """Where the device sits, which tells it from all others."""
        return str(self.xp.cuda.runtime.deviceGetPCIBusId(self.id))

    @property
    def arch(self) -> str:
        """Compute capability, such as "90"."""
        return str(self.xp.cuda.Device().compute_capability)

    def compile(self, source: str, name: str, cooperative: bool) -> Callable[..., None]:
        """Return a kernel as a function of (threads, block, bytes of shared memory, arguments).

        The grid is at most what runs at once.
        """
        image = cubin(source, self.arch)
        return launcher(self.xp, image, name, cooperative, self.properties, self.current_stream)

    def sweep(
        self, run: Any, count: int, threads: int, block: int, shared: int, args: tuple[Any, ...]
    ) -> None:
        """Launch a kernel `count` times, with the least of Python: see ``Launch.sweep``.

        Many launches are those of one graph of PART, whose first number is on the device.
        """
        here, graphs = self.xp.cuda.get_current_stream(), count > 8 * PART
        first: Any = self.xp.zeros(1, np.int64) if graphs else None
        filled = run.filled((*args, first, 0))
        words, last = filled.words, len(args) + 1
        blocks = run.grid(threads, block, shared)

        def launch(stream: Any, times: int) -> None:
            for number in range(times):
                words[last] = number
                run.call(blocks, block, shared, stream.ptr, filled.at)

        if not graphs:
            return launch(here, count)
        with self.xp.cuda.Stream(non_blocking=True) as stream:
            stream.wait_event(here.record())
            stream.begin_capture()
            launch(stream, PART)
            graph = stream.end_capture()
            for part in range(0, count, PART):
                first.fill(part)
                graph.launch()
            stream.synchronize()
        return None

    def clusters(self, run: Any, threads: int, block: int, shared: int) -> int:
        """Return how many launches of a kernel run at once: see ``Launch.clusters``."""
        self.xp.cuda.Device().use()  # in a thread that has asked the device nothing so far
        return int(run.clusters(threads, block, shared))

    def is_array(self, x: Any) -> bool:
        """Whether `x` is an array of this device."""
        return isinstance(x, self.xp.ndarray)

    def of(self, x: Any) -> int:
        """Return the number of the device that an array lies on."""
        return int(x.data.device_id)

    def host_array(self, size: int, dtype: Any) -> Any:
        """Return an array in page-locked host memory, which kernels read over the bus."""
        cuda, nbytes = self.xp.cuda, max(1, size) * np.dtype(dtype).itemsize
        held = cuda.alloc_pinned_memory(nbytes)
        memory = cuda.UnownedMemory(held.ptr, nbytes, held, self.id)
        return self.xp.ndarray(size, dtype, cuda.MemoryPointer(memory, 0))

    def host_view(self, x: Any) -> Any:
        """Return what reads and writes an array in page-locked host memory, of int64."""
        return memoryview((ctypes.c_byte * x.nbytes).from_address(x.data.ptr)).cast("B").cast("q")

    def wait_for(self, words: Any, at: int, unlike: int, stream: Any, number: int) -> None:
        """Wait until a kernel of a stream has written a word of the host, which was `unlike`.

        It looks as often as a short kernel takes; of a longer one the driver tells the end. The
        null stream is one of the current device, which for another thread may be another than
        the stream's, `number`: then that device is waited for.
        """
        for _ in range(LOOKS):
            if words[at] != unlike:
                return
        stream.synchronize()
        if words[at] != unlike:
            return
        with self.xp.cuda.Device(number):
            self.synchronise()
        if words[at] == unlike:
            raise KernelFailure("a kernel that should tell its result has ended without it")

    def to_host(self, x: Any) -> Any:
        """Copy an array into host memory."""
        return self.xp.asnumpy(x)

    def read_scalar(self, x: Any) -> Any:
        """Return the one value of an array: the only way in which a loop may ask the device."""
        return self.read_words(x)[0].item()

    def read_words(self, x: Any) -> Any:
        """Return an array of at most 16 bytes, on the host.

        It comes through page-locked memory, which takes two thirds of the time of ``x.get()``.
        """
        stream = self.xp.cuda.get_current_stream()
        try:
            landing = self.landings.bytes
        except AttributeError:
            landing = self.landings.bytes = self.xp.cuda.alloc_pinned_memory(16)
        x.data.copy_to_host_async(landing.ptr, x.nbytes, stream)
        stream.synchronize()
        return np.frombuffer(landing, x.dtype, x.size).copy()

    @cached_property
    def places(self) -> deque[Any]:
        """Where kernels may tell something: see :mod:`graphla.cuda.runtime.host_result`."""
        return deque()

    @cached_property
    def landings(self) -> Any:
        """Page-locked memory of each thread, into which a word is copied."""
        return threading.local()

    def synchronise(self) -> None:
        """Wait until the device has done all that it was asked for."""
        self.xp.cuda.Device().synchronize()

    # ---- memory

    @property
    def out_of_memory(self) -> Any:
        """What says that memory has ended: CuPy's own is one, its sorts raise the plain one."""
        return MemoryError

    @contextmanager
    def allocation(self, needed: int, what: str) -> Any:
        """Name the bytes that were needed and free where the device has no more."""
        try:
            yield
        except OutOfMemory:  # told already
            raise
        except self.out_of_memory as error:
            raise OutOfDeviceMemory(what, needed=needed, free=self.free()) from error

    def free(self) -> int:
        """Bytes that can still be allocated, the pool's limit considered."""
        return self.usage().free

    def usage(self) -> Memory:
        """Return what arrays hold, what is free and what is allowed."""
        pool = self.xp.get_default_memory_pool()
        free = self.xp.cuda.runtime.memGetInfo()[0] + pool.free_bytes()
        used, limit = pool.used_bytes(), pool.get_limit() or None
        return Memory(used, min(free, max(0, limit - used)) if limit else free, limit)

    def limit_memory(self, limit: int | None) -> None:
        """Let arrays hold so many bytes at most; None is all that the device has."""
        self.xp.get_default_memory_pool().set_limit(size=limit or 0)

    def pool_bytes(self, release: bool = False) -> int:
        """Return the bytes that the pool has taken from the device; it grows to a peak.

        `release`: give back first what no array holds.
        """
        pool = self.xp.get_default_memory_pool()
        if release:
            pool.free_all_blocks()
        return int(pool.total_bytes())


class Chosen:
    """The device in use; a test may choose another."""

    def __init__(self) -> None:
        self.active: Any = Device()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.active, name)


device = Chosen()
