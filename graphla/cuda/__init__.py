"""The CUDA engine: Matrix, Vector and Scalar of python-graphblas in device memory.

They have python-graphblas's methods and signs for real dtypes, and take its operators and
aggregators; ``docs/python-graphblas.md`` lists every name, and what is refused. Nothing is copied
to the host implicitly: ``to_coo`` and ``to_dense`` return arrays of the device,
:func:`to_graphblas` copies to the host.
"""

from __future__ import annotations

from typing import Any

from graphla.cuda.costs import COSTS
from graphla.cuda.expressions.scalar import Scalar
from graphla.cuda.expressions.statement import Expression, out_of_device_memory
from graphla.cuda.fused.traversal import plan
from graphla.cuda.memory.limits import clear_workspaces, memory, set_memory_limit
from graphla.cuda.objects.conversions import from_graphblas, from_sparse, to_graphblas
from graphla.cuda.objects.matrix import Matrix, TransposedMatrix
from graphla.cuda.objects.suitesparse import ss
from graphla.cuda.objects.vector import Vector
from graphla.cuda.runtime.device import device
from graphla.errors import OutOfDeviceMemory
from graphla.execution.hints import register_planner
from graphla.execution.push_pull import register_costs

register_costs("cuda", COSTS)
register_planner(Expression, plan)


def require() -> None:
    """Raise EngineUnavailable, with the cause, if there is no usable device."""
    device.xp


def array_module() -> Any:
    """Return CuPy, of whose arrays the objects are made."""
    return device.xp


def allocation_error(error: MemoryError, what: str) -> OutOfDeviceMemory | None:
    """Return CuPy's error of allocation, raised by `what`, as graphla's; None for other errors."""
    if not isinstance(error, device.out_of_memory):
        return None
    return out_of_device_memory(error, what)


__all__ = [
    "Matrix",
    "Scalar",
    "TransposedMatrix",
    "Vector",
    "clear_workspaces",
    "from_graphblas",
    "from_sparse",
    "memory",
    "require",
    "set_memory_limit",
    "ss",
    "to_graphblas",
]
