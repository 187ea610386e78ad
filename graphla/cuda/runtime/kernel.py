"""Kernels: compiled at their first launch, and the results that they give to the host.

A kernel's scalar result is a value and a status word in pinned host memory. The kernel writes both
last, the status after the value. The host polls the status, so it waits for this kernel only: no
copy, no stream synchronisation.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from contextvars import ContextVar
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from graphla.cuda.runtime.device import BLOCK, device
from graphla.cuda.runtime.kernel_text import KERNELS, source

PENDING = -1  # the status until the kernel writes another one
SLOTS_AT_ONCE = 256  # allocated together
TRIES = 8  # free slots that are inspected for one without a pending kernel

Kernel = Callable[..., None]


class LazyKernel:
    """A kernel with its definitions, compiled for each device at its first launch there."""

    def __init__(self, name: str, text: str, cooperative: bool) -> None:
        self.name, self.text, self.cooperative = name, text, cooperative
        self.compiled: dict[Any, Any] = {}

    def __call__(self, threads: int, *args: Any, block: int = BLOCK, shared: int = 0) -> None:
        run = self.compiled.get(device.active.id) or self.compile()
        try:
            run(threads, block, shared, args)
        except Exception:
            _cancel_results(args)
            raise
        if (names := launched.get()) is not None:
            names.append(self.name)

    def launch_sequence(
        self, count: int, threads: int, *args: Any, block: int = BLOCK, shared: int = 0
    ) -> None:
        """Launch the kernel for each number below `count`, in order, and perhaps for some beyond.

        The kernel takes two more arguments, ``const i64* first, i64 k``: the number is ``k``, plus
        ``*first`` unless that is a null pointer.
        """
        run = self.compiled.get(device.active.id) or self.compile()
        device.launch_sequence(run, count, threads, block, shared, args)
        if (names := launched.get()) is not None:
            names.extend([self.name] * count)

    def max_active_clusters(self, threads: int, *, block: int, shared: int) -> int:
        """Return how many launches, each of one thread block cluster, run at once; 0 if none can.

        The kernel's text gives the size of its cluster.
        """
        run = self.compiled.get(device.active.id) or self.compile()
        return int(device.max_active_clusters(run, threads, block, shared))

    def compile(self) -> Any:
        """Return the kernel compiled for the current device."""
        with _compile_lock:
            device_id = device.active.id
            if device_id not in self.compiled:
                run = device.compile(self.text, self.name, self.cooperative)
                self.compiled[device_id] = run
            return self.compiled[device_id]


launched: ContextVar[list[str] | None] = ContextVar("launched", default=None)  # names, for traces
_compile_lock = threading.Lock()
_kernels: dict[tuple[Any, ...], LazyKernel] = {}


def kernel(
    file: str,
    definitions: str = "",
    name: str | None = None,
    *,
    cooperative: bool = False,
    folder: Path = KERNELS,
) -> LazyKernel:
    """Return the kernel `name` of a file, by default that of the file's name.

    It is called as ``kernel(threads, *args)`` with arrays, NumPy scalars, ints (as long long) and
    None (a null pointer). `threads` is the number that have work: the grid is limited to the blocks
    that can be resident, and every kernel strides over its work. ``block`` is the number of threads
    of a block, ``shared`` its bytes of dynamic shared memory.

    Parameters
    ----------
    file : str
        Name without ``.cu``.
    definitions : str, optional
        Pasted in front.
    cooperative : bool, optional
        All threads are resident, so that they can synchronise with each other.
    folder : Path, optional
        The folder of the file, and of headers that are not the engine's.
    """
    key = (file, definitions, name, folder)
    cached = _kernels.get(key)
    if cached is None:
        lazy = LazyKernel(name or file, source(file, definitions, folder), cooperative)
        cached = _kernels.setdefault(key, lazy)
    return cached


# ---- results


class Slot(NamedTuple):
    """Two pinned words: an array for a kernel, and elements `first`, `first + 1` of `words`."""

    array: Any
    words: Any
    first: int


_slots: dict[int, Slot] = {}  # all of them, by the id of the array


class HostResult:
    """A slot for one kernel to write, which any number of threads can read.

    The slot is free when this object is deleted. It is used again once its kernel has written it,
    or if no kernel was launched with it.
    """

    __slots__ = ("device_id", "free_slots", "is_passed", "slot", "stream")

    def __init__(self) -> None:
        self.free_slots = device.active.free_slots
        self.slot = slot = _take_slot(self.free_slots)
        slot.words[slot.first + 1] = PENDING
        self.stream, self.device_id = device.active.current_stream, device.active.id
        self.is_passed = False

    @property
    def device_words(self) -> Any:
        """The array that the kernel writes; nothing may fail between this call and the launch."""
        self.is_passed = True
        return self.slot.array

    def wait(self) -> tuple[int, int]:
        """Return the value and the status, when the kernel has written them.

        The status is 0 or 1, or what the kernel's comment says.
        """
        _, words, first = self.slot
        device.active.wait_for(words, first + 1, PENDING, self.stream, self.device_id)
        return words[first], words[first + 1]

    def __del__(self) -> None:
        if (slot := getattr(self, "slot", None)) is not None:
            if not getattr(self, "is_passed", False):  # no kernel will write it
                slot.words[slot.first + 1] = 0
            self.free_slots.append(slot)


def _cancel_results(args: tuple[Any, ...]) -> None:
    """Mark the slots among the arguments of a kernel whose launch has failed: none is pending."""
    for x in args:
        if (slot := _slots.get(id(x))) is not None:
            slot.words[slot.first + 1] = 0


def _take_slot(free: deque[Slot]) -> Slot:
    """Return a free slot that no kernel is going to write; allocate more if TRIES are pending."""
    for _ in range(TRIES):
        try:
            slot = free.popleft()
        except IndexError:
            break
        if slot.words[slot.first + 1] != PENDING:
            return slot
        free.append(slot)
    pinned = device.active.host_array(2 * SLOTS_AT_ONCE, np.int64)
    words = device.active.host_view(pinned)
    slots = [Slot(pinned[k : k + 2], words, k) for k in range(0, 2 * SLOTS_AT_ONCE, 2)]
    for slot in slots:
        words[slot.first + 1] = 0
        _slots[id(slot.array)] = slot
    free.extend(slots[1:])
    return slots[0]
