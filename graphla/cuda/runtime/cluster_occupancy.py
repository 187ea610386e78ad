"""Clusters of blocks: whether a device runs those of a kernel, which its driver tells.

Some run none of more than PORTABLE blocks, and a part of a device may run none at all. CuPy does
not pass the question on.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from typing import Any

PORTABLE = 8  # blocks
WIDTH, NON_PORTABLE = 11, 14  # attributes of a kernel
INVALID_VALUE, INVALID_CLUSTER_SIZE = 1, 912  # CUDA_ERROR_...


class Config(ctypes.Structure):
    """A launch, as the driver is asked about it: ``CUlaunchConfig``."""

    _fields_ = (
        ("blocks", ctypes.c_uint * 3),
        ("block", ctypes.c_uint * 3),
        ("shared", ctypes.c_uint),
        ("stream", ctypes.c_void_p),
        ("attributes", ctypes.c_void_p),
        ("attribute_count", ctypes.c_uint),
    )


class Clusters:
    """Returns how many launches of (blocks, block, shared), one cluster each, run at once.

    None can be launched where it is 0. What else goes wrong is raised.

    Parameters
    ----------
    driver : module
        The driver, as CuPy has it.
    kernel : int
        A kernel whose text gives the size of its cluster; it may then have more than PORTABLE
        blocks where the device does not refuse that.
    question : function
        ``cuOccupancyMaxActiveClusters``, by default that of the driver's library.
    """

    __slots__ = ("allowed", "driver", "kernel", "question")

    def __init__(self, driver: Any, kernel: int, question: Callable[..., int] | None = None):
        self.driver, self.kernel, self.question = driver, kernel, question
        self.allowed = self._allow()

    def __call__(self, blocks: int, block: int, shared: int) -> int:
        if not self.allowed:
            return 0
        count, config = ctypes.c_int(), Config((blocks, 1, 1), (block, 1, 1), shared)
        ask = self.question or _question()
        status = ask(ctypes.byref(count), ctypes.c_void_p(self.kernel), ctypes.byref(config))
        if status == INVALID_CLUSTER_SIZE:
            return 0
        if status:
            raise self.driver.CUDADriverError(status)
        return count.value

    def _allow(self) -> bool:
        driver = self.driver
        if driver.funcGetAttribute(WIDTH, self.kernel) <= PORTABLE:
            return True
        try:
            driver.funcSetAttribute(self.kernel, NON_PORTABLE, 1)
        except driver.CUDADriverError as error:
            if error.status != INVALID_VALUE:
                raise
            return False
        return True


def _question() -> Callable[..., int]:
    library = ctypes.CDLL("nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1")
    question: Callable[..., int] = library.cuOccupancyMaxActiveClusters
    return question
