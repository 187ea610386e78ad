"""Kernels: definitions in front of a ``.cu`` file's text, compiled on first use and kept.

A kernel is ordinary CUDA C++ that speaks of types and operators (``Semiring``,
``Index``, ...) which a call decides: their definitions are pasted in front. Headers
(``#include "warp.cuh"``) are pasted too, so that the cache on disk, which
looks at the text alone, sees all that a kernel depends on.
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
from graphla.cuda.runtime.host_result import never_launched

KERNELS = Path(__file__).parents[1] / "kernels"
INCLUDE = re.compile(r'^#include "([\w.]+)"\n', re.MULTILINE)

Kernel = Callable[..., None]


@cache
def files(folder: Path) -> dict[str, Path]:
    """Return the kernels and headers below a folder by their names, which are unique there."""
    return {path.name: path for path in sorted(folder.rglob("*.cu*"))}


@cache
def text(file: str, folder: Path = KERNELS) -> str:
    """Return a file below a folder of kernels, or the engine's of that name."""
    path = files(folder).get(file) or files(KERNELS)[file]
    return path.read_text(encoding="utf-8")


def paste(body: str, seen: set[str], folder: Path = KERNELS) -> str:
    """Replace each include by the text of the header, the first time it is met."""

    def header(match: re.Match[str]) -> str:
        name = match[1]
        if name in seen:
            return ""
        seen.add(name)
        return paste(text(name, folder), seen, folder)

    return INCLUDE.sub(header, body)


@cache
def source(file: str, definitions: str = "", folder: Path = KERNELS) -> str:
    """Return the whole text that is compiled: basic types, definitions, kernel."""
    seen = {"types.cuh"}
    head = paste(text("types.cuh"), seen)
    given = paste(definitions, seen)
    return head + given + paste(text(f"{file}.cu", folder), seen, folder)


class Launch:
    """A kernel with its definitions, compiled for each device on its first launch there."""

    def __init__(self, name: str, text: str, cooperative: bool) -> None:
        self.name, self.text, self.cooperative = name, text, cooperative
        self.compiled: dict[Any, Any] = {}

    def __call__(self, threads: int, *args: Any, block: int = BLOCK, shared: int = 0) -> None:
        run = self.compiled.get(device.active.id) or self.compile()
        try:
            run(threads, block, shared, args)
        except Exception:
            never_launched(args)
            raise
        if (names := launched.get()) is not None:
            names.append(self.name)

    def sweep(
        self, count: int, threads: int, *args: Any, block: int = BLOCK, shared: int = 0
    ) -> None:
        """Call it for each number below `count`, in order, and perhaps for some after them.

        Two more arguments come at the end, ``const i64* first, i64 k``; the number is k plus,
        unless it is a null pointer, what `first` points to.
        """
        run = self.compiled.get(device.active.id) or self.compile()
        device.sweep(run, count, threads, block, shared, args)
        if (names := launched.get()) is not None:
            names.extend([self.name] * count)

    def clusters(self, threads: int, *, block: int, shared: int) -> int:
        """Return how many such launches, each of one cluster of blocks, the device runs at once.

        Where it is 0 it runs none.
        """
        run = self.compiled.get(device.active.id) or self.compile()
        return int(device.clusters(run, threads, block, shared))

    def compile(self) -> Any:
        """Compile the kernel for the device in use, once."""
        with _compiling:
            here = device.active.id
            if here not in self.compiled:
                run = device.compile(self.text, self.name, self.cooperative)
                self.compiled[here] = run
            return self.compiled[here]


launched: ContextVar[list[str] | None] = ContextVar("launched", default=None)  # for traces
_compiling = threading.Lock()
_kernels: dict[tuple[Any, ...], Launch] = {}


def kernel(
    file: str,
    definitions: str = "",
    name: str | None = None,
    *,
    cooperative: bool = False,
    folder: Path = KERNELS,
) -> Launch:
    """Return the kernel `name` (by default that of the file) with its definitions pasted in.

    It is called as ``kernel(threads, *args)``: arrays, NumPy scalars, ints (as long long)
    and None (a null pointer). As every kernel strides over its work, any number of threads
    is right; `threads` says how many could be busy, ``block`` how many share `shared` bytes.
    `cooperative`: its threads, all of which run at once, may wait for each other. `folder`: where
    the file lies, and headers that are not the engine's.
    """
    key = (file, definitions, name, folder)
    found = _kernels.get(key)
    if found is None:
        made = Launch(name or file, source(file, definitions, folder), cooperative)
        found = _kernels.setdefault(key, made)
    return found
