"""The launch of a compiled kernel: its arguments in one block of words, then the driver.

Each argument has a word of 8 bytes, so that all of them are packed in one go. A block belongs
to one launch at a time, whatever the threads; the driver has copied it when the launch returns.
"""

from __future__ import annotations

import ctypes
import struct
import threading
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from graphla.cuda.runtime.cluster_occupancy import WIDTH, Clusters
from graphla.errors import DomainMismatch

WORD = 8  # bytes
SHARED = 40 << 10  # bytes that a block has, beside 8 KiB of its kernel's own, without asking
MAX_DYNAMIC_SHARED = 8  # the attribute by which it asks
NO_CONTEXT = 201  # CUDA_ERROR_INVALID_CONTEXT
_asking = threading.Lock()
Call = Callable[[int, int, int, int, int], None]  # blocks, block, shared, stream, arguments


class Block(NamedTuple):
    """Words for arguments, and the array of pointers to them that the driver takes."""

    words: Any
    pointers: Any
    at: int  # where the pointers are

    @classmethod
    def of(cls, size: int) -> Block:
        """Make one for so many arguments."""
        words = (ctypes.c_uint64 * size)()
        begin = ctypes.addressof(words)
        pointers = (ctypes.c_void_p * size)(*range(begin, begin + WORD * size, WORD))
        return cls(words, pointers, ctypes.addressof(pointers))


class Launcher:
    """A kernel as a function of (threads, block, bytes of shared memory, arguments).

    Parameters
    ----------
    call : function
        Launches it, given the number of blocks, the threads of one, the bytes of shared memory,
        the stream and the address of the pointers to the arguments. What it raises is raised.
    grid : function
        Returns the number of blocks for (threads, block, shared).
    stream : function
        Returns the current stream, as the driver knows it.
    array : type
        Of the arrays, whose ``data.ptr`` is passed.
    at_once : function
        Returns how many launches of (blocks, block, shared) run at once, of a cluster.
    """

    __slots__ = ("array", "at_once", "call", "free", "grid", "pack", "stream")

    def __init__(
        self, call: Call, grid: Any, stream: Callable[[], int], array: Any, at_once: Any = None
    ) -> None:
        self.call, self.grid, self.stream, self.array = call, grid, stream, array
        self.at_once = at_once
        self.free: list[Block] = []  # by no launch
        self.pack = struct.Struct("").pack_into

    def __call__(self, threads: int, block: int, shared: int, args: tuple[Any, ...]) -> None:
        array = self.array
        values = [x.data.ptr if type(x) is array else 0 if x is None else x for x in args]
        try:
            found = self.free.pop()
            self.pack(found.words, 0, *values)
        except (IndexError, struct.error):  # a first call, or other types than it had
            found = self.filled(args)
        self.call(self.grid(threads, block, shared), block, shared, self.stream(), found.at)
        self.free.append(found)

    def clusters(self, threads: int, block: int, shared: int) -> int:
        """Return how many launches of a kernel that is one cluster run at once, perhaps 0."""
        blocks = self.grid(threads, block, shared)
        return int(self.at_once(blocks, block, shared)) if blocks * block >= threads else 0

    def filled(self, args: tuple[Any, ...]) -> Block:
        """Return a block that holds the arguments."""
        array = self.array
        values = [x.data.ptr if type(x) is array else 0 if x is None else x for x in args]
        try:
            found = self.free.pop()
        except IndexError:
            found = Block.of(len(args))
        try:
            self.pack(found.words, 0, *values)
        except struct.error:  # the first call, or other types than it had
            self.pack = struct.Struct("".join(map(_format, values))).pack_into
            self.pack(found.words, 0, *values)
        return found


def _format(x: Any) -> str:
    """Return how a value lies in its word, as `struct` writes it."""
    if isinstance(x, np.generic) and x.dtype.kind in "biuf":
        return f"{x.dtype.char}{WORD - x.dtype.itemsize}x"
    if type(x) is int:
        return "q"
    raise DomainMismatch(f"a kernel takes no {type(x).__name__}")


class Grid:
    """Returns the number of blocks for (threads, block, shared): at most what runs at once.

    `found` are the properties of the device; `ask` lets a block have so many shared bytes.
    """

    __slots__ = ("ask", "asked", "most", "multiprocessors", "shared", "threads")

    def __init__(self, found: Any, ask: Callable[[int], None]) -> None:
        self.multiprocessors = found["multiProcessorCount"]
        self.threads = found["maxThreadsPerMultiProcessor"]
        self.shared = found["sharedMemPerMultiprocessor"]
        self.ask, self.asked = ask, SHARED
        self.most: dict[tuple[int, int], int] = {}

    def __call__(self, threads: int, block: int, shared: int) -> int:
        limit = self.most.get((block, shared))
        if limit is None:
            limit = self._limit(block, shared)
        blocks = -(-threads // block)
        return 1 if blocks < 1 else limit if blocks > limit else blocks

    def _limit(self, block: int, shared: int) -> int:
        with _asking:  # a smaller number would take away what was asked for before
            if shared > self.asked:
                self.ask(shared)
                self.asked = shared
        at_once = min(self.threads // block, self.shared // (shared + 1024))
        limit = self.most[block, shared] = self.multiprocessors * max(1, at_once)
        return limit


def launcher(
    xp: Any, image: bytes, name: str, cooperative: bool, found: Any, stream: Callable[[], int]
) -> Launcher:
    """Load a kernel of a compiled image; its grid is at most what runs at once.

    `xp` is CuPy, `found` the properties of the current device. A cooperative kernel whose text
    gives the size of a cluster is launched as one cluster, whose blocks run at once anyway.
    """
    from cupy.cuda.function import Module
    from cupy_backends.cuda.api import driver

    module = Module()
    module.load(image)
    kernel = module.get_function(name).ptr

    def ask(shared: int) -> None:
        driver.funcSetAttribute(kernel, MAX_DYNAMIC_SHARED, shared)

    at_once = None
    if cooperative and driver.funcGetAttribute(WIDTH, kernel):
        cooperative, at_once = False, Clusters(driver, kernel)
    launch = driver.launchCooperativeKernel if cooperative else driver.launchKernel
    extra = () if cooperative else (0,)

    def call(blocks: int, block: int, shared: int, stream: int, at: int) -> None:
        try:
            launch(kernel, blocks, 1, 1, block, 1, 1, shared, stream, at, *extra)
        except driver.CUDADriverError as error:
            if error.status != NO_CONTEXT:
                raise
            xp.cuda.Device().use()  # in a thread that has asked the device nothing so far
            launch(kernel, blocks, 1, 1, block, 1, 1, shared, stream, at, *extra)

    call.module = module  # type: ignore[attr-defined]  # it is there as long as the kernel
    return Launcher(call, Grid(found, ask), stream, xp.ndarray, at_once)
