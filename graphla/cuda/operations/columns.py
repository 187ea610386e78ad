"""u' A for a bitmap or full u and a matrix of few entries a row, such as one that maps i to f(i).

Each product is added to its column's sum by an atomic operation: the transpose, which a pull
would have to sort first, is not needed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.cuda import operators
from graphla.cuda.compile import kernel
from graphla.cuda.csr import CSR
from graphla.cuda.device import device
from graphla.cuda.storage import Dense, to_dense, words


def suits(A: CSR, op: Any) -> bool:
    """Whether A has so few entries a row, no transpose at hand, and sums that take a word."""
    wide = op.return_type.np_type.itemsize >= 4 and not operators.is_any(op.monoid)
    return wide and A._transposed is None and A.nvals <= A.nrows


def summed(A: CSR, u: Any, op: Any, definitions: str, native: str) -> Dense:
    """Return u' A."""
    xp = device.xp
    sums = xp.full(A.ncols, operators.identity(op.monoid))
    bits = xp.zeros(words(A.ncols), np.uint32)
    x = to_dense(u._store, A.nrows)
    text = f"#define NATIVE_ADD {bool(native):d}\ntypedef {native or 'i32'} NativeZ;\n"
    run = kernel("columns", f"{A.definitions()}{text}{definitions}")
    run(A.nrows, A.nrows, A.indptr, A.indices, A.values, x.values, x.bits, sums, bits)
    return Dense(sums, bits)
