"""How much memory is available, and the refusal of a result that would not fit."""

from __future__ import annotations

import os
from operator import index
from pathlib import Path

from graphla.core.engines import objects
from graphla.errors import DomainMismatch, InvalidValue, OutOfDeviceMemory, OutOfMemory

MEMINFO = Path("/proc/meminfo")
CGROUP = Path("/sys/fs/cgroup")


def available(engine: str = "cpu") -> int:
    """Bytes that this process can still allocate for an engine, without swapping."""
    if engine == "cuda":
        return int(objects(engine).memory().free)
    if engine == "ranks":
        return int(objects(engine).available())
    return min(_of_machine(), _of_cgroup())


def budget(max_bytes: int | None = None, engine: str = "cpu") -> int:
    """Return how many bytes one result may take: `max_bytes`, or half of the available memory."""
    if max_bytes is None:
        return available(engine) // 2
    try:
        allowed = index(max_bytes)
    except TypeError:
        kind = type(max_bytes).__name__
        raise DomainMismatch(f"max_bytes must be an integer, not {kind}") from None
    if allowed < 0:
        raise InvalidValue(f"max_bytes={allowed} is negative")
    return allowed


def require(nbytes: int, allowed: int, what: str, engine: str = "cpu") -> None:
    """Refuse `what`, which takes `nbytes`, if that is more than allowed."""
    if nbytes > allowed and engine == "cuda":
        raise OutOfDeviceMemory(what, needed=nbytes, free=allowed)
    if nbytes > allowed:
        raise OutOfMemory(
            f"{what}, takes about {nbytes:,} bytes; {allowed:,} can be used "
            "(max_bytes= sets another limit)"
        )


def as_device_error(error: MemoryError, engine: str, what: str) -> OutOfMemory | None:
    """Return a failed allocation on a device as an error of graphla; None for other errors.

    Operations of the engine do this themselves. Functions that compute with arrays do it here.
    """
    if engine != "cuda" or isinstance(error, OutOfMemory):
        return None
    found: OutOfMemory | None = objects(engine).allocation_error(error, what)
    return found


def _of_machine() -> int:
    if MEMINFO.exists():  # Linux
        for line in MEMINFO.read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2


def _of_cgroup() -> int:
    """Return what the control group (version 2) leaves; without one, what the machine has."""
    try:
        limit = int((CGROUP / "memory.max").read_text())
        used = int((CGROUP / "memory.current").read_text())
        return max(0, limit - used + _cached_files())
    except (OSError, ValueError):  # no control group, or "max": no limit
        return _of_machine()


def _cached_files() -> int:
    """Return the bytes of cached files, which the control group frees when memory is needed."""
    try:
        lines = (CGROUP / "memory.stat").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) for line in lines if line.startswith("inactive_file "))
