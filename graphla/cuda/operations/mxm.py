"""C<M, accum, replace> = A B over a semiring.

:meth:`MatrixProduct._compute` and :func:`multiply` choose the kernel:

- bit matrices: an operand is bits, C may be, and the product is Boolean (bit_matrix.py);
- push: C is stored flat, as one vector of its rows, and A is a list: all rows are pushed at once
  (spmv/spmspv.py);
- spmm.cu: C is stored flat, and A is a bitmap or full: each row of B' is read once for all rows
  of A;
- scaling: A or B is a diagonal matrix, without a mask (spgemm/diagonal.py);
- otherwise sparse times sparse, with the mask inside (spgemm/dispatch.py).
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from graphla.cuda.expressions.arguments import operand, typed_operator
from graphla.cuda.expressions.statement import Expression, Mask
from graphla.cuda.operations import bit_matrix, ewise_csr
from graphla.cuda.operations.definitions import constants, native_atomic, typedefs
from graphla.cuda.operations.spgemm import diagonal
from graphla.cuda.operations.spgemm.dispatch import spgemm
from graphla.cuda.operations.spmv.spmspv import SpMSpV
from graphla.cuda.operators import tables
from graphla.cuda.operators.elementwise_formula import Formula, Plan
from graphla.cuda.runtime.device import device
from graphla.cuda.runtime.kernel import Kernel, kernel
from graphla.cuda.storage.csr import CSR
from graphla.cuda.storage.vector_formats import Dense, Sparse, bitmap_words, cuda_type
from graphla.errors import DimensionMismatch


class MatrixProduct(Expression):
    """A B over a semiring."""

    __slots__ = ()

    def __init__(self, A: Any, B: Any, op: Any) -> None:
        op = typed_operator(op, "semiring", A.dtype, B.dtype)
        super().__init__("mxm", (A.nrows, B.ncols), op.return_type, op, (A, B))

    def plan(self, C: Any, mask: Any, accum: Any, replace: bool) -> Plan:
        """Return what computes C<mask, accum, replace> = A B."""
        return lambda: self._compute(C, mask, accum, replace)

    def _compute(self, C: Any, mask: Any, accum: Any, replace: bool) -> None:
        """Store the product as C itself if that is the whole update, else update C by it."""
        A, B = self.operands
        if bit_matrix.try_mxm(C, A, B, self.op, mask, accum, replace):
            return
        T = multiply(C, A._matrix(), B, self.op, mask)
        is_masked = mask is not None and not isinstance(T, Dense)  # spmm.cu takes no mask
        overwrites = accum is None and (mask is None or (replace and is_masked))
        fits = not C._is_flat or C._storage_hint in (None, T.form)
        if overwrites and C.dtype.np_type == T.values.dtype and fits:
            C._store = T
            return
        if accum is not None and not replace and is_masked:
            mask = None  # T has no entry that the mask excludes, and no entry of C is deleted
        product = type(C)._of(T, self.dtype, *self.shape)
        same = Formula("Identity", None, self.dtype)
        C._elementwise(same, (product,), None, mask, accum, replace)


def mxm(A: Any, B: Any, op: Any) -> Expression:
    """Return A B."""
    B = operand("mxm", B, 2)
    if A.ncols != B.nrows:
        raise DimensionMismatch(f"mxm: a matrix of {A.shape} times one of {B.shape}")
    return MatrixProduct(A, B, op)


def multiply(C: Any, A: Any, B: Any, op: Any, mask: Mask | None) -> Any:
    """Choose the kernel and return a store of A B.

    It is a list or rows, without the entries that the mask excludes, or a bitmap. C gives the form
    that is wanted, and the buffers that the result replaces.
    """
    if C._is_flat and isinstance(A._flat(), Sparse):
        rows, transposed = B._rows(True, make=True)
        return SpMSpV(rows, transposed, A.dtype, op, True, C._positions, mask)(A._flat(), C._store)
    if C._is_flat:
        return _multiply_dense(A._flat(), B, op, A.nrows)
    needs_rows = mask is None or mask.complement
    by_row, _ = B._rows(True, make=needs_rows)
    by_column, _ = B._rows(False)
    A = A._csr()
    if mask is None and by_row is not None and (scaled := diagonal.multiply(A, by_row, op)):
        return scaled
    return spgemm(
        A,
        by_row,
        tables.semiring(op),
        zdtype=op.return_type.np_type,
        uses=tables.uses(op),
        native=native_atomic(op.monoid),
        mask=None if mask is None else ewise_csr.mask_structure(mask),
        complement=mask is not None and mask.complement,
        transposed=by_column,
    )


@cache
def _spmm(op: Any, f: str, b: str, iso: bool, index: str) -> Kernel:
    reads = tables.uses(op)
    text = tables.semiring(op) + typedefs(F=f, B=b, Z="Add::Z") + index
    return kernel("spmm", text + constants(B_ISO=iso, USES_F="x" in reads, USES_B="y" in reads))


def _multiply_dense(F: Dense, B: Any, op: Any, k: int) -> Dense:
    """Return F B for a bitmap or full F of k rows (spmm.cu)."""
    xp = device.xp
    rows: CSR = B._rows(False, make=True)[0]  # of B'
    n, inner = rows.nrows, rows.ncols
    values, bits = xp.empty(k * n, op.return_type.np_type), xp.zeros(bitmap_words(k * n), np.uint32)
    types = cuda_type(F.values.dtype), cuda_type(rows.values.dtype)
    run = _spmm(op, *types, rows.iso, rows.typedefs())
    run(n * k, k, n, inner, F.values, F.bits, *rows.arrays, values, bits)
    return Dense(values, bits)
