"""Methods of objects that are composed of others: no kernel of their own.

- a Vector beside a Matrix is spread over its columns (on the left: one value a row) or its rows;
- an outer product is a Kronecker product of a column and a row;
- a power is a product of repeated squares;
- an object is repositioned by extracting a region and assigning it to another place.
"""

from __future__ import annotations

from typing import Any

from graphblas import monoid

from graphla.cuda.expressions.arguments import (
    ewise_arguments,
    extent,
    integer,
    operand,
    typed_operator,
)
from graphla.cuda.expressions.infix import fits_beside
from graphla.cuda.expressions.statement import (
    OUTPUTS,
    Composition,
    Elementwise,
    Expression,
    Mask,
    as_mask,
    is_operand,
    translate_out_of_memory,
)
from graphla.cuda.operations import ewise_vector
from graphla.cuda.operations.kronecker import Kronecker
from graphla.cuda.operators import graphblas_bridge
from graphla.cuda.storage.csr import CSR
from graphla.cuda.storage.vector_formats import Sparse, kernel_index_dtype
from graphla.errors import DimensionMismatch, InvalidIndex, InvalidValue

# ---- element-wise operations


class ElementwiseMethods:
    """The element-wise operations, also of a Vector beside a Matrix."""

    __slots__ = ()
    ndim: int
    shape: Any
    _same: Any

    def ewise_add(self, other: Any, op: Any = monoid.plus) -> Expression:
        """op(x, y) if both exist, else the one that does."""
        if getattr(other, "ndim", self.ndim) != self.ndim:
            return beside(self, "ewise_add", other, op)
        other = self._same(other, "ewise_add")
        return Elementwise(*ewise_arguments("Union", "ewise_add", self, other, op))

    def ewise_mult(self, other: Any, op: Any = "times") -> Expression:
        """op(x, y) if both exist."""
        if getattr(other, "ndim", self.ndim) != self.ndim:
            return beside(self, "ewise_mult", other, op)
        other = self._same(other, "ewise_mult")
        return Elementwise(*ewise_arguments("Intersection", "ewise_mult", self, other, op))

    def ewise_union(self, other: Any, op: Any, left_default: Any, right_default: Any) -> Expression:
        """op(x, y) if one exists; a default replaces the other."""
        if getattr(other, "ndim", self.ndim) != self.ndim:
            return beside(self, "ewise_union", other, op, left_default, right_default)
        other = self._same(other, "ewise_union")
        return ewise_vector.EWiseUnion(self, other, op, left_default, right_default)


def beside(x: Any, method: str, y: Any, op: Any, *defaults: Any) -> Composition:
    """Return an element-wise operation of a Vector and a Matrix, in either order."""
    y = operand(method, y, 3 - x.ndim)
    if not fits_beside(x.shape, y.shape):
        raise DimensionMismatch(f"{method}: objects of {x.shape} and {y.shape}")
    A = x if x.ndim == 2 else y
    like_x, like_y = (OUTPUTS[2](z.dtype, *A.shape) for z in (x, y))
    typed = getattr(like_x, method)(like_y, op, *defaults)  # checks op, which has the same type

    def compute() -> Any:
        left, right = (
            z if z.ndim == 2 else spread(z, A, z is x, method != "ewise_mult") for z in (x, y)
        )
        return getattr(left, method)(right, op, *defaults).new()

    return Composition(method, A.shape, typed.dtype, typed.op, (x, y), compute)


def spread(v: Any, A: Any, by_row: bool, everywhere: bool) -> Any:
    """Return the Matrix of a Vector's values at all positions of its rows, or columns.

    Without `everywhere`, at the positions of the entries of A alone.
    """
    if not everywhere:
        return (v.diag().mxm(A, "any_first") if by_row else A.mxm(v.diag(), "any_second")).new()
    column = v._as_matrix()
    if by_row:
        return column.mxm(OUTPUTS[2].from_scalar(True, 1, A.ncols, bool), "any_first").new()
    ones = OUTPUTS[2].from_scalar(True, A.nrows, 1, bool)
    return ones.mxm(column.T, "any_second").new()


# ---- regions


def moved(size: int, offset: int, length: int) -> tuple[slice, slice]:
    """Return the indices of a dimension that stay inside after a move, and their new places."""
    first = max(0, -offset)
    count = max(0, min(size, length - offset) - first)
    return slice(first, first + count), slice(first + offset, first + offset + count)


def repositioned(x: Any, offsets: tuple[Any, ...], shape: tuple[Any, ...]) -> Composition:
    """Return x moved by offsets into another shape, without the entries that leave it."""
    offsets = tuple(integer(k, "offset") for k in offsets)
    shape = tuple(
        size if length is None else extent(length, "length")
        for size, length in zip(x.shape, shape, strict=True)
    )

    def compute() -> Any:
        places = [moved(*k) for k in zip(x.shape, offsets, shape, strict=True)]
        out = OUTPUTS[x.ndim](x.dtype, *shape)
        if all(source.stop > source.start for source, _ in places):
            source, target = (
                keys if len(keys) > 1 else keys[0] for keys in zip(*places, strict=True)
            )
            out[target] = x[source].new()
        return out

    return Composition("reposition", shape, x.dtype, None, (x,), compute)


