"""Sums of rows and columns, Kronecker products, diagonals, and changes of shape.

The sums of the rows of compressed sparse rows are a product with a vector of whatever values
(spmv_pull.cu), over the semiring that multiplies by taking the matrix's entry; those of its columns
are the sums of the transpose's rows. Bitmaps and full arrays are summed as they lie
(reduce_bitmap.cu).
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from graphblas import binary

from graphla.cuda.expressions import operator_arguments
from graphla.cuda.expressions.arguments import extent, integer, operand
from graphla.cuda.expressions.expression import OUTPUTS, Expression, Kept
from graphla.cuda.expressions.index_keys import Axis
from graphla.cuda.operations import assign_extract, csr_extract, indexing, spmv_pull
from graphla.cuda.operators import graphblas_bridge, tables
from graphla.cuda.runtime.compile import Kernel, kernel
from graphla.cuda.runtime.device import device
from graphla.cuda.storage.csr import CSR
from graphla.cuda.storage.vector_formats import Dense, element, index_dtype, to_sparse, words

CHUNK = 1024  # entries of a row that a warp sums (reduce_bitmap.cu)


class First(NamedTuple):
    """The semiring of a monoid that multiplies by taking the matrix's entry."""

    monoid: Any
    binaryop: Any
    opclass: str = "Semiring"

    @property
    def return_type(self) -> Any:
        """Type of the sums."""
        return self.monoid.return_type


class Rowwise(Expression):
    """The sum of each row over a monoid, or of each column."""

    __slots__ = ("by_row", "flip")

    def __init__(self, A: Any, op: Any, by_row: bool) -> None:
        monoid = graphblas_bridge.resolve(op, "monoid", A.dtype)
        op = First(monoid, binary.first[monoid.type])
        name, length = ("rowwise", A.nrows) if by_row else ("columnwise", A.ncols)
        super().__init__(f"reduce_{name}", (length,), op.return_type, op, (A,))
        self.by_row, self.flip = by_row, False

    def run(self, C: Any, mask: Any = None, accum: Any = None, replace: bool = False) -> None:
        """Compute C<mask, accum, replace> = sums."""
        (A,) = self.operands
        matrix, by_row = (A, self.by_row) if hasattr(A, "_store") else (A.T, not self.by_row)
        if isinstance(matrix._store, Dense):
            found = folded(matrix._store, matrix.nrows, matrix.ncols, self.op.monoid, by_row)
            indexing.deliver(C, found, self.dtype, mask, accum, replace)
        else:
            rows, transposed = A._rows(self.by_row, make=True)
            ones = OUTPUTS[1](bool, rows.ncols)
            ones._store = Dense(device.xp.ones(1, bool))  # never read
            pull: Any = spmv_pull.pull  # all that it reads of a Product is here
            pull(C, rows, transposed, ones, self, mask, accum, replace)()

    def __repr__(self) -> str:
        return f"<{self.operation} {self.op.monoid.name}: not computed; .new() computes it>"


@cache
def _fold(monoid: Any, x: str, name: str) -> Kernel:
    text = f"{tables.monoid(monoid)}typedef {x} X; typedef Add::Z Z;\n"
    return kernel("reduce_bitmap", text, name)


