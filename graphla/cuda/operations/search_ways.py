"""Kernels of one or many steps of a search: along the rows of what is new, or of what is not seen.

See search_steps.py, which says what a step is.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from graphla.cuda.compile import Kernel, kernel
from graphla.cuda.csr import CSR
from graphla.cuda.device import device
from graphla.cuda.operations.elementwise import FALSE
from graphla.cuda.operations.products import UNIT, Product
from graphla.cuda.operations.pulls import definitions
from graphla.cuda.spares import Stock
from graphla.cuda.storage import Dense, Sparse, element, index_dtype, words, zero
from graphla.cuda.told import Told
from graphla.direction import Light

BLOCK = 1024  # threads
STATE = 10  # words
NONE = "struct F1 { typedef bool C; typedef bool S; enum { THERE = 0, ACCUM = 0 }; };\n"
ONE = Light(0, 0, 1, 0, 0, 1.0)  # of one step
NO_DEPTH = np.int32(0)


class Found(NamedTuple):
    """What steps have come to: the frontier's size, their number, and whether it is light."""

    size: int
    steps: int
    light: Light
    is_light: bool


@cache
def _kernel(file: str, semiring: str, types: str, followers: str, seen: int, longs: bool) -> Kernel:
    text = f"enum {{ CLAIMED = {seen}, UNIT = {UNIT}, LONGS = {longs:d} }};\n"
    text += f'{types}{semiring}#include "functions.cuh"\n#include "combine.cuh"\n{followers}'
    return kernel(file, text, cooperative=True)


def compiled(
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


def place(told: Told | None) -> Any:
    """Return where a kernel tells, the last thing to be asked for: nothing may fail after it."""
    return None if told is None else told.array


class Way:
    """What computes steps of a search in one launch, along rows of some kind."""

    __slots__ = ("A", "arguments", "dtype", "found", "q", "run", "stock")

    def __init__(self, q: Any, found: Any) -> None:
        self.q, self.dtype, self.found = q, q.dtype, found
        self.stock = Stock()

    def on(self, light: Light, depth: Any, most: int, meanwhile: Callable[[], None]) -> Found:
        """Compute at most so many steps from a list, as long as they go on.

        A search that is interrupted while it waits is over: its bitmaps are written.
        """
        told, left = Told(), Told()
        its = (depth is not None and f.scalar is depth for f in self.found)
        deeper = sum(is_depth << k for k, is_depth in enumerate(its))
        lists = self.many(light, np.int32(deeper), most, told, left)
        self.written()
        meanwhile()
        size, steps = told.read()
        explored, is_light = left.read()
        out = lists[steps % len(lists)]
        out._nvals = size
        self.q._store = out
        light = light._replace(before=size, unexplored=light.unexplored - explored)
        return Found(size, steps, light, bool(is_light))

    def many(self, light: Light, deeper: Any, most: int, told: Told, left: Told) -> list[Sparse]:
        """Launch the kernel; the result is the list of the number of steps."""
        raise NotImplementedError

    def written(self) -> None:
        """Count the entries of what is written anew."""
        for f in self.found:
            f.out._store.forget()

    def room(self, limit: int, before: Any = None) -> Sparse:
        """Return a list for so many entries."""
        return Sparse.room(self.q.size, limit, self.dtype, before, self.stock, True)


class Pull(Way):
    """Steps along the rows of what is not seen."""

    __slots__ = ()

    @staticmethod
    def rows(e: Product) -> bool:
        """Return whether the rows are the matrix's own, or those of its transpose."""
        return not e.flip

    def __init__(self, q: Any, e: Product, found: Any, seen: Any) -> None:
        super().__init__(q, found)
        self.A, transposed = e.operands[0]._rows(self.rows(e), make=True)
        self.run, self.arguments = compiled("step_pull", self.A, e, transposed, found, seen)

    def __call__(self) -> None:
        """Compute one step of a bitmap."""
        old, new = self.q._store, self._bitmap()
        new.told = Told()
        self._launch((None,) * 3, (old, new), 1, ONE, NO_DEPTH, (None,) * 3, new.told, None)
        self.q._store = new
        self.written()

    def many(self, light: Light, deeper: Any, most: int, told: Told, left: Told) -> list[Sparse]:
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
        self, given: Any, both: Any, most: int, light: Light, deeper: Any, taken: Any,
        told: Told | None, left: Told | None,
    ) -> None:  # fmt: skip
        A, (x, y), others = self.A, both, self.arguments()
        self.run(
            max(A.nrows, 1), A.nrows, A.indptr, A.indices, A.values, *given, x.values, x.bits,
            y.values, y.bits, zero(size=STATE), most, light.before, light.last, deeper, *taken,
            place(told), place(left), *others, block=BLOCK,
        )  # fmt: skip


class Push(Way):
    """Steps along the rows of the entries of q."""

    __slots__ = ("longs", "shared")

    @staticmethod
    def rows(e: Product) -> bool:
        """Return whether the rows are the matrix's own, or those of its transpose."""
        return e.flip

    def __init__(self, q: Any, e: Product, found: Any, seen: Any) -> None:
        super().__init__(q, found)
        self.A, transposed = e.operands[0]._rows(self.rows(e), make=True)
        A = self.A
        self.longs = min(A.nrows, A.nvals // UNIT) if A.longest >= UNIT else 0  # at most
        longs = self.longs > 0
        self.run, self.arguments = compiled("step_push", A, e, transposed, found, seen, longs)
        entry = 2 * max(np.dtype(index_dtype(A.ncols)).itemsize, q.dtype.np_type.itemsize)
        self.shared = BLOCK // 32 * 2 * UNIT * entry

    def __call__(self) -> None:
        """Compute one step."""
        old = self.q._store
        out = self.room(min(self.q.size, old.most * self.A.longest), old)
        self._launch(None, out, min(self.longs, old.most), 1, ONE, NO_DEPTH, out.told, None)
        self.q._store = out
        self.written()

    def many(self, light: Light, deeper: Any, most: int, told: Told, left: Told) -> list[Sparse]:
        """Launch the kernel, which takes two lists by turns."""
        lists = [self.room(self.q.size) for _ in range(2)]
        even, odd = lists
        self._launch(even, odd, self.longs, most, light, deeper, told, left)
        return lists

    def _launch(
        self, even: Any, odd: Any, longs: int, most: int, light: Light, deeper: Any,
        told: Told | None, left: Told | None,
    ) -> None:  # fmt: skip
        A, old, others = self.A, self.q._store, self.arguments()
        places = device.now.xp.empty(2 * longs, np.int64) if longs else None
        first = (None,) * 3 if even is None else (even.keys, even.values, even.count)
        self.run(
            device.multiprocessors * BLOCK, old.count, old.keys, old.values, A.indptr,
            A.indices, A.values, places, longs, zero(size=STATE), *first, odd.keys, odd.values,
            odd.count, most, light.before, light.unexplored, light.n, light.few,
            np.float64(light.alpha), deeper, place(told), place(left), *others, block=BLOCK,
            shared=self.shared,
        )  # fmt: skip
