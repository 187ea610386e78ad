"""Matrix: python-graphblas's, on the device."""

from __future__ import annotations

from typing import Any

import numpy as np
from graphblas.dtypes import BOOL

from graphla.core.validation import real_dtype
from graphla.cuda.expressions.arguments import (
    apply_arguments,
    extent,
    filler,
    operand,
    select_arguments,
    to_scalar,
)
from graphla.cuda.expressions.index_keys import axes
from graphla.cuda.expressions.infix import Operand
from graphla.cuda.expressions.python_protocols import Guards
from graphla.cuda.expressions.scalar import check_how
from graphla.cuda.expressions.statement import (
    OUTPUTS,
    Elementwise,
    Expression,
    Identity,
    is_mask,
    masked,
    translate_out_of_memory,
)
from graphla.cuda.objects.base import Collection
from graphla.cuda.objects.compositions import MatrixCompositions, set_diagonal
from graphla.cuda.objects.formats import MatrixInputs, MatrixOutputs
from graphla.cuda.objects.suitesparse import MatrixSuiteSparse, OfObject
from graphla.cuda.operations import (
    assign_extract,
    bit_matrix,
    build,
    diagonal,
    ewise_csr,
    ewise_vector,
    indexing,
    kronecker,
    mxm,
    reduce,
)
from graphla.cuda.operations.aggregate import aggregate
from graphla.cuda.operations.spmv import dispatch as spmv
from graphla.cuda.operators import graphblas_bridge
from graphla.cuda.operators.graphblas_bridge import is_aggregator
from graphla.cuda.runtime.device import device
from graphla.cuda.storage.bit_matrix import BitMatrix
from graphla.cuda.storage.csr import CSR
from graphla.cuda.storage.vector_formats import Dense, Sparse, to_dense, to_sorted_list
from graphla.errors import DimensionMismatch, DomainMismatch, InvalidValue


class Values:
    """What gives the entries of a Matrix out."""

    __slots__ = ()
    dtype: Any
    nvals: int
    shape: Any
    _positions: int
    _csr: Any
    _flat: Any
    dup: Any

    @translate_out_of_memory
    def to_coo(
        self, dtype: Any = None, *, rows: Any = True, columns: bool = True, values: bool = True,
        sort: bool = True,
    ) -> tuple[Any, Any, Any]:  # fmt: skip
        """Return rows, columns (int64, in order) and values as arrays of the device.

        `rows`, `columns` and `values` say which of them; a list of rows as `rows` also leaves
        out the entries of all others, the list giving the order.
        """
        selected, listed = self, None
        if not isinstance(rows, (bool, np.bool_)) and rows is not None:
            P, Q = axes((rows, slice(None)), self.shape)
            region = (P._replace(single=False), Q)
            selected, listed = assign_extract.extracted(self, region), P.list()
        A = selected._csr()
        np_type = real_dtype(dtype or self.dtype).np_type
        row = A.row_indices() if listed is not None or rows else None
        row = row if listed is None else listed[row]
        return (
            None if row is None else row.astype(np.int64),
            A.indices.astype(np.int64) if columns else None,
            A.full_values().astype(np_type, copy=not A.iso) if values else None,
        )

    @translate_out_of_memory
    def to_csr(self, dtype: Any = None, *, sort: bool = True) -> tuple[Any, Any, Any]:
        """Return indptr, indices and values as arrays of the device, copies."""
        A = self._csr()
        values = A.full_values().astype(real_dtype(dtype or self.dtype).np_type, copy=not A.iso)
        return A.indptr.copy(), A.indices.copy(), values

    @translate_out_of_memory
    def to_dense(self, fill_value: Any = None, dtype: Any = None) -> Any:
        """Return a 2-D array of the device; `fill_value` is used for missing entries."""
        if fill_value is None and self.nvals < self._positions:
            raise DomainMismatch(
                f"{self.nvals} of {self._positions} entries exist: give a fill_value"
            )
        np_type = real_dtype(dtype or self.dtype).np_type
        fill, np_type = filler(fill_value, np_type, dtype)
        out = device.xp.full(self._positions, fill, np_type)
        cast = self if dtype is None else self.dup(dtype)  # as GraphBLAS does, not as NumPy
        keys, values = to_sorted_list(cast._flat(), self._positions).sorted_arrays()
        out[keys] = values
        return out.reshape(self.shape)


