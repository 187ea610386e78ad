"""The engines: whose objects a graph is made of."""

from __future__ import annotations

import importlib
import sys
from importlib.util import find_spec
from typing import Any

from graphla.errors import EngineUnavailable

MODULES = {"cpu": "graphblas", "cuda": "graphla.cuda"}


def engine_of(A: Any) -> str:
    """Return the engine of a Matrix, or of its transpose."""
    cuda = sys.modules.get("graphla.cuda")
    return (
        "cuda"
        if cuda is not None and isinstance(A, (cuda.Matrix, cuda.TransposedMatrix))
        else "cpu"
    )


def available(engine: str) -> bool:
    """Whether an engine can run here."""
    if engine == "cuda" and "graphla.cuda" not in sys.modules and find_spec("cupy") is None:
        return False
    try:
        there = objects(engine)
        if engine == "cuda":
            there.require()
    except EngineUnavailable:
        return False
    return True


def objects(engine: str) -> Any:
    """Return the module with the Matrix, the Vector and the Scalar of an engine.

    Raises
    ------
    EngineUnavailable
        There is no such engine, or it cannot run here.
    """
    if engine not in MODULES:
        raise EngineUnavailable(f"engine {engine!r} is none of: {', '.join(MODULES)}")
    return importlib.import_module(MODULES[engine])


def moved(A: Any, engine: str) -> Any:
    """Copy a Matrix, or a Vector, to another engine.

    Raises
    ------
    EngineUnavailable
        There is no such engine, or it cannot run here.
    OutOfDeviceMemory
        It does not fit.
    """
    there = objects(engine)
    if engine == "cuda":
        there.require()
        return there.from_graphblas(A)
    return objects("cuda").to_graphblas(A)
