"""Matrix times vector over a semiring: mxv and vxm, by pull or by push.

*Pull* reads the rows of the output and looks the vector up; it writes C in place, with the mask,
the accumulator and `replace` in the same pass. *Push* reads the rows of the vector's entries and
makes a list; it is taken where the vector is a list and the rows are at hand. The mask is in
both kernels: what it excludes is not computed.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from graphla.cuda import bridge, operators
from graphla.cuda.compile import Kernel, kernel
from graphla.cuda.csr import CSR
from graphla.cuda.device import device
from graphla.cuda.expression import Expression
from graphla.cuda.mask import Mask, Probe, probe
from graphla.cuda.operations import elementwise
from graphla.cuda.operations.elementwise import NO_ACCUM, Combine
from graphla.cuda.storage import Dense, Sparse, element, to_dense
from graphla.cuda.workspace import Claims, Sums
from graphla.errors import DimensionMismatch, EngineMismatch

BIG = 1024  # edges of a row that several warps share (push.cu)


class Product(Expression):
    """A u, or u' A where `flip`."""

    __slots__ = ("flip",)

    def __init__(self, operation: str, A: Any, u: Any, op: Any, flip: bool) -> None:
        length = A.ncols if flip else A.nrows
        super().__init__(operation, (length,), op.return_type, op, (A, u))
        self.flip = flip

    def run(self, C: Any, mask: Any = None, accum: Any = None, replace: bool = False) -> None:
        """Compute C<mask, accum, replace> = product."""
        A, u = self.operands
        forward, transposed = A._rows(self.flip)  # rows to push along: of A for u' A, of A' for A u
        if isinstance(u._store, Sparse) and forward is not None:
            push(C, forward, transposed, u._store, self, mask, accum, replace)
        else:
            back, transposed = A._rows(not self.flip, make=True)
            pull(C, back, transposed, u._store, self, mask, accum, replace)


def mxv(A: Any, u: Any, op: Any) -> Expression:
    """Return A u."""
    _check(A, u, A.ncols, "mxv")
    return Product("mxv", A, u, bridge.resolve(op, "semiring", A.dtype, u.dtype), False)


def vxm(u: Any, A: Any, op: Any) -> Expression:
    """Return u' A."""
    _check(A, u, A.nrows, "vxm")
    return Product("vxm", A, u, bridge.resolve(op, "semiring", u.dtype, A.dtype), True)


def _check(A: Any, u: Any, length: int, operation: str) -> None:
    if not hasattr(A, "_rows") or not hasattr(u, "_store"):
        wrong = u if hasattr(A, "_rows") else A
        raise EngineMismatch(f"{operation}: {type(wrong).__name__} is not on engine 'cuda'")
    if u.size != length:
        raise DimensionMismatch(f"{operation}: a vector of {u.size} and a matrix of {A.shape}")


@cache
def _definitions(op: Any, a: str, u: str, iso: bool, flip: bool, transposed: bool) -> str:
    reads = operators.uses(op)
    uses_a, uses_u = ("y", "x") if flip else ("x", "y")
    return (
        operators.semiring(op)
        + f"typedef {a} A; typedef {u} U; typedef Add::Z Z;\n"
        + f"enum {{ A_ISO = {iso:d}, FLIP = {flip:d}, TRANSPOSED = {transposed:d}, "
        + f"USES_A = {uses_a in reads:d}, USES_U = {uses_u in reads:d} }};\n"
    )


@cache
def _pull(
    semiring: str, index: str, c: str, mask: str, kind: int, accum: Any, replace: bool
) -> Kernel:
    added = NO_ACCUM if accum is None else operators.binary(accum, "Accum")
    return kernel(
        "pull",
        f"typedef {c} C; typedef {mask} Mask;\n{index}"
        f"enum {{ MASK = {kind}, ACCUM = {accum is not None:d}, REPLACE = {replace:d} }};\n"
        f"{added}{semiring}",
    )


