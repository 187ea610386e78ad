"""Device arrays that are used again, so that a cached plan that runs again allocates nothing.

Every buffer has one owner at a time, and only its owner releases it:

- Arrays of lists come from the plan that makes the list (:class:`PlanBuffers`), so that the free
  ones go with the plan. A list owns its values and releases them when it is deleted. Lists can
  share their keys; these belong to a :class:`SharedArray`, which all of the lists refer to and
  which releases them when it is deleted. An array is therefore never handed out while a list has
  it. Code that launches a kernel refers to the list until the launch. Code that keeps an array
  longer than the list withdraws it from the pool first. ``Sparse.sorted_arrays``, through which
  all arrays of lists leave the engine, does so.
- A workspace (:class:`VisitedMarks`, :class:`Accumulators`) belongs to the operation that acquires
  it. The operation restores the content that the next one expects, and releases it. After an
  exception, which may leave any content, it is not released.
- Zeroed words are handed out once and never released: many are cleared by one call.

Buffers of one stream are handed out on that stream alone. Its kernels run in order, so the next
owner may write a buffer that a kernel of the one before has still to read. Free buffers are in
deques, whose ``append`` and ``pop`` are atomic: threads need no lock.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any
from weakref import WeakSet

import numpy as np

from graphla.cuda.runtime.device import device

LAST_CALL = np.iinfo(np.int32).max
ARRAYS_KEPT = 4  # free ones of a plan: keys, and values, on each stream
WORKSPACES_KEPT = 2  # free ones of each kind and size
ZEROED_AT_ONCE = 4096  # words

_pools: WeakSet[BufferPool] = WeakSet()
_workspaces: dict[Any, BufferPool] = {}
_zeroed: dict[Any, list[Any]] = {}
_constants: dict[Any, Any] = {}


class BufferPool:
    """Free buffers of one kind; of more than `kept` the oldest is dropped.

    Attributes
    ----------
    release : function
        Takes a buffer that its owner does not use any more.
    """

    __slots__ = ("__weakref__", "_free", "release")

    def __init__(self, kept: int = ARRAYS_KEPT) -> None:
        self._free: deque[Any] = deque(maxlen=kept)
        self.release: Callable[[Any], None] = self._free.append
        _pools.add(self)

    def __len__(self) -> int:
        return len(self._free)

    def take(self) -> Any:
        """Return a free buffer, or None."""
        try:
            return self._free.pop()
        except IndexError:
            return None

    def acquire(self, size: int, dtype: Any) -> Any:
        """Return an array of any content; a free one of another size is dropped."""
        try:
            array = self._free.pop()
        except IndexError:
            return device.active.xp.empty(size, dtype)
        return array if array.size == size else device.active.xp.empty(size, dtype)

    def clear(self) -> None:
        """Drop the free buffers."""
        self._free.clear()


class PlanBuffers(dict[Any, tuple[BufferPool, BufferPool]]):
    """The pools of a plan for the keys and for the values of its lists, by stream."""

    __slots__ = ()

    def __missing__(self, stream: Any) -> tuple[BufferPool, BufferPool]:
        return self.setdefault(stream, (BufferPool(), BufferPool()))


class SharedArray:
    """The owner of an array that several lists may have; `pool` is None once it is withdrawn."""

    __slots__ = ("array", "pool")

    def __init__(self, array: Any, pool: BufferPool | None) -> None:
        self.array, self.pool = array, pool

    def __del__(self) -> None:
        if (pool := self.pool) is not None:
            pool.release(self.array)


class VisitedMarks:
    """Marks of positions that one call has reached: those that equal the number `call`.

    A new number takes the place of clearing the array.
    """

    __slots__ = ("array", "call", "key")

    def __init__(self, key: Any, size: int) -> None:
        self.key, self.array, self.call = key, device.xp.zeros(size, np.int32), np.int32(0)


class Accumulators:
    """The identity of a monoid at each position, in words of 32 or 64 bits."""

    __slots__ = ("array", "key")

    def __init__(self, key: Any, size: int, monoid: Any, clear: Callable[..., None]) -> None:
        self.key, self.array = key, device.xp.empty(size, accumulator_dtype(monoid.return_type))
        clear(size, size, self.array)


def accumulator_dtype(dtype: Any) -> Any:
    """Return the dtype of the words in which values are accumulated (atomics.cuh)."""
    return np.uint64 if dtype.np_type.itemsize > 4 else np.uint32


def acquire_marks(size: int, stream: Any = None) -> VisitedMarks:
    """Return marks with the number of a new call; `stream` is the current one, if it is known."""
    key = (stream or device.active.stream_key, "marks", size)
    marks: VisitedMarks = _free_workspace(key) or VisitedMarks(key, size)
    if marks.call == LAST_CALL:
        marks = VisitedMarks(key, size)
    marks.call = np.int32(marks.call + 1)
    return marks


def acquire_accumulators(
    size: int, monoid: Any, clear: Callable[..., None], layout: str = ""
) -> Accumulators:
    """Return accumulators of a monoid, all of them its identity, which the kernel `clear` writes.

    Kernels with another `layout` of values in the words get others.
    """
    key = (device.active.stream_key, monoid, size, layout)
    return _free_workspace(key) or Accumulators(key, size, monoid, clear)


def release(workspace: VisitedMarks | Accumulators) -> None:
    """Release a workspace whose content is that of a new one."""
    pool = _workspaces.get(workspace.key)
    if pool is None:
        pool = _workspaces.setdefault(workspace.key, BufferPool(WORKSPACES_KEPT))
    pool.release(workspace)


def _free_workspace(key: Any) -> Any:
    pool = _workspaces.get(key)
    return None if pool is None else pool.take()


def partial_sums(size: int, dtype: Any, stream: Any) -> tuple[Any, Any]:
    """Return arrays for the partial sums of one kernel, and for whether each has any term.

    All kernels of a stream use the same two, as they run one after the other.
    """
    key = (stream, size, dtype)
    arrays = _constants.get(key)
    if arrays is None:
        xp = device.active.xp
        arrays = _constants.setdefault(key, (xp.empty(size, dtype), xp.empty(size, np.uint64)))
    return arrays[0], arrays[1]


def zeroed_words(stream: Any = None, size: int = 1) -> Any:
    """Return `size` words of 64 bits that are 0; so is the word behind them.

    `stream` is the current one, if it is known.
    """
    stream = stream or device.active.stream_key
    try:
        return _zeroed[stream, size].pop()
    except (KeyError, IndexError):  # none is free, or another thread took the last one
        free, stride = _zeroed.setdefault((stream, size), []), size + 1
        words = device.xp.zeros(ZEROED_AT_ONCE // size * stride, np.uint64)
        free += [words[k : k + size] for k in range(stride, words.size, stride)]
        return words[:size]


def empty_array(dtype: Any) -> Any:
    """Return the array of no elements that all lists without entries share."""
    key = (device.active.id, dtype)
    array = _constants.get(key)
    if array is None:
        array = _constants[key] = device.active.xp.empty(0, dtype)
    return array


def clear() -> None:
    """Drop all free buffers, those of living plans too."""
    for pool in list(_pools):
        pool.clear()
    for buffers in (_workspaces, _zeroed, _constants):
        buffers.clear()
