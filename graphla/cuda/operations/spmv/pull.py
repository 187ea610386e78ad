"""w<M, accum, replace> = A u by pull: each row of A is read once, and u is looked up.

The kernel writes w in place, with the mask, the accumulator and `replace` in the same pass.
:func:`plan_pull` chooses it:

- spmv_pull.cu, if a few entries decide the sum of a row (ANY, and the Boolean monoids with a
  terminal value): a row is left as soon as its sum is known;
- spmv_pull_balanced.cu, if all entries count; rows of LONG entries and more are cut into pieces;
- spmv_sliced_ell.cu in its place, once the matrix has been multiplied often enough for its slices
  to pay (sliced_ell.py).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from graphla.cuda.expressions.statement import Mask, probe
from graphla.cuda.memory.buffer_pool import empty_array
from graphla.cuda.operations.definitions import (
    WARP,
    constants,
    mask_kind,
    mask_type,
    semiring_definitions,
    typedefs,
    update_definitions,
)
from graphla.cuda.operations.ewise_vector import prepare_output
from graphla.cuda.operations.spmv.sliced_ell import BLOCK, sliced_product
from graphla.cuda.operators import tables
from graphla.cuda.operators.elementwise_formula import Plan
from graphla.cuda.runtime.device import device
from graphla.cuda.runtime.kernel import Kernel, kernel
from graphla.cuda.storage import csr
from graphla.cuda.storage.csr import CSR
from graphla.cuda.storage.vector_formats import Dense, Sparse, cuda_type, to_dense

HUB_BYTES = 192 << 10  # of the first values of u in shared memory
HUB_SHARE = 0.1  # of the entries that must read these values for the copy to pay


@cache
def _kernel(
    name: str,
    semiring: str,
    index: str,
    c_type: str,
    mask: str,
    kind: int,
    accum: Any,
    replace: bool,
    full: bool,
    file: str = "spmv_pull_balanced",
    extra_definitions: str = "",
) -> Kernel:
    update = typedefs(C=c_type, Mask=mask) + update_definitions(kind, accum, replace)
    rows = index + constants(LONG=csr.LONG, U_FULL=full, BLOCK=BLOCK)
    return kernel(file, update + rows + semiring + extra_definitions, name)


def plan_pull(
    C: Any,
    A: CSR,
    transposed: bool,
    u: Any,
    product: Any,
    mask: Mask | None,
    accum: Any,
    replace: bool,
) -> Plan:
    """Return what computes C<mask, accum, replace> = A u for an expression `product`.

    `transposed`: A is the rows of the transpose of the expression's operand.
    """
    replace = replace and mask is not None
    overwrites = accum is None and (mask is None or replace)
    keeps = accum is not None and not replace
    op, types = product.op, (cuda_type(A.values.dtype), cuda_type(u.dtype.np_type))
    semiring = semiring_definitions(op, *types, A.iso, product.flip, transposed)
    c_type, full = cuda_type(C.dtype.np_type), u._store.form == "full"
    case = (
        semiring, A.typedefs(), c_type, mask_type(mask), mask_kind(mask), accum, replace, full,
    )  # fmt: skip
    by_slices = None
    if _stops_early(op.monoid):
        run: Callable[..., Any] = _kernel("spmv_pull", *case, "spmv_pull")
    else:
        run = _sum_all(A, u, product, case)
        by_slices = sliced_product(
            A, u, product, lambda file, name, more: _kernel(name, *case, file, more)
        )
    n, ncols, rows = A.nrows, A.ncols, A.arrays
    # if the kernel also reads C, as u or as the mask, it must write to other arrays
    aliased = u is C or (mask is not None and mask.parent is C)
    empty = Sparse.empty(C._positions, C.dtype) if aliased and overwrites else None

    def compute() -> None:
        x, (_, mask_values, mask_bits) = u._store, probe(mask)
        if x.form == "sparse":
            x = to_dense(x, ncols)
        if aliased:
            C._store = empty or C._store.copy()
        values, old_bits, bits = prepare_output(C, overwrites, False, keeps)
        output = mask_values, mask_bits, values, old_bits, bits
        if not (by_slices and by_slices(x, *output)):
            run(n, n, *rows, x.values, x.bits, *output)
        C._store = Dense(values, bits)

    return compute


def _stops_early(monoid: Any) -> bool:
    """Whether few entries of a row decide its sum: any one of them, or one True or False."""
    few = tables.is_any(monoid) or monoid.return_type.name == "BOOL"
    return few and tables.has_terminal(monoid)


def _sum_all(A: CSR, u: Any, product: Any, case: tuple[Any, ...]) -> Callable[..., Any]:
    """Return what runs spmv_pull_balanced.cu; its arguments are those of spmv_pull.cu."""
    run, finish = _kernel("spmv_pull_balanced", *case), _kernel("reduce_row_pieces", *case)
    pieces, sum_dtype, xp = A.long_row_pieces, product.op.monoid.return_type.np_type, device.xp
    npieces, nlong = pieces.begins.size, pieces.rows.size
    itemsize, reads = u.dtype.np_type.itemsize, tables.uses(product.op)
    first = min(A.ncols, min(HUB_BYTES, device.shared_per_block) // itemsize)
    reads_u = ("x" if product.flip else "y") in reads and u._store.form == "full"
    nhubs = first if reads_u and A.share_of_first_columns(first) >= HUB_SHARE else 0
    empty = empty_array(sum_dtype), empty_array(np.bool_)

    def launch(
        threads: int,
        n: int,
        indptr: Any,
        indices: Any,
        values: Any,
        u: Any,
        u_bits: Any,
        *output: Any,
    ) -> None:
        sums, has_sum = (xp.empty(npieces, x.dtype) for x in empty) if npieces else empty
        run(
            threads + WARP * npieces, n, indptr, indices, values, u, u_bits, nhubs, npieces,
            pieces.begins, pieces.owners, sums, has_sum, *output,
            block=BLOCK, shared=nhubs * itemsize,
        )  # fmt: skip
        if nlong:
            finish(WARP * nlong, nlong, pieces.rows, pieces.ends, sums, has_sum, *output)

    return launch
