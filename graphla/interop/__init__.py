"""Graphs from and to other libraries: one module each, the only one that imports its library."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import Any

MODULES = tuple(found.name for found in iter_modules(__path__) if found.name != "labels")


def __getattr__(name: str) -> Any:
    if name in MODULES:
        return import_module(f"graphla.interop.{name}")
    raise AttributeError(f"module 'graphla.interop' has no attribute {name!r}")
