"""Arrays that a product needs for a moment, kept for the next: claims and sums of positions.

Both are left as they were found, so that no call has to clear them: a claim is the number of
the call that made it, and sums go back to the identity one by one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.cuda.device import device

LAST_CALL = np.iinfo(np.int32).max

_kept: dict[Any, list[Any]] = {}
KEEP = 2  # of each kind and size


class _Borrowed:
    """A workspace taken for the time of a ``with`` block; after an exception it is dropped."""

    key: Any

    def make(self) -> Any:
        raise NotImplementedError

    def __enter__(self) -> Any:
        try:
            self.kept = _kept.setdefault(self.key, []).pop()
        except IndexError:
            self.kept = self.make()
        return self

    def __exit__(self, error: Any, *rest: Any) -> None:
        if error is None and len(shelf := _kept.setdefault(self.key, [])) < KEEP:
            shelf.append(self.kept)


class Claims(_Borrowed):
    """An array of ``size`` numbers of calls, and the number of this call."""

    def __init__(self, size: int) -> None:
        self.size, self.key = size, (device.now, "claims", size)

    def make(self) -> Any:
        return [device.xp.zeros(self.size, np.int32), 0]

    def __enter__(self) -> Claims:
        super().__enter__()
        self.kept[1] += 1
        if self.kept[1] == LAST_CALL:
            self.kept[:] = self.make()[0], 1
        self.array, self.call = self.kept[0], np.int32(self.kept[1])
        return self


class Sums(_Borrowed):
    """An array of ``size`` identities of a monoid, in words of 32 or 64 bits; none for `any`."""

    def __init__(self, size: int, monoid: Any, is_any: bool, clear: Any) -> None:
        self.size, self.is_any, self.clear = size, is_any, clear
        wide = monoid.return_type.np_type.itemsize > 4
        self.word = np.uint64 if wide else np.uint32
        self.key = (device.now, monoid, size)
        self.array: Any = None

    def make(self) -> Any:
        array = device.xp.empty(self.size, self.word)
        self.clear(self.size, self.size, array)
        return array

    def __enter__(self) -> Sums:
        if not self.is_any:
            super().__enter__()
            self.array = self.kept
        return self

    def __exit__(self, error: Any, *rest: Any) -> None:
        if not self.is_any:
            super().__exit__(error, *rest)


def clear() -> None:
    """Give the memory of all workspaces back."""
    _kept.clear()
