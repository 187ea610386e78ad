"""Arrays that a product needs for a moment, kept for the next: claims and sums of positions.

Both are left as they were found, so that no call has to clear them: a claim is the number of
the call that made it, and sums go back to the identity one by one. Who takes one has it alone
until it is given back by :func:`give`, for calls of the same stream; after an exception it is
dropped.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from graphla.cuda.runtime.device import device

LAST_CALL = np.iinfo(np.int32).max
KEEP = 2  # of each kind and size

_kept: dict[Any, list[Any]] = {}


class Claims:
    """An array of ``size`` numbers of calls, and the number of this call."""

    __slots__ = ("array", "call", "key")

    def __init__(self, key: Any, size: int) -> None:
        self.key, self.array, self.call = key, device.xp.zeros(size, np.int32), np.int32(0)


class Sums:
    """An array of ``size`` identities of a monoid, in words of 32 or 64 bits."""

    __slots__ = ("array", "key")

    def __init__(self, key: Any, size: int, monoid: Any, clear: Callable[..., None]) -> None:
        self.key, self.array = key, device.xp.empty(size, word(monoid.return_type))
        clear(size, size, self.array)


def word(dtype: Any) -> Any:
    """Return the type of a word that holds a value (atomics.cuh)."""
    return np.uint64 if dtype.np_type.itemsize > 4 else np.uint32


def claims(size: int, stream: Any = None) -> Claims:
    """Take claims, with the number of a new call; `stream`, if it is known, is the current one."""
    key = (stream or device.now.stream, "claims", size)
    found: Claims = _take(key) or Claims(key, size)
    if found.call == LAST_CALL:
        found = Claims(key, size)
    found.call = np.int32(found.call + 1)
    return found


def sums(size: int, monoid: Any, clear: Callable[..., None], form: str = "") -> Sums:
    """Take sums, all of them the monoid's identity; `clear` is the kernel that makes them so.

    Those of another `form` hold something else in their words.
    """
    key = (device.now.stream, monoid, size, form)
    return _take(key) or Sums(key, size, monoid, clear)


def partial(size: int, dtype: Any, stream: Any) -> tuple[Any, Any]:
    """Return room for partial sums and for whether there are any, which one kernel needs alone.

    It is there once for all kernels of a stream, since they run one after the other.
    """
    key = (stream, "partial", size, dtype)
    found = _kept.get(key)
    if found is None:
        xp = device.now.xp
        found = _kept.setdefault(key, [xp.empty(size, dtype), xp.empty(size, np.uint64)])
    return found[0], found[1]


def give(workspace: Any) -> None:
    """Give a workspace back, as it was found."""
    shelf = _kept.setdefault(workspace.key, [])
    if len(shelf) < KEEP:
        shelf.append(workspace)


def _take(key: Any) -> Any:
    try:
        return _kept[key].pop()
    except (KeyError, IndexError):
        return None


def clear() -> None:
    """Give the memory of all workspaces back."""
    _kept.clear()
