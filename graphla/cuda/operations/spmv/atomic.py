"""w<M, accum, replace> = u' A with atomics, for a bitmap or full u and a matrix of few entries.

Each product is added to the sum of its column by an atomic operation (spmv_atomic.cu), so that no
transpose has to be made by sorting, as a pull would need. The update of w follows in a second
kernel. A typical matrix maps each i to one f(i).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.cuda.expressions.statement import Mask
from graphla.cuda.operations.definitions import native_atomic, semiring_definitions
from graphla.cuda.operators import tables
from graphla.cuda.operators.elementwise_formula import Formula, Plan
from graphla.cuda.runtime.device import device
from graphla.cuda.runtime.kernel import kernel
from graphla.cuda.storage.csr import CSR
from graphla.cuda.storage.vector_formats import Dense, bitmap_words, cuda_type, to_dense


def is_cheaper(A: CSR, op: Any) -> bool:
    """Whether atomics cost less than a transpose: one entry a row at most on average, no A' yet.

    Sums of less than a word have no atomic operation; for ANY a push or pull is better.
    """
    has_atomic = op.return_type.np_type.itemsize >= 4 and not tables.is_any(op.monoid)
    return has_atomic and A._transposed is None and A.nvals <= A.nrows


def plan_atomic(
    C: Any, A: CSR, transposed: bool, u: Any, product: Any, mask: Mask | None, accum: Any,
    replace: bool,
) -> Plan:  # fmt: skip
    """Return what computes C<mask, accum, replace> = u' A for an expression `product`."""
    op, types = product.op, (cuda_type(A.values.dtype), cuda_type(u.dtype.np_type))
    semiring = semiring_definitions(op, *types, A.iso, product.flip, transposed)
    run = kernel("spmv_atomic", A.typedefs() + semiring + native_atomic(op.monoid))
    T, identity = type(C)(product.dtype, *C.shape), Formula("Identity", None, product.dtype)

    def compute() -> None:
        xp, x = device.xp, to_dense(u._store, A.nrows)
        sums = xp.full(A.ncols, tables.identity(op.monoid))
        bits = xp.zeros(bitmap_words(A.ncols), np.uint32)
        run(A.nvals, A.nvals, A.nrows, *A.arrays, x.values, x.bits, sums, bits)
        T._store = Dense(sums, bits)
        if mask is None and accum is None and C.dtype == product.dtype:
            C._store = T._store
        else:
            C._elementwise(identity, (T,), None, mask, accum, replace)

    return compute
