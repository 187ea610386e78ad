"""Conversion from and to other libraries. Each module imports its library only when called."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from graphla.suggestions import unknown_name

MODULES = tuple(module.name for module in iter_modules(__path__) if module.name != "labels")


def __getattr__(name: str) -> Any:
    if name in MODULES:
        return import_module(f"graphla.interop.{name}")
    raise unknown_name(__name__, name, MODULES)
