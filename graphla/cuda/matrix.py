"""Matrix: python-graphblas's, on the device."""

from __future__ import annotations

from typing import Any

import numpy as np
from graphblas.dtypes import BOOL

from graphla.cuda import bridge, resolve
from graphla.cuda.bits import Bits
from graphla.cuda.collection import Collection
from graphla.cuda.csr import CSR
from graphla.cuda.device import device
from graphla.cuda.expression import OUTPUTS
from graphla.cuda.matrixlike import MatrixLike, TransposedMatrix
from graphla.cuda.operands import extent
from graphla.cuda.operations import (
    build,
    elementwise,
    index,
    lists,
    packed,
    structure,
)
from graphla.cuda.running import refusing
from graphla.cuda.storage import Dense, Sparse, to_dense, to_sparse
from graphla.cuda.values import Values

FLAT_ROWS = 64  # a matrix of at most so many rows may be treated as one long vector


class Matrix(Values, MatrixLike, Collection):
    """A sparse matrix on the device, in the language of :class:`graphblas.Matrix`.

    Parameters
    ----------
    dtype : dtype
        bool, (unsigned) integer of 8 to 64 bits, float32 or float64.
    nrows, ncols : int
        Its shape.

    Notes
    -----
    Entries are compressed sparse rows. A matrix of few rows, or one for which the form
    "bitmap" was asked for, is treated row behind row, as a Vector. One of dtype BOOL for
    which "bits" was asked for takes one bit a position while all its entries are True.
    """

    __slots__ = ("_csr_made", "ncols", "nrows")
    _csr_made: tuple[Any, CSR] | None  # a store, and the rows made of it
    _forms = (None, "sparse", "bitmap", "full", "bits")

    @refusing
    def __init__(
        self, dtype: Any = "FP64", nrows: int = 0, ncols: int = 0, *, name: str | None = None
    ) -> None:
        self.dtype = resolve.dtype(dtype)
        self.nrows, self.ncols = extent(nrows, "nrows"), extent(ncols, "ncols")
        self.name, self._keep = name, None
        self._csr_made: Any = None
        self._store = CSR.empty(self.nrows, self.ncols, self.dtype)

    @property
    def _positions(self) -> int:  # type: ignore[override]
        return self.nrows * self.ncols

    @property
    def _ncols(self) -> int:  # type: ignore[override]
        return max(1, self.ncols)

    # ---- making

    @classmethod
    @refusing
    def from_coo(
        cls, rows: Any, columns: Any, values: Any = 1.0, dtype: Any = None, *,
        nrows: int | None = None, ncols: int | None = None, dup_op: Any = None,
        name: str | None = None,
    ) -> Matrix:  # fmt: skip
        """Make a Matrix of rows, columns and values; duplicates need `dup_op`."""
        return build.matrix(cls, rows, columns, values, dtype, nrows, ncols, dup_op, name)

    @classmethod
    @refusing
    def from_csr(
        cls, indptr: Any, indices: Any, values: Any = 1.0, dtype: Any = None, *,
        ncols: int | None = None, name: str | None = None,
    ) -> Matrix:  # fmt: skip
        """Make a Matrix of compressed sparse rows, which are checked and, if need be, sorted."""
        return build.from_csr(cls, indptr, indices, values, dtype, ncols, name)

    @classmethod
    @refusing
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
        A = cls(dtype or resolve.scalar(value).dtype, nrows, ncols, name=name)
        A << value
        return A

    @classmethod
    def _of(cls, store: Any, dtype: Any, nrows: int, ncols: int) -> Matrix:
        """Make a Matrix around a store."""
        C = cls(dtype, nrows, ncols)
        C._store = store
        return C

    def dup(
        self, dtype: Any = None, *, clear: bool = False, mask: Any = None, name: str | None = None
    ) -> Matrix:
        """Return a copy, of another dtype if one is given, or an empty one of the same shape."""
        out = Matrix(dtype or self.dtype, self.nrows, self.ncols, name=name)
        if not clear:
            out(mask=mask) << self
            out._fit()
        return out

    @refusing
    def build(self, rows: Any, columns: Any, values: Any, *, dup_op: Any = None) -> None:
        """Fill an empty Matrix."""
        build.fill(self, rows, columns, values, dup_op)

    @refusing
    def clear(self) -> None:
        """Remove all entries."""
        self._store = CSR.empty(self.nrows, self.ncols, self.dtype)
        self._settle()

    # ---- forms

    @property
    def _is_flat(self) -> bool:
        """Whether the entries are treated as those of one long vector."""
        if self._keep == "bits" or isinstance(self._store, Bits):
            return False
        return self.nrows <= FLAT_ROWS or self._keep in ("bitmap", "full")

    def _flat(self) -> Any:
        store = self._store
        return self._csr().to_list() if isinstance(store, (CSR, Bits)) else store

    @property
    def _entries(self) -> Any:
        store = self._store
        if isinstance(store, Bits):
            return Dense(device.xp.ones(store.nvals, np.bool_))
        return Dense(store.expanded()) if isinstance(store, CSR) else store

    def _bits(self) -> Bits | None:
        """Return the entries as bits if all of them are True, else None."""
        if isinstance(self._store, Bits):
            return self._store
        if self.dtype != BOOL:
            return None
        A = self._csr()
        return Bits.of(A) if not A.nvals or device.word(A.values.all()) else None

    def _csr(self) -> CSR:
        """Return the entries as compressed sparse rows."""
        if isinstance(self._store, CSR):
            return self._store
        if isinstance(self._store, Bits):
            return self._store.rows()
        made = self._csr_made
        if made is None or made[0] is not self._store or isinstance(self._store, Dense):
            entries = to_sparse(self._store, self._positions)
            made = (self._store, CSR.from_list(entries, self.nrows, self.ncols))
            self._csr_made = made
        return made[1]

    def _rows(self, by_row: bool, make: bool = False) -> tuple[CSR | None, bool]:
        """Return the rows of the matrix, or those of its transpose, and whether they are those.

        The transpose is None where nobody has needed it yet, unless it is to be made.
        """
        if not by_row and isinstance(self._store, Bits):
            return (self._store.transposed().rows() if make else None), True
        A = self._csr()
        if by_row:
            return A, False
        return (A.transposed() if make else A._transposed), True

    def _settle(self) -> None:
        if self._keep in ("bitmap", "full"):
            self._store = to_dense(self._flat(), self._positions)
        elif self._keep == "bits":
            self._store = self._bits() or self._csr()
        elif isinstance(self._store, Bits) and self._keep is None:
            pass
        elif not self._is_flat and not isinstance(self._store, CSR):
            self._store = self._csr()

    def _plan(
        self, how: Any, operands: tuple[Any, ...], s: Any, mask: Any, accum: Any, replace: bool
    ) -> Any:
        if not self._is_flat:
            update = (self, how, operands, s, mask, accum, replace)
            return lambda: None if packed.run(*update) else lists.run(*update)
        operands = tuple(x._matrix() for x in operands)
        return elementwise.plan(self, how, operands, s, mask, accum, replace)

    @property
    def is_true(self) -> bool:
        """Whether one stored True stands for all entries."""
        A = self._store
        if isinstance(A, Bits):
            return True
        return isinstance(A, CSR) and A.iso and bool(device.word(A.values))

    @property
    def T(self) -> TransposedMatrix:
        """The transpose, which is not made unless it is needed."""
        return TransposedMatrix(self)

    # ---- elements

    def __setitem__(self, keys: Any, value: Any) -> None:
        index.of(self, keys) << value

    def __delitem__(self, keys: Any) -> None:
        index.remove(self, keys)

    def __contains__(self, keys: tuple[int, int]) -> bool:
        return index.of(self, keys).new().value is not None

    def get(self, row: int, col: int, default: Any = None) -> Any:
        """Return the value at (row, col), or `default`."""
        return index.of(self, (row, col)).new().get(default)

    @refusing
    def diag(self, k: int = 0, dtype: Any = None, *, name: str | None = None) -> Any:
        """Return the k-th diagonal as a Vector."""
        return structure.diagonal_of(self, k, dtype, name)

    @refusing
    def resize(self, nrows: int, ncols: int) -> None:
        """Change the shape; entries outside of it are lost."""
        structure.resize(self, nrows, ncols)

    def __repr__(self) -> str:
        return (
            f"<Matrix: {self.dtype.name}, {self.nrows:,} x {self.ncols:,}, "
            f"{self.nvals:,} entries, cuda>"
        )

    def _repr_html_(self) -> str:
        return f"<p><b>graphla.cuda.Matrix</b>: {repr(self)[9:-1]}</p>"


OUTPUTS[2] = Matrix
__all__ = ["Matrix", "Sparse", "TransposedMatrix"]

bridge.register(Matrix, TransposedMatrix)
