"""CuPy: graphs and matrices of engine "cuda" as its sparse matrices. (``Graph(S)`` takes them.)"""

from __future__ import annotations

from typing import Any

from graphla.core.engines import engine_of
from graphla.core.graph import Graph
from graphla.errors import DomainMismatch, EngineMismatch

DTYPES = ("BOOL", "FP32", "FP64")  # of CuPy's sparse matrices that a graph can have


def to_sparse(x: Any) -> Any:
    """Return a graph's adjacency matrix, or a result that is a matrix, as CuPy's sparse matrix.

    Parameters
    ----------
    x : Graph or Matrix, on engine "cuda"
        Of BOOL, FP32 or FP64, as CuPy has no sparse integers: ``G.astype(float)``.

    Returns
    -------
    cupyx.scipy.sparse.csr_matrix
        A copy on the device, rows sorted. Without weights its dtype is bool, all True.

    Raises
    ------
    EngineMismatch
        It is on another engine: ``G.to("cuda")``.
    DomainMismatch
        It has integers.
    """
    A = x.A if isinstance(x, Graph) else x
    if engine_of(A) != "cuda":
        raise EngineMismatch("a sparse matrix of CuPy is of engine 'cuda': G.to('cuda')")
    if A.dtype.name not in DTYPES:
        raise DomainMismatch(f"CuPy has no sparse matrices of {A.dtype.name}, only of {DTYPES}")
    return _csr_matrix()(arrays(A), shape=A.shape)


def arrays(A: Any) -> tuple[Any, Any, Any]:
    """Return values, column indices and row offsets of a Matrix, as arrays of their own."""
    from graphla.cuda.device_arrays import csr_of

    rows = csr_of(A)
    values = rows.values.repeat(A.nvals) if rows.iso else rows.values.copy()
    return values[: A.nvals], rows.indices.copy(), rows.indptr.copy()


def _csr_matrix() -> Any:
    from cupyx.scipy.sparse import csr_matrix

    return csr_matrix
