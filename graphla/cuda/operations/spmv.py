"""Matrix times vector over a semiring: mxv and vxm, by pull or by push.

*Pull* reads the rows of the output and looks the vector up; it writes C in place, with the mask,
the accumulator and `replace` in the same pass. *Push* reads the rows of the vector's entries and
makes a list; it is taken where the vector is a list and the rows are at hand. The mask is in
both kernels: what it excludes is not computed. A third way is in columns.py.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np

from graphla.cuda.expressions.arguments import operand
from graphla.cuda.expressions.expression import Expression
from graphla.cuda.expressions.mask import Mask, probe
from graphla.cuda.memory import buffer_pool
from graphla.cuda.memory.list_buffers import Stock
from graphla.cuda.operations import spmv_atomic
from graphla.cuda.operations.atomics import native
from graphla.cuda.operations.spmv_pull import definitions, mask_type, pull
from graphla.cuda.operators import graphblas_bridge, tables
from graphla.cuda.operators.elementwise_formula import Combine, Plan
from graphla.cuda.runtime.compile import Kernel, kernel
from graphla.cuda.runtime.device import device
from graphla.cuda.storage.csr import CSR
from graphla.cuda.storage.vector_formats import Sparse, element, index_dtype, words, zero
from graphla.errors import DimensionMismatch

NO_CALL = np.int32(0)
UNIT = 128  # edges that a warp has under way (spmspv.cu); longer rows are shared
FEW = 1.0  # edges for each word of bits: the bits cost more than claims of so many
UNSURE = 4.0  # times as many where there may be fewer, as only a limit is known


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
        if rows is not None and spmv_atomic.suits(rows, self.op):
            types = (element(rows.values.dtype), element(u.dtype.np_type))
            text = definitions(self.op, *types, rows.iso, self.flip, transposed)
            text += native(self.op.monoid)
            return spmv_atomic.plan(C, rows, u, self, text, mask, accum, replace)
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
    return Product("mxv", A, u, graphblas_bridge.resolve(op, "semiring", A.dtype, u.dtype), False)


def vxm(u: Any, A: Any, op: Any) -> Expression:
    """Return u' A."""
    A = operand("vxm", A, 2)
    _check(A, u, A.nrows, "vxm")
    return Product("vxm", A, u, graphblas_bridge.resolve(op, "semiring", u.dtype, A.dtype), True)


def _check(A: Any, u: Any, length: int, operation: str) -> None:
    if u.size != length:
        raise DimensionMismatch(f"{operation}: a vector of {u.size} and a matrix of {A.shape}")


class Pushes(NamedTuple):
    """The kernels of spmspv.cu; of two that push edges, the second does so for long rows."""

    clear: Kernel
    collect: Kernel
    forbid: Kernel
    gather: Kernel
    to_list: tuple[Kernel, Kernel]
    to_bits: tuple[Kernel, Kernel]


@cache
def _pushes(*case: Any) -> Pushes:
    lists, bits = (partial(_push, case, to_bits) for to_bits in (False, True))
    return Pushes(
        lists("clear_accumulators"),
        lists("collect_accumulators"),
        bits("claim_masked_out"),
        bits("list_claimed"),
        (lists("spmspv"), lists("spmspv_long_rows")),
        (bits("spmspv"), bits("spmspv_long_rows")),
    )


def _push(case: tuple[Any, ...], bits: bool, name: str) -> Kernel:
    semiring, offset, columns, source, index, mask, kind, is_any, native = case
    return kernel(
        "spmspv",
        f"typedef {offset} Offset; typedef {columns} Columns; typedef {source} Source;\n"
        f"typedef {index} Index; typedef {mask} Mask;\n"
        f"enum {{ MASK = {kind}, ANY = {is_any:d}, BITS = {bits:d}, UNIT = {UNIT} }};\n"
        f"{native}{semiring}",
        name,
    )


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
    found = Push(A, transposed, u, op, flip, size, mask)

    def product(u: Sparse, before: Any) -> Sparse:
        out = found.room(u.most, before)
        sums = found.into(out, u, u.most)
        if sums:
            found.run.collect(size, out.count, out.keys, sums.array, out.values)
            buffer_pool.give(sums)
        return out

    return product


class Push:
    """From a list of dtype `u` to the list u' A, of positions below `size`, that a mask allows."""

    def __init__(
        self, A: CSR, transposed: bool, u: Any, op: Any, flip: bool, size: int, mask: Mask | None
    ) -> None:
        is_any, z = tables.is_any(op.monoid), op.return_type
        text = definitions(op, element(A.values.dtype), element(u.np_type), A.iso, flip, transposed)
        kind = 0 if mask is None else mask.kind
        vectors = size // max(1, A.ncols)
        types = (A.indptr.dtype, A.indices.dtype, index_dtype(vectors * A.nrows), index_dtype(size))
        cases = (*map(element, types), mask_type(mask), kind, is_any, native(op.monoid))
        self.run = _pushes(text, *cases)
        self.A, self.mask, self.z, self.size, self.text = A, mask, z, size, text
        self.rows, self.longest = (A.nrows, A.ncols, A.indptr, A.indices, A.values), A.longest
        self.monoid = None if is_any else op.monoid
        longs = vectors * min(A.nrows, A.nvals // UNIT)
        self.longs = longs if A.longest >= UNIT else 0  # at most
        self.stock = Stock()

    def room(self, most: int, before: Any = None) -> Sparse:
        """Return an empty list for what a list of `most` entries reaches; `before` it replaces."""
        limit = min(self.size, most * self.longest)
        return Sparse.room(self.size, limit, self.z, before, self.stock, True)

    def into(self, out: Sparse, u: Sparse, likely: int) -> Any:
        """Fill an empty list, given how many entries u has, roughly.

        Return what holds its values, if that is not the list: they are to be collected.
        """
        _, allowed, there = probe(self.mask)
        run, size, nwords, stream = self.run, self.size, words(self.size), device.now.stream
        sums = None if self.monoid is None else buffer_pool.sums(size, self.monoid, run.clear)
        found, few = (out.keys, out.values, out.count), FEW if u.is_counted else UNSURE * FEW
        if likely * self.longest > few * nwords:
            xp = device.now.xp
            bits, some = xp.empty(nwords, np.uint32), sums and sums.array
            some = xp.empty(size, buffer_pool.word(self.z)) if some is None else some
            run.forbid(nwords, nwords, size, allowed, there, bits)
            self._edges(run.to_bits, u, likely, None, allowed, there, bits, NO_CALL, some, *found)
            run.gather(nwords, nwords, size, allowed, there, bits, some, *found, out.host)
            if sums:
                buffer_pool.give(sums)
            return None
        claims, some = buffer_pool.claims(size, stream), sums and sums.array
        marks = allowed, there, claims.array, claims.call
        self._edges(run.to_list, u, likely, out.host, *marks, some, *found)
        buffer_pool.give(claims)
        return sums

    def _edges(self, kernels: Any, u: Sparse, likely: int, host: Any, *out: Any) -> None:
        """Push every edge of u; `host` is told how many entries there are then."""
        short, long = kernels
        given = (u.keys, u.values, *self.rows, *out)
        if not self.longs:
            short(32 * likely, u.count, *given, host, None, None, None)
            return
        begins, entries = (device.xp.empty(min(self.longs, u.most), np.int64) for _ in range(2))
        nlong = zero()
        short(32 * likely, u.count, *given, None, begins, entries, nlong)
        long(32 * self.A.nvals // UNIT, nlong, begins, entries, *given, host)
