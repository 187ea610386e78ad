"""Conversion from and to other libraries. Each module imports its library only when called."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import Any

MODULES = tuple(module.name for module in iter_modules(__path__) if module.name != "labels")


def __getattr__(name: str) -> Any:
    if name in MODULES:
        return import_module(f"graphla.interop.{name}")
    raise AttributeError(f"module 'graphla.interop' has no attribute {name!r}")
