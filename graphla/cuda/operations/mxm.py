"""Matrix times matrix over a semiring.

Five ways, the first where an operand is bits (packed.py), else by the form of the left one:

- few rows, a list: all rows are pushed at once, as one long vector (spmspv.cu);
- few rows, a bitmap or full: every row of the other is read once for all of them (spmm.cu);
- a diagonal matrix scales the other one's rows or columns (scale.py);
- else sparse times sparse (spgemm.py), with the mask inside.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from graphla.cuda.expressions.arguments import operand
from graphla.cuda.expressions.expression import Expression
from graphla.cuda.expressions.mask import Mask
from graphla.cuda.operations import bit_matrix, ewise_csr
from graphla.cuda.operations.definitions import native_atomic
from graphla.cuda.operations.spgemm import diagonal
from graphla.cuda.operations.spgemm.dispatch import spgemm
from graphla.cuda.operations.spmspv import SpMSpV
from graphla.cuda.operators import graphblas_bridge, tables
from graphla.cuda.operators.elementwise_formula import Combine, Plan
from graphla.cuda.runtime.compile import Kernel, kernel
from graphla.cuda.runtime.device import device
from graphla.cuda.storage.csr import CSR, CSRArrays
from graphla.cuda.storage.vector_formats import Dense, Sparse, element
from graphla.errors import DimensionMismatch


class MxM(Expression):
    """A B over a semiring."""

    __slots__ = ()

    def __init__(self, A: Any, B: Any, op: Any) -> None:
        op = graphblas_bridge.resolve(op, "semiring", A.dtype, B.dtype)
        super().__init__("mxm", (A.nrows, B.ncols), op.return_type, op, (A, B))

    def plan(self, C: Any, mask: Any, accum: Any, replace: bool) -> Plan:
        """Return what computes C<mask, accum, replace> = A B."""
        return lambda: self._run(C, mask, accum, replace)

    def _run(self, C: Any, mask: Any, accum: Any, replace: bool) -> None:
        A, B = self.operands
        if bit_matrix.mxm(C, A, B, self.op, mask, accum, replace):
            return
        T = self._product(C, A._matrix(), B, mask)
        anew = accum is None and (mask is None or (replace and not isinstance(T, Dense)))
        fits = not C._is_flat or C._keep in (None, T.form)
        if anew and C.dtype.np_type == T.values.dtype and fits:
            C._store = T
        else:
            if accum is not None and not replace and not isinstance(T, Dense):
                mask = None  # T has what it allows, and all else of C stays
            product = type(C)._of(T, self.dtype, *self.shape)
            how = Combine("Same", None, self.dtype)
            C._elementwise(how, (product,), None, mask, accum, replace)

    def _product(self, C: Any, A: Any, B: Any, mask: Mask | None) -> Any:
        """Return a store of A B: a list or rows, without what the mask excludes, or a bitmap."""
        if C._is_flat:
            left = A._flat()
            if isinstance(left, Sparse):
                rows, transposed = B._rows(True, make=True)
                size = C._positions
                multiply = SpMSpV(rows, transposed, A.dtype, self.op, True, size, mask)
                return multiply(left, C._store)
            return spmm(left, B, self.op, A.nrows)
        return sparse(A._csr(), B, self.op, mask)


def sparse(A: CSR, B: Any, op: Any, mask: Mask | None) -> CSR:
    """Return A B where the mask allows, with the rows of B or of B' that are at hand."""
    unmasked = mask is None or mask.complement
    by_row, _ = B._rows(True, make=unmasked)
    by_column, _ = B._rows(False)
    if mask is None and by_row is not None and (product := diagonal.scaled(A, by_row, op)):
        return product
    M = None if mask is None else ewise_csr.structure(mask)
    found = spgemm(
        arrays(A), by_row and arrays(by_row), tables.semiring(op),
        zdtype=op.return_type.np_type, uses=tables.uses(op),
        native=native_atomic(op.monoid),
        mask=None if M is None else (M.indptr, M.indices),
        complement=mask is not None and mask.complement,
        transposed=by_column and arrays(by_column),
        nrows=A.nrows, ncols=B.ncols, inner=A.ncols,
    )  # fmt: skip
    iso = len(found.values) < len(found.indices)
    return CSR(found.indptr, found.indices, found.values, B.ncols, iso)


def arrays(A: CSR) -> CSRArrays:
    """Return the arrays of compressed sparse rows."""
    return CSRArrays(A.indptr, A.indices, A.values)


def mxm(A: Any, B: Any, op: Any) -> Expression:
    """Return A B."""
    B = operand("mxm", B, 2)
    if A.ncols != B.nrows:
        raise DimensionMismatch(f"mxm: a matrix of {A.shape} times one of {B.shape}")
    return MxM(A, B, op)


@cache
def _spmm(op: Any, f: str, b: str, iso: bool, index: str) -> Kernel:
    reads = tables.uses(op)
    return kernel(
        "spmm",
        f"{tables.semiring(op)}typedef {f} F; typedef {b} B; typedef Add::Z Z;\n{index}"
        f"enum {{ B_ISO = {iso:d}, USES_F = {'x' in reads:d}, USES_B = {'y' in reads:d} }};\n",
    )


def spmm(F: Dense, B: Any, op: Any, k: int) -> Dense:
    """Return F B for a bitmap or full F of k rows, reading each row of B' once."""
    xp = device.xp
    rows: CSR = B._rows(False, make=True)[0]
    n, inner = rows.nrows, rows.ncols
    values = xp.empty(k * n, op.return_type.np_type)
    out = Dense(values, xp.zeros(max(1, (k * n + 31) // 32), "u4"))
    run = _spmm(
        op, element(F.values.dtype), element(rows.values.dtype), rows.iso, rows.definitions()
    )
    run(
        n * k, k, n, inner, F.values, F.bits, rows.indptr, rows.indices, rows.values,
        out.values, out.bits,
    )  # fmt: skip
    return out
