"""How much device memory the engine may use, and giving it back.

Arrays come from CuPy's pool, which keeps what is freed for the next. A limit is one of that
pool, for the current device; other libraries that use CuPy share it.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import index

from graphla.cuda.memory import buffer_pool
from graphla.cuda.runtime.device import Memory, device
from graphla.errors import DomainMismatch, InvalidValue

_clear_cache: list[Callable[[], None]] = []


def memory() -> Memory:
    """Return the bytes of device memory: used by arrays, free, and the limit.

    Returns
    -------
    Memory
        A tuple (used, free, limit); the limit is None where there is none.

    Raises
    ------
    EngineUnavailable
        There is no device.

    Examples
    --------
    >>> from graphla import cuda
    >>> cuda.memory().free  # doctest: +SKIP
    149618032640
    """
    return device.usage()


def set_memory_limit(nbytes: int | None) -> None:
    """Let arrays on the current device take so many bytes at most.

    What exceeds it raises :class:`graphla.errors.OutOfDeviceMemory`, and changes nothing.

    Parameters
    ----------
    nbytes : int or None
        None takes the limit away.

    Raises
    ------
    InvalidValue
        It is not positive.
    DomainMismatch
        It is no integer.
    """
    if nbytes is not None:
        try:
            nbytes = index(nbytes)
        except TypeError:
            kind = type(nbytes).__name__
            raise DomainMismatch(f"a memory limit is an integer or None, not {kind}") from None
        if nbytes <= 0:
            raise InvalidValue(f"a memory limit of {nbytes} bytes is not positive")
    device.limit_memory(nbytes)


def register_cache(clear: Callable[[], None]) -> None:
    """Let :func:`clear_workspaces` call `clear`, which drops cached device arrays.

    Modules of higher layers register their caches here, so that this one imports none of them.
    """
    _clear_cache.append(clear)


def clear_workspaces() -> None:
    """Give back what operations keep for the next one, and what the pool holds unused.

    Operations on another thread must have ended.
    """
    buffer_pool.clear()
    for clear in _clear_cache:
        clear()
    device.pool_bytes(release=True)
