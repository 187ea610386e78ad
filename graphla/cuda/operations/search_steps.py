"""One step of a search, its statements together: q<~seen, replace> = product, and what follows.

What follows are writes of the new entries of q into one or two bitmaps, ``seen`` among them:
``level(accum) << q.apply(...)``, or ``seen(q.S) << value``. The kernel that finds an entry writes
it everywhere, where one by one the statements would read the list of entries, or the bits, again.
Statements of another kind, or forms of storage, are computed one after the other.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from graphla.cuda import operators, running
from graphla.cuda.compile import Kernel, kernel
from graphla.cuda.csr import CSR
from graphla.cuda.device import device
from graphla.cuda.expression import Combine, Elementwise, Kept
from graphla.cuda.operations.elementwise import FALSE, NO_ACCUM, Plan
from graphla.cuda.operations.products import UNIT, Product
from graphla.cuda.operations.pulls import definitions
from graphla.cuda.scalar import typed
from graphla.cuda.spares import Stock
from graphla.cuda.storage import Dense, Sparse, element, index_dtype, words, zero
from graphla.cuda.told import Told

ALONE, TOGETHER = 256, 1024  # threads of a block; where blocks wait for each other
NONE = "struct F1 { typedef bool C; typedef bool S; enum { THERE = 0, ACCUM = 0 }; };\n"
FORMULAS = ("Same", "Apply", "BindFirst", "BindSecond", "Value")


class Follower(NamedTuple):
    """What is written into a bitmap for each new entry of the frontier."""

    out: Any
    how: Combine
    scalar: Any
    accum: Any

    def text(self, name: str) -> str:
        """Return the definition of its struct (follow.cuh)."""
        s = None if self.scalar is None else self.scalar.dtype
        return _struct(name, self.how, self.out.dtype, s, self.accum)

    def arguments(self) -> tuple[Any, ...]:
        """Return what a kernel takes for it."""
        store = self.out._store
        return store.values, store.bits, FALSE if self.scalar is None else typed(self.scalar)


@cache
def _struct(name: str, how: Combine, out: Any, scalar: Any, accum: Any) -> str:
    c, s = (element(np.bool_ if x is None else x.np_type) for x in (out, scalar))
    added = NO_ACCUM if accum is None else operators.binary(accum, "Accum")
    return (
        f"struct {name} {{\ntypedef {c} C; typedef {s} S;\n"
        f"enum {{ THERE = 1, ACCUM = {accum is not None:d} }};\n"
        f"{added}{how.text(False)}}};\n"
    )


class Step:
    """Statements as a function that computes them in order, or as one where it can."""

    __slots__ = ("kept", "statements")

    def __init__(self, statements: Any) -> None:
        self.statements = statements
        self.kept: dict[str, Kept | None] = {}

    def __call__(self, times: int = 1, most: int = 0) -> None:
        """Compute them so many times."""
        for _ in range(times):
            self._once()

    def _once(self) -> None:
        (update, product), *_ = self.statements
        q = update.out
        form = q._store.form
        kept = self.kept.get(form)
        if kept is None or not kept.holds():
            kept = self.kept[form] = self._planned()
        if kept is None:
            for out, value in self.statements:
                out << value
        else:
            running.run(product, q, update.mask, kept.run)

    def _planned(self) -> Kept | None:
        (update, product), *others = self.statements
        q, mask = update.out, update.mask
        followers = [_follower(q, *statement) for statement in others]
        found = [f for f in followers if f is not None]
        if len(found) < len(others) or len(found) not in (1, 2) or not _is_step(update, product):
            return None
        outs = [f.out for f in found]
        if mask.parent not in outs or len(set(map(id, (q, *outs)))) < 1 + len(outs):
            return None
        running.one_device(product, q, *outs)
        watched = product.watched()
        if watched is None or any(x._store.form != "bitmap" for x in outs):
            return None
        run = _pulled if q._store.form == "bitmap" else _pushed
        if run is _pushed and product.operands[0]._rows(product.flip)[0] is None:
            return None  # the rows to push along are not at hand
        return Kept((*watched, *((x, "bitmap") for x in outs)), run(q, product, found, mask.parent))


def suits(statements: Any) -> bool:
    """Whether statements begin with a product where any value will do, as those of a search."""
    product = statements[0][1]
    return isinstance(product, Product) and operators.is_any(product.op.monoid)


def _is_step(update: Any, product: Any) -> bool:
    """Whether a statement is q<~seen.S, replace> = A q, or q' A, where any value will do."""
    q, mask = update.out, update.mask
    if mask is None or mask.kind != 3 or update.accum is not None or not update.replace:
        return False
    A, u = product.operands
    square = A.nrows == A.ncols == q.size == mask.parent._positions
    kept = q._store.form == q._keep in ("sparse", "bitmap")
    return u is q and product.dtype == q.dtype and square and kept


