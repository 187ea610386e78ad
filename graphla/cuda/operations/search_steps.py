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
from graphla.cuda.operations.elementwise import FALSE, NO_ACCUM
from graphla.cuda.operations.products import UNIT, Product
from graphla.cuda.operations.pulls import definitions
from graphla.cuda.scalar import typed
from graphla.cuda.spares import Stock
from graphla.cuda.storage import Dense, Sparse, element, index_dtype, words, zero
from graphla.cuda.told import Told
from graphla.direction import Light

PUSHING, PULLING = 1024, 256  # threads of a block
STATE = 10  # words
AT_ONCE = 4096  # steps of one kernel, after which Python may be interrupted
NONE = "struct F1 { typedef bool C; typedef bool S; enum { THERE = 0, ACCUM = 0 }; };\n"
ONE = Light(0, 0, 1, 0, 0, 1.0)  # of one step
NO_DEPTH = np.int32(0)
FORMULAS = ("Same", "Apply", "BindFirst", "BindSecond", "Value")


class Found(NamedTuple):
    """What steps have come to: the frontier's size, their number, and whether it is light."""

    size: int
    steps: int
    light: Light
    is_light: bool


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
        self.kept: dict[Any, Kept | None] = {}

    def __call__(self, times: int = 1, most: int = 0) -> None:
        """Compute them so many times."""
        for _ in range(times):
            q = self.statements[0][0].out
            way = self._way(q._store.form, Pull if q._store.form == "bitmap" else Push)
            if way is None:
                for out, value in self.statements:
                    out << value
            else:
                self._run(way)

    def on(self, push: bool, light: Light, depth: Any, most: int) -> Found | None:
        """Compute them for a frontier that is a list by one kernel, `most` times at most.

        It goes on while the frontier is light, where they `push`, else until it is. None: it is
        another kernel's work. `depth` grows by one before each step.
        """
        if tracing.active() or self.statements[0][0].out._store.form != "sparse":
            return None
        kind = Push if push else Pull
        way = self._way(kind, kind)
        if way is None:
            return None
        told: list[Found] = []
        self._run(lambda: told.append(way.on(light, depth, min(most, AT_ONCE))))
        if depth is not None:
            depth.value += told[0].steps
        return told[0]

    def _way(self, key: Any, kind: Any) -> Any:
        """Return what computes them in one launch, if something does."""
        kept = self.kept.get(key)
        if kept is None or not kept.holds():
            kept = self.kept[key] = self._planned(kind)
        return None if kept is None else kept.run

    def _run(self, work: Callable[[], Any]) -> None:
        (update, product), *_ = self.statements
        running.run(product, update.out, update.mask, work)

    def _planned(self, kind: Any) -> Kept | None:
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
        if kind is Push and product.operands[0]._rows(product.flip)[0] is None:
            return None  # the rows to push along are not at hand
        way = kind(q, product, found, mask.parent)
        return Kept((*watched, *((x, "bitmap") for x in outs)), way)


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
    return kernel(file, text, cooperative=True)


