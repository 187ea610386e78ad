"""C = D A or A D for a diagonal matrix D: the rows, or the columns, of A are scaled (scale.cu).

C has the structure of A, and shares its arrays.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from graphla.cuda.operations.definitions import constants, typedefs
from graphla.cuda.operators import tables
from graphla.cuda.runtime.device import device
from graphla.cuda.runtime.kernel import Kernel, kernel
from graphla.cuda.storage.csr import CSR
from graphla.cuda.storage.vector_formats import cuda_type


def multiply(A: CSR, B: CSR, op: Any) -> CSR | None:
    """Return A B if one of them is diagonal, with all its entries; else None."""
    if B.is_diagonal:
        return _scale(B, A, op, left=False)
    return _scale(A, B, op, left=True) if A.is_diagonal else None


@cache
def _kernel(
    op: Any, types: tuple[str, ...], left: bool, rows: bool, isos: tuple[bool, bool]
) -> Kernel:
    text = typedefs(**dict(zip(("Offset", "Index", "A", "D"), types, strict=True)))
    text += constants(LEFT=left, ROWS=rows, A_ISO=isos[0], D_ISO=isos[1])
    return kernel("scale", tables.semiring(op) + text)


def _scale(D: CSR, A: CSR, op: Any, left: bool) -> CSR:
    """Return D A if `left`, else A D."""
    needs_rows = left or bool(tables.uses(op) - {"x", "y"})
    types = tuple(cuda_type(x.dtype) for x in (*A.arrays, D.values))
    with device.allocation(A.nvals * op.return_type.np_type.itemsize, "a scaled matrix"):
        out = device.xp.empty(A.nvals, op.return_type.np_type)
    run = _kernel(op, types, left, needs_rows, (A.iso, D.iso))
    run(A.nvals, A.nvals, A.nrows, *A.arrays, D.values, out)
    return CSR(A.indptr, A.indices, out, A.ncols)
