"""The text of a kernel: a ``.cu`` file after its definitions.

A kernel is ordinary CUDA C++ that uses types and operators (``Index``, ``Add``, ...) which differ
from call to call: their definitions are pasted in front. Headers (``#include "warp.cuh"``) are
pasted in their place, so that the whole text is the key of the cache on disk.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

KERNELS = Path(__file__).parents[1] / "kernels"
INCLUDE = re.compile(r'^#include "([\w.]+)"\n', re.MULTILINE)


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
