"""Any matrix to an adjacency matrix: from python-graphblas, SciPy, CuPy and dense arrays."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from graphblas import Matrix, unary
from graphblas.core.matrix import TransposedMatrix
from graphblas.dtypes import BOOL

from graphla.core.edge_list import assemble, own_csr
from graphla.core.engines import engine_of, objects
from graphla.core.input_arrays import array, copied, increases_within_rows, real, top_vertex
from graphla.core.validation import check_dtype, full_name
from graphla.errors import DimensionMismatch, DomainMismatch, InvalidGraph, InvalidValue
from graphla.suggestions import FRAMES, conversion


def to_matrix(A: Any, *, copy: bool = True) -> Any:
    """Return `A` as a square Matrix of a real dtype, iso-valued if Boolean.

    `copy=False` can keep a graphblas.Matrix, and arrays of the device; nothing else is shared.
    """
    if isinstance(A, TransposedMatrix):
        A, copy = A.new(), False
    if isinstance(A, Matrix):
        return _from_graphblas(A, copy=copy)
    if engine_of(A) == "cuda":
        return _from_cuda(A)
    if engine_of(A) == "ranks":
        return A.as_adjacency(copy=copy)
    if _is_sparse(A, "cupyx.scipy.sparse") or hasattr(A, "__cuda_array_interface__"):
        return _from_device(A, copy)
    if _is_sparse(A, "scipy.sparse"):
        return _from_scipy(A)
    if isinstance(A, (list, tuple)) or hasattr(A, "__array__"):
        if isinstance(A, (list, tuple)):
            _refuse_edges(A)
        dense = array(A, "the adjacency matrix")
        _order(dense.shape, _advice_on_edges(A, dense.shape))
        return _from_dense(dense)
    raise DomainMismatch(
        "a Graph is made from a graphblas.Matrix, a scipy.sparse array or a 2-D array, "
        f"not from {full_name(A)}" + (f"; {advice}" if (advice := conversion(A)) else "")
    )


def _from_graphblas(A: Any, *, copy: bool) -> Any:
    _order(A.shape)
    check_dtype(A.dtype.np_type)
    A.wait()
    if A.dtype == BOOL and A.nvals and not (A.ss.is_iso and A.ss.iso_value):
        return A.apply(unary.one).new()
    if copy:
        A = A.dup()
        A.ss.config["format"] = "by_row"
    return A


def _from_cuda(A: Any) -> Any:
    """Return a Matrix of the device as a new object; its arrays never change, so it shares them."""
    _order(A.shape)
    kept = A.dup() if hasattr(A, "dup") else A.new()
    return kept.apply(unary.one).new() if A.dtype == BOOL and not kept.is_true else kept


def _is_sparse(A: Any, module: str) -> bool:
    """Whether A is a sparse matrix of a module; False if the module is not imported."""
    return module in sys.modules and bool(sys.modules[module].issparse(A))


def _from_device(A: Any, copy: bool) -> Any:
    cuda = objects("cuda")
    _order(A.shape)
    if not hasattr(A, "format"):
        return _from_cuda(cuda.Matrix.from_dense(A, missing_value=0))
    try:
        return _from_cuda(cuda.from_sparse(A, copy=copy))
    except InvalidValue as error:
        raise InvalidGraph(str(error)) from None


def _from_dense(dense: Any) -> Any:
    n = _order(dense.shape)
    dense = real(dense)
    edge = dense != 0
    indptr = np.append(0, np.cumsum(np.count_nonzero(edge, axis=1)))
    values = None if dense.dtype == bool else dense[edge]
    return own_csr(indptr, np.nonzero(edge)[1].astype(np.uint64), values, n)


def _from_scipy(S: Any) -> Any:
    n = _order(S.shape)
    if S.format in ("bsr", "dia"):  # these pad with zeros, as a dense array does
        S = S.tocsr(copy=True)
        S.eliminate_zeros()
    if S.format not in ("csr", "csc"):
        S = S.tocoo()
        top_vertex(S.row, "row", n)
        top_vertex(S.col, "col", n)
        return assemble(S.row, S.col, real(S.data), n=n)

    nvals = int(S.indptr[-1])
    arrays = S.indptr, S.indices[:nvals], real(S.data[:nvals])
    A = from_compressed_rows(*arrays, n, copy=True)
    if A is None:
        indptr, indices, values = arrays
        outer = np.repeat(np.arange(n), np.diff(indptr))
        rows, cols = (outer, indices) if S.format == "csr" else (indices, outer)
        return assemble(rows, cols, values, n=n)
    if S.format == "csr":
        return A
    AT = A.T.new()
    A.clear()  # python-graphblas's objects hold themselves until a garbage collection
    return AT


def from_compressed_rows(indptr: Any, indices: Any, values: Any, n: int, *, copy: bool) -> Any:
    """Return a Matrix; None if the indices do not increase within each row.

    Without `copy` SuiteSparse takes over the arrays that have its dtypes, and the caller must not
    use them again.
    """
    if (
        (indptr.size != n + 1 or indptr[0] != 0 or (indptr[1:] < indptr[:-1]).any())
        or not indptr[-1] == indices.size == values.size
    ):  # fmt: skip
        raise InvalidGraph(f"indptr of the {n} x {n} matrix is not valid")
    top_vertex(indices, "indices", n)
    if not increases_within_rows(indptr, indices):
        return None
    if copy or indices.dtype != np.uint64:
        indices = copied(indices, np.uint64)
    if values.dtype == bool:
        values = None
    elif copy:
        values = copied(values)
    return own_csr(indptr, indices, values, n)


def _advice_on_edges(A: Any, shape: tuple[int, ...]) -> str:
    """Return what to call if an object that is not square is a table of edges."""
    if type(A).__module__.partition(".")[0] in FRAMES:
        return f"; {conversion(A)}"
    return "; Graph.from_edges(*zip(*A)) makes it of edges" if shape[1:] in ((2,), (3,)) else ""


def _refuse_edges(A: Any) -> None:
    """Refuse two pairs or three triples, which may be edges as well as the rows of a matrix."""
    if len(A) not in (2, 3):
        return
    if all(
        isinstance(row, tuple)
        and len(row) == len(A)
        and all(isinstance(end, int) and end >= 0 for end in row[:2])
        for row in A
    ):
        raise InvalidGraph(
            "tuples may be edges or the rows of a matrix: "
            "Graph.from_edges(*zip(*edges)) makes the Graph of edges, "
            "Graph(numpy.array(rows)) that of a matrix"
        )


def _order(shape: tuple[int, ...], advice: str = "") -> int:
    if len(shape) != 2:
        raise DimensionMismatch(f"an adjacency matrix has 2 dimensions; got {len(shape)}")
    if shape[0] != shape[1]:
        size = f"{shape[0]} x {shape[1]}"
        raise DimensionMismatch(f"an adjacency matrix is square; got {size}{advice}")
    return shape[0]
