"""Graphs from and to other libraries: one module each, the only one that imports its library."""

from __future__ import annotations

from importlib import import_module
from typing import Any

MODULES = ("arrow", "cupy", "igraph", "pandas", "polars", "scipy", "torch")


def __getattr__(name: str) -> Any:
    if name in MODULES:
        return import_module(f"graphla.interop.{name}")
    raise AttributeError(f"module 'graphla.interop' has no attribute {name!r}")
