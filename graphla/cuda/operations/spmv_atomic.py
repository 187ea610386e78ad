"""u' A for a bitmap or full u and a matrix of few entries a row, such as one that maps i to f(i).

Each product is added to its column's sum by an atomic operation: the transpose, which a pull
would have to sort for first, is not needed. The update with mask and accumulator follows.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.cuda.expressions.mask import Mask
from graphla.cuda.operators import tables
from graphla.cuda.operators.elementwise_formula import Combine, Plan
from graphla.cuda.runtime.compile import kernel
from graphla.cuda.runtime.device import device
from graphla.cuda.storage.csr import CSR
from graphla.cuda.storage.vector_formats import Dense, to_dense, words


def suits(A: CSR, op: Any) -> bool:
    """Whether A has so few entries a row, no transpose at hand, and sums that take a word."""
    wide = op.return_type.np_type.itemsize >= 4 and not tables.is_any(op.monoid)
    return wide and A._transposed is None and A.nvals <= A.nrows


def plan(
    C: Any, A: CSR, u: Any, e: Any, text: str, mask: Mask | None, accum: Any, replace: bool
) -> Plan:  # fmt: skip
    """Return what computes C<mask, accum, replace> = u' A.

    `text` defines the product and the hardware's atomic operation.
    """
    run = kernel("spmv_atomic", A.definitions() + text)
    T, same = type(C)(e.dtype, *C.shape), Combine("Same", None, e.dtype)

    def go() -> None:
        xp, x = device.xp, to_dense(u._store, A.nrows)
        sums = xp.full(A.ncols, tables.identity(e.op.monoid))
        bits = xp.zeros(words(A.ncols), np.uint32)
        run(A.nvals, A.nvals, A.nrows, A.indptr, A.indices, A.values, x.values, x.bits, sums, bits)
        T._store = Dense(sums, bits)
        if mask is None and accum is None and C.dtype == e.dtype:
            C._store = T._store
        else:
            C._elementwise(same, (T,), None, mask, accum, replace)

    return go
