"""Draw edges of the benchmark's list in device memory, by one kernel."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from graphla.cuda.operations.definitions import constants, typedefs
from graphla.cuda.runtime.device import device
from graphla.cuda.runtime.kernel import LazyKernel, kernel

FOLDER = Path(__file__).parent / "kernels"


@cache
def _kernel(label: Any, **streams: int) -> LazyKernel:
    definitions = typedefs(Label=label) + constants(**streams)
    return kernel("draw_edges", definitions, folder=FOLDER)


def draw_edges(
    low: int, high: int, scale: int, starts: Any, thresholds: Any, label: Any, *, weighted: bool,
    **streams: int,
) -> tuple[Any, Any, Any]:  # fmt: skip
    """Return the ends of the edges low..high-1 and their weights or None, as device arrays.

    Parameters
    ----------
    starts : device array of uint64
        Of each stream, the counter of number 0, which is hashed.
    thresholds : sequence of uint64
        Of the quadrants, in units of 2^-32: A, A + B and A + B + C.
    label : device array of int, shape (2^scale,)
        The new number of each vertex.
    **streams : int
        The numbers of the streams WEIGHTS and BITS.
    """
    xp, count = device.xp, high - low
    src, dst = xp.empty(count, label.dtype), xp.empty(count, label.dtype)
    weight = xp.empty(count, np.float32) if weighted else None
    run = _kernel(label.dtype, **streams)
    run(count, count, np.uint64(low), scale, starts, *thresholds, label, src, dst, weight)
    return src, dst, weight
