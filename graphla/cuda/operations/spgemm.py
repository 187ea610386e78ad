"""C<M> = A B on any semiring: sparse matrix times sparse matrix, all by rows.

Which kernels do it is decided by :func:`method_of`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.cuda.device import device
from graphla.cuda.operations import spgemm_hash
from graphla.cuda.operations.csr import CSRArrays, integer, typedef

SHARE = 4  # of the free bytes, one part of this many may be spent on tables


def definitions(A: CSRArrays, B: CSRArrays, semiring: str, uses: str, mask: Any, comp: bool) -> str:
    """Return the text in front of the kernels."""
    text = semiring
    for name, M, letter in (("A", A, "x"), ("B", B, "y")):
        index = "AIndex" if name == "A" else "Index"
        text += typedef(f"{name}Offset", M.indptr.dtype) + typedef(index, M.indices.dtype)
        read = 0 if letter not in uses or M.values is None else 1 if len(M.values) == 1 else 2
        text += typedef(f"{name}Type", M.values.dtype if read else np.bool_)
        text += f"enum {{ {name}_READ = {read} }};\n"
    text += typedef("MOffset", mask[0].dtype if mask else np.int32)
    return text + f"enum {{ COMPLEMENT = {int(comp)} }};\n"


def spgemm(
    A: CSRArrays,
    B: CSRArrays,
    semiring: str,
    *,
    zdtype: Any,
    uses: str = "xy",
    mask: tuple[Any, Any] | None = None,
    complement: bool = False,
    nrows: int,
    ncols: int,
    inner: int,
    limit: int | None = None,
) -> CSRArrays:
    zdtype = np.dtype(zdtype)
    limit = limit or device.free() // SHARE
    if not len(A.indices) or not len(B.indices):
        return empty(nrows, ncols, zdtype)
    text = definitions(A, B, semiring, uses, mask, complement and mask is not None)
    return spgemm_hash.multiply(A, B, mask, text, zdtype, ncols, limit)


def empty(nrows: int, ncols: int, zdtype: Any) -> CSRArrays:
    """Return a matrix without entries."""
    xp = device.xp
    indptr, indices = xp.zeros(nrows + 1, np.int32), xp.empty(0, integer(ncols))
    return CSRArrays(indptr, indices, xp.empty(0, zdtype))
