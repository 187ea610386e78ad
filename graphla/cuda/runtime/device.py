"""The device: its arrays, the compilation and launch of kernels, and its memory.

The engine uses the device through :data:`device` alone, whose ``xp`` is CuPy. A test can replace
``device.active`` by an object with the same interface, such as a simulator that runs the kernels as
C++ on NumPy arrays.
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

from graphla.cuda.runtime.launcher import load_kernel
from graphla.cuda.runtime.nvrtc import cubin
from graphla.errors import EngineUnavailable, KernelFailure, OutOfDeviceMemory, OutOfMemory

INSTALL = "pip install 'graphla[cuda13]' (CUDA 13) or 'graphla[cuda12]' (CUDA 12)"
BLOCK = 256  # threads
GRAPH_LAUNCHES = 64  # kernel launches in one CUDA graph
POLLS = 5000  # of a host word before the stream is synchronised: about 200 us


class Memory(NamedTuple):
    """Bytes of device memory: used by arrays, free, and the limit (None: there is none)."""

    used: int
    free: int
    limit: int | None


class Device:
    """The current CUDA device, through CuPy."""

    name = "cuda"

    @cached_property
    def xp(self) -> Any:
        """The array module."""
        try:
            import cupy
        except ImportError as error:
            text = f"engine 'cuda' needs an NVIDIA GPU and CuPy: {INSTALL}"
            raise EngineUnavailable(text) from error
        try:
            cupy.cuda.runtime.getDeviceCount()
        except cupy.cuda.runtime.CUDARuntimeError as error:
            missing = "no NVIDIA GPU, or no driver for this version of CUDA"
            raise EngineUnavailable(f"engine 'cuda' finds {missing}: {error}") from error
        return cupy

    @property
    def id(self) -> int:
        """Number of the current device."""
        return self._current_device_and_stream[0]()

    @property
    def stream_key(self) -> Any:
        """Identifies the current stream among those of all devices."""
        device_id, stream = self._current_device_and_stream
        return device_id(), stream().ptr

    @property
    def current_stream(self) -> Any:
        """The current stream."""
        return self._current_device_and_stream[1]()

    def stream_pointer(self) -> int:
        """Return the current stream as the driver's handle."""
        return int(self._current_device_and_stream[1]().ptr)

    @cached_property
    def _current_device_and_stream(self) -> tuple[Callable[[], int], Callable[[], Any]]:
        """CuPy's two functions, so that a call saves the look-up in its modules."""
        cuda = self.xp.cuda
        return cuda.runtime.getDevice, cuda.get_current_stream

    @property
    def multiprocessors(self) -> int:
        """Number of streaming multiprocessors."""
        return int(self.properties["multiProcessorCount"])

    @property
    def properties(self) -> dict[str, Any]:
        """CUDA's properties of the current device, which take a millisecond to query."""
        device_id = self.id
        if device_id not in self._properties:
            self._properties[device_id] = self.xp.cuda.runtime.getDeviceProperties(device_id)
        return self._properties[device_id]

    @cached_property
    def _properties(self) -> dict[int, dict[str, Any]]:
        return {}

    @property
    def shared_per_block(self) -> int:
        """Bytes of dynamic shared memory that a block can have; 1 KiB is left for static arrays."""
        return int(self.properties["sharedMemPerBlockOptin"]) - 1024

    def about(self) -> dict[str, str]:
        """Return the name of the device and the CUDA version of its driver."""
        version = self.xp.cuda.runtime.driverGetVersion()
        major, minor = version // 1000, version % 1000 // 10
        return {"gpu": self.properties["name"].decode(), "driver": f"CUDA {major}.{minor}"}

    @property
    def pci_bus_id(self) -> str:
        """Identifies the device among those of the machine."""
        return str(self.xp.cuda.runtime.deviceGetPCIBusId(self.id))

    @property
    def arch(self) -> str:
        """Compute capability, such as "90"."""
        return str(self.xp.cuda.Device().compute_capability)

    def compile(self, source: str, name: str, cooperative: bool) -> Callable[..., None]:
        """Return a kernel as a function of (threads, block, bytes of shared memory, arguments).

        The grid has at most as many blocks as can be resident.
        """
        image = cubin(source, self.arch)
        return load_kernel(self.xp, image, name, cooperative, self.properties, self.stream_pointer)

    def launch_sequence(
        self, run: Any, count: int, threads: int, block: int, shared: int, args: tuple[Any, ...]
    ) -> None:
        """Launch a kernel `count` times: see ``LazyKernel.launch_sequence``.

        The arguments are packed once. Many launches replay one CUDA graph of GRAPH_LAUNCHES, which
        reads the number of its first launch from the device.
        """
        current, use_graph = self.xp.cuda.get_current_stream(), count > 8 * GRAPH_LAUNCHES
        first: Any = self.xp.zeros(1, np.int64) if use_graph else None
        packed = run.packed((*args, first, 0))
        words, last = packed.words, len(args) + 1
        blocks = run.grid(threads, block, shared)

        def launch(stream: Any, times: int) -> None:
            for k in range(times):
                words[last] = k
                run.call(blocks, block, shared, stream.ptr, packed.address)

        if not use_graph:
            return launch(current, count)
        with self.xp.cuda.Stream(non_blocking=True) as stream:
            stream.wait_event(current.record())
            stream.begin_capture()
            launch(stream, GRAPH_LAUNCHES)
            graph = stream.end_capture()
            for k in range(0, count, GRAPH_LAUNCHES):
                first.fill(k)
                graph.launch()
            stream.synchronize()
        return None

    def max_active_clusters(self, run: Any, threads: int, block: int, shared: int) -> int:
        """Return how many clusters of a kernel run at once: see ``LazyKernel``."""
        self.xp.cuda.Device().use()  # this thread may have no CUDA context yet
        return int(run.max_active_clusters(threads, block, shared))

    def is_array(self, x: Any) -> bool:
        """Whether `x` is an array of this device."""
        return isinstance(x, self.xp.ndarray)

    def address_of(self, x: Any) -> int:
        """Return where the elements of an array begin, as kernels address them."""
        return int(x.data.ptr)

    def device_of(self, x: Any) -> int:
        """Return the number of the device that an array is on."""
        return int(x.data.device_id)

    def host_array(self, size: int, dtype: Any) -> Any:
        """Return an array in pinned host memory, which kernels access over the bus."""
        cuda, nbytes = self.xp.cuda, max(1, size) * np.dtype(dtype).itemsize
        pinned = cuda.alloc_pinned_memory(nbytes)
        memory = cuda.UnownedMemory(pinned.ptr, nbytes, pinned, self.id)
        return self.xp.ndarray(size, dtype, cuda.MemoryPointer(memory, 0))

    def host_view(self, x: Any) -> Any:
        """Return a memoryview of a pinned array of int64, for the host to read and write it."""
        return memoryview((ctypes.c_byte * x.nbytes).from_address(x.data.ptr)).cast("B").cast("q")

    def wait_for(self, words: Any, index: int, initial: int, stream: Any, device_id: int) -> None:
        """Wait until a kernel of a stream has changed a host word from its `initial` value.

        The word is polled for as long as a short kernel takes; then the stream is synchronised.
        The null stream means one of the current device. If another thread created the word, that
        can be another device than `device_id`, the stream's own, which is then synchronised too.
        """
        for _ in range(POLLS):
            if words[index] != initial:
                return
        stream.synchronize()
        if words[index] != initial:
            return
        with self.xp.cuda.Device(device_id):
            self.synchronise()
        if words[index] == initial:
            raise KernelFailure("a kernel ended without writing its result to host memory")

    def to_host(self, x: Any) -> Any:
        """Copy an array into host memory."""
        return self.xp.asnumpy(x)

    def read_scalar(self, x: Any) -> Any:
        """Return the value of an array of one element. Loops read the device by this call alone."""
        return self.read_words(x)[0].item()

    def read_words(self, x: Any) -> Any:
        """Return an array of at most 16 bytes, on the host.

        The copy through pinned memory takes two thirds of the time of ``x.get()``.
        """
        stream = self.xp.cuda.get_current_stream()
        try:
            pinned = self._pinned_words.bytes
        except AttributeError:
            pinned = self._pinned_words.bytes = self.xp.cuda.alloc_pinned_memory(16)
        x.data.copy_to_host_async(pinned.ptr, x.nbytes, stream)
        stream.synchronize()
        return np.frombuffer(pinned, x.dtype, x.size).copy()

    @cached_property
    def _pinned_words(self) -> Any:
        """Pinned memory of each thread for :meth:`read_words`."""
        return threading.local()

    @cached_property
    def free_slots(self) -> deque[Any]:
        """Free slots for results of kernels: see :mod:`graphla.cuda.runtime.kernel`."""
        return deque()

    def synchronise(self) -> None:
        """Wait until the device has done all its work."""
        self.xp.cuda.Device().synchronize()

    # ---- memory

    @property
    def out_of_memory(self) -> Any:
        """The class of errors of allocation; CuPy's own derives from it, its sorts raise it."""
        return MemoryError

    @contextmanager
    def allocation(self, needed: int, what: str) -> Any:
        """Turn an error of allocation into one with the bytes that `what` needs, and the free."""
        try:
            yield
        except OutOfMemory:  # has them already
            raise
        except self.out_of_memory as error:
            raise OutOfDeviceMemory(what, needed=needed, free=self.free()) from error

    def free(self) -> int:
        """Return the bytes that can be allocated, within the limit."""
        return self.usage().free

    def usage(self) -> Memory:
        """Return the bytes that are used, free and allowed."""
        pool = self.xp.get_default_memory_pool()
        free = self.xp.cuda.runtime.memGetInfo()[0] + pool.free_bytes()
        used, limit = pool.used_bytes(), pool.get_limit() or None
        return Memory(used, min(free, max(0, limit - used)) if limit else free, limit)

    def limit_memory(self, limit: int | None) -> None:
        """Set the most bytes that arrays may take; None means all of the device's."""
        self.xp.get_default_memory_pool().set_limit(size=limit or 0)

    def pool_bytes(self, release: bool = False) -> int:
        """Return the bytes that CuPy's pool has taken from the device.

        `release`: first give back those that no array uses.
        """
        pool = self.xp.get_default_memory_pool()
        if release:
            pool.free_all_blocks()
        return int(pool.total_bytes())


class ActiveDevice:
    """Passes every attribute on to the device in use, which tests replace."""

    def __init__(self) -> None:
        self.active: Any = Device()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.active, name)


device = ActiveDevice()
