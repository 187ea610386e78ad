"""w<M, accum, replace> = A u for a full u by slices of A (storage/sliced_ell.py).

spmv_sliced_ell.cu sums the slices, without the rows that the mask excludes; a second kernel
passes over the rows and writes w. The sums of the pieces of one row are combined by atomics in no
fixed order, so that the last bits of a sum of floats may differ from call to call.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from graphla.cuda.memory import buffer_pool
from graphla.cuda.memory.buffer_pool import zeroed_words
from graphla.cuda.operations.definitions import ordered_atomic
from graphla.cuda.operators import tables
from graphla.cuda.runtime.device import device
from graphla.cuda.runtime.kernel import Kernel
from graphla.cuda.storage import sliced_ell
from graphla.cuda.storage.csr import CSR
from graphla.cuda.storage.vector_formats import Dense, ReorderedDense

BLOCK = 1024  # threads, which share values of u in shared memory


def sliced_product(
    A: CSR, u: Any, product: Any, compiled: Callable[[str, str, str], Kernel]
) -> Callable[..., bool] | None:
    """Return what computes w by slices and returns whether it did; None if it never can.

    `compiled` returns a kernel, given its file, its name and more definitions. The function
    returned takes the store of u and the arrays of the mask and of w. It returns False as
    long as A has no slices.
    """
    monoid, reads = product.op.monoid, tables.uses(product.op)
    of_u, of_a = ("x", "y") if product.flip else ("y", "x")
    itemsize, text = u.dtype.np_type.itemsize, ordered_atomic(monoid)
    columns = sliced_ell.columns_per_block(itemsize)
    reads_u = of_u in reads and u._store.form == "full"
    if not (text and reads_u and reads <= {"x", "y"} and A.nvals >= sliced_ell.MIN_ENTRIES):
        return None
    if columns >= A.ncols:  # all of u fits into shared memory: spmv_pull_balanced.cu does it
        return None
    valued = of_a in reads and not A.iso
    text += sliced_ell.definitions(columns)
    multiply, clear, write = (
        compiled("spmv_sliced_ell", name, text)
        for name in ("spmv_sliced_ell", "clear_row_sums", "write_row_sums")
    )

    def launch(x: Dense, mask_values: Any, mask_bits: Any, *output: Any) -> bool:
        form = sliced_ell.sliced_form(A, itemsize, valued)
        if form is None:
            return False
        near, far, tasks, _ = form.slices
        near_values, far_values = (
            (form.near_values, form.far_values) if valued else (A.values, A.values)
        )
        column_numbers, row_numbers = form.columns, form.rows
        u_values = _values_in_order(x, column_numbers.order)
        accumulators = buffer_pool.acquire_accumulators(row_numbers.size, monoid, clear, "slices")
        multiply(
            BLOCK * device.multiprocessors, len(tasks), tasks, *near, near_values, *far, far_values,
            u_values, column_numbers.size, zeroed_words(), accumulators.array, row_numbers.order,
            mask_values, mask_bits, block=BLOCK, shared=(columns + 1) * itemsize,
        )  # fmt: skip
        write(
            A.nrows, A.nrows, A.indptr, row_numbers.rank, accumulators.array,
            mask_values, mask_bits, *output,
        )  # fmt: skip
        if row_numbers.order is not None:  # otherwise `write` has set them back to the identity
            clear(row_numbers.size, row_numbers.size, accumulators.array)
        buffer_pool.release(accumulators)
        return True

    return launch


def _values_in_order(x: Dense, order: Any) -> Any:
    """Return the values of a full vector in the order of columns; None is that of its positions."""
    if order is None:
        return x.values
    if isinstance(x, ReorderedDense) and x.order is order:
        return x.reordered
    return device.xp.take(x.values, order)
