"""What a Matrix and its transpose have in common, and the transpose."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphblas import monoid

from graphla.cuda import resolve
from graphla.cuda.bits import Bits
from graphla.cuda.csr import CSR
from graphla.cuda.expression import OUTPUTS, Elementwise, Expression, Identity
from graphla.cuda.guards import Guards
from graphla.cuda.infix import Operand
from graphla.cuda.operands import operand
from graphla.cuda.operations import index, mxm, products, reductions, structure, union
from graphla.errors import DimensionMismatch

if TYPE_CHECKING:
    from graphla.cuda.matrix import Matrix


class MatrixLike(Operand):
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
        return products.mxv(self, u, op)

    def ewise_add(self, other: Any, op: Any = monoid.plus) -> Expression:
        """op(x, y) where both exist, else the one that does."""
        return self._both("Either", "ewise_add", other, op)

    def ewise_mult(self, other: Any, op: Any = "times") -> Expression:
        """op(x, y) where both exist."""
        return self._both("Both", "ewise_mult", other, op)

    def ewise_union(self, other: Any, op: Any, left_default: Any, right_default: Any) -> Expression:
        """op(x, y) where one exists; a default stands for the other."""
        return union.Union(self, self._same(other, "ewise_union"), op, left_default, right_default)

    def apply(self, op: Any, right: Any = None, *, left: Any = None) -> Expression:
        """op(x) for each entry x; with a scalar op(x, right) or op(left, x)."""
        return Elementwise(*resolve.apply(self, op, left, right))

    def select(self, op: Any, thunk: Any = None) -> Expression:
        """The entries where op(x, thunk) holds."""
        return Elementwise(*resolve.select(self, op, thunk))

    def reduce_rowwise(self, op: Any = "plus") -> Expression:
        """The sum of each row over a monoid: a Vector."""
        return structure.Rowwise(self, op, True)

    def reduce_columnwise(self, op: Any = "plus") -> Expression:
        """The sum of each column over a monoid: a Vector."""
        return structure.Rowwise(self, op, False)

    def reduce_scalar(self, op: Any = "plus", *, allow_empty: bool = True) -> Expression:
        """The sum of all entries over a monoid: a Scalar, empty without entries."""
        return reductions.Reduce(self, op, allow_empty)

    def kronecker(self, other: Any, op: Any = "times") -> Expression:
        """The Kronecker product with `other`."""
        return structure.Kronecker(self, other, op)

    def isequal(self, other: Any, *, check_dtype: bool = False) -> bool:
        """Whether shape, structure and values are those of `other`."""
        return reductions.isequal(self, other, check_dtype)

    def isclose(
        self, other: Any, *, rel_tol: float = 1e-7, abs_tol: float = 0.0, check_dtype: bool = False
    ) -> bool:
        """Whether shape and structure are those of `other`, and the values nearly so."""
        return reductions.isclose(self, other, rel_tol, abs_tol, check_dtype)

    def __getitem__(self, keys: Any) -> Any:
        return index.of(self, keys)

    def _both(self, template: str, operation: str, other: Any, op: Any) -> Expression:
        other = self._same(other, operation)
        return Elementwise(*resolve.ewise(template, operation, self, other, op))

    def _same(self, other: Any, operation: str) -> Any:
        other = operand(operation, other, 2)
        if other.shape != self.shape:
            raise DimensionMismatch(
                f"{operation}: a Matrix of {other.shape} beside one of {self.shape}"
            )
        return other


class TransposedMatrix(Guards, MatrixLike):
    """The transpose of a Matrix: ``A.T``. It follows the matrix, and holds nothing."""

    __slots__ = ("T",)

    def __init__(self, A: Matrix) -> None:
        self.T = A

    dtype = property(lambda self: self.T.dtype)
    nrows = property(lambda self: self.T.ncols)
    ncols = property(lambda self: self.T.nrows)
    nvals = property(lambda self: self.T.nvals)
    _entries = property(lambda self: self.T._entries)

    def _rows(self, by_row: bool, make: bool = False) -> tuple[CSR | None, bool]:
        rows, transposed = self.T._rows(not by_row, make)
        return rows, not transposed

    def _csr(self) -> CSR:
        return self._matrix()._csr()

    def _matrix(self) -> Matrix:
        A = self.T._store
        turned = (A if isinstance(A, Bits) else self.T._csr()).transposed()
        found: Matrix = OUTPUTS[2]._of(turned, self.dtype, self.nrows, self.ncols)
        return found

    def _flat(self) -> Any:
        return self._matrix()._flat()

    def new(self, dtype: Any = None, *, mask: Any = None, name: str | None = None) -> Matrix:
        """Return the transpose as a Matrix of its own."""
        return self._matrix().dup(dtype, mask=mask, name=name)

    def _expression(self) -> Expression:
        return Identity(self)

    def __repr__(self) -> str:
        return f"{self.T!r}.T"