def _compiled(
    file: str,
    A: CSR,
    e: Product,
    transposed: bool,
    found: Any,
    seen: Any,
    longs: bool = False,
) -> tuple[Kernel, Callable[[], tuple[Any, ...]]]:
    """Return the kernel, and what gives the arguments of those that follow.

    `longs`: whether there may be rows of UNIT entries and more, where that matters.
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


class Way:
    """What computes steps of a search in one launch, along rows of some kind."""

    __slots__ = ("A", "arguments", "block", "dtype", "found", "q", "run", "stock")

    def __init__(self, q: Any, found: Any, block: int) -> None:
        self.q, self.dtype, self.found, self.block = q, q.dtype, found, block
        self.stock = Stock()

    def on(self, light: Light, depth: Any, most: int) -> Found:
        """Compute at most so many steps from a list, as long as they go on."""
        told, left = Told(), Told()
        deeper = sum((f.scalar is depth) << k for k, f in enumerate(self.found))
        lists = self.many(light, np.int32(deeper), most, told.array, left.array)
        size, steps = told.read()
        explored, is_light = left.read()
        out = lists[steps % len(lists)]
        out._nvals = size
        self.ended(out)
        light = light._replace(before=size, unexplored=light.unexplored - explored)
        return Found(size, steps, light, bool(is_light))

    def many(self, light: Light, deeper: Any, most: int, told: Any, left: Any) -> list[Sparse]:
        """Launch the kernel; the result is the list of the number of steps."""
        raise NotImplementedError

    def ended(self, q: Any) -> None:
        """Let `q` be the frontier."""
        self.q._store = q
        for f in self.found:
            f.out._store.forget()

    def room(self, limit: int, before: Any = None) -> Sparse:
        """Return a list for so many entries."""
        return Sparse.room(self.q.size, limit, self.dtype, before, self.stock, True)


class Pull(Way):
    """Steps along the rows of what is not seen."""

    __slots__ = ()

    def __init__(self, q: Any, e: Product, found: Any, seen: Any) -> None:
        super().__init__(q, found, PULLING)
        self.A, transposed = e.operands[0]._rows(not e.flip, make=True)
        self.run, self.arguments = _compiled("step_pull", self.A, e, transposed, found, seen)

    def __call__(self) -> None:
        """Compute one step of a bitmap."""
        old, new = self.q._store, self._bitmap()
        new.told = told = Told()
        self._launch((None,) * 3, (old, new), 1, ONE, NO_DEPTH, (None,) * 3, told.array, None)
        self.ended(new)

    def many(self, light: Light, deeper: Any, most: int, told: Any, left: Any) -> list[Sparse]:
        """Launch the kernel from a list to a list."""
        old, out = self.q._store, self.room(self.q.size)
        given, taken = (old.count, old.keys, old.values), (out.keys, out.values, out.count)
        both = (self._bitmap(), self._bitmap())
        self._launch(given, both, most, light, deeper, taken, told, left)
        return [out]

    def _bitmap(self) -> Dense:
        xp, n = device.now.xp, self.q.size
        return Dense(xp.empty(n, self.dtype.np_type), xp.empty(words(n), np.uint32))

    def _launch(
        self, given: Any, both: Any, most: int, light: Light, deeper: Any, taken: Any, told: Any,
        left: Any,
    ) -> None:  # fmt: skip
        A, (x, y) = self.A, both
        self.run(
            max(A.nrows, 1), A.nrows, A.indptr, A.indices, A.values, *given, x.values, x.bits,
            y.values, y.bits, zero(size=STATE), most, light.before, light.last, deeper, *taken,
            told, left, *self.arguments(), block=self.block,
        )  # fmt: skip


class Push(Way):
    """Steps along the rows of the entries of q."""

    __slots__ = ("longs", "shared")

    def __init__(self, q: Any, e: Product, found: Any, seen: Any) -> None:
        super().__init__(q, found, PUSHING)
        self.A, transposed = e.operands[0]._rows(e.flip, make=True)
        A = self.A
        self.longs = min(A.nrows, A.nvals // UNIT) if A.longest >= UNIT else 0  # at most
        longs = self.longs > 0
        self.run, self.arguments = _compiled("step_push", A, e, transposed, found, seen, longs)
        entry = 2 * max(np.dtype(index_dtype(A.ncols)).itemsize, q.dtype.np_type.itemsize)
        self.shared = self.block // 32 * 2 * UNIT * entry

    def __call__(self) -> None:
        """Compute one step."""
        old = self.q._store
        out = self.room(min(self.q.size, old.most * self.A.longest), old)
        self._launch(None, out, min(self.longs, old.most), 1, ONE, NO_DEPTH, out.host, None)
        self.ended(out)

    def many(self, light: Light, deeper: Any, most: int, told: Any, left: Any) -> list[Sparse]:
        """Launch the kernel, which takes two lists by turns."""
        lists = [self.room(self.q.size) for _ in range(2)]
        even, odd = lists
        self._launch(even, odd, self.longs, most, light, deeper, told, left)
        return lists

    def _launch(
        self, even: Any, odd: Any, longs: int, most: int, light: Light, deeper: Any, told: Any,
        left: Any,
    ) -> None:  # fmt: skip
        A, old = self.A, self.q._store
        places = device.now.xp.empty(2 * longs, np.int64) if longs else None
        first = (None,) * 3 if even is None else (even.keys, even.values, even.count)
        self.run(
            device.multiprocessors * self.block, old.count, old.keys, old.values, A.indptr,
            A.indices, A.values, places, longs, zero(size=STATE), *first, odd.keys, odd.values,
            odd.count, most, light.before, light.unexplored, light.n, light.few,
            np.float64(light.alpha), deeper, told, left, *self.arguments(), block=self.block,
            shared=self.shared,
        )  # fmt: skip