def pull(
    C: Any,
    A: CSR,
    transposed: bool,
    u: Any,
    e: Product,
    mask: Mask | None,
    accum: Any,
    replace: bool,
) -> None:
    """C<mask, accum, replace> = A u, row by row."""
    replace = replace and mask is not None
    anew = accum is None and (mask is None or replace)
    dense, m = to_dense(u, A.ncols), probe(mask)
    aliased = isinstance(C._store, Dense) and C._store.values is dense.values
    if aliased and anew:
        C._store = Sparse.empty(C._positions, C.dtype)
    elif aliased:
        dense = dense.copy()
    if mask is not None and anew and mask.parent is C:
        C._store = Sparse.empty(C._positions, C.dtype)
    c, old, bits = elementwise.prepare(C, anew, False, accum is not None and not replace)
    text = _definitions(
        e.op, element(A.values.dtype), element(dense.values.dtype), A.iso, e.flip, transposed
    )
    run = _pull(text, A.definitions(), element(c.dtype), _mask_type(m), m.kind, accum, replace)
    run(
        A.nrows, A.nrows, A.indptr, A.indices, A.values, dense.values, dense.bits,
        m.values, m.bits, c, old, bits,
    )  # fmt: skip
    C._store = Dense(c, bits)
    C._settle()


def _mask_type(m: Probe) -> str:
    return "bool" if m.values is None else element(m.values.dtype)


@cache
def _push(
    semiring: str,
    offset: str,
    columns: str,
    index: str,
    mask: str,
    kind: int,
    is_any: bool,
    native: str,
    name: str,
) -> Kernel:
    return kernel(
        "push",
        f"typedef {offset} Offset; typedef {columns} Columns; typedef {index} Index;\n"
        f"typedef {mask} Mask;\n"
        f"enum {{ MASK = {kind}, ANY = {is_any:d} }};\n"
        f"#define NATIVE_ADD {bool(native):d}\ntypedef {native or 'i32'} NativeZ;\n{semiring}",
        name,
    )


def native_add(monoid: Any) -> str:
    """Return the type in which the hardware adds atomically for a monoid, or an empty string."""
    if operators.name_of(monoid) != "plus":
        return ""
    z = element(monoid.return_type.np_type)
    return {"i64": "u64"}.get(z, z if z in ("i32", "u32", "u64", "f32", "f64") else "")


def push(
    C: Any,
    A: CSR,
    transposed: bool,
    u: Sparse,
    e: Product,
    mask: Mask | None,
    accum: Any,
    replace: bool,
) -> None:
    """C<mask, accum, replace> = u' A, along the rows of the entries of u."""
    anew = accum is None and (mask is None or replace)
    T = pushed(A, transposed, u, e.op, e.flip, C._positions, mask)
    if anew and C._keep not in ("bitmap", "full") and C.dtype.np_type == T.values.dtype:
        C._store = T
        return
    same = Combine("Same", None, e.dtype)
    elementwise.run(C, same, T, mask=mask, accum=accum, replace=replace)


def pushed(
    A: CSR, transposed: bool, u: Sparse, op: Any, flip: bool, size: int, mask: Mask | None
) -> Sparse:
    """Return the list u' A, of positions below `size`, that the mask allows."""
    xp = device.xp
    m, is_any = probe(mask), operators.is_any(op.monoid)
    text = _definitions(
        op, element(A.values.dtype), element(u.values.dtype), A.iso, flip, transposed
    )
    z = op.return_type
    out = Sparse.room(size, size, z)
    native = native_add(op.monoid)

    def step(name: str) -> Kernel:
        return _push(
            text, element(A.indptr.dtype), element(A.indices.dtype), element(out.keys.dtype),
            _mask_type(m), m.kind, is_any, native, name,
        )  # fmt: skip

    threads = max(u.most, 1)
    with Claims(size) as claims, Sums(size, op.monoid, is_any, step) as sums:
        end = (
            claims.array, np.int32(claims.call), sums.array, out.keys, out.values, out.count,
        )  # fmt: skip
        rows = (A.indptr, A.indices, A.values)
        big = nbig = None
        if A.longest >= BIG:
            big = xp.empty(2 * (A.nvals // BIG + min(A.nrows, A.nvals // BIG) + 1), np.int64)
            nbig = xp.zeros(1, np.uint64)
        step("push")(
            threads, u.count, u.keys, u.values, A.nrows, *rows, m.values, m.bits, *end, big, nbig
        )
        if big is not None:
            step("pieces")(
                big.size * 16, nbig, big, u.keys, u.values, A.nrows, *rows, m.values, m.bits, *end
            )
        if not is_any:
            step("collect")(size, out.count, out.keys, sums.array, out.values)
    return out
