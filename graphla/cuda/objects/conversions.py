"""Conversions: python-graphblas's objects in both directions, and SciPy's and CuPy's matrices."""

from __future__ import annotations

from typing import Any

import graphblas
import numpy as np

from graphla.core.validation import real_dtype
from graphla.cuda.expressions.scalar import Scalar, typed
from graphla.cuda.expressions.statement import translate_out_of_memory
from graphla.cuda.objects.base import Collection
from graphla.cuda.objects.matrix import Matrix, TransposedMatrix
from graphla.cuda.objects.vector import Vector
from graphla.cuda.operations import build
from graphla.cuda.runtime.device import device
from graphla.cuda.storage.csr import CSR
from graphla.cuda.storage.vector_formats import Sparse, kernel_index_dtype
from graphla.errors import DomainMismatch, InvalidValue


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
        It is of another type, or of a dtype that the engine does not support.
    OutOfDeviceMemory
        It does not fit.
    """
    if isinstance(x, graphblas.Scalar):
        return Scalar(real_dtype(x.dtype), x.value)
    if isinstance(x, graphblas.Vector):
        v = Vector(x.dtype, x.size)
        keys, values = x.to_coo()
        with device.allocation(
            keys.size * (8 + values.itemsize), f"a Vector of {keys.size:,} entries"
        ):
            v._store = Sparse.of(
                _to_device(keys.astype(kernel_index_dtype(x.size))), _to_device(values)
            )
        return v
    if not isinstance(x, graphblas.Matrix):
        raise DomainMismatch(f"{type(x).__name__} is not an object of python-graphblas")
    iso = x.nvals > 0 and x.ss.is_iso
    exported = x.ss.export("csr", sort=True)  # a copy, whose values have one element if iso
    indptr = exported["indptr"].astype(kernel_index_dtype(x.nvals))
    indices = exported["col_indices"].astype(kernel_index_dtype(x.ncols))
    values = np.atleast_1d(exported["values"])[: 1 if iso else x.nvals]  # an iso one keeps its last
    A = Matrix(x.dtype, x.nrows, x.ncols)
    nbytes = indptr.nbytes + indices.nbytes + values.nbytes
    with device.allocation(nbytes, f"a Matrix of {x.nvals:,} entries"):
        A._store = CSR(_to_device(indptr), _to_device(indices), _to_device(values), x.ncols, iso)
    return A


@translate_out_of_memory
def to_graphblas(x: Any) -> Any:
    """Copy an object of the device to python-graphblas's own in host memory.

    Parameters
    ----------
    x : Matrix, Vector or Scalar

    Returns
    -------
    graphblas.Matrix, graphblas.Vector or graphblas.Scalar

    Raises
    ------
    DomainMismatch
        It is of another type.
    OutOfDeviceMemory
        Its entries are converted on the device first, and do not fit there twice.
    """
    host = device.to_host
    if isinstance(x, Scalar):
        return graphblas.Scalar.from_value(None if x.value is None else typed(x), x.dtype)
    if isinstance(x, Vector):
        keys, values = map(host, x.to_coo())
        return graphblas.Vector.from_coo(keys, values, x.dtype, size=x.size)
    if isinstance(x, TransposedMatrix):
        x = x.new()
    if not isinstance(x, Matrix):
        raise DomainMismatch(f"{type(x).__name__} is not an object of graphla.cuda")
    A = x._csr()
    indptr, indices = host(A.indptr).astype(np.uint64), host(A.indices).astype(np.uint64)
    values = host(A.values)
    if A.iso and A.nvals:
        values = values[0].item()
        return graphblas.Matrix.from_csr(indptr, indices, values, x.dtype, ncols=x.ncols)
    return graphblas.Matrix.from_csr(indptr, indices, values, x.dtype, ncols=x.ncols)


def from_sparse(S: Any, *, copy: bool = True) -> Any:
    """Make a Matrix of a sparse matrix of SciPy, or of CuPy (``cupyx.scipy.sparse``).

    Parameters
    ----------
    S : sparse matrix or array, nrows x ncols
        CSR and CSC keep their structure, stored zeros too, sorted within rows if they are
        not; COO is sorted; other formats are converted by their ``tocsr``.
    copy : bool, default True
        False keeps the arrays of a CSR or CSC matrix on the device by reference if they
        are sorted and of the dtypes that the Matrix takes (indices int32 up to 2^31 - 4097
        columns, uint32 up to 2^32 - 4097, offsets too up to as many entries); the caller must
        not change them.

    Returns
    -------
    Matrix

    Raises
    ------
    DomainMismatch
        It is not a sparse matrix, or not of a real dtype.
    InvalidIndex
        An index is out of range.
    InvalidValue
        An entry occurs twice, or `indptr` does not ascend.
    OutOfDeviceMemory
        It does not fit.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> from graphla import cuda
    >>> cuda.from_sparse(csr_array([[0, 2.5]]))  # doctest: +SKIP
    <Matrix: FP64, 1 x 2, 1 entries, cuda>
    """
    if not (hasattr(S, "format") and hasattr(S, "tocsr") and len(S.shape) == 2):
        raise DomainMismatch(f"{type(S).__name__} is not a sparse matrix of SciPy or CuPy")
    if S.format not in ("csr", "csc", "coo"):
        S = S.tocsr()
    nrows, ncols = map(int, S.shape)
    with device.allocation(2 * S.data.nbytes, f"a Matrix of {S.nnz:,} entries"):
        if S.format == "coo":
            return Matrix.from_coo(S.row, S.col, S.data, nrows=nrows, ncols=ncols)
        if S.format == "csc":
            nrows, ncols = ncols, nrows
        if S.indptr.size != nrows + 1:
            raise InvalidValue(f"indptr has {S.indptr.size:,} elements for {nrows:,} rows")
        nvals = int(S.indptr[-1])
        parts = S.indptr, S.indices[:nvals], S.data[:nvals]
        A = build.from_csr(Matrix, *parts, None, ncols, None, copy=copy)
        return A if S.format == "csr" else Matrix._of(A._csr().transposed(), A.dtype, ncols, nrows)


def _to_device(array: Any) -> Any:
    return device.xp.asarray(np.ascontiguousarray(array))


def _reduce(self: Any) -> Any:
    """Pickle an object of the device, of a subclass too, through host memory."""
    return from_graphblas, (to_graphblas(self),)


Collection.__reduce__ = _reduce  # type: ignore[method-assign]
