"""Products with a diagonal matrix, which scale the rows or the columns of the other one.

The result has the other one's structure, and shares its arrays.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from graphla.cuda.operators import tables
from graphla.cuda.runtime.compile import Kernel, kernel
from graphla.cuda.runtime.device import device
from graphla.cuda.storage.csr import CSR
from graphla.cuda.storage.vector_formats import element


def scaled(A: CSR, B: CSR, op: Any) -> CSR | None:
    """Return A B if one of them is diagonal, with all its entries; else None."""
    if B.diagonal:
        return _scale(B, A, op, left=False)
    return _scale(A, B, op, left=True) if A.diagonal else None


@cache
def _kernel(op: Any, types: tuple[str, ...], choices: tuple[bool, ...]) -> Kernel:
    typedefs = "".join(
        f"typedef {kind} {name};\n"
        for kind, name in zip(types, ("Offset", "Index", "A", "D"), strict=True)
    )
    flags = "enum {{ LEFT = {:d}, ROWS = {:d}, A_ISO = {:d}, D_ISO = {:d} }};\n".format(*choices)
    return kernel("scale", tables.semiring(op) + typedefs + flags)


def _scale(D: CSR, A: CSR, op: Any, left: bool) -> CSR:
    rows = left or bool(tables.uses(op) - {"x", "y"})
    types = tuple(element(x.dtype) for x in (A.indptr, A.indices, A.values, D.values))
    with device.memory(A.nvals * op.return_type.np_type.itemsize, "a scaled matrix"):
        out = device.xp.empty(A.nvals, op.return_type.np_type)
    run = _kernel(op, types, (left, rows, A.iso, D.iso))
    run(A.nvals, A.nvals, A.nrows, A.indptr, A.indices, A.values, D.values, out)
    return CSR(A.indptr, A.indices, out, A.ncols)
