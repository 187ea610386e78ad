"""The limit of the engine's device memory, and the release of its unused memory.

Arrays come from CuPy's memory pool, which keeps freed memory for later arrays. The limit is that of
the pool on the current device; other libraries that use CuPy share it.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import index

from graphla.cuda.memory import buffer_pool
from graphla.cuda.runtime.device import Memory, device
from graphla.errors import DomainMismatch, InvalidValue

_clear_cache: list[Callable[[], None]] = []


def memory() -> Memory:
    """Return the bytes of device memory that are used by arrays, free, and allowed.

    Returns
    -------
    Memory
        A tuple (used, free, limit); the limit is None if there is none.

    Raises
    ------
    EngineUnavailable
        There is no CUDA device.

    Examples
    --------
    >>> from graphla import cuda
    >>> cuda.memory().free  # doctest: +SKIP
    149618032640
    """
    return device.usage()


def set_memory_limit(nbytes: int | None) -> None:
    """Set the most bytes that arrays may take on the current device.

    An operation that needs more raises :class:`graphla.errors.OutOfDeviceMemory` and leaves its
    output unchanged.

    Parameters
    ----------
    nbytes : int or None
        None removes the limit.

    Raises
    ------
    InvalidValue
        It is not positive.
    DomainMismatch
        It is not an integer.
    """
    if nbytes is not None:
        try:
            nbytes = index(nbytes)
        except TypeError:
            kind = type(nbytes).__name__
            raise DomainMismatch(f"a memory limit must be an integer or None, not {kind}") from None
        if nbytes <= 0:
            raise InvalidValue(f"a memory limit must be positive, not {nbytes} bytes")
    device.limit_memory(nbytes)


def register_cache(clear: Callable[[], None]) -> None:
    """Let :func:`clear_workspaces` call `clear`, which drops cached device arrays.

    Modules of higher layers register their caches here, so that this one imports none of them.
    """
    _clear_cache.append(clear)


def clear_workspaces() -> None:
    """Release the buffers that operations reuse, and the unused memory of CuPy's pool.

    No operation may be running on another thread.
    """
    buffer_pool.clear()
    for clear in _clear_cache:
        clear()
    device.pool_bytes(release=True)
