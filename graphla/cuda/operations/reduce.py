"""Reductions over a monoid: of all entries, of rows and columns, of products of two vectors.

- a Scalar from one object: reduce.cu;
- the inner product u' v: inner_product.cu reads the shorter list and looks the other vector up;
- rows of compressed sparse rows: a product with a vector whose values are not read (spmv/pull.py);
  columns are the rows of the transpose;
- rows and columns of bitmaps and full arrays: reduce_bitmap.cu.

A sum stays on the device until it is read. `isequal` and `isclose` reduce a comparison.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from graphblas import binary, semiring

from graphla.core import validation
from graphla.cuda.expressions.arguments import operand, typed_operator
from graphla.cuda.expressions.scalar import Scalar
from graphla.cuda.expressions.statement import OUTPUTS, Expression
from graphla.cuda.memory import buffer_pool
from graphla.cuda.memory.buffer_pool import zeroed_words
from graphla.cuda.operations.assign_extract import assign_store
from graphla.cuda.operations.definitions import WARP, constants, typedefs
from graphla.cuda.operations.spmv import pull
from graphla.cuda.operators import tables
from graphla.cuda.runtime.device import BLOCK, device
from graphla.cuda.runtime.kernel import HostResult, Kernel, kernel
from graphla.cuda.storage.vector_formats import (
    Dense,
    Sparse,
    bitmap_words,
    cuda_type,
    kernel_index_dtype,
    to_dense,
)

MAX_BLOCKS = 1024  # of a reduction to a Scalar, which has a partial sum for each
CHUNK = 1024  # entries of a row that a warp sums (reduce_bitmap.cu)


class Reduce(Expression):
    """The sum of all entries of an object over a monoid."""

    __slots__ = ("allow_empty",)

    def __init__(self, x: Any, op: Any, allow_empty: bool = True) -> None:
        op = typed_operator(op, "monoid", x.dtype)
        super().__init__("reduce", (), op.return_type, op, (x,))
        self.allow_empty = allow_empty

    def _value(self, dtype: Any) -> Scalar:
        """Return the sum as a Scalar, which stays on the device until it is read."""
        (x,) = self.operands
        result = Scalar.on_device(self.dtype, _sum_of_entries(x._entries, self.op))
        if not self.allow_empty and result.is_empty:
            result = Scalar(self.dtype, tables.identity(self.op))
        return result if dtype is None else result.new(dtype)

    @property
    def value(self) -> Any:
        """The sum as a Python number."""
        return self.new().value


class Inner(Expression):
    """u' v: the sum over a monoid of the products of two Vectors."""

    __slots__ = ()

    def __init__(self, u: Any, v: Any, op: Any) -> None:
        op = typed_operator(op, "semiring", u.dtype, v.dtype)
        super().__init__("inner", (), op.return_type, op, (u, v))

    def _value(self, dtype: Any) -> Scalar:
        """Return the product as a Scalar, which stays on the device until it is read."""
        u, v = self.operands
        result = Scalar.on_device(self.dtype, _sum_of_products(u, v, self.op))
        return result if dtype is None else result.new(dtype)

    @property
    def value(self) -> Any:
        """The product as a Python number."""
        return self.new().value


# ---- to a Scalar


@cache
def _reduce_kernel(op: Any, x: str) -> Kernel:
    return kernel("reduce", tables.monoid(op) + typedefs(X=x, Z="Add::Z"))


