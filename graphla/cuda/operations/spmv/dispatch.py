"""w<M, accum, replace> = A u (mxv) and u' A (vxm) over a semiring.

:meth:`MatrixVectorProduct.plan` chooses the kernel:

- push (spmspv.py): u is a list, and the rows at its entries are stored;
- atomic (atomic.py): u is a bitmap or full, and the matrix has so few entries that atomic
  sums of its columns are cheaper than a transpose;
- pull (pull.py): otherwise. The transpose is made if the rows of the output are not stored.

Push and pull apply the mask in the kernel, and compute nothing that it excludes.
"""

from __future__ import annotations

from typing import Any

from graphla.cuda.expressions.arguments import operand, typed_operator
from graphla.cuda.expressions.statement import Expression, Mask
from graphla.cuda.operations.spmv import atomic
from graphla.cuda.operations.spmv.pull import plan_pull
from graphla.cuda.operations.spmv.spmspv import SpMSpV
from graphla.cuda.operators.elementwise_formula import Formula, Plan
from graphla.cuda.storage.csr import CSR
from graphla.cuda.storage.vector_formats import Sparse
from graphla.errors import DimensionMismatch


class MatrixVectorProduct(Expression):
    """A u, or u' A if `flip`."""

    __slots__ = ("flip",)

    def __init__(self, operation: str, A: Any, u: Any, op: Any, flip: bool) -> None:
        length = A.ncols if flip else A.nrows
        super().__init__(operation, (length,), op.return_type, op, (A, u))
        self.flip = flip

    def plan(self, C: Any, mask: Any, accum: Any, replace: bool) -> Plan:
        """Choose the kernel and return what computes C<mask, accum, replace> = product."""
        A, u = self.operands
        rows, transposed = A._rows(self.flip)  # to push along: of A for u' A, of A' for A u
        if rows is not None and isinstance(u._store, Sparse):
            return self._plan_push(C, rows, transposed, mask, accum, replace)
        if rows is not None and atomic.is_cheaper(rows, self.op):
            return atomic.plan_atomic(C, rows, transposed, u, self, mask, accum, replace)
        rows, transposed = A._rows(not self.flip, make=True)
        assert rows is not None
        return plan_pull(C, rows, transposed, u, self, mask, accum, replace)

    def _plan_push(
        self, C: Any, A: CSR, transposed: bool, mask: Mask | None, accum: Any, replace: bool
    ) -> Plan:
        _, u = self.operands
        multiply = SpMSpV(A, transposed, u.dtype, self.op, self.flip, C._positions, mask)
        overwrites = accum is None and (mask is None or replace)
        if overwrites and C._storage_hint not in ("bitmap", "full") and C.dtype == self.dtype:

            def into_output() -> None:
                C._store = multiply(u._store, C._store)

            return into_output
        T, identity = type(C)(self.dtype, *C.shape), Formula("Identity", None, self.dtype)

        def into_temporary() -> None:
            T._store = multiply(u._store, None)
            C._elementwise(identity, (T,), None, mask, accum, replace)

        return into_temporary

    def dependencies(self) -> Any:
        """Return the rows of the matrix, which never change, and the format of the vector."""
        A, u = self.operands
        A = A if hasattr(A, "_store") else A.T
        if not isinstance(A._store, CSR):  # other formats are updated in place
            return None
        return (A, A._store), (u, u._store.form)


def mxv(A: Any, u: Any, op: Any) -> Expression:
    """Return A u."""
    u = operand("mxv", u, 1)
    _check_length("mxv", A, u, A.ncols)
    op = typed_operator(op, "semiring", A.dtype, u.dtype)
    return MatrixVectorProduct("mxv", A, u, op, False)


def vxm(u: Any, A: Any, op: Any) -> Expression:
    """Return u' A."""
    A = operand("vxm", A, 2)
    _check_length("vxm", A, u, A.nrows)
    op = typed_operator(op, "semiring", u.dtype, A.dtype)
    return MatrixVectorProduct("vxm", A, u, op, True)


def _check_length(operation: str, A: Any, u: Any, length: int) -> None:
    if u.size != length:
        raise DimensionMismatch(f"{operation}: a vector of {u.size} and a matrix of {A.shape}")
