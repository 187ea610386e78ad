"""The CUDA engine: python-graphblas's objects on the device.

``Matrix``, ``Vector`` and ``Scalar`` have the methods of python-graphblas's that algorithms are
written in, and take its operators; signs of arithmetic and comparison, aggregators, a Matrix
beside a Vector in one elementwise operation, ``outer``, ``power``, ``reposition``, ``setdiag`` and
updates of a Scalar they have not. They live in device memory and never leave it by themselves:
``to_coo`` and ``to_dense`` return arrays of the device, :func:`to_graphblas` copies to the host.
"""

from __future__ import annotations

from typing import Any

from graphla.cuda.costs import COSTS
from graphla.cuda.expressions.expression import Expression
from graphla.cuda.expressions.scalar import Scalar
from graphla.cuda.fused.traversal import plan
from graphla.cuda.memory.limits import clear_workspaces, memory, set_memory_limit
from graphla.cuda.objects.conversions import from_graphblas, from_sparse, to_graphblas
from graphla.cuda.objects.matrix import Matrix, TransposedMatrix
from graphla.cuda.objects.vector import Vector
from graphla.cuda.runtime.device import device
from graphla.execution.fusion import register_planner
from graphla.execution.push_pull import register_costs

register_costs("cuda", COSTS)
register_planner(Expression, plan)


def require() -> None:
    """Raise EngineUnavailable, with the cause, where there is no device to run on."""
    device.xp


def array_module() -> Any:
    """Return CuPy, of whose arrays the objects are made."""
    return device.xp


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
    "to_graphblas",
]
