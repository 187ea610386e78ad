"""Kernels of one or many steps of a search: along the rows of what is new, or of what is not seen.

See search_steps.py, which says what a step is.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from graphla.cuda.memory.buffer_pool import PlanBuffers, zeroed_words
from graphla.cuda.operations.definitions import semiring_definitions
from graphla.cuda.operations.spmspv import UNIT
from graphla.cuda.operations.spmv import MatrixVectorProduct
from graphla.cuda.operators import tables
from graphla.cuda.operators.elementwise_formula import FALSE, NO_ACCUM
from graphla.cuda.runtime.compile import Kernel, kernel
from graphla.cuda.runtime.device import device
from graphla.cuda.runtime.host_result import Told
from graphla.cuda.storage.vector_formats import Dense, Sparse, element, words
from graphla.execution.push_pull import Light

BLOCK = 1024  # threads
STATE = 10  # words
WORDS = 4  # of bits, whose rows a warp pulls at once
NONE = "struct F1 { typedef bool C; typedef bool S; enum { THERE = 0, ACCUM = 0 }; };\n"
ONE = Light(0, 0, 1, 0, 0, 1.0)  # of one step
NO_DEPTH = np.int32(0)
NOBODY = (None, None, FALSE)


class Found(NamedTuple):
    """What steps have come to: the frontier's size, their number, and whether it is light."""

    size: int
    steps: int
    light: Light
    is_light: bool


@cache
def _kernel(
    file: str, e: tuple[Any, ...], A: tuple[Any, ...], followers: tuple[Any, ...], seen: int,
    longs: bool,
) -> Kernel:  # fmt: skip
    op, flip, q, transposed = e
    offset, index, a, iso = A
    text = f"enum {{ CLAIMED = {seen}, UNIT = {UNIT}, WORDS = {WORDS}, LONGS = {longs:d} }};\n"
    text += f"typedef {element(offset)} Offset;\ntypedef {element(index)} Index;\n"
    text += semiring_definitions(op, element(a), element(q.np_type), iso, flip, transposed)
    text += '#include "functions.cuh"\n#include "elementwise_formula.cuh"\n'
    text += "".join(_struct(f"F{k}", *types) for k, types in enumerate(followers))
    return kernel(file, text + NONE * (len(followers) == 1), cooperative=True)


def _struct(name: str, how: Any, out: Any, scalar: Any, accum: Any) -> str:
    """Return the definition of what follows for each new entry (traversal_epilogue.cuh)."""
    c, s = (element(np.bool_ if x is None else x.np_type) for x in (out, scalar))
    added = NO_ACCUM if accum is None else tables.binary(accum, "Accum")
    return (
        f"struct {name} {{\ntypedef {c} C; typedef {s} S;\n"
        f"enum {{ THERE = 1, ACCUM = {accum is not None:d} }};\n"
        f"{added}{how.text(False)}}};\n"
    )


def place(told: Told | None) -> Any:
    """Return where a kernel tells, the last thing to be asked for: nothing may fail after it."""
    return None if told is None else told.array


class Way(ABC):
    """What computes steps of a search in one launch, along rows of some kind."""

    __slots__ = ("A", "found", "prepared", "q", "run")
    file: str
    prepared: Any  # room for what is next

    def __init__(self, q: Any, e: MatrixVectorProduct, found: Any, seen: Any) -> None:
        self.q, self.found, self.prepared = q, found, None
        A, transposed = e.operands[0]._rows(self.rows(e), make=True)
        self.A = A
        types = A.indptr.dtype, A.indices.dtype, A.values.dtype, A.iso
        followers, is_seen = tuple(f.types for f in found), [f.out is seen for f in found]
        product = e.op, e.flip, q.dtype, transposed
        longs = self.look_at_rows(e)
        self.run = _kernel(self.file, product, types, followers, is_seen.index(True), longs)

    @staticmethod
    @abstractmethod
    def rows(e: MatrixVectorProduct) -> bool:
        """Return whether the rows are the matrix's own, or those of its transpose."""

    @abstractmethod
    def look_at_rows(self, e: MatrixVectorProduct) -> bool:
        """Keep what launches need to know of the rows of A; return whether some are long,
        of UNIT entries and more, if that matters.
        """

    @abstractmethod
    def rooms(self) -> Any:
        """Return room for what many steps find."""

    def prepare(self) -> None:
        """Make room for what the next steps find, ahead of them."""
        if self.prepared is None:
            self.prepared = self.rooms()

    def on(self, light: Light, depth: Any, most: int, meanwhile: Callable[[], None]) -> Found:
        """Compute at most so many steps from a list, as long as they go on.

        A search that is interrupted while it waits is over: its bitmaps are written.
        """
        self.prepare()
        rooms, self.prepared = self.prepared, None
        deeper = 0
        if depth is not None:
            deeper = sum((f.scalar is depth) << k for k, f in enumerate(self.found))
        told, left = Told(), Told()
        lists = self.many(rooms, light, np.int32(deeper), most, told, left)
        self.written()
        meanwhile()
        size, steps = told.read()
        explored, is_light = left.read()
        out = lists[steps % len(lists)]
        out._nvals = size
        self.q._store = out
        light = light._replace(before=size, unexplored=light.unexplored - explored)
        return Found(size, steps, light, bool(is_light))

    @abstractmethod
    def many(
        self, rooms: Any, light: Light, deeper: Any, most: int, told: Told, left: Told
    ) -> tuple[Sparse, ...]:
        """Launch the kernel; the result is the list of the number of steps."""

    def written(self) -> None:
        """Count the entries of what is written anew."""
        for f in self.found:
            f.out._store.forget()

    def room(self) -> Sparse:
        """Return a list for all positions."""
        n = self.q.size
        return Sparse.room(n, n, self.q.dtype, whole=True)

    def arguments(self) -> tuple[Any, ...]:
        """Return what the kernel takes for what follows."""
        first, *others = self.found
        return first.arguments() + (others[0].arguments() if others else NOBODY)


