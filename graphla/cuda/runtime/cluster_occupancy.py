"""How many thread block clusters of a kernel the device runs at once, by the driver's answer.

Some devices run no cluster of more than PORTABLE blocks, and a part of a device may run none
at all. CuPy does not wrap ``cuOccupancyMaxActiveClusters``.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from typing import Any

PORTABLE = 8  # blocks of a cluster that every device with clusters runs
CLUSTER_WIDTH, NON_PORTABLE = 11, 14  # CU_FUNC_ATTRIBUTE_...: required width, non-portable allowed
INVALID_VALUE, INVALID_CLUSTER_SIZE = 1, 912  # CUDA_ERROR_...


class LaunchConfig(ctypes.Structure):
    """``CUlaunchConfig``, without attributes."""

    _fields_ = (
        ("blocks", ctypes.c_uint * 3),
        ("block", ctypes.c_uint * 3),
        ("shared", ctypes.c_uint),
        ("stream", ctypes.c_void_p),
        ("attributes", ctypes.c_void_p),
        ("attribute_count", ctypes.c_uint),
    )


class MaxActiveClusters:
    """Returns how many clusters of (blocks, block, shared) run at once, 0 if none can be launched.

    All other errors of the driver propagate.

    Parameters
    ----------
    driver : module
        CuPy's.
    kernel : int
        A kernel whose text gives the width of its cluster. More than PORTABLE blocks are allowed
        here if the device can have them.
    query : function
        ``cuOccupancyMaxActiveClusters``; by default that of the driver's library.
    """

    __slots__ = ("driver", "is_allowed", "kernel", "query")

    def __init__(self, driver: Any, kernel: int, query: Callable[..., int] | None = None):
        self.driver, self.kernel, self.query = driver, kernel, query
        self.is_allowed = self._allow_width()

    def __call__(self, blocks: int, block: int, shared: int) -> int:
        if not self.is_allowed:
            return 0
        count, config = ctypes.c_int(), LaunchConfig((blocks, 1, 1), (block, 1, 1), shared)
        query = self.query or _driver_query()
        status = query(ctypes.byref(count), ctypes.c_void_p(self.kernel), ctypes.byref(config))
        if status == INVALID_CLUSTER_SIZE:
            return 0
        if status:
            raise self.driver.CUDADriverError(status)
        return count.value

    def _allow_width(self) -> bool:
        """Allow the kernel its width; return whether the device can have it."""
        driver = self.driver
        if driver.funcGetAttribute(CLUSTER_WIDTH, self.kernel) <= PORTABLE:
            return True
        try:
            driver.funcSetAttribute(self.kernel, NON_PORTABLE, 1)
        except driver.CUDADriverError as error:
            if error.status != INVALID_VALUE:
                raise
            return False
        return True


def _driver_query() -> Callable[..., int]:
    library = ctypes.CDLL("nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1")
    query: Callable[..., int] = library.cuOccupancyMaxActiveClusters
    return query
