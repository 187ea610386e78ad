"""Kernels: the text of a ``.cu`` file after its definitions, compiled at the first launch.

A kernel is ordinary CUDA C++ that uses types and operators (``Index``, ``Add``, ...) which differ
from call to call: their definitions are pasted in front. Headers (``#include "warp.cuh"``) are
pasted in their place, so that the whole text is the key of the cache on disk.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Any

from graphla.cuda.runtime.device import BLOCK, device
from graphla.cuda.runtime.host_result import cancel

KERNELS = Path(__file__).parents[1] / "kernels"
INCLUDE = re.compile(r'^#include "([\w.]+)"\n', re.MULTILINE)

Kernel = Callable[..., None]


@cache
def files(folder: Path) -> dict[str, Path]:
    """Return the kernels and headers below a folder by their names, which are unique there."""
    return {path.name: path for path in sorted(folder.rglob("*.cu*"))}


@cache
def text(file: str, folder: Path = KERNELS) -> str:
    """Return the text of a file below a folder of kernels, or of the engine's of that name."""
    path = files(folder).get(file) or files(KERNELS)[file]
    return path.read_text(encoding="utf-8")


def paste(body: str, seen: set[str], folder: Path = KERNELS) -> str:
    """Replace each include by the text of the header, or by nothing if it is in `seen`."""

    def header(match: re.Match[str]) -> str:
        name = match[1]
        if name in seen:
            return ""
        seen.add(name)
        return paste(text(name, folder), seen, folder)

    return INCLUDE.sub(header, body)


@cache
def source(file: str, definitions: str = "", folder: Path = KERNELS) -> str:
    """Return the text that is compiled: basic types, definitions, kernel."""
    seen = {"types.cuh"}
    types = paste(text("types.cuh"), seen)
    given = paste(definitions, seen)
    return types + given + paste(text(f"{file}.cu", folder), seen, folder)


class LazyKernel:
    """A kernel with its definitions, compiled for each device at its first launch there."""

    def __init__(self, name: str, text: str, cooperative: bool) -> None:
        self.name, self.text, self.cooperative = name, text, cooperative
        self.compiled: dict[Any, Any] = {}

    def __call__(self, threads: int, *args: Any, block: int = BLOCK, shared: int = 0) -> None:
        run = self.compiled.get(device.active.id) or self.compile()
        try:
            run(threads, block, shared, args)
        except Exception:
            cancel(args)
            raise
        if (names := launched.get()) is not None:
            names.append(self.name)

    def launch_sequence(
        self, count: int, threads: int, *args: Any, block: int = BLOCK, shared: int = 0
    ) -> None:
        """Launch the kernel for each number below `count`, in order, and perhaps for some beyond.

        The kernel takes two more arguments, ``const i64* first, i64 k``: the number is ``k``, plus
        ``*first`` unless that is a null pointer.
        """
        run = self.compiled.get(device.active.id) or self.compile()
        device.launch_sequence(run, count, threads, block, shared, args)
        if (names := launched.get()) is not None:
            names.extend([self.name] * count)

    def max_active_clusters(self, threads: int, *, block: int, shared: int) -> int:
        """Return how many launches, each of one thread block cluster, run at once; 0 if none can.

        The kernel's text gives the size of its cluster.
        """
        run = self.compiled.get(device.active.id) or self.compile()
        return int(device.max_active_clusters(run, threads, block, shared))

    def compile(self) -> Any:
        """Return the kernel compiled for the current device."""
        with _compile_lock:
            device_id = device.active.id
            if device_id not in self.compiled:
                run = device.compile(self.text, self.name, self.cooperative)
                self.compiled[device_id] = run
            return self.compiled[device_id]


launched: ContextVar[list[str] | None] = ContextVar("launched", default=None)  # names, for traces
_compile_lock = threading.Lock()
_kernels: dict[tuple[Any, ...], LazyKernel] = {}


def kernel(
    file: str,
    definitions: str = "",
    name: str | None = None,
    *,
    cooperative: bool = False,
    folder: Path = KERNELS,
) -> LazyKernel:
    """Return the kernel `name` of a file, by default that of the file's name.

    It is called as ``kernel(threads, *args)`` with arrays, NumPy scalars, ints (as long long) and
    None (a null pointer). `threads` is the number that have work: the grid is limited to the blocks
    that can be resident, and every kernel strides over its work. ``block`` is the number of threads
    of a block, ``shared`` its bytes of dynamic shared memory.

    Parameters
    ----------
    file : str
        Name without ``.cu``.
    definitions : str, optional
        Pasted in front.
    cooperative : bool, optional
        All threads are resident, so that they can synchronise with each other.
    folder : Path, optional
        The folder of the file, and of headers that are not the engine's.
    """
    key = (file, definitions, name, folder)
    cached = _kernels.get(key)
    if cached is None:
        lazy = LazyKernel(name or file, source(file, definitions, folder), cooperative)
        cached = _kernels.setdefault(key, lazy)
    return cached
