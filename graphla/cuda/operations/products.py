"""Matrix times vector over a semiring: mxv and vxm, by pull or by push.

*Pull* reads the rows of the output and looks the vector up; it writes C in place, with the mask,
the accumulator and `replace` in the same pass. *Push* reads the rows of the vector's entries and
makes a list; it is taken where the vector is a list and the rows are at hand. The mask is in
both kernels: what it excludes is not computed. A third way is in columns.py.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from graphla.cuda import bridge, csr, operators, workspace
from graphla.cuda.compile import Kernel, kernel
from graphla.cuda.csr import CSR
from graphla.cuda.device import device
from graphla.cuda.expression import Expression
from graphla.cuda.mask import Mask, probe
from graphla.cuda.operands import operand
from graphla.cuda.operations import columns
from graphla.cuda.operations.elementwise import NO_ACCUM, Combine, Plan, prepare
from graphla.cuda.storage import Dense, Sparse, element, index_dtype, to_dense, zero
from graphla.errors import DimensionMismatch

HUB_BYTES = 192 << 10  # of the vector in shared memory (pull_sum.cu)
HUB_SHARE = 0.1  # of the entries that read it there, for it to pay
BIG = 1024  # edges of a row that several warps share (push.cu)


class Product(Expression):
    """A u, or u' A where `flip`."""

    __slots__ = ("flip",)

    def __init__(self, operation: str, A: Any, u: Any, op: Any, flip: bool) -> None:
        length = A.ncols if flip else A.nrows
        super().__init__(operation, (length,), op.return_type, op, (A, u))
        self.flip = flip

    def plan(self, C: Any, mask: Any, accum: Any, replace: bool) -> Plan:
        """Return what computes C<mask, accum, replace> = product."""
        A, u = self.operands
        rows, transposed = A._rows(self.flip)  # to push along: of A for u' A, of A' for A u
        if isinstance(u._store, Sparse) and rows is not None:
            return push(C, rows, transposed, u, self, mask, accum, replace)
        if rows is not None and columns.suits(rows, self.op):
            types = (element(rows.values.dtype), element(u.dtype.np_type))
            text = _definitions(self.op, *types, rows.iso, self.flip, transposed)
            native = native_add(self.op.monoid)
            return columns.plan(C, rows, u, self, (text, native), mask, accum, replace)
        rows, transposed = A._rows(not self.flip, make=True)
        assert rows is not None
        return pull(C, rows, transposed, u, self, mask, accum, replace)

    def watched(self) -> Any:
        """Return the very rows of the matrix, which never change, and the form of the vector."""
        A, u = self.operands
        A = A if hasattr(A, "_store") else A.T
        if not isinstance(A._store, CSR):  # others are updated in place
            return None
        return (A, A._store), (u, u._store.form)


def mxv(A: Any, u: Any, op: Any) -> Expression:
    """Return A u."""
    u = operand("mxv", u, 1)
    _check(A, u, A.ncols, "mxv")
    return Product("mxv", A, u, bridge.resolve(op, "semiring", A.dtype, u.dtype), False)


def vxm(u: Any, A: Any, op: Any) -> Expression:
    """Return u' A."""
    A = operand("vxm", A, 2)
    _check(A, u, A.nrows, "vxm")
    return Product("vxm", A, u, bridge.resolve(op, "semiring", u.dtype, A.dtype), True)


def _check(A: Any, u: Any, length: int, operation: str) -> None:
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
    name: str,
    semiring: str,
    index: str,
    c: str,
    mask: str,
    kind: int,
    accum: Any,
    replace: bool,
    full: bool,
) -> Kernel:
    added = NO_ACCUM if accum is None else operators.binary(accum, "Accum")
    added += f"enum {{ LONG = {csr.LONG}, U_FULL = {full:d} }};\n"
    return kernel(
        "pull" if name == "pull" else "pull_sum",
        f"typedef {c} C; typedef {mask} Mask;\n{index}"
        f"enum {{ MASK = {kind}, ACCUM = {accum is not None:d}, REPLACE = {replace:d} }};\n"
        f"{added}{semiring}",
        name,
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
) -> Plan:
    """Return what computes C<mask, accum, replace> = A u, row by row."""
    replace = replace and mask is not None
    anew = accum is None and (mask is None or replace)
    types = (element(A.values.dtype), element(u.dtype.np_type))
    text = _definitions(e.op, *types, A.iso, e.flip, transposed)
    kind = 0 if mask is None else mask.kind
    c_type, full = element(C.dtype.np_type), u._store.form == "full"
    case = (text, A.definitions(), c_type, _mask_type(mask), kind, accum, replace, full)
    run = _pull("pull", *case) if _stops_early(e.op.monoid) else _summed(A, u, e, case)
    keeps = accum is not None and not replace
    aliased = u is C or (mask is not None and mask.parent is C)
    n, rows = A.nrows, (A.indptr, A.indices, A.values)

    def go() -> None:
        dense, m = to_dense(u._store, A.ncols), probe(mask)
        if aliased:  # C is read elsewhere while it is written: it gets arrays of its own
            C._store = Sparse.empty(C._positions, C.dtype) if anew else C._store.copy()
        c, old, bits = prepare(C, anew, False, keeps)
        run(n, n, *rows, dense.values, dense.bits, m.values, m.bits, c, old, bits)
        C._store = Dense(c, bits)

    return go


