"""The launch of a compiled kernel: pack its arguments into words of 8 bytes, call the driver.

Each argument has one word, so one ``struct.pack_into`` writes all of them. A block of
words belongs to one launch at a time, of any thread; the driver has copied it when the launch
returns.
"""

from __future__ import annotations

import ctypes
import struct
import threading
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from graphla.cuda.runtime.cluster_occupancy import CLUSTER_WIDTH, MaxActiveClusters
from graphla.errors import DomainMismatch

WORD = 8  # bytes
DEFAULT_SHARED = 40 << 10  # dynamic bytes that a block has without opt-in, beside 8 KiB static ones
MAX_DYNAMIC_SHARED = 8  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
INVALID_CONTEXT = 201  # CUDA_ERROR_INVALID_CONTEXT
_opt_in_lock = threading.Lock()
Call = Callable[[int, int, int, int, int], None]  # blocks, block, shared, stream, address


class ArgumentBlock(NamedTuple):
    """Words of arguments, and the array of pointers to them that the driver takes."""

    words: Any
    pointers: Any
    address: int  # of the pointers

    @classmethod
    def allocate(cls, size: int) -> ArgumentBlock:
        """Return a block for `size` arguments."""
        words = (ctypes.c_uint64 * size)()
        begin = ctypes.addressof(words)
        pointers = (ctypes.c_void_p * size)(*range(begin, begin + WORD * size, WORD))
        return cls(words, pointers, ctypes.addressof(pointers))


class Launcher:
    """A kernel as a function of (threads, block, bytes of shared memory, arguments).

    Parameters
    ----------
    call : function
        Launches the kernel, given the number of blocks, the threads of a block, the bytes of shared
        memory, the stream and the address of the pointers to the arguments. Its errors propagate.
    grid : function
        Returns the number of blocks for (threads, block, shared).
    stream : function
        Returns the driver's handle of the current stream.
    array : type
        The type of the arrays; ``data.ptr`` is passed.
    max_clusters : function
        Returns how many clusters of (blocks, block, shared) run at once; only of a kernel that is
        one cluster.
    """

    __slots__ = ("array", "call", "free", "grid", "max_clusters", "pack", "stream")

    def __init__(
        self, call: Call, grid: Any, stream: Callable[[], int], array: Any, max_clusters: Any = None
    ) -> None:
        self.call, self.grid, self.stream, self.array = call, grid, stream, array
        self.max_clusters = max_clusters
        self.free: list[ArgumentBlock] = []
        self.pack = struct.Struct("").pack_into

    def __call__(self, threads: int, block: int, shared: int, args: tuple[Any, ...]) -> None:
        array = self.array
        values = [x.data.ptr if type(x) is array else 0 if x is None else x for x in args]
        try:
            arguments = self.free.pop()
            self.pack(arguments.words, 0, *values)
        except (IndexError, struct.error):  # the first call, or other types than before
            arguments = self.packed(args)
        self.call(
            self.grid(threads, block, shared), block, shared, self.stream(), arguments.address
        )
        self.free.append(arguments)

    def max_active_clusters(self, threads: int, block: int, shared: int) -> int:
        """Return how many clusters for `threads` threads run at once, 0 if none can."""
        blocks = self.grid(threads, block, shared)
        return int(self.max_clusters(blocks, block, shared)) if blocks * block >= threads else 0

    def packed(self, args: tuple[Any, ...]) -> ArgumentBlock:
        """Return a block that contains the arguments."""
        array = self.array
        values = [x.data.ptr if type(x) is array else 0 if x is None else x for x in args]
        try:
            arguments = self.free.pop()
        except IndexError:
            arguments = ArgumentBlock.allocate(len(args))
        try:
            self.pack(arguments.words, 0, *values)
        except struct.error:  # the first call, or other types than before
            self.pack = struct.Struct("".join(map(_format, values))).pack_into
            self.pack(arguments.words, 0, *values)
        return arguments


def _format(x: Any) -> str:
    """Return the `struct` format of a value in its word."""
    if isinstance(x, np.generic) and x.dtype.kind in "biuf":
        return f"{x.dtype.char}{WORD - x.dtype.itemsize}x"
    if type(x) is int:
        return "q"
    raise DomainMismatch(f"a kernel takes no argument of type {type(x).__name__}")


class Grid:
    """The number of blocks for (threads, block, shared): at most as many as can be resident.

    Parameters
    ----------
    properties : dict
        Of the device.
    opt_in : function
        Lets a block of the kernel have that many dynamic bytes of shared memory.
    """

    __slots__ = ("limits", "multiprocessors", "opt_in", "opted_in", "shared", "threads")

    def __init__(self, properties: Any, opt_in: Callable[[int], None]) -> None:
        self.multiprocessors = properties["multiProcessorCount"]
        self.threads = properties["maxThreadsPerMultiProcessor"]
        self.shared = properties["sharedMemPerMultiprocessor"]
        self.opt_in, self.opted_in = opt_in, DEFAULT_SHARED
        self.limits: dict[tuple[int, int], int] = {}

    def __call__(self, threads: int, block: int, shared: int) -> int:
        limit = self.limits.get((block, shared))
        if limit is None:
            limit = self._limit(block, shared)
        blocks = -(-threads // block)
        return 1 if blocks < 1 else limit if blocks > limit else blocks

    def _limit(self, block: int, shared: int) -> int:
        with _opt_in_lock:  # a smaller number would replace a larger one of another thread
            if shared > self.opted_in:
                self.opt_in(shared)
                self.opted_in = shared
        resident = min(self.threads // block, self.shared // (shared + 1024))
        limit = self.limits[block, shared] = self.multiprocessors * max(1, resident)
        return limit


def load_kernel(
    xp: Any, image: bytes, name: str, cooperative: bool, properties: Any, stream: Callable[[], int]
) -> Launcher:
    """Load a kernel of a compiled image.

    `xp` is CuPy, `properties` those of the current device, `stream` as for :class:`Launcher`. A
    cooperative kernel whose text gives the size of a cluster is launched as one cluster: its blocks
    are resident together anyway.
    """
    from cupy.cuda.function import Module
    from cupy_backends.cuda.api import driver

    module = Module()
    module.load(image)
    kernel = module.get_function(name).ptr

    def opt_in(shared: int) -> None:
        driver.funcSetAttribute(kernel, MAX_DYNAMIC_SHARED, shared)

    max_clusters = None
    if cooperative and driver.funcGetAttribute(CLUSTER_WIDTH, kernel):
        cooperative, max_clusters = False, MaxActiveClusters(driver, kernel)
    launch = driver.launchCooperativeKernel if cooperative else driver.launchKernel
    extra = () if cooperative else (0,)

    def call(blocks: int, block: int, shared: int, stream: int, address: int) -> None:
        try:
            launch(kernel, blocks, 1, 1, block, 1, 1, shared, stream, address, *extra)
        except driver.CUDADriverError as error:
            if error.status != INVALID_CONTEXT:
                raise
            xp.cuda.Device().use()  # this thread has no CUDA context yet
            launch(kernel, blocks, 1, 1, block, 1, 1, shared, stream, address, *extra)

    call.module = module  # type: ignore[attr-defined]  # keeps the module loaded
    return Launcher(call, Grid(properties, opt_in), stream, xp.ndarray, max_clusters)
