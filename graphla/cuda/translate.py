"""Stub."""

from typing import Any


def expression(op: Any, names: tuple[str, ...]) -> str: ...
