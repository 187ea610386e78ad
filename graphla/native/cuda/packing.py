"""Levels of 32 bits as the entries of a Vector."""

from __future__ import annotations

from typing import Any

from graphla.cuda import Vector
from graphla.cuda.storage.vector_formats import element
from graphla.native.cuda.bfs import dense
from graphla.native.cuda.runtime import kernel


def pack(level: Any, dtype: Any) -> Vector:
    """Return the levels that are not negative as entries of a dtype."""
    n, found = level.size, dense(level.size, dtype.np_type)
    text = f"typedef {element(dtype.np_type)} Level;\n"
    kernel("pack_levels", text)(n, n, level, found.values, found.bits)
    return Vector._of(found, dtype, n)
