"""Hand-written kernels of engine "cuda"; ``bfs_variants``: the textbook's searches by name."""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    if name == "bfs_variants":
        from graphla.native.cuda.variants import bfs_variants

        return bfs_variants
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
