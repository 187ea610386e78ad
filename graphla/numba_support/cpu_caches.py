"""The sizes of the CPU's caches: kernels choose a method, or the size of a block, by them."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

DIRECTORY = Path("/sys/devices/system/cpu")
UNKNOWN = {2: 1 << 20, 3: 16 << 20}  # bytes by level, where the system does not tell


@cache
def level2_bytes() -> int:
    """Return the size of the second-level cache of one core."""
    return _sizes().get(2, UNKNOWN[2])


@cache
def last_level_bytes() -> int:
    """Return the size of the largest cache that one core reads through."""
    sizes = _sizes()
    return sizes[max(sizes)] if sizes else UNKNOWN[3]


def _sizes() -> dict[int, int]:
    """Return {level: bytes} of the data caches of a core that this process may use."""
    core = min(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 0
    sizes = {}
    for entry in (DIRECTORY / f"cpu{core}" / "cache").glob("index*"):
        try:
            level, kind, size = (
                (entry / name).read_text().strip() for name in ("level", "type", "size")
            )
        except OSError:
            continue
        if kind != "Instruction" and size.endswith("K"):
            sizes[int(level)] = int(size[:-1]) << 10
    return sizes
