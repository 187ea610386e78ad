"""The device: its arrays, the launch of a kernel, and what it says when memory ends.

The engine sees the device through :data:`device` alone, which has CuPy's arrays
(``device.xp``) and runs kernels. A test may put another device in its place that
speaks the same language, such as one that runs the kernels as C++ on NumPy arrays.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import contextmanager
from functools import cached_property
from typing import Any

import numpy as np

from graphla.errors import EngineUnavailable, OutOfDeviceMemory

INSTALL = "pip install 'graphla[cuda13]' (CUDA 13) or 'graphla[cuda12]' (CUDA 12)"
BLOCK = 256  # threads


class Device:
    """A CUDA device through CuPy."""

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

    @cached_property
    def multiprocessors(self) -> int:
        """Number of streaming multiprocessors."""
        return int(self.xp.cuda.Device().attributes["MultiProcessorCount"])

    @cached_property
    def arch(self) -> str:
        """Compute capability, such as "90"."""
        return str(self.xp.cuda.Device().compute_capability)

    def compile(self, source: str, name: str, cooperative: bool) -> Callable[..., None]:
        """Return a kernel of the source text: a function of (threads, block, shared bytes, args).

        The grid is at most what runs at once.
        """
        module = self.xp.RawModule(
            code=source, options=("-std=c++17",), enable_cooperative_groups=cooperative
        )
        function = module.get_function(name)
        found = self.xp.cuda.runtime.getDeviceProperties(self.xp.cuda.Device().id)
        threads_there = found["maxThreadsPerMultiProcessor"]
        shared_there = found["sharedMemPerMultiprocessor"]

        most: dict[tuple[int, int], int] = {}

        def run(threads: int, block: int, shared: int, args: tuple[Any, ...]) -> None:
            limit = most.get((block, shared))
            if limit is None:
                at_once = min(threads_there // block, shared_there // (shared + 1024))
                limit = most[block, shared] = self.multiprocessors * max(1, at_once)
                if shared > function.max_dynamic_shared_size_bytes:
                    function.max_dynamic_shared_size_bytes = shared
            blocks = -(-threads // block)
            blocks = 1 if blocks < 1 else limit if blocks > limit else blocks
            function((blocks,), (block,), args, shared_mem=shared)

        return run

    def is_array(self, x: Any) -> bool:
        """Whether `x` is an array of this device."""
        return isinstance(x, self.xp.ndarray)

    def to_host(self, x: Any) -> Any:
        """Copy an array into host memory."""
        return self.xp.asnumpy(x)

    def word(self, x: Any) -> Any:
        """Return the one value of an array: the only way in which a loop may ask the device."""
        return self.words(x)[0].item()

    def words(self, x: Any) -> Any:
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
    def landings(self) -> Any:
        """Page-locked memory of each thread, into which a word is copied."""
        return threading.local()

    @contextmanager
    def memory(self, needed: int, what: str) -> Any:
        """Name the bytes that were needed and free where the device has no more."""
        xp = self.xp
        try:
            yield
        except xp.cuda.memory.OutOfMemoryError as error:
            free, _ = xp.cuda.runtime.memGetInfo()
            free += xp.get_default_memory_pool().free_bytes()
            raise OutOfDeviceMemory(what, needed=needed, free=free) from error

    def free(self) -> int:
        """Bytes that can still be allocated, the pool's limit considered."""
        pool = self.xp.get_default_memory_pool()
        free = self.xp.cuda.runtime.memGetInfo()[0] + pool.free_bytes()
        limit = pool.get_limit()
        return min(free, limit - pool.used_bytes()) if limit else free


class Chosen:
    """The device in use; a test may choose another."""

    def __init__(self) -> None:
        self.now: Any = Device()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.now, name)


device = Chosen()