def _follower(q: Any, update: Any, value: Any) -> Follower | None:
    """Return a statement as a follower, if it is one."""
    from graphla.cuda.collection import Fill

    mask, out = update.mask, update.out
    if mask is None:
        if not isinstance(value, Elementwise) or value.operands != (q,) or update.accum is None:
            return None  # without an accumulator what is not in q would go
        how, scalar = value.how, value.scalar
    elif mask.kind == 1 and mask.parent is q and not update.replace and np.isscalar(value):
        fill = Fill(value)
        how, scalar = Combine("Value", None, fill.dtype), fill.scalar
    else:
        return None
    suits = how.template in FORMULAS and out.ndim == 1 and out.size == q.size
    return Follower(out, how, scalar, update.accum) if suits else None


@cache
def _kernel(file: str, semiring: str, types: str, followers: str, seen: int, longs: bool) -> Kernel:
    text = f"enum {{ CLAIMED = {seen}, UNIT = {UNIT}, LONGS = {longs:d} }};\n"
    text += f'{types}{semiring}#include "functions.cuh"\n#include "combine.cuh"\n{followers}'
    return kernel(file, text, cooperative=longs)


def _compiled(
    file: str, A: CSR, e: Product, transposed: bool, found: Any, seen: Any, longs: bool = False
) -> tuple[Kernel, Callable[[], tuple[Any, ...]]]:
    """Return the kernel, and what gives the arguments of those that follow."""
    q = e.operands[1]
    types = element(A.values.dtype), element(q.dtype.np_type)
    semiring = definitions(e.op, *types, A.iso, e.flip, transposed)
    text = "".join(f.text(f"F{k}") for k, f in enumerate(found)) + NONE * (len(found) == 1)
    is_seen = [f.out is seen for f in found].index(True)
    run = _kernel(file, semiring, A.definitions(), text, is_seen, longs)
    nobody = (None, None, FALSE) * (2 - len(found))

    def arguments() -> tuple[Any, ...]:
        given: tuple[Any, ...] = ()
        for f in found:
            given += f.arguments()
        return given + nobody

    return run, arguments


def _ended(found: Any) -> None:
    for f in found:
        f.out._store.forget()


def _pulled(q: Any, e: Product, found: Any, seen: Any) -> Plan:
    """Return what computes a step along the rows of what is not seen."""
    A, transposed = e.operands[0]._rows(not e.flip, make=True)
    run, arguments = _compiled("step_pull", A, e, transposed, found, seen)
    n, rows, nwords, kind = (
        A.nrows,
        (A.indptr, A.indices, A.values),
        words(A.nrows),
        q.dtype.np_type,
    )

    def go() -> None:
        xp, old = device.now.xp, q._store
        new = Dense(xp.empty(n, kind), xp.empty(nwords, np.uint32))
        new.told = told = Told()
        count = zero()
        run(
            n, n, *rows, old.values, old.bits, new.values, new.bits, count, told.array, *arguments()
        )
        q._store = new
        _ended(found)

    return go


def _pushed(q: Any, e: Product, found: Any, seen: Any) -> Plan:
    """Return what computes a step along the rows of the entries of q."""
    A, transposed = e.operands[0]._rows(e.flip, make=True)
    longs = min(A.nrows, A.nvals // UNIT) if A.longest >= UNIT else 0  # at most
    run, arguments = _compiled("step_push", A, e, transposed, found, seen, longs > 0)
    size, dtype, rows, stock = A.ncols, q.dtype, (A.indptr, A.indices, A.values), Stock()
    block = TOGETHER if longs else ALONE
    entry = 2 * max(np.dtype(index_dtype(size)).itemsize, dtype.np_type.itemsize)
    shared = block // 32 * 2 * UNIT * entry
    all_at_once, longest = device.multiprocessors * block, A.longest

    def go() -> None:
        old = q._store
        out = Sparse.room(size, min(size, old.most * longest), dtype, old, stock, True)
        threads, many, places, nlong = 32 * old.most, 0, None, None
        if longs:
            many, nlong, threads = min(longs, old.most), zero(), all_at_once
            places = device.now.xp.empty(2 * many, np.int64)
        run(
            threads, old.count, old.keys, old.values, *rows, out.keys, out.values, out.count,
            out.host, places, many, nlong, *arguments(), block=block, shared=shared,
        )  # fmt: skip
        q._store = out
        _ended(found)

    return go
