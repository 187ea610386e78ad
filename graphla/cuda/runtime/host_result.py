"""A kernel's scalar result in pinned host memory: a value and a status word.

The kernel writes both words last, the status after the value. The host polls the status, so it
waits for this kernel only: no copy, no stream synchronisation.
"""

from __future__ import annotations

from collections import deque
from typing import Any, NamedTuple

import numpy as np

from graphla.cuda.runtime.device import device

PENDING = -1  # the status until the kernel writes 0 or 1
SLOTS_AT_ONCE = 256  # allocated together
TRIES = 8  # free slots that are inspected for one without a pending kernel


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
        """Return the value and the status, 0 or 1, when the kernel has written them."""
        _, words, first = self.slot
        device.active.wait_for(words, first + 1, PENDING, self.stream, self.device_id)
        return words[first], words[first + 1]

    def __del__(self) -> None:
        if (slot := getattr(self, "slot", None)) is not None:
            if not getattr(self, "is_passed", False):  # no kernel will write it
                slot.words[slot.first + 1] = 0
            self.free_slots.append(slot)


def cancel(args: tuple[Any, ...]) -> None:
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