class Pull(Way):
    """Steps along the rows of what is not seen."""

    __slots__ = ("heads", "shared", "threads")
    file = "traversal_pull"

    @staticmethod
    def rows(e: MatrixVectorProduct) -> bool:
        """Return whether the rows are the matrix's own, or those of its transpose."""
        return not e.flip

    def look_at_rows(self, e: MatrixVectorProduct) -> bool:
        """Keep the heads of the rows, unless values are asked for, which they do not tell."""
        A = self.A
        self.threads = min(max(A.nrows, 1), device.multiprocessors * BLOCK)
        self.shared = BLOCK * WORDS * (e.dtype.np_type.itemsize + 3)
        valued = ("y" if e.flip else "x") in tables.uses(e.op) and not A.iso
        heads, rows = A.heads
        self.heads = (None if valued else heads), rows
        return False

    def __call__(self) -> None:
        """Compute one step of a bitmap."""
        old, new = self.q._store, self._bitmap()
        new.told = Told()
        self._launch((None,) * 3, (old, new), 1, ONE, NO_DEPTH, (None,) * 3, new.told, None)
        self.q._store = new
        self.written()

    def rooms(self) -> Any:
        """Return a list and two bitmaps."""
        return self.room(), (self._bitmap(), self._bitmap())

    def many(
        self, rooms: Any, light: Light, deeper: Any, most: int, told: Told, left: Told
    ) -> tuple[Sparse, ...]:
        """Launch the kernel from a list to a list."""
        out, both = rooms
        old = self.q._store
        given, taken = (old.count, old.keys, old.values), (out.keys, out.values, out.count)
        self._launch(given, both, most, light, deeper, taken, told, left)
        return (out,)

    def _bitmap(self) -> Dense:
        xp, n = device.now.xp, self.q.size
        return Dense(xp.empty(n, self.q.dtype.np_type), xp.empty(words(n), np.uint32))

    def _launch(
        self, given: Any, both: Any, most: int, light: Light, deeper: Any, taken: Any,
        told: Told | None, left: Told | None,
    ) -> None:  # fmt: skip
        A, (x, y), others = self.A, both, self.arguments()
        self.run(
            self.threads, A.nrows, *self.heads, A.indptr, A.indices, A.values, *given, x.values,
            x.bits, y.values, y.bits, zeroed_words(size=STATE), most, light.before, light.last,
            deeper, *taken, place(told), place(left), *others, block=BLOCK, shared=self.shared,
        )  # fmt: skip


class Push(Way):
    """Steps along the rows of the entries of q."""

    __slots__ = ("buffers", "longs", "shared", "threads")
    file = "traversal_push"

    @staticmethod
    def rows(e: MatrixVectorProduct) -> bool:
        """Return whether the rows are the matrix's own, or those of its transpose."""
        return e.flip

    def look_at_rows(self, e: MatrixVectorProduct) -> bool:
        """Count the long rows."""
        A = self.A
        self.longs = min(A.nrows, A.nvals // UNIT) if A.longest >= UNIT else 0  # at most
        entry = 2 * max(A.indices.dtype.itemsize, self.q.dtype.np_type.itemsize)
        self.shared = BLOCK // 32 * 2 * UNIT * entry
        self.threads, self.buffers = device.multiprocessors * BLOCK, PlanBuffers()
        return self.longs > 0

    def __call__(self) -> None:
        """Compute one step."""
        old = self.q._store
        n, most = self.q.size, old.most * self.A.longest
        out = Sparse.room(n, min(n, most), self.q.dtype, old, self.buffers, True)
        longs = min(self.longs, old.most)
        self._launch(None, out, self._places(longs), longs, 1, ONE, NO_DEPTH, out.told, None)
        self.q._store = out
        self.written()

    def rooms(self) -> Any:
        """Return two lists, which the kernel takes by turns, and places of long rows."""
        return (self.room(), self.room()), self._places(self.longs)

    def many(
        self, rooms: Any, light: Light, deeper: Any, most: int, told: Told, left: Told
    ) -> tuple[Sparse, ...]:
        """Launch the kernel, which takes two lists by turns."""
        (even, odd), places = rooms
        self._launch(even, odd, places, self.longs, most, light, deeper, told, left)
        return even, odd

    def _places(self, longs: int) -> Any:
        return device.now.xp.empty(2 * longs, np.int64) if longs else None

    def _launch(
        self, even: Any, odd: Any, places: Any, longs: int, most: int, light: Light, deeper: Any,
        told: Told | None, left: Told | None,
    ) -> None:  # fmt: skip
        A, old, others = self.A, self.q._store, self.arguments()
        first = (None,) * 3 if even is None else (even.keys, even.values, even.count)
        self.run(
            self.threads, old.count, old.keys, old.values, A.indptr, A.indices, A.values, places,
            longs, zeroed_words(size=STATE), *first, odd.keys, odd.values, odd.count, most,
            light.before, light.unexplored, light.n, light.few, np.float64(light.alpha), deeper,
            place(told), place(left), *others, block=BLOCK, shared=self.shared,
        )  # fmt: skip
