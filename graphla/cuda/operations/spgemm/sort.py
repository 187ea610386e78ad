"""C = A B by sorting all products, for products that crowd into few rows (spgemm_sort.cu).

If millions of products belong to one row, as when a graph is contracted to the parts of a
spanning forest, the threads of a hash table wait for each other. Here every product is written
with its position, the positions are sorted, and each run of equal positions is summed, an equal
share of the products by each warp.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.cuda.operations.definitions import typedefs
from graphla.cuda.runtime.device import device
from graphla.cuda.runtime.kernel import kernel
from graphla.cuda.storage.csr import CSR, prefix_sum_and_total
from graphla.cuda.storage.vector_formats import kernel_index_dtype

CROWD = 1 << 18  # products of one row from which sorting is faster
PRODUCT_BYTES = 40  # of temporary memory for each product, beside its value


def is_faster(A: CSR, work: Any, zdtype: Any) -> bool:
    """Whether a product with `work` products in each row is better sorted, and fits.

    If A has at most one entry a row, rows of B are copied (hash.py).
    """
    if int(device.read_scalar(work.max())) < CROWD:
        return False
    if int(device.read_scalar(device.xp.diff(A.indptr).max())) <= 1:
        return False
    total = int(device.read_scalar(work.sum()))
    return total * (PRODUCT_BYTES + zdtype.itemsize) < device.free() // 2


def multiply(A: CSR, B: CSR, text: str, zdtype: Any) -> CSR:
    """Return A B; `text` defines the semiring and the types."""
    xp, nrows, ncols, nentries = device.xp, A.nrows, B.ncols, A.nvals
    rows = A.row_indices()
    starts, total = prefix_sum_and_total(xp.diff(B.indptr)[A.indices])
    text += typedefs(Rows=rows.dtype)
    keys, values = xp.empty(total, np.int64), xp.empty(total, zdtype)
    kernel("spgemm_sort", text, "expand_products")(
        total, total, nentries, ncols, starts, rows, *A.arrays, *B.arrays, keys, values
    )
    order = keys.argsort()
    keys = keys[order]
    ends = xp.flatnonzero(keys[1:] != keys[:-1]) + 1
    first = xp.concatenate((xp.zeros(1, np.int64), ends, xp.full(1, total, np.int64)))
    keys, runs = keys[first[:-1]], len(first) - 1
    sums = xp.empty(runs, np.uint64 if zdtype.itemsize == 8 else np.uint32)
    kernel("spgemm_sort", text, "clear_sums")(runs, runs, sums)
    kernel("spgemm_sort", text, "sum_runs")(total, total, runs, first, order, values, sums)
    result = xp.empty(runs, zdtype)
    kernel("spgemm_sort", text, "unpack_sums")(runs, runs, sums, result)
    indptr = xp.searchsorted(keys, xp.arange(nrows + 1, dtype=np.int64) * ncols)
    indices = (keys % max(1, ncols)).astype(B.indices.dtype)
    return CSR(indptr.astype(kernel_index_dtype(runs)), indices, result, ncols)
