"""The CUDA engine: python-graphblas's objects on the device.

``Matrix``, ``Vector`` and ``Scalar`` have the methods of python-graphblas's and take its
operators. They live in device memory and never leave it by themselves: ``to_coo`` and
``to_dense`` return arrays of the device, :func:`to_graphblas` copies to the host.
"""

from __future__ import annotations

from graphla.cuda.exchange import from_graphblas, to_graphblas
from graphla.cuda.matrix import Matrix
from graphla.cuda.scalar import Scalar
from graphla.cuda.vector import Vector

__all__ = ["Matrix", "Scalar", "Vector", "from_graphblas", "to_graphblas"]