class MatrixLike(Values, MatrixOutputs, MatrixCompositions, Operand):
    """What a Matrix and the transpose of one can both do."""

    __slots__ = ()
    ndim = 2
    dtype: Any
    nrows: int
    ncols: int

    @property
    def shape(self) -> tuple[int, int]:
        """(nrows, ncols)."""
        return self.nrows, self.ncols

    def mxm(self, other: Any, op: Any = "plus_times") -> Expression:
        """self other over a semiring."""
        return mxm.mxm(self, other, op)

    def mxv(self, u: Any, op: Any = "plus_times") -> Expression:
        """self u over a semiring."""
        return spmv.mxv(self, u, op)

    def apply(self, op: Any, right: Any = None, *, left: Any = None) -> Expression:
        """op(x) for each entry x; with a scalar op(x, right) or op(left, x)."""
        return Elementwise(*apply_arguments(self, op, left, right))

    def select(self, op: Any, thunk: Any = None) -> Expression:
        """The entries for which op(x, thunk) is true, or which a mask lets through."""
        if is_mask(op):
            return masked(self, op, thunk)
        return Elementwise(*select_arguments(self, op, thunk))

    def reduce_rowwise(self, op: Any = "plus") -> Expression:
        """The sum of each row over a monoid, or by an aggregator: a Vector."""
        if is_aggregator(op):
            return aggregate(self, op, "reduce_rowwise")
        return reduce.ReduceRows(self, op, True)

    def reduce_columnwise(self, op: Any = "plus") -> Expression:
        """The sum of each column over a monoid, or by an aggregator: a Vector."""
        if is_aggregator(op):
            return aggregate(self, op, "reduce_columnwise")
        return reduce.ReduceRows(self, op, False)

    def reduce_scalar(self, op: Any = "plus", *, allow_empty: bool = True) -> Expression:
        """The sum of all entries over a monoid, or by an aggregator: a Scalar."""
        if is_aggregator(op):
            return aggregate(self, op, "reduce", allow_empty)
        return reduce.Reduce(self, op, allow_empty)

    def kronecker(self, other: Any, op: Any = "times") -> Expression:
        """The Kronecker product with `other`."""
        return kronecker.Kronecker(self, other, op)

    def isequal(self, other: Any, *, check_dtype: bool = False) -> bool:
        """Whether shape, structure and values are those of `other`."""
        return reduce.isequal(self, other, check_dtype)

    def isclose(
        self, other: Any, *, rel_tol: float = 1e-7, abs_tol: float = 0.0, check_dtype: bool = False
    ) -> bool:
        """Whether shape and structure are those of `other`, and the values nearly so."""
        return reduce.isclose(self, other, rel_tol, abs_tol, check_dtype)

    def __getitem__(self, keys: Any) -> Any:
        return indexing.index(self, keys)

    def __contains__(self, keys: tuple[int, int]) -> bool:
        return indexing.entry(self, keys).value is not None

    def get(self, row: int, col: int, default: Any = None) -> Any:
        """Return the value at (row, col), or `default`."""
        return indexing.entry(self, (row, col), InvalidValue).get(default)

    @translate_out_of_memory
    def diag(self, k: int = 0, dtype: Any = None, *, name: str | None = None) -> Any:
        """Return the k-th diagonal as a Vector."""
        return diagonal.diagonal_vector(self, k, dtype, name)

    def _same(self, other: Any, operation: str) -> Any:
        other = operand(operation, other, 2)
        if other.shape != self.shape:
            raise DimensionMismatch(
                f"{operation}: a Matrix of {other.shape} and one of {self.shape}"
            )
        return other


