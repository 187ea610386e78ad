"""Matrix times vector by pull: the rows of the output are read, and the vector is looked up.

Where few entries decide the sum of a row (spmv_pull.cu), it is left as soon as it is decided.
Where all count (spmv_pull_balanced.cu), it is done by slices of the matrix once that pays
(spmv_sliced_ell.py).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from graphla.cuda.expressions.mask import NO_MASK, Mask
from graphla.cuda.operations.ewise_vector import prepare
from graphla.cuda.operations.spmv_sliced_ell import slicing
from graphla.cuda.operators import tables
from graphla.cuda.operators.elementwise_formula import NO_ACCUM, Plan
from graphla.cuda.runtime.compile import Kernel, kernel
from graphla.cuda.runtime.device import device
from graphla.cuda.storage import csr
from graphla.cuda.storage.csr import CSR
from graphla.cuda.storage.vector_formats import Dense, Sparse, element, nothing, to_dense

HUB_BYTES = 192 << 10  # of the vector in shared memory (spmv_pull_balanced.cu)
HUB_SHARE = 0.1  # of the entries that read it there, for it to pay


@cache
def definitions(op: Any, a: str, u: str, iso: bool, flip: bool, transposed: bool) -> str:
    """Return the definitions of the semiring and of one product (spmv_multiply.cuh)."""
    reads = tables.uses(op)
    uses_a, uses_u = ("y", "x") if flip else ("x", "y")
    return (
        tables.semiring(op)
        + f"typedef {a} A; typedef {u} U; typedef Add::Z Z;\n"
        + f"enum {{ A_ISO = {iso:d}, FLIP = {flip:d}, TRANSPOSED = {transposed:d}, "
        + f"USES_A = {uses_a in reads:d}, USES_U = {uses_u in reads:d} }};\n"
    )


def mask_type(mask: Mask | None) -> str:
    """Return the CUDA name of the type of the values that a mask looks at."""
    valued = mask is not None and not mask.structure
    return element(mask.parent.dtype.np_type) if mask is not None and valued else "bool"


@cache
def _pull(
    name: str,
    semiring: str,
    index: str,
    c: str,
    mask: str,
    kind: int,
    accum: Any,
    replace: bool,
    full: bool,
    file: str = "spmv_pull_balanced",
    more: str = "",
) -> Kernel:
    added = NO_ACCUM if accum is None else tables.binary(accum, "Accum")
    added += f"enum {{ LONG = {csr.LONG}, U_FULL = {full:d} }};\n"
    return kernel(
        file,
        f"typedef {c} C; typedef {mask} Mask;\n{index}"
        f"enum {{ MASK = {kind}, ACCUM = {accum is not None:d}, REPLACE = {replace:d} }};\n"
        f"{added}{semiring}{more}",
        name,
    )


def pull(
    C: Any,
    A: CSR,
    transposed: bool,
    u: Any,
    e: Any,
    mask: Mask | None,
    accum: Any,
    replace: bool,
) -> Plan:
    """Return what computes C<mask, accum, replace> = A u, row by row."""
    replace = replace and mask is not None
    anew = accum is None and (mask is None or replace)
    types = (element(A.values.dtype), element(u.dtype.np_type))
    text = definitions(e.op, *types, A.iso, e.flip, transposed)
    kind = 0 if mask is None else mask.kind
    c_type, full = element(C.dtype.np_type), u._store.form == "full"
    case = (text, A.definitions(), c_type, mask_type(mask), kind, accum, replace, full)
    run = (
        _pull("spmv_pull", *case, "spmv_pull")
        if _stops_early(e.op.monoid)
        else _summed(A, u, e, case)
    )
    keeps = accum is not None and not replace
    aliased = u is C or (mask is not None and mask.parent is C)
    n, ncols, rows = A.nrows, A.ncols, (A.indptr, A.indices, A.values)
    empty = Sparse.empty(C._positions, C.dtype) if aliased and anew else None

    def go() -> None:
        dense, (_, allowed, there) = u._store, NO_MASK if mask is None else mask.probe()
        if dense.form == "sparse":
            dense = to_dense(dense, ncols)
        if aliased:  # C is read elsewhere while it is written: it gets arrays of its own
            C._store = empty or C._store.copy()
        c, old, bits = prepare(C, anew, False, keeps)
        run(n, n, *rows, dense.values, dense.bits, allowed, there, c, old, bits)
        C._store = Dense(c, bits)

    return go


def _stops_early(monoid: Any) -> bool:
    """Whether few entries of a row decide its sum: any one of them, or one True or False."""
    few = tables.is_any(monoid) or monoid.return_type.name == "BOOL"
    return few and tables.ends(monoid)


def _summed(A: CSR, u: Any, e: Any, case: tuple[Any, ...]) -> Callable[..., Any]:
    """Return what runs spmv_pull_balanced.cu, or spmv_sliced_ell.cu once there are slices."""
    run, end = _pull("spmv_pull_balanced", *case), _pull("reduce_row_pieces", *case)
    by_slices = slicing(A, u, e, lambda file, name, more: _pull(name, *case, file, more))
    cut, z, xp = A.pieces, e.op.monoid.return_type.np_type, device.xp
    npieces, nlong = cut.begins.size, cut.rows.size
    itemsize, reads = u.dtype.np_type.itemsize, tables.uses(e.op)
    first = min(A.ncols, min(HUB_BYTES, device.shared_per_block) // itemsize)
    gathers = ("x" if e.flip else "y") in reads and u._store.form == "full"
    nhubs = first if gathers and A.share(first) >= HUB_SHARE else 0
    none = nothing(z), nothing(np.bool_)

    def launch(
        threads: int, n: int, indptr: Any, indices: Any, a: Any, u: Any, ubits: Any, *rest: Any
    ) -> None:
        if by_slices and by_slices(u, *rest):
            return
        sums, anys = (xp.empty(npieces, x.dtype) for x in none) if npieces else none
        run(
            threads + 32 * npieces, n, indptr, indices, a, u, ubits, nhubs, npieces,
            cut.begins, cut.owners, sums, anys, *rest, block=1024, shared=nhubs * itemsize,
        )  # fmt: skip
        if nlong:
            end(32 * nlong, nlong, cut.rows, cut.ends, sums, anys, *rest)

    return launch
