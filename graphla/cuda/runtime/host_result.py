"""What a kernel tells the host: two words of page-locked memory that both of them see.

A kernel whose result is a count, or a sum, writes it there as its last deed. Who asks for it
finds it, or waits for that kernel alone: not for a copy, nor for what came after it.
"""

from __future__ import annotations

from collections import deque
from typing import Any, NamedTuple

import numpy as np

from graphla.cuda.runtime.device import device

NOT_YET = -1  # in the second word, which is 0 or 1 once the first is told
MANY = 256  # places that are allocated together
TRIES = 8  # places looked at for one that has been told


class Place(NamedTuple):
    """Two words: as an array for a kernel, and among the ``words`` that the host reads."""

    array: Any
    words: Any
    at: int


_places: dict[int, Place] = {}  # all that there are, by the id of the array


class HostResult:
    """A place for one kernel to tell, and for any number of threads to read, from now on.

    It is lent again once nobody can read it and its kernel has told, or will never run.
    """

    __slots__ = ("asked", "free", "number", "place", "stream")

    def __init__(self) -> None:
        self.free = device.active.places
        self.place = place = _place(self.free)
        place.words[place.at + 1] = NOT_YET
        self.stream, self.number, self.asked = device.active.current, device.active.id, False

    @property
    def device_words(self) -> Any:
        """What the kernel takes; the last thing to be asked for before its launch."""
        self.asked = True
        return self.place.array

    def wait(self) -> tuple[int, int]:
        """Return both words, when they are told."""
        _, words, at = self.place
        device.active.wait_for(words, at + 1, NOT_YET, self.stream, self.number)
        return words[at], words[at + 1]

    def __del__(self) -> None:
        if (place := getattr(self, "place", None)) is not None:
            if not getattr(self, "asked", False):  # so no kernel has it
                place.words[place.at + 1] = 0
            self.free.append(place)


def never_launched(args: tuple[Any, ...]) -> None:
    """Take back the places among the arguments of a kernel whose launch has failed."""
    for x in args:
        if (place := _places.get(id(x))) is not None:
            place.words[place.at + 1] = 0


def _place(free: deque[Place]) -> Place:
    """Return a place of which no kernel will tell any more."""
    for _ in range(TRIES):
        try:
            place = free.popleft()
        except IndexError:
            break
        if place.words[place.at + 1] != NOT_YET:
            return place
        free.append(place)
    both = device.active.host_array(2 * MANY, np.int64)
    words = device.active.host_view(both)
    places = [Place(both[k : k + 2], words, k) for k in range(0, 2 * MANY, 2)]
    for place in places:
        words[place.at + 1] = 0
        _places[id(place.array)] = place
    free.extend(places[1:])
    return places[0]
