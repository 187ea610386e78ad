"""Statements that follow one another, of which nobody sees what is between them.

A product that makes a list, and two to four statements along that list, are two kernels: the
push, and one pass over the list (fused_list.cu). If rows are short and one of the statements
makes the list that the product takes next, one kernel repeats both (fused_list_loop.cu). Other
statements run one by one.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from graphla.core import tracing
from graphla.cuda.expressions.expression import (
    MAX_PLANS,
    CachedPlan,
    Elementwise,
    Expression,
    out_of_device_memory,
)
from graphla.cuda.expressions.update import to_expression
from graphla.cuda.memory import buffer_pool
from graphla.cuda.memory.buffer_pool import PlanBuffers
from graphla.cuda.operations.definitions import constants, native_atomic
from graphla.cuda.operations.ewise_vector import argument_types, scalar_argument
from graphla.cuda.operations.spmspv import BITMAP_EDGES, SpMSpV
from graphla.cuda.operations.spmv import MatrixVectorProduct
from graphla.cuda.operators import tables
from graphla.cuda.operators.elementwise_formula import NO_ACCUM
from graphla.cuda.runtime.compile import kernel
from graphla.cuda.runtime.device import device
from graphla.cuda.runtime.host_result import HostResult
from graphla.cuda.storage.vector_formats import (
    Dense,
    Sparse,
    bitmap_words,
    cuda_type,
    kernel_index_dtype,
)

EACH, PART, INTO = range(3)  # as in fused_list.cuh
KINDS = ("Apply", "BindFirst", "BindSecond", "Select", "Intersection")  # of formulas


class ChainStep(NamedTuple):
    """A statement along a list: what it writes and how; its operands but those of the list."""

    out: Any
    way: int
    own: bool
    x: Any  # None where it is the list itself
    y: Any
    s: Any
    mask: Any  # None, or the object
    structure: bool
    aligned: bool
    buffers: PlanBuffers


def takes_list(x: Any) -> bool:
    """Whether an object may be left as a list."""
    return x._keep in (None, "sparse")


def step_of(update: Any, e: Any, along: list[Any], parts: list[Any]) -> ChainStep | None:
    """Return a statement as one along a list, or None; note what it makes.

    `along`: the list, and objects with the same keys; `parts`: of which it must read none.
    """
    if not isinstance(e, Elementwise) or e.formula.template not in KINDS:
        return None
    out, mask, accum = update.out, update.mask, update.accum
    ours = [x for x in e.operands if contains(x, along)]
    others = [x for x in e.operands if not contains(x, along)]
    if (
        len(ours) != 1
        or contains(out, [*along, *parts])
        or (others and not _is_dense(others[0], parts))
    ):
        return None
    aligned = mask is not None and contains(mask.parent, along)
    if mask is not None and not aligned and not _is_dense(mask.parent, parts):
        return None
    y = others[0] if others else None
    if accum is None and (mask is None or update.replace):
        if not takes_list(out):
            return None
        way = EACH if mask is None and e.formula.keeps(y) else PART
        (along if way == EACH else parts).append(out)
    elif accum is not None and not update.replace and isinstance(out._store, Dense):
        way = INTO
    else:
        return None
    own = ours[0] is along[0]
    parent, structure = (None, True) if mask is None else (mask.parent, mask.structure)
    x = None if own else ours[0]
    return ChainStep(out, way, own, x, y, e.scalar, parent, structure, aligned, PlanBuffers())


def contains(x: Any, objects: list[Any]) -> bool:
    """Whether an object is one of some."""
    return any(x is y for y in objects)


def _is_dense(x: Any, without: list[Any]) -> bool:
    return isinstance(x._store, Dense) and not contains(x, without)


def text_of(step: ChainStep, update: Any, e: Any, feeds: bool, name: str) -> str:
    """Return the struct of a statement (fused_list.cu)."""
    operands = (*e.operands, None)[:2]
    swapped = step.y is not None and e.operands[0] is step.y
    x, y = reversed(operands) if swapped else operands
    types = argument_types(step.out, x, y, e.scalar, update.mask)
    return _struct(name, e.formula, swapped, types, update.mask and update.mask.kind, update.accum,
                   step.way, step.aligned, step.own, feeds)  # fmt: skip


@cache
def _struct(
    name: str, how: Any, swapped: bool, types: tuple[str, ...], mask: int | None, accum: Any,
    way: int, aligned: bool, own: bool, feeds: bool,
) -> str:  # fmt: skip
    names = zip(("X", "Y", "S", "C", "Mask"), types[1:], strict=True)
    added = NO_ACCUM if accum is None else tables.binary(accum, "Accum")
    return (
        f"struct {name} {{\n"
        + "".join(f"typedef {t} {letter};\n" for letter, t in names)
        + constants(OUTPUT=way, MASK=mask or 0, ALIGNED=aligned, X_FROM_LIST=own)
        + constants(ACCUM=accum is not None, NEXT_INPUT=feeds and way == PART)
        + f"{added}{how.text(swapped)}}};\n"
    )


def arguments(step: ChainStep, r: Sparse, size: int, asked: bool, last: bool) -> tuple[Any, ...]:
    """Return what a statement takes, and give its output the store that it fills."""
    out, y, mask = step.out, step.y, step.mask
    x = None if step.own else step.x._store.values
    given = (None, None) if y is None else (y._store.values, y._store.bits)
    seen = None if step.structure else mask._store.values
    mbits = None if mask is None or step.aligned else mask._store.bits
    operands = (x, *given, scalar_argument(step.s), seen, mbits)
    if step.way == EACH:
        out._store = c = r.with_new_values(out.dtype, step.buffers)
        return *operands, None, c.values, None, None, None
    if step.way == INTO:
        out._store.forget_count()
        return *operands, None, out._store.values, out._store.bits, None, None
    out._store = c = Sparse.allocate(size, r.max_nvals, out.dtype, None, step.buffers, True)
    c.count_wanted = asked
    if asked and last:
        c.count_result = HostResult()
    return *operands, c.keys, c.values, None, c.count, c.host_count


MIN_FOLLOWERS, MAX_FOLLOWERS = 2, 4  # statements along a list
BLOCK = 1024  # threads of the kernel that goes on
STAGE_BYTES = 2048  # bytes of shared memory in which a warp gathers what it appends
STATE_WORDS = 8  # words
CONTINUE_EDGES = 1 << 19  # edges of a step, up to which it goes on whatever the size
MAX_STEPS = 4096  # steps of that kernel, after which Python may be interrupted
GROWTH = 2  # times more entries after a step, where nobody has counted


class StatementChain:
    """Pairs of an update and what is shifted into it, to be run in order, many times."""

    def __init__(self, statements: Any) -> None:
        self.statements = [
            (update, e if isinstance(e, Expression) else to_expression(e))
            for update, e in statements
        ]
        self.operands = _objects(self.statements)
        self.fused: dict[Any, FusedChain | None] = {}

    def __call__(self, times: int = 1, most: int = 0) -> None:
        """Run them so many times, and, where that is known at no cost, on while the first one's
        vector has 1 to `most` entries.
        """
        if times < 1:
            return
        if tracing.active():
            fused = None
        elif (state := self._state()) in self.fused:
            fused = self.fused[state]
        else:  # a first time tells what is wrong with them
            self._separately()
            state, times = self._state(), times - 1
            if state not in self.fused:
                if len(self.fused) == MAX_PLANS:  # rows that are gone may be among what they hold
                    self.fused.clear()
                self.fused[state] = fuse(self.statements)
            fused = self.fused[state]
        if fused is None:
            for _ in range(times):
                self._separately()
        elif times > 0:
            self._together(fused, times, most)

    def _state(self) -> Any:
        """Return what a plan depends on: the forms of vectors, and the very rows of a matrix."""
        stores = [x._store for x in self.operands]
        return CachedPlan.shape_changes, *[
            s.form if isinstance(s, (Dense, Sparse)) else s for s in stores
        ]

    def _together(self, fused: FusedChain, times: int, most: int) -> None:
        try:
            fused(times, most)
        except device.out_of_memory as error:
            e = self.statements[0][1]
            raise out_of_device_memory(error, f"{e.operation} and what follows") from error

    def _separately(self) -> None:
        for update, e in self.statements:
            update << e


def _objects(statements: Any) -> list[Any]:
    """Return all vectors and matrices that statements read or write."""
    found = {}
    for update, e in statements:
        parent = () if update.mask is None else (update.mask.parent,)
        for x in (update.out, *parent, *e.operands):
            x = x if hasattr(x, "_store") else x.T
            found[id(x)] = x
    return list(found.values())


def fuse(statements: Any) -> Any:
    """Return what runs statements so many times by few kernels, or None."""
    (first, product), *others = statements
    if not MIN_FOLLOWERS <= len(others) <= MAX_FOLLOWERS or not _makes_list(first, product):
        return None
    C, u = first.out, product.operands[1]
    along, parts, steps = [C], [C], []
    texts: list[str] = []
    for update, e in others:
        found = step_of(update, e, along, parts)
        if found is None:
            return None
        steps.append(found)
        texts.append(text_of(found, update, e, found.out is u, f"S{len(texts)}"))
    return FusedChain(C, u, product, steps, "".join(texts))


class FusedChain:
    """A product that makes a list C, and statements along C, to be run many times."""

    def __init__(
        self, C: Any, u: Any, e: MatrixVectorProduct, steps: list[ChainStep], texts: str
    ) -> None:
        rows, transposed = e.operands[0]._rows(e.flip)
        self.C, self.u, self.steps, self.A = C, u, steps, rows
        self.buffers = PlanBuffers()
        self.push = SpMSpV(rows, transposed, u.dtype, e.op, e.flip, C._positions, None)
        index = f"typedef {cuda_type(kernel_index_dtype(C._positions))} Index;\n"
        atomic = native_atomic(e.op.monoid)
        text = f'#include "elementwise_formula.cuh"\n{atomic}{texts}'
        text += f"#define STATEMENTS {len(steps)}\n"
        head = index + self.push.definitions + text
        self.along = [kernel("fused_list", f"{head}enum {{ SUMS = {sums} }};\n") for sums in (0, 1)]
        feeds = [step.out is u for step in steps if step.way == PART] == [True]
        self.most = (
            max(BITMAP_EDGES * bitmap_words(C._positions), CONTINUE_EDGES) / rows.max_row_length
            if rows.max_row_length
            else 0
        )
        self.goes_on = feeds and not self.push.max_long_rows
        types = (rows.indptr.dtype, rows.indices.dtype)
        offset, columns = map(cuda_type, types)
        head += f"typedef {offset} Offset;\ntypedef {columns} Columns;\n"
        head += constants(BLOCK=BLOCK, STATE_WORDS=STATE_WORDS, STAGE_BYTES=STAGE_BYTES)
        self.on = kernel("fused_list_loop", head, cooperative=True)
        self.state = device.xp.zeros(STATE_WORDS, np.uint64)

    def __call__(self, times: int, most: int) -> None:
        """Run them."""
        most = min(most, int(self.most))
        if self.goes_on and 0 < self.u._store.max_nvals <= most:
            with self._whole():
                self._go_on(times, most)
        else:
            self._go(times)

    @contextmanager
    def _whole(self) -> Iterator[None]:
        """Give the outputs back what they had where kernels are not launched: no step is half."""
        before = [(x, x._store) for x in (self.C, *(step.out for step in self.steps))]
        try:
            yield
        except BaseException:
            for x, store in before:
                x._store = store
            raise

    def _go(self, times: int) -> None:
        likely = self.u._store.max_nvals
        asked = [getattr(step.out._store, "count_wanted", False) for step in self.steps]
        for left in range(times - 1, -1, -1):
            with self._whole():
                self._step(likely, asked, not left)
            likely = min(self.C._positions, likely * GROWTH)

    def _step(self, likely: int, asked: list[bool], last: bool) -> None:
        C, u, size = self.C, self.u, self.C._positions
        r = self._list(u._store.max_nvals)
        sums = self.push.push_into(r, u._store, likely)
        C._store = r
        args = [r.count, r.keys, r.values, sums and sums.array]
        for step, is_asked in zip(self.steps, asked, strict=True):
            args += arguments(step, r, size, is_asked, last)
        self.along[sums is not None](min(size, likely * self.A.max_row_length), *args)
        if sums:
            buffer_pool.release(sums)

    def _go_on(self, times: int, most: int) -> None:
        C, u, push, A, size = self.C, self.u, self.push, self.A, self.C._positions
        before, r = u._store, self._list(size)
        claims = buffer_pool.acquire_marks(size)
        sums = buffer_pool.acquire_accumulators(size, push.monoid, push.kernels.clear_sums)
        spare = Sparse.allocate(size, size, u.dtype, None, self.buffers)
        C._store = r
        more: list[Any] = []
        for step in self.steps:
            more += arguments(step, r, size, step.out is u, True)
        now = u._store
        self.on(
            device.multiprocessors * BLOCK, before.count, before.keys, before.values, A.indptr,
            A.indices, A.values, claims.array, claims.call, sums.array, times, MAX_STEPS, most,
            size, self.state, r.count, r.keys, r.values, now.count, spare.keys, spare.values,
            now.keys, now.values, now.host_count, *more,
            block=BLOCK, shared=STAGE_BYTES * (BLOCK // 32),
        )  # fmt: skip
        buffer_pool.release(claims)
        buffer_pool.release(sums)

    def _list(self, most: int) -> Sparse:
        found = self.push.new_list(most)
        found.count_wanted = getattr(self.C._store, "count_wanted", False)
        return found


def _makes_list(update: Any, e: Any) -> bool:
    """Whether a statement is a product that is pushed and becomes a list, of sums."""
    if (
        not isinstance(e, MatrixVectorProduct)
        or update.mask is not None
        or update.accum is not None
    ):
        return False
    C, (A, u) = update.out, e.operands
    if C is u or C.dtype != e.dtype or not takes_list(C) or tables.is_any(e.op.monoid):
        return False
    return (
        isinstance(u._store, Sparse) and bool(e.dependencies()) and A._rows(e.flip)[0] is not None
    )
