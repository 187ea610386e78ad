"""Matrix times full vector by slices of the matrix, where storage/sliced_ell.py has them.

Every sum is made, but those that the mask excludes; one pass over the rows then writes them.
Sums of the pieces of a row meet by atomic operations in no certain order, so that the last bits
of a sum of floats may differ from call to call.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from graphla.cuda.memory import buffer_pool
from graphla.cuda.operations.atomics import ordered
from graphla.cuda.operators import tables
from graphla.cuda.runtime.compile import Kernel
from graphla.cuda.runtime.device import device
from graphla.cuda.storage import sliced_ell
from graphla.cuda.storage.csr import CSR
from graphla.cuda.storage.vector_formats import zero


def slicing(
    A: CSR, u: Any, e: Any, compiled: Callable[[str, str, str], Kernel]
) -> Callable[..., bool] | None:
    """Return what computes C<mask, accum, replace> = A u if it can by slices; None: never.

    `compiled` returns a kernel of a file, given more definitions. The function returned takes
    the values of u and the arrays of the mask and of C, and tells whether there are slices.
    """
    monoid, reads = e.op.monoid, tables.uses(e.op)
    of_u, of_a = ("x", "y") if e.flip else ("y", "x")
    itemsize, text = u.dtype.np_type.itemsize, ordered(monoid)
    columns = sliced_ell.block_columns(itemsize)
    looks_up = of_u in reads and u._store.form == "full"
    if not (text and looks_up and reads <= {"x", "y"} and A.nvals >= sliced_ell.MANY):
        return None
    if columns >= A.ncols:  # u lies in shared memory as it is
        return None
    valued = of_a in reads and not A.iso
    text += sliced_ell.definitions(columns)
    product, clear, write = (
        compiled("spmv_sliced_ell", name, text)
        for name in ("spmv_sliced_ell", "clear_row_sums", "write_row_sums")
    )

    def launch(x: Any, m: Any, mbits: Any, *out: Any) -> bool:
        form = sliced_ell.sliced(A, itemsize, valued)
        if form is None:
            return False
        near, far, works, _ = form.slices
        near_a, far_a = (form.near, form.far) if valued else (A.values, A.values)
        columns_of, rows_of = form.columns, form.rows
        if columns_of.order is not None:
            x = device.xp.take(x, columns_of.order)
        sums = buffer_pool.sums(rows_of.size, monoid, clear, "slices")
        product(
            1024 * device.multiprocessors, len(works), works, *near, near_a, *far, far_a, x,
            columns_of.size, zero(), sums.array, rows_of.order, m, mbits,
            block=1024, shared=(columns + 1) * itemsize,
        )  # fmt: skip
        write(A.nrows, A.nrows, A.indptr, rows_of.rank, sums.array, m, mbits, *out)
        if rows_of.order is not None:
            clear(rows_of.size, rows_of.size, sums.array)
        buffer_pool.give(sums)
        return True

    return launch