class TransposedMatrix(Guards, MatrixLike):
    """The transpose of a Matrix: ``A.T``. A view without storage."""

    __slots__ = ("T", "__weakref__")
    _engine = "cuda"
    _is_transposed = True

    def __init__(self, A: Matrix) -> None:
        self.T = A

    dtype = property(lambda self: self.T.dtype)
    nrows = property(lambda self: self.T.ncols)
    ncols = property(lambda self: self.T.nrows)
    nvals = property(lambda self: self.T.nvals)
    _positions = property(lambda self: self.T._positions)
    name = property(lambda self: f"{self.T.name}.T")
    _entries = property(lambda self: self.T._entries)

    def _rows(self, by_row: bool, make: bool = False) -> tuple[CSR | None, bool]:
        rows, transposed = self.T._rows(not by_row, make)
        return rows, not transposed

    def _csr(self) -> CSR:
        return self._matrix()._csr()

    def _matrix(self) -> Matrix:
        A = self.T._store
        turned = (A if isinstance(A, BitMatrix) else self.T._csr()).transposed()
        found: Matrix = OUTPUTS[2]._of(turned, self.dtype, self.nrows, self.ncols)
        return found

    def _flat(self) -> Any:
        return self._matrix()._flat()

    @translate_out_of_memory
    def new(self, dtype: Any = None, **options: Any) -> Matrix:
        """Return the transpose as a new Matrix; options as of :meth:`Matrix.dup`."""
        return self._matrix().dup(dtype, **options)

    dup = new

    def to_coo(
        self, dtype: Any = None, *, rows: Any = True, columns: bool = True, values: bool = True,
        sort: bool = True,
    ) -> tuple[Any, Any, Any]:  # fmt: skip
        """Return rows, columns and values as arrays of the device, in the order of the Matrix."""
        if not isinstance(rows, bool) and rows is not None:
            return super().to_coo(dtype, rows=rows, columns=columns, values=values, sort=sort)
        found = self.T.to_coo(dtype, rows=columns, columns=bool(rows), values=values, sort=sort)
        return found[1], found[0], found[2]

    def wait(self, how: str = "materialize") -> TransposedMatrix:
        """Do nothing: operations end in order. `how` is "materialize" or "complete"."""
        check_how(how)
        return self

    def _expression(self) -> Expression:
        return Identity(self)

    def __repr__(self) -> str:
        return f"{self.T!r}.T"


FLAT_ROWS = 64  # most rows of a matrix that may be treated as one long vector