def _stops_early(monoid: Any) -> bool:
    """Whether few entries of a row decide its sum: any one of them, or one True or False."""
    few = operators.is_any(monoid) or monoid.return_type.name == "BOOL"
    return few and operators.ends(monoid)


def _summed(A: CSR, u: Any, e: Product, case: tuple[Any, ...]) -> Kernel:
    """Return pull_sum with the arguments of pull."""
    run, end = _pull("pull_sum", *case), _pull("finish", *case)
    cut, z, xp = A.pieces, e.op.monoid.return_type.np_type, device.xp
    npieces, nlong = cut.begins.size, cut.rows.size
    itemsize, nhubs = u.dtype.np_type.itemsize, 0
    if ("x" if e.flip else "y") in operators.uses(e.op) and u._store.form == "full":
        first = min(A.ncols, min(HUB_BYTES, device.shared_per_block) // itemsize)
        nhubs = first if A.share(first) >= HUB_SHARE else 0
    none = xp.empty(0, z), xp.empty(0, np.bool_)

    def launch(
        threads: int, n: int, indptr: Any, indices: Any, a: Any, u: Any, ubits: Any, *rest: Any
    ) -> None:
        sums, anys = (xp.empty(npieces, x.dtype) for x in none) if npieces else none
        run(
            threads + 32 * npieces, n, indptr, indices, a, u, ubits, nhubs, npieces,
            cut.begins, cut.owners, sums, anys, *rest, block=1024, shared=nhubs * itemsize,
        )  # fmt: skip
        if nlong:
            end(32 * nlong, nlong, cut.rows, cut.ends, sums, anys, *rest)

    return launch


def _mask_type(mask: Mask | None) -> str:
    valued = mask is not None and not mask.structure
    return element(mask.parent.dtype.np_type) if mask is not None and valued else "bool"


@cache
def _push(
    semiring: str,
    offset: str,
    columns: str,
    source: str,
    index: str,
    mask: str,
    kind: int,
    is_any: bool,
    native: str,
    name: str,
) -> Kernel:
    return kernel(
        "push",
        f"typedef {offset} Offset; typedef {columns} Columns; typedef {source} Source;\n"
        f"typedef {index} Index; typedef {mask} Mask;\n"
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
    u: Any,
    e: Product,
    mask: Mask | None,
    accum: Any,
    replace: bool,
) -> Plan:
    """Return what computes C<mask, accum, replace> = u' A, along the rows of the entries of u."""
    anew = accum is None and (mask is None or replace)
    product = pusher(A, transposed, u.dtype, e.op, e.flip, C._positions, mask)
    if anew and C._keep not in ("bitmap", "full") and C.dtype == e.dtype:

        def go() -> None:
            C._store = product(u._store, C._store)

        return go
    T = type(C)(e.dtype, *C.shape)

    def into() -> None:
        T._store = product(u._store, None)
        same = Combine("Same", None, e.dtype)
        C._elementwise(same, (T,), None, mask, accum, replace)

    return into


def pusher(
    A: CSR, transposed: bool, u: Any, op: Any, flip: bool, size: int, mask: Mask | None
) -> Callable[[Sparse, Any], Sparse]:
    """Return the function from a list of dtype `u` to the list u' A that the mask allows.

    It is also given what stands in the place of the result. Positions are below `size`.
    """
    xp = device.xp
    is_any, z = operators.is_any(op.monoid), op.return_type
    text = _definitions(op, element(A.values.dtype), element(u.np_type), A.iso, flip, transposed)
    kind = 0 if mask is None else mask.kind
    vectors = size // max(1, A.ncols)
    types = (A.indptr.dtype, A.indices.dtype, index_dtype(vectors * A.nrows), index_dtype(size))
    cases = (*map(element, types), _mask_type(mask), kind, is_any, native_add(op.monoid))
    first, second, third, fourth = (
        _push(text, *cases, name) for name in ("push", "pieces", "collect", "clear_sums")
    )
    n, rows, monoid = A.nrows, (A.indptr, A.indices, A.values), op.monoid
    has_big = A.longest >= BIG
    pieces = vectors * (A.nvals // BIG + min(A.nrows, A.nvals // BIG)) + 1 if has_big else 0

    def product(u: Sparse, before: Any) -> Sparse:
        m, threads = probe(mask), u.most
        out = Sparse.room(size, size, z, before)
        claims = workspace.claims(size)
        sums = None if is_any else workspace.sums(size, monoid, fourth)
        partial = sums and sums.array
        end = (claims.array, claims.call, partial, out.keys, out.values, out.count)
        many = (*rows, m.values, m.bits, *end)
        if has_big:
            big, nbig = xp.empty(2 * pieces, np.int64), zero()
            first(threads, u.count, u.keys, u.values, n, A.ncols, *many, None, big, nbig)
            second(32 * pieces, nbig, big, u.keys, u.values, n, A.ncols, *many, out.host)
        else:
            first(threads, u.count, u.keys, u.values, n, A.ncols, *many, out.host, None, None)
        if sums is not None:
            third(size, out.count, out.keys, partial, out.values)
            workspace.give(sums)
        workspace.give(claims)
        return out

    return product
