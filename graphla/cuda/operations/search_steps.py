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

from graphla import tracing
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
from graphla.direction import Light

BLOCK = 1024  # threads, where blocks wait for each other
STATE = 10  # words
AT_ONCE = 4096  # steps of one kernel, after which Python may be interrupted
NONE = "struct F1 { typedef bool C; typedef bool S; enum { THERE = 0, ACCUM = 0 }; };\n"
ANY = Light(0, 0, 1, 0, 1.0)  # of one step
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
            kept = self._plan()
            if kept is None:
                for out, value in self.statements:
                    out << value
            else:
                self._run(kept.run)

    def on(self, light: Light, depth: Any, most: int) -> tuple[int, int, Light, bool] | None:
        """Compute them, by one kernel, while the frontier is a light list: `most` times at most.

        It returns the size of the frontier, the number of steps, `light` after them, and whether
        the last frontier was; or None where it is another kernel's work. `depth` grows by one
        before each step.
        """
        kept = None if tracing.active() else self._plan()
        if kept is None or not isinstance(kept.run, Push):
            return None
        told: list[Any] = []
        self._run(lambda: told.append(kept.run.on(light, depth, min(most, AT_ONCE))))
        if depth is not None:
            depth.value += told[0][1]
        found: tuple[int, int, Light, bool] = told[0]
        return found

    def _plan(self) -> Kept | None:
        form = self.statements[0][0].out._store.form
        kept = self.kept.get(form)
        if kept is None or not kept.holds():
            kept = self.kept[form] = self._planned()
        return kept

    def _run(self, work: Callable[[], Any]) -> None:
        (update, product), *_ = self.statements
        running.run(product, update.out, update.mask, work)

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
        run = _pulled if q._store.form == "bitmap" else Push
        if run is Push and product.operands[0]._rows(product.flip)[0] is None:
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
def _kernel(
    file: str, semiring: str, types: str, followers: str, seen: int, longs: bool | None
) -> Kernel:
    text = f"enum {{ CLAIMED = {seen}, UNIT = {UNIT}, LONGS = {longs or 0:d} }};\n"
    text += f'{types}{semiring}#include "functions.cuh"\n#include "combine.cuh"\n{followers}'
    return kernel(file, text, cooperative=longs is not None)


def _compiled(
    file: str,
    A: CSR,
    e: Product,
    transposed: bool,
    found: Any,
    seen: Any,
    longs: bool | None = None,
) -> tuple[Kernel, Callable[[], tuple[Any, ...]]]:
    """Return the kernel, and what gives the arguments of those that follow.

    `longs`: whether there may be long rows, of a kernel whose threads wait for each other.
    """
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


class Push:
    """What computes steps along the rows of the entries of q."""

    __slots__ = (
        "A", "arguments", "dtype", "found", "longs", "q", "run", "scalars", "shared", "stock",
    )  # fmt: skip

    def __init__(self, q: Any, e: Product, found: Any, seen: Any) -> None:
        self.q, self.dtype, self.found, self.stock = q, q.dtype, found, Stock()
        self.A, transposed = e.operands[0]._rows(e.flip, make=True)
        A = self.A
        self.longs = min(A.nrows, A.nvals // UNIT) if A.longest >= UNIT else 0  # at most
        longs = self.longs > 0
        self.run, self.arguments = _compiled("step_push", A, e, transposed, found, seen, longs)
        entry = 2 * max(np.dtype(index_dtype(A.ncols)).itemsize, q.dtype.np_type.itemsize)
        self.shared = BLOCK // 32 * 2 * UNIT * entry
        self.scalars = [f.scalar for f in found]

    def __call__(self) -> None:
        """Compute one step."""
        old, n = self.q._store, self.A.ncols
        out = self._room(min(n, old.most * self.A.longest), old)
        self._launch(old, out, None, 1, ANY, 0, None)
        self.q._store = out
        _ended(self.found)

    def on(self, light: Light, depth: Any, most: int) -> tuple[int, int, Light, bool]:
        """Compute steps while q is light; its size, their number, what is light, if this is."""
        old, n = self.q._store, self.A.ncols
        odd, even, left = self._room(n), self._room(n), Told()
        odd.told = told = Told()
        deeper = sum((s is depth) << k for k, s in enumerate(self.scalars) if depth is not None)
        self._launch(old, odd, even, most, light, deeper, left.array)
        size, steps = told.read()
        unexplored, is_light = left.read()
        self.q._store = out = odd if steps % 2 else even
        out.told, out._nvals = None, size
        _ended(self.found)
        return size, steps, light._replace(before=size, unexplored=unexplored), bool(is_light)

    def _room(self, limit: int, before: Any = None) -> Sparse:
        return Sparse.room(self.A.ncols, limit, self.dtype, before, self.stock, True)

    def _launch(
        self, old: Any, odd: Any, even: Any, most: int, light: Light, deeper: int, left: Any
    ) -> None:
        A, longs = self.A, min(self.longs, old.most if even is None else self.longs)
        places = device.now.xp.empty(2 * longs, np.int64) if longs else None
        lists = (None,) * 3 if even is None else (even.keys, even.values, even.count)
        self.run(
            device.multiprocessors * BLOCK, old.count, old.keys, old.values, A.indptr, A.indices,
            A.values, places, longs, zero(size=STATE), *lists, odd.keys, odd.values, odd.count,
            most, light.before, light.unexplored, light.n, light.few, np.float64(light.alpha),
            np.int32(deeper), odd.host, left, *self.arguments(), block=BLOCK, shared=self.shared,
        )  # fmt: skip
