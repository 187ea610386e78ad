"""C = kron(A, B): row i_A * nrows(B) + i_B has op(a, b) for each a in row i_A and b in row i_B."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from graphla.cuda.expressions.arguments import operand, typed_operator
from graphla.cuda.expressions.statement import Expression
from graphla.cuda.operations.assign_extract import assign_store
from graphla.cuda.operations.definitions import WARP, constants, typedefs
from graphla.cuda.operators import tables
from graphla.cuda.runtime.device import device
from graphla.cuda.runtime.kernel import Kernel, kernel
from graphla.cuda.storage.csr import CSR, prefix_sum
from graphla.cuda.storage.vector_formats import cuda_type, kernel_index_dtype


class Kronecker(Expression):
    """The Kronecker product of two matrices."""

    __slots__ = ()

    def __init__(self, A: Any, B: Any, op: Any) -> None:
        B = operand("kronecker", B, 2)
        op = typed_operator(op, "binary", A.dtype, B.dtype)
        shape = A.nrows * B.nrows, A.ncols * B.ncols
        super().__init__("kronecker", shape, op.return_type, op, (A, B))

    def run(self, C: Any, mask: Any = None, accum: Any = None, replace: bool = False) -> None:
        """Compute C<mask, accum, replace> = product."""
        A, B = (x._csr() for x in self.operands)
        result = kronecker_product(A, B, self.op, *self.shape)
        assign_store(C, result, self.dtype, mask, accum, replace)


@cache
def _kernel(op: Any, types: tuple[str, ...], isos: tuple[bool, bool], name: str) -> Kernel:
    names = ("OffsetA", "IndexA", "A", "OffsetB", "IndexB", "B", "Index")
    text = typedefs(**dict(zip(names, types, strict=True)))
    text += constants(A_ISO=isos[0], B_ISO=isos[1])
    return kernel("kronecker", f"{text}{tables.binary(op)}typedef Op::Z Z;\n", name)


def kronecker_product(A: CSR, B: CSR, op: Any, nrows: int, ncols: int) -> CSR:
    """Return the Kronecker product of two matrices: one kernel counts, a second writes."""
    xp = device.xp
    arrays = (*A.arrays, *B.arrays)
    column = kernel_index_dtype(ncols)
    types = (*(cuda_type(array.dtype) for array in arrays), cuda_type(column))
    lengths = xp.empty(nrows, np.int64)
    count = _kernel(op, types, (A.iso, B.iso), "kronecker_row_lengths")
    count(nrows, nrows, B.nrows, A.indptr, B.indptr, lengths)
    indptr, total = prefix_sum(lengths), A.nvals * B.nvals
    with device.allocation(total * 16, f"a Kronecker product of {total:,} entries"):
        indices, values = xp.empty(total, column), xp.empty(total, op.return_type.np_type)
    run = _kernel(op, types, (A.iso, B.iso), "kronecker")
    run(WARP * nrows, nrows, B.nrows, B.ncols, *arrays, indptr, indices, values)
    return CSR(indptr.astype(kernel_index_dtype(total)), indices, values, ncols)