def _threads(size: int) -> int:
    return BLOCK * min(MAX_BLOCKS, max(1, -(-size // BLOCK)))


def _sum_of_entries(store: Any, op: Any) -> HostResult:
    """Sum the entries of a store; the result is the sum and whether there is an entry."""
    values, is_list, stream = store.values, isinstance(store, Sparse), device.active.stream_key
    size = store.max_nvals if is_list else values.size
    count, bits = (store.count, None) if is_list else (None, store.bits)
    sums, has_sum = buffer_pool.partial_sums(MAX_BLOCKS, op.return_type.np_type, stream)
    result = HostResult()
    run = _reduce_kernel(op, cuda_type(values.dtype))
    run(
        _threads(size), size, count, values, bits, sums, has_sum, zeroed_words(stream),
        result.device_words,
    )  # fmt: skip
    return result


@cache
def _inner_kernel(op: Any, index: str, x: str, y: str, swapped: bool) -> Kernel:
    text = typedefs(Index=index, X=x, Y=y) + constants(SWAPPED=swapped)
    return kernel("inner_product", text + tables.semiring(op) + typedefs(Z="Add::Z"))


def _sum_of_products(u: Any, v: Any, op: Any) -> HostResult:
    """Sum the products of two Vectors; the result is the sum and whether there is a product."""
    x, y = u._store, v._store
    x_is_list, y_is_list = (isinstance(store, Sparse) for store in (x, y))
    swapped = y_is_list and not (x_is_list and x.max_nvals <= y.max_nvals)
    x, y = (y, x) if swapped else (x, y)
    y = to_dense(y, u.size)
    count, keys = (x.count, x.keys) if isinstance(x, Sparse) else (None, None)
    size = x.values.size if keys is None else x.max_nvals
    stream, result = device.active.stream_key, HostResult()
    sums, has_sum = buffer_pool.partial_sums(MAX_BLOCKS, op.return_type.np_type, stream)
    types = map(cuda_type, (kernel_index_dtype(u.size), x.values.dtype, y.values.dtype))
    _inner_kernel(op, *types, swapped)(
        _threads(size), size, count, keys, x.values, getattr(x, "bits", None), y.values, y.bits,
        sums, has_sum, zeroed_words(stream), result.device_words,
    )  # fmt: skip
    return result


# ---- to a Vector


class FirstSemiring(NamedTuple):
    """The semiring of a monoid whose multiplication returns the matrix's entry."""

    monoid: Any
    binaryop: Any
    opclass: str = "Semiring"

    @property
    def return_type(self) -> Any:
        """Type of the sums."""
        return self.monoid.return_type


class ReduceRows(Expression):
    """The sum of each row over a monoid, or of each column."""

    __slots__ = ("by_row", "flip")

    def __init__(self, A: Any, op: Any, by_row: bool) -> None:
        monoid = typed_operator(op, "monoid", A.dtype)
        op = FirstSemiring(monoid, binary.first[monoid.type])
        name, length = ("rowwise", A.nrows) if by_row else ("columnwise", A.ncols)
        super().__init__(f"reduce_{name}", (length,), op.return_type, op, (A,))
        self.by_row, self.flip = by_row, False

    def run(self, C: Any, mask: Any = None, accum: Any = None, replace: bool = False) -> None:
        """Compute C<mask, accum, replace> = sums."""
        (A,) = self.operands
        matrix, by_row = (A, self.by_row) if hasattr(A, "_store") else (A.T, not self.by_row)
        if isinstance(matrix._store, Dense):
            sums = _fold(matrix._store, matrix.nrows, matrix.ncols, self.op.monoid, by_row)
            assign_store(C, sums, self.dtype, mask, accum, replace)
        else:
            rows, transposed = A._rows(self.by_row, make=True)
            ones = OUTPUTS[1](bool, rows.ncols)
            ones._store = Dense(device.xp.ones(1, bool))  # FirstSemiring never reads it
            # this expression has the attributes of a product that a pull reads: op, flip
            plan_pull: Any = pull.plan_pull
            plan_pull(C, rows, transposed, ones, self, mask, accum, replace)()

    def __repr__(self) -> str:
        return f"<{self.operation} {self.op.monoid.name}: not computed; .new() computes it>"


@cache
def _fold_kernel(monoid: Any, x: str, name: str) -> Kernel:
    return kernel(
        "reduce_bitmap",
        tables.monoid(monoid) + typedefs(X=x, Z="Add::Z") + constants(CHUNK=CHUNK),
        name,
    )


def _fold(x: Dense, nrows: int, ncols: int, monoid: Any, by_row: bool) -> Dense:
    """Return the sums of the rows, or the columns, of a bitmap or full array.

    The kernel sums CHUNK entries of a row at most; the sums of its chunks are folded again.
    """
    xp = device.xp
    size = nrows * -(-ncols // CHUNK) if by_row else ncols
    sums = Dense(
        xp.empty(size, monoid.return_type.np_type), xp.zeros(bitmap_words(size), np.uint32)
    )
    run = _fold_kernel(
        monoid, cuda_type(x.values.dtype), "reduce_rows" if by_row else "reduce_columns"
    )
    threads = WARP * size if by_row else size
    run(threads, nrows, ncols, x.values, x.bits, sums.values, sums.bits)
    if by_row and size > nrows:
        return _fold(sums, nrows, size // nrows, monoid, True)
    return sums


# ---- comparisons


def isequal(x: Any, y: Any, check_dtype: bool) -> bool:
    """Whether shape, structure and values agree."""
    y = operand("isequal", y, x.ndim)
    if x.shape != y.shape or (check_dtype and x.dtype != y.dtype):
        return False
    if x is y and x.dtype.np_type.kind != "f":  # NaN is not equal to itself
        return True
    if "bits" in [z._store.form for z in (x, y) if hasattr(z, "_store")]:
        a, b = x._matrix()._bits(), y._matrix()._bits()
        if a is not None and b is not None:
            return bool(device.read_scalar((a.words == b.words).all()))
    if x.ndim == 1 and x.size and x._store.form == y._store.form == "full":
        return bool(Inner(x, y, semiring.land_eq).value)
    return _holds_everywhere(x, y, x.ewise_mult(y, "eq"))


def isclose(x: Any, y: Any, rel_tol: float, abs_tol: float, check_dtype: bool) -> bool:
    """Whether shape and structure agree, and values to a tolerance."""
    y = operand("isclose", y, x.ndim)
    validation.check_real(rel_tol, "rel_tol"), validation.check_real(abs_tol, "abs_tol")
    if x.shape != y.shape or (check_dtype and x.dtype != y.dtype):
        return False
    return _holds_everywhere(x, y, x.ewise_mult(y, binary.isclose(rel_tol, abs_tol)))


def _holds_everywhere(x: Any, y: Any, comparison: Expression) -> bool:
    """Whether x and y have the same structure and the comparison is true at all entries."""
    nvals = x.nvals
    if nvals != y.nvals:
        return False
    both = comparison.new(bool)
    return both.nvals == nvals and (not nvals or bool(Reduce(both, "land").new().value))
