"""Arrays as arguments: NumPy's, CuPy's, and of libraries with their protocols, such as PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.core.input_arrays import array
from graphla.cuda.expressions.arguments import on_device
from graphla.cuda.runtime.device import device

CPU = 1  # DLPack's device type kDLCPU


def as_array(x: Any, name: str) -> Any:
    """Return `x` as an array, on the device or the host as it is, without a copy.

    It stays on the device if it has ``__cuda_array_interface__``, or ``__dlpack__`` of a device.

    Raises
    ------
    DomainMismatch
        `x` is not an array, or has masked entries.
    """
    if device.is_array(x) and not isinstance(x, np.ndarray):
        return x
    if hasattr(x, "__cuda_array_interface__"):
        return device.xp.asarray(x)
    if hasattr(x, "__dlpack_device__") and x.__dlpack_device__()[0] != CPU:
        return device.xp.from_dlpack(x)
    on_device(name, x)
    found = array(getattr(x, "value", x), name)
    return found.astype(found.dtype.newbyteorder("="), copy=False)


def to_device(x: Any, dtype: Any, copy: bool) -> Any:
    """Return a contiguous array of the device of a dtype; `x` itself only if not `copy`."""
    xp = device.xp
    if device.is_array(x):
        return xp.ascontiguousarray(x.astype(dtype, copy=copy))
    return xp.asarray(np.ascontiguousarray(x, dtype))