class Matrix(MatrixInputs, MatrixLike, Collection):
    """A sparse matrix on the device, in the language of :class:`graphblas.Matrix`.

    Parameters
    ----------
    dtype : dtype
        bool, (unsigned) integer of 8 to 64 bits, float32 or float64.
    nrows, ncols : int
        Its shape.

    Notes
    -----
    Entries are compressed sparse rows. A matrix of few rows, or with the storage hint
    "bitmap", is treated as one long Vector, row after row. One of dtype BOOL with the hint "bits"
    takes one bit a position while all its entries are True.
    """

    __slots__ = ("_csr_made", "ncols", "nrows")
    _csr_made: tuple[Any, CSR] | None  # a store, and the rows made of it
    _is_transposed = False
    _forms = (None, "sparse", "bitmap", "full", "bits")

    @translate_out_of_memory
    def __init__(
        self, dtype: Any = "FP64", nrows: int = 0, ncols: int = 0, *, name: str | None = None
    ) -> None:
        self.dtype = real_dtype(dtype)
        self.nrows, self.ncols = extent(nrows, "nrows"), extent(ncols, "ncols")
        self.name, self._storage_hint = name, None
        self._csr_made: Any = None
        self._store = CSR.empty(self.nrows, self.ncols, self.dtype)

    @property
    def _positions(self) -> int:  # type: ignore[override]
        return self.nrows * self.ncols

    @property
    def _ncols(self) -> int:  # type: ignore[override]
        return max(1, self.ncols)

    ss = OfObject(MatrixSuiteSparse)

    # ---- making

    @classmethod
    @translate_out_of_memory
    def from_coo(
        cls, rows: Any, columns: Any, values: Any = 1.0, dtype: Any = None, *,
        nrows: int | None = None, ncols: int | None = None, dup_op: Any = None,
        name: str | None = None,
    ) -> Matrix:  # fmt: skip
        """Make a Matrix of rows, columns and values; duplicates need `dup_op`."""
        return build.matrix(cls, rows, columns, values, dtype, nrows, ncols, dup_op, name)

    @classmethod
    @translate_out_of_memory
    def from_csr(
        cls, indptr: Any, col_indices: Any, values: Any = 1.0, dtype: Any = None, *,
        nrows: int | None = None, ncols: int | None = None, name: str | None = None,
    ) -> Matrix:  # fmt: skip
        """Make a Matrix of compressed sparse rows, which are checked and, if need be, sorted."""
        A: Matrix = build.from_csr(cls, indptr, col_indices, values, dtype, ncols, name)
        if nrows is not None and nrows != A.nrows:
            raise InvalidValue(f"nrows must be {A.nrows}, as indptr has them; got {nrows}")
        return A

    @classmethod
    @translate_out_of_memory
    def from_dense(
        cls, values: Any, missing_value: Any = None, *, dtype: Any = None, name: str | None = None
    ) -> Matrix:
        """Make a Matrix of a 2-D array; entries equal to `missing_value` are left out."""
        return build.dense(cls, values, missing_value, dtype, name)

    @classmethod
    def from_scalar(
        cls, value: Any, nrows: int, ncols: int, dtype: Any = None, *, name: str | None = None
    ) -> Matrix:
        """Make a Matrix with one value everywhere."""
        A = cls(dtype or to_scalar(value).dtype, nrows, ncols, name=name)
        A << value
        return A

    @classmethod
    def _of(cls, store: Any, dtype: Any, nrows: int, ncols: int) -> Matrix:
        """Make a Matrix around a store."""
        C = cls(dtype, nrows, ncols)
        C._store = store
        return C

    def dup(
        self, dtype: Any = None, *, clear: bool = False, mask: Any = None, name: str | None = None,
        **options: Any,
    ) -> Matrix:  # fmt: skip
        """Return a copy, of another dtype if one is given, or an empty one of the same shape."""
        if options:
            graphblas_bridge.check_options(options)
        out = Matrix(dtype or self.dtype, self.nrows, self.ncols, name=name)
        if not clear:
            out(mask=mask) << self
            out._shrink()
        return out

    @translate_out_of_memory
    def build(
        self, rows: Any, columns: Any, values: Any, *, dup_op: Any = None, clear: bool = False,
        nrows: int | None = None, ncols: int | None = None,
    ) -> None:  # fmt: skip
        """Fill an empty Matrix, or with `clear` any; `nrows` and `ncols` change its shape."""
        build.fill(self, rows, columns, values, dup_op, clear=clear, shape=(nrows, ncols))

    def setdiag(
        self, values: Any, k: int = 0, *, mask: Any = None, accum: Any = None, **options: Any
    ) -> None:
        """Update the k-th diagonal by a Vector, an array or one number.

        The mask has the shape of the diagonal or of the Matrix.
        """
        graphblas_bridge.check_options(options)
        set_diagonal(self, values, k, mask, accum)

    @translate_out_of_memory
    def clear(self) -> None:
        """Remove all entries."""
        self._store = CSR.empty(self.nrows, self.ncols, self.dtype)
        self._apply_storage_hint()

    # ---- forms

    @property
    def _is_flat(self) -> bool:
        """Whether the entries are treated as those of one long vector."""
        if self._storage_hint == "bits" or isinstance(self._store, BitMatrix):
            return False
        return self.nrows <= FLAT_ROWS or self._storage_hint in ("bitmap", "full")

    def _flat(self) -> Any:
        store = self._store
        return self._csr().to_list() if isinstance(store, (CSR, BitMatrix)) else store

    @property
    def _entries(self) -> Any:
        store = self._store
        if isinstance(store, BitMatrix):
            return Dense(device.xp.ones(store.nvals, np.bool_))
        return Dense(store.full_values()) if isinstance(store, CSR) else store

    def _bits(self) -> BitMatrix | None:
        """Return the entries as bits if all of them are True, else None."""
        if isinstance(self._store, BitMatrix):
            return self._store
        if self.dtype != BOOL:
            return None
        A = self._csr()
        return BitMatrix.from_csr(A) if not A.nvals or device.read_scalar(A.values.all()) else None

    def _csr(self) -> CSR:
        """Return the entries as compressed sparse rows."""
        if isinstance(self._store, CSR):
            return self._store
        if isinstance(self._store, BitMatrix):
            return self._store.to_csr()
        converted = self._csr_made
        if converted is None or converted[0] is not self._store or isinstance(self._store, Dense):
            entries = to_sorted_list(self._store, self._positions)
            converted = (self._store, CSR.from_list(entries, self.nrows, self.ncols))
            self._csr_made = converted
        return converted[1]

    def _rows(self, by_row: bool, make: bool = False) -> tuple[CSR | None, bool]:
        """Return the rows of the matrix, or those of its transpose, and whether they are those.

        The rows of the transpose are None if they were not computed yet, unless `make`.
        """
        if not by_row and isinstance(self._store, BitMatrix):
            return (self._store.transposed().to_csr() if make else None), True
        A = self._csr()
        if by_row:
            return A, False
        return (A.transposed() if make else A._transposed), True

    def _apply_storage_hint(self) -> None:
        if self._storage_hint is not None or not isinstance(self._store, CSR):
            self._convert_if_possible()

    def _convert(self) -> None:
        if self._storage_hint in ("bitmap", "full"):
            self._store = to_dense(self._flat(), self._positions)
        elif self._storage_hint == "bits":
            self._store = self._bits() or self._csr()
        elif isinstance(self._store, BitMatrix) and self._storage_hint is None:
            pass
        elif not self._is_flat and not isinstance(self._store, CSR):
            self._store = self._csr()

    def _plan(
        self, formula: Any, operands: tuple[Any, ...], s: Any, mask: Any, accum: Any, replace: bool
    ) -> Any:
        if not self._is_flat:
            update = (self, formula, operands, s, mask, accum, replace)
            return lambda: None if bit_matrix.try_update(*update) else ewise_csr.update(*update)
        operands = tuple(x._matrix() for x in operands)
        return ewise_vector.plan_elementwise(self, formula, operands, s, mask, accum, replace)

    @property
    def is_true(self) -> bool:
        """Whether all entries are True and stored as one value."""
        A = self._store
        if isinstance(A, BitMatrix):
            return True
        return isinstance(A, CSR) and A.iso and bool(device.read_scalar(A.values))

    @property
    def T(self) -> TransposedMatrix:
        """The transpose, which is not made unless it is needed."""
        return TransposedMatrix(self)

    # ---- elements

    def __setitem__(self, keys: Any, value: Any, **options: Any) -> None:
        if options:
            graphblas_bridge.check_options(options)
        indexing.index(self, keys) << value

    def __delitem__(self, keys: Any) -> None:
        indexing.delete(self, keys)

    @translate_out_of_memory
    def resize(self, nrows: int, ncols: int) -> None:
        """Change the shape; entries outside of it are lost."""
        assign_extract.resize(self, nrows, ncols)

    def __repr__(self) -> str:
        return (
            f"<Matrix: {self.dtype.name}, {self.nrows:,} x {self.ncols:,}, "
            f"{self.nvals:,} entries, cuda>"
        )

    def _repr_html_(self) -> str:
        return f"<p><b>graphla.cuda.Matrix</b>: {repr(self)[9:-1]}</p>"


OUTPUTS[2] = Matrix
__all__ = ["Matrix", "Sparse", "TransposedMatrix"]

graphblas_bridge.register(Matrix, TransposedMatrix)
