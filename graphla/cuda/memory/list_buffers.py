"""Arrays of lists that plans made before, for those that they make next."""

from __future__ import annotations

import sys
from typing import Any
from weakref import WeakValueDictionary

from graphla.cuda.runtime.device import device

ALONE = sys.getrefcount(object()) + 1  # references to what one attribute holds, and no one else

KEEP = 4  # arrays of a kind that wait for the next list


_shelves: WeakValueDictionary[int, Shelf] = WeakValueDictionary()


class Shelf(list[Any]):
    """Arrays that nobody holds any more, for the next list that a plan makes."""

    def take(self, size: int, dtype: Any) -> Any:
        """Return one of so many elements, or a new one."""
        try:
            found = self.pop()
        except IndexError:
            return device.now.xp.empty(size, dtype)
        return found if found.size == size else device.now.xp.empty(size, dtype)


class Spares:
    """The keys and the values of lists that a plan made before, of one type each, on a stream."""

    __slots__ = ("keys", "values")

    def __init__(self, keys: Shelf | None = None, values: Shelf | None = None) -> None:
        self.keys = Shelf() if keys is None else keys
        self.values = Shelf() if values is None else values


class Stock(dict[Any, Spares]):
    """The spares of a plan by stream: what is read on one may be written on no other."""

    def __missing__(self, stream: Any) -> Spares:
        spares = self.setdefault(stream, Spares())
        for shelf in (spares.keys, spares.values):
            _shelves[id(shelf)] = shelf
        return spares


def clear() -> None:
    """Give the memory of all arrays that wait back, those of plans that live too."""
    for shelf in list(_shelves.values()):
        shelf.clear()
