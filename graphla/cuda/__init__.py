"""The CUDA engine: python-graphblas's objects on the device.

``Matrix``, ``Vector`` and ``Scalar`` have the methods of python-graphblas's and take its
operators. They live in device memory and never leave it by themselves: ``to_coo`` and
``to_dense`` return arrays of the device, :func:`to_graphblas` copies to the host.
"""

from __future__ import annotations

from graphla.cuda.device import device
from graphla.cuda.exchange import from_graphblas, to_graphblas
from graphla.cuda.matrix import Matrix, TransposedMatrix
from graphla.cuda.scalar import Scalar
from graphla.cuda.vector import Vector


def require() -> None:
    """Raise EngineUnavailable, with the cause, where there is no device to run on."""
    device.xp


__all__ = [
    "Matrix",
    "Scalar",
    "TransposedMatrix",
    "Vector",
    "from_graphblas",
    "require",
    "to_graphblas",
]
