"""C = A B by sorting all products: for products that crowd into few rows.

Where millions of products meet in one row, as when a graph is contracted to the parts of a
spanning forest, the threads of a hash table wait for each other. Instead every product is
written with its position, the positions are sorted, and each run of equal ones is summed,
an equal share of the run to each warp.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.cuda.runtime.compile import kernel
from graphla.cuda.runtime.device import device
from graphla.cuda.storage.csr import CSRArrays, running, typedef
from graphla.cuda.storage.vector_formats import index_dtype

CROWD = 1 << 18  # products of one row from which sorting is faster
EACH = 40  # bytes that a product takes for a moment, beside its value


def wins(A: CSRArrays, work: Any, zdtype: Any) -> bool:
    """Return whether a product with `work` products in each row is better sorted.

    Where A has one entry a row at most, rows of B are copied.
    """
    xp = device.xp
    if int(device.word(work.max())) < CROWD or int(device.word(xp.diff(A.indptr).max())) <= 1:
        return False
    total = int(device.word(work.sum()))
    return total * (EACH + zdtype.itemsize) < device.free() // 2


def multiply(A: CSRArrays, B: CSRArrays, text: str, zdtype: Any, ncols: int) -> CSRArrays:
    """Return A B; `text` defines the semiring and the types."""
    xp = device.xp
    nrows, nentries = len(A.indptr) - 1, len(A.indices)
    lengths = xp.diff(B.indptr)[A.indices]
    starts, total = running(lengths)
    row = xp.empty(nentries, index_dtype(nrows))
    types = typedef("Offset", A.indptr.dtype) + typedef("Row", row.dtype)
    kernel("csr_row_indices", types)(nentries, nentries, nrows, A.indptr, row)
    text += typedef("Rows", row.dtype)
    keys, values = xp.empty(total, np.int64), xp.empty(total, zdtype)
    kernel("spgemm_sort", text, "expand")(
        total, total, nentries, ncols, starts, row, *A, *B, keys, values
    )
    order = keys.argsort()
    keys = keys[order]
    ends = xp.flatnonzero(keys[1:] != keys[:-1]) + 1
    first = xp.concatenate((xp.zeros(1, np.int64), ends, xp.full(1, total, np.int64)))
    keys, runs = keys[first[:-1]], len(first) - 1
    sums = xp.empty(runs, np.uint64 if zdtype.itemsize == 8 else np.uint32)
    kernel("spgemm_sort", text, "clear_sums")(runs, runs, sums)
    kernel("spgemm_sort", text, "sum_runs")(total, total, runs, first, order, values, sums)
    found = xp.empty(runs, zdtype)
    kernel("spgemm_sort", text, "unpack_sums")(runs, runs, sums, found)
    begin = xp.searchsorted(keys, xp.arange(nrows + 1, dtype=np.int64) * ncols)
    indices = (keys % max(1, ncols)).astype(B.indices.dtype)
    return CSRArrays(begin.astype(index_dtype(runs)), indices, found)