# ---- of Vectors


class VectorCompositions(ElementwiseMethods):
    """Composed methods of a Vector."""

    __slots__ = ()
    dtype: Any
    size: Any
    _store: Any

    def outer(self, other: Any, op: Any = "times") -> Composition:
        """op(x, y) for each pair of entries: a Matrix."""
        other = operand("outer", other, 1)
        typed = typed_operator(op, "binary", self.dtype, other.dtype)

        def compute() -> Any:
            return Kronecker(self._as_matrix(), other._as_matrix().T, typed).new()

        shape = self.size, other.size
        return Composition("outer", shape, typed.return_type, typed, (self, other), compute)

    def reposition(self, offset: int, *, size: int | None = None) -> Composition:
        """The entries moved by `offset`, of another size if one is given."""
        return repositioned(self, (offset,), (size,))

    def _as_matrix(self) -> Any:
        """Return the Vector as a Matrix of one column."""
        keys, values = ewise_vector.as_list(self).sorted_arrays()
        A = CSR.from_positions(keys.copy(), values.copy(), self.size, 1, False)
        return OUTPUTS[2]._of(A, self.dtype, self.size, 1)


# ---- of Matrices


class MatrixCompositions(ElementwiseMethods):
    """Composed methods of a Matrix and of the transpose of one."""

    __slots__ = ()
    dtype: Any
    nrows: int
    ncols: int
    _matrix: Any

    def power(self, n: int, op: Any = "plus_times") -> Composition:
        """The product of n equal factors over a semiring; for n = 0 the identity matrix."""
        n = integer(n, "n")
        if n < 0:
            raise InvalidValue(f"n={n} must be a nonnegative integer")
        if self.nrows != self.ncols:
            raise DimensionMismatch(f"power of a Matrix of {self.shape}")
        typed = typed_operator(op, "semiring", self.dtype, self.dtype)
        multiply = typed.binaryop.monoid
        if n == 0 and multiply is None:
            raise InvalidValue(f"{typed!r} has no identity matrix, which n=0 asks for")

        def compute() -> Any:
            if n == 0:
                one = graphblas_bridge.identity(multiply)
                return OUTPUTS[1].from_scalar(one, self.nrows, typed.return_type).diag()
            square, rest = self._matrix(), n
            result: Any = None
            while rest:
                if rest & 1:
                    result = square if result is None else result.mxm(square, typed).new()
                if rest := rest >> 1:
                    square = square.mxm(square, typed).new()
            return result.dup(typed.return_type)

        return Composition("power", self.shape, typed.return_type, typed, (self,), compute)

    def reposition(
        self, row_offset: int, column_offset: int, *, nrows: int | None = None,
        ncols: int | None = None,
    ) -> Composition:  # fmt: skip
        """The entries moved by offsets, of another shape if one is given."""
        return repositioned(self, (row_offset, column_offset), (nrows, ncols))

    def _as_vector(self) -> Any:
        """Return a Matrix of one column as a Vector."""
        if self.ncols != 1:
            raise InvalidValue(f"a Matrix of {self.shape} has more than a single column")
        A = self._matrix()._csr()
        keys = A.row_indices().astype(kernel_index_dtype(self.nrows))
        return OUTPUTS[1]._of(Sparse.of(keys, A.full_values().copy()), self.dtype, self.nrows)


@translate_out_of_memory
def set_diagonal(A: Any, values: Any, k: Any, mask: Any, accum: Any) -> None:
    """Update the k-th diagonal of a Matrix by values, a Vector, an array or one number."""
    k = integer(k, "k")
    if not -max(1, A.nrows) < k < max(1, A.ncols):
        raise InvalidIndex(f"diagonal is out of range: k={k} of a Matrix of {A.shape}")
    diagonal = A.diag(k)
    if hasattr(values, "__len__") and not is_operand(values):
        values = OUTPUTS[1].from_dense(values) if len(values) else OUTPUTS[1](A.dtype, 0)
    if is_operand(values):
        values = operand("setdiag", values, 1)
        if values.size != diagonal.size:
            raise DimensionMismatch(f"setdiag: {values.size} values, a diagonal of {diagonal.size}")
    if mask is not None:
        mask = as_mask(mask)
        of = mask.parent
        if of.ndim == 2:
            if of.shape != A.shape:
                raise DimensionMismatch(f"setdiag: a mask of {of.shape} for {A.shape}")
            mask = Mask(of.diag(k), mask.structure, mask.complement)
        elif of.size != diagonal.size:
            raise DimensionMismatch(f"setdiag: a mask of {of.size} for {diagonal.size} positions")
    diagonal(mask=mask, accum=accum) << values
    if not diagonal.size:
        return
    positions, entries = OUTPUTS[1].from_scalar(True, diagonal.size, bool).diag(k), diagonal.diag(k)
    for x in (positions, entries):
        x.resize(*A.shape)
    A(positions.S) << entries
