"""Copies between the engines: explicit, and in both directions."""

from __future__ import annotations

from typing import Any

import graphblas
import numpy as np

from graphla.cuda import resolve
from graphla.cuda.csr import CSR
from graphla.cuda.device import device
from graphla.cuda.matrix import Matrix
from graphla.cuda.scalar import Scalar, typed
from graphla.cuda.storage import Sparse, index_dtype
from graphla.cuda.vector import Vector
from graphla.errors import DomainMismatch


def from_graphblas(x: Any) -> Any:
    """Copy an object of python-graphblas to the device.

    Parameters
    ----------
    x : graphblas.Matrix, graphblas.Vector or graphblas.Scalar

    Returns
    -------
    Matrix, Vector or Scalar

    Raises
    ------
    DomainMismatch
        It is something else, or of a dtype that the device has not.
    OutOfDeviceMemory
        It does not fit.
    """
    if isinstance(x, graphblas.Scalar):
        return Scalar(resolve.dtype(x.dtype), x.value)
    if isinstance(x, graphblas.Vector):
        v = Vector(x.dtype, x.size)
        keys, values = x.to_coo()
        with device.memory(keys.size * (8 + values.itemsize), f"a Vector of {keys.size:,} entries"):
            v._store = Sparse.of(_sent(keys.astype(index_dtype(x.size))), _sent(values))
        return v
    if not isinstance(x, graphblas.Matrix):
        raise DomainMismatch(f"{type(x).__name__} is no object of python-graphblas")
    iso = x.nvals > 0 and x.ss.is_iso
    found = x.ss.export("csr", sort=True)  # a copy, whose values have one element if iso
    indptr = found["indptr"].astype(index_dtype(x.nvals))
    indices = found["col_indices"].astype(index_dtype(x.ncols))
    values = np.atleast_1d(found["values"])[: 1 if iso else x.nvals]  # an iso one keeps its last
    A = Matrix(x.dtype, x.nrows, x.ncols)
    nbytes = indptr.nbytes + indices.nbytes + values.nbytes
    with device.memory(nbytes, f"a Matrix of {x.nvals:,} entries"):
        A._store = CSR(_sent(indptr), _sent(indices), _sent(values), x.ncols, iso)
    return A


def to_graphblas(x: Any) -> Any:
    """Copy an object of the device to python-graphblas's own in host memory.

    Parameters
    ----------
    x : Matrix, Vector or Scalar

    Returns
    -------
    graphblas.Matrix, graphblas.Vector or graphblas.Scalar
    """
    host = device.to_host
    if isinstance(x, Scalar):
        return graphblas.Scalar.from_value(None if x.value is None else typed(x), x.dtype)
    if isinstance(x, Vector):
        keys, values = map(host, x.to_coo())
        return graphblas.Vector.from_coo(keys, values, x.dtype, size=x.size)
    if not isinstance(x, Matrix):
        raise DomainMismatch(f"{type(x).__name__} is no object of graphla.cuda")
    A = x._csr()
    indptr, indices = host(A.indptr).astype(np.uint64), host(A.indices).astype(np.uint64)
    values = host(A.values)
    if A.iso and A.nvals:
        values = values[0].item()
        return graphblas.Matrix.from_csr(indptr, indices, values, x.dtype, ncols=x.ncols)
    return graphblas.Matrix.from_csr(indptr, indices, values, x.dtype, ncols=x.ncols)


def _sent(array: Any) -> Any:
    return device.xp.asarray(np.ascontiguousarray(array))
