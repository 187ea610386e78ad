"""CuPy: graphs and matrices of engine "cuda" to CuPy sparse matrices.

``Graph(S)`` converts in the opposite direction.
"""

from __future__ import annotations

from typing import Any

from graphla.core.engines import engine_of
from graphla.core.graph import Graph
from graphla.errors import DomainMismatch, EngineMismatch

DTYPES = ("BOOL", "FP32", "FP64")  # dtypes that both a Graph and a CuPy sparse matrix can have


def to_sparse(x: Any) -> Any:
    """Return a graph's adjacency matrix, or a Matrix, as a CuPy sparse matrix.

    Parameters
    ----------
    x : Graph or Matrix, on engine "cuda"
        Of dtype BOOL, FP32 or FP64: CuPy has no sparse integer matrices. Convert integers with
        ``G.astype(float)``.

    Returns
    -------
    cupyx.scipy.sparse.csr_matrix
        A copy on the device with sorted rows. An unweighted graph has dtype bool and all
        entries True.

    Raises
    ------
    EngineMismatch
        `x` is on another engine; copy it with ``G.to("cuda")``.
    DomainMismatch
        `x` has an integer dtype.
    """
    A = x.A if isinstance(x, Graph) else x
    if engine_of(A) != "cuda":
        raise EngineMismatch("CuPy sparse matrices need engine 'cuda': convert with G.to('cuda')")
    if A.dtype.name not in DTYPES:
        raise DomainMismatch(f"CuPy has no sparse {A.dtype.name} matrices, only {DTYPES}")
    return _csr_matrix()(arrays(A), shape=A.shape)


def arrays(A: Any) -> tuple[Any, Any, Any]:
    """Return copies of the values, column indices and row offsets of a Matrix."""
    from graphla.cuda.device_arrays import csr_of

    rows = csr_of(A)
    values = rows.values.repeat(A.nvals) if rows.iso else rows.values.copy()
    return values[: A.nvals], rows.indices.copy(), rows.indptr.copy()


def _csr_matrix() -> Any:
    from cupyx.scipy.sparse import csr_matrix

    return csr_matrix
