"""The size of the second-level cache of the CPU: kernels choose the size of a block by it."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

DIRECTORY = Path("/sys/devices/system/cpu")
UNKNOWN = 1 << 20  # bytes, where the system does not report the size


@cache
def level2_bytes() -> int:
    """Return the size of the second-level cache of a core that this process may use."""
    core = min(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 0
    for entry in (DIRECTORY / f"cpu{core}" / "cache").glob("index*"):
        try:
            level, kind, size = (
                (entry / name).read_text().strip() for name in ("level", "type", "size")
            )
        except OSError:
            continue
        if level == "2" and kind != "Instruction" and size.endswith("K"):
            return (int(size[:-1]) << 10) or UNKNOWN
    return UNKNOWN