def folded(x: Dense, count: int, n: int, monoid: Any, by_row: bool) -> Dense:
    """Return the sums of the rows, or the columns, of a bitmap or full array of count x n."""
    xp = device.xp
    size = count * -(-n // CHUNK) if by_row else n
    sums = Dense(xp.empty(size, monoid.return_type.np_type), xp.zeros(words(size), np.uint32))
    run = _fold(monoid, element(x.values.dtype), "reduce_rows" if by_row else "reduce_columns")
    threads = 32 * size if by_row else size
    run(threads, count, n, x.values, x.bits, sums.values, sums.bits)
    more = by_row and size > count
    return folded(sums, count, size // count, monoid, True) if more else sums


class Kronecker(Expression):
    """Each entry of A times all of B."""

    __slots__ = ()

    def __init__(self, A: Any, B: Any, op: Any) -> None:
        B = operand("kronecker", B, 2)
        op = graphblas_bridge.resolve(op, "binary", A.dtype, B.dtype)
        shape = A.nrows * B.nrows, A.ncols * B.ncols
        super().__init__("kronecker", shape, op.return_type, op, (A, B))

    def run(self, C: Any, mask: Any = None, accum: Any = None, replace: bool = False) -> None:
        """Compute C<mask, accum, replace> = product."""
        A, B = (x._csr() for x in self.operands)
        found = kronecker(A, B, self.op, *self.shape)
        indexing.deliver(C, found, self.dtype, mask, accum, replace)


@cache
def _kronecker(op: Any, types: tuple[str, ...], isos: tuple[bool, bool], name: str) -> Kernel:
    names = zip(types, ("OffsetA", "IndexA", "A", "OffsetB", "IndexB", "B", "Index"), strict=True)
    text = "".join(f"typedef {kind} {name};\n" for kind, name in names)
    flags = "enum {{ A_ISO = {:d}, B_ISO = {:d} }};\n".format(*isos)
    return kernel("kronecker", f"{text}{flags}{tables.binary(op)}typedef Op::Z Z;\n", name)


def kronecker(A: CSR, B: CSR, op: Any, nrows: int, ncols: int) -> CSR:
    """Return the Kronecker product of two matrices."""
    xp = device.xp
    arrays = [array for x in (A, B) for array in (x.indptr, x.indices, x.values)]
    column = index_dtype(ncols)
    types = (*(element(array.dtype) for array in arrays), element(column))
    lengths = xp.empty(nrows, np.int64)
    step = _kronecker(op, types, (A.iso, B.iso), "kronecker_row_lengths")
    step(nrows, nrows, B.nrows, A.indptr, B.indptr, lengths)
    starts, total = csr_extract.ends(lengths), A.nvals * B.nvals
    with device.memory(total * 16, f"a Kronecker product of {total:,} entries"):
        indices, values = xp.empty(total, column), xp.empty(total, op.return_type.np_type)
    run = _kronecker(op, types, (A.iso, B.iso), "kronecker")
    run(32 * nrows, nrows, B.nrows, B.ncols, *arrays, starts, indices, values)
    return CSR(starts.astype(index_dtype(total)), indices, values, ncols)


def diagonal(v: Any, k: int = 0, dtype: Any = None, name: str | None = None) -> Any:
    """Return the square Matrix with a Vector's entries on its k-th diagonal."""
    xp, k = device.xp, integer(k, "k")
    n = v.size + abs(k)
    keys, values = to_sparse(v._store, v.size).arrays()
    kind = index_dtype(n)
    row, column = kind(max(0, -k)), kind(max(0, k))
    indptr = xp.searchsorted(keys.astype(kind) + row, xp.arange(n + 1, dtype=kind))
    indptr = indptr.astype(index_dtype(keys.size))
    D = OUTPUTS[2]._of(CSR(indptr, keys.astype(kind) + column, values.copy(), n), v.dtype, n, n)
    if dtype is not None and operator_arguments.dtype(dtype) != v.dtype:
        D = D.dup(dtype)
    D.name = name
    return D


def diagonal_of(A: Any, k: int = 0, dtype: Any = None, name: str | None = None) -> Any:
    """Return the k-th diagonal of a Matrix as a Vector."""
    A, k = A._matrix(), integer(k, "k")
    row, column = max(0, -k), max(0, k)
    size = max(0, min(A.nrows - row, A.ncols - column))
    v = OUTPUTS[1](A.dtype, size)
    if size and isinstance(A._store, Dense):
        line = Axis(A._positions, size, row * A.ncols + column, A.ncols + 1)
        v._store = assign_extract.gather(A._store, (line,))
    elif size:
        v._store = assign_extract.at_columns(A._csr(), Axis(A.nrows, size, row), column, 1)
    v = v if dtype is None else v.dup(dtype)
    v.name = name
    return v


def resize(A: Any, nrows: int, ncols: int) -> None:
    """Change the shape of a Matrix; entries outside of it are lost."""
    nrows, ncols = extent(nrows, "nrows"), extent(ncols, "ncols")
    store = A._csr()
    if ncols != A.ncols:
        store = csr_extract.columns(store, _first(A.ncols, ncols))
    if nrows != A.nrows:
        store = csr_extract.rows(store, _first(A.nrows, nrows))
    A.nrows, A.ncols, A._store = nrows, ncols, store
    A._settle()
    Kept.resized += 1


def _first(size: int, count: int) -> Any:
    """Return `count` indices of `size`; -1 where there are no more."""
    xp = device.xp
    k = xp.arange(count, dtype=index_dtype(max(size, count)))
    return xp.where(k < size, k, k.dtype.type(-1))


__all__ = ["Kronecker", "Rowwise", "diagonal", "diagonal_of", "resize"]
