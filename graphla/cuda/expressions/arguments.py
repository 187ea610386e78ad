"""What an operation may be given: objects of this engine, or a refusal that names both sides."""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np

from graphla.errors import DomainMismatch, EngineMismatch, InvalidValue

REMEDY = "graphla.cuda.from_graphblas(x) copies an object to the device, G.to('cuda') a graph"


def on_device(operation: str, *objects: Any) -> None:
    """Refuse objects, masks and expressions of python-graphblas's; its scalars are values."""
    for x in objects:
        kind = type(x)
        if kind.__module__.startswith("graphblas.core") and (
            getattr(kind, "ndim", None) or hasattr(kind, "structure")
        ):
            raise EngineMismatch(
                f"{operation}: {kind.__name__} is on engine 'cpu', the rest on 'cuda'; {REMEDY}"
            )


def operand(operation: str, x: Any, ndim: int) -> Any:
    """Return a Vector (`ndim` 1) or a Matrix or its transpose (2); an expression is computed.

    Raises
    ------
    EngineMismatch
        It is an object of python-graphblas.
    DomainMismatch
        It is something else.
    """
    if hasattr(type(x), "_entries") and x.ndim == ndim:
        return x
    on_device(operation, x)
    if hasattr(type(x), "plans"):  # an expression
        x = x.new()
    if getattr(x, "ndim", None) != ndim or not hasattr(type(x), "_entries"):
        kind = "Vector" if ndim == 1 else "Matrix"
        raise DomainMismatch(
            f"{operation} takes a {kind} of graphla.cuda, not {type(x).__module__}."
            f"{type(x).__name__}"
        )
    return x


def integer(x: Any, name: str) -> int:
    """Return an int."""
    try:
        return index(x)
    except TypeError:
        raise DomainMismatch(f"{name} must be an integer, not {type(x).__name__}") from None


def extent(x: Any, name: str) -> int:
    """Return the length of a dimension."""
    found = integer(x, name)
    if found < 0:
        raise InvalidValue(f"{name}={found} is negative")
    return found


def filler(x: Any, np_type: Any, wanted: Any) -> tuple[Any, Any]:
    """Return the value that stands for no entry, and the type of an array that has it too."""
    fill = np.asarray(0 if x is None else getattr(x, "value", x))
    if fill.ndim or fill.dtype.kind not in "biuf":
        raise DomainMismatch(f"fill_value={x!r} is no real number")
    if x is not None and wanted is None:
        np_type = np.result_type(np_type, fill.dtype)
    return fill, np_type
