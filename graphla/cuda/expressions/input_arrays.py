"""Arrays from outside: NumPy's, CuPy's, and what speaks their protocols, such as PyTorch's."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.core.input_arrays import array
from graphla.cuda.expressions.arguments import on_device
from graphla.cuda.runtime.device import device

CPU = 1  # of DLPack's kinds of devices


def incoming(x: Any, name: str) -> Any:
    """Return `x` as an array of the device or the host, wherever it is, without a copy.

    Taken as it is where it has ``__cuda_array_interface__``, or ``__dlpack__`` on a device.

    Raises
    ------
    DomainMismatch
        It is no array, or has masked entries.
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


def sent(x: Any, dtype: Any, copy: bool) -> Any:
    """Return an array of the device, contiguous and of a dtype; the same one only if not `copy`."""
    xp = device.xp
    if device.is_array(x):
        return xp.ascontiguousarray(x.astype(dtype, copy=copy))
    return xp.asarray(np.ascontiguousarray(x, dtype))
