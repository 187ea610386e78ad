"""Statements fused along a list: a product that makes a list, and 2 to 4 statements along it.

    r << u' A,   bucket(better.V, replace) << r.select(...),   d(min) << r.apply(...),   ...

Two kernels run them: the push of the product, and one pass over its list, in which a thread runs
all statements for its entry (fused_list.cu). If rows are short and one of the statements makes the
list u of the next product, one cooperative kernel repeats both (fused_list_loop.cu). Statements
that do not fit run one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from graphla.core import tracing
from graphla.cuda.expressions.statement import (
    MAX_PLANS,
    CachedPlan,
    Elementwise,
    Expression,
    out_of_device_memory,
    to_expression,
)
from graphla.cuda.memory import buffer_pool
from graphla.cuda.memory.buffer_pool import PlanBuffers
from graphla.cuda.operations.definitions import constants, native_atomic
from graphla.cuda.operations.ewise_vector import argument_types, scalar_argument
from graphla.cuda.operations.spmv.dispatch import MatrixVectorProduct
from graphla.cuda.operations.spmv.spmspv import BITMAP_EDGES, SpMSpV
from graphla.cuda.operators import tables
from graphla.cuda.operators.elementwise_formula import NO_ACCUM
from graphla.cuda.runtime.device import device
from graphla.cuda.runtime.kernel import HostResult, kernel
from graphla.cuda.storage.vector_formats import (
    Dense,
    Sparse,
    bitmap_words,
    cuda_type,
    kernel_index_dtype,
)
from graphla.errors import OutOfMemory

SAME_KEYS, NEW_LIST, BITMAP = range(3)  # kinds of outputs, as in fused_list.cuh
TEMPLATES = ("Apply", "BindFirst", "BindSecond", "Select", "Intersection")  # of fused formulas
MIN_FOLLOWERS, MAX_FOLLOWERS = 2, 4  # statements after the product

BLOCK = 1024  # threads in a block of the kernel that repeats the statements
STAGE_BYTES = 2048  # shared memory in which a warp of it collects new entries
STATE_WORDS = 8  # words of its counters and barriers in device memory
MIN_LOOP_EDGES = 1 << 19  # it continues up to this many edges a step, for any size of u
MAX_STEPS = 4096  # steps of one launch, after which Python may be interrupted
GROWTH = 2  # estimated growth of u in a step for which its size is not read back


class Follower(NamedTuple):
    """A statement along the list: its output, and its operands that are not the list."""

    out: Any
    output: int  # SAME_KEYS, NEW_LIST or BITMAP
    x: Any  # a vector with the keys of the list; None if x is the list itself
    y: Any  # a bitmap or full vector, or None
    scalar: Any
    mask: Any  # the parent of the mask, or None
    structure: bool  # whether the mask is a structure
    aligned: bool  # whether the mask has the keys of the list
    buffers: PlanBuffers

    def definition(
        self, name: str, update: Any, expression: Elementwise, feeds_product: bool
    ) -> str:
        """Return the struct of the statement for fused_list.cuh."""
        operands = (*expression.operands, None)[:2]
        swapped = self.y is not None and expression.operands[0] is self.y
        x, y = reversed(operands) if swapped else operands
        types = argument_types(self.out, x, y, expression.scalar, update.mask)
        flags = constants(
            OUTPUT=self.output,
            MASK=0 if update.mask is None else update.mask.kind,
            ALIGNED=self.aligned,
            X_FROM_LIST=self.x is None,
            ACCUM=update.accum is not None,
            NEXT_INPUT=feeds_product and self.output == NEW_LIST,
        )
        return _struct(name, types, flags, update.accum, expression.formula, swapped)

    def arguments(
        self, result: Sparse, size: int, count_wanted: bool, last: bool
    ) -> tuple[Any, ...]:
        """Give the output the store that the kernel fills; return the kernel's arguments.

        If the count of a new list is wanted, the `last` step publishes it to the host.
        """
        out, y, mask = self.out, self.y, self.mask
        operands = (
            None if self.x is None else self.x._store.values,
            *((None, None) if y is None else (y._store.values, y._store.bits)),
            scalar_argument(self.scalar),
            None if self.structure else mask._store.values,
            None if mask is None or self.aligned else mask._store.bits,
        )
        if self.output == SAME_KEYS:
            out._store = result.with_new_values(out.dtype, self.buffers)
            return *operands, None, out._store.values, None, None, None
        if self.output == BITMAP:
            out._store.forget_count()
            return *operands, None, out._store.values, out._store.bits, None, None
        new = Sparse.allocate(size, result.max_nvals, out.dtype, None, self.buffers, True)
        out._store = new
        new.count_wanted = count_wanted
        if count_wanted and last:
            new.count_result = HostResult()
        return *operands, new.keys, new.values, None, new.count, new.host_count


@cache
def _struct(
    name: str, types: tuple[str, ...], flags: str, accum: Any, formula: Any, swapped: bool
) -> str:
    names = zip(("X", "Y", "S", "C", "Mask"), types[1:], strict=True)
    typedefs = "".join(f"typedef {t} {letter};\n" for letter, t in names)
    accumulator = NO_ACCUM if accum is None else tables.binary(accum, "Accum")
    return f"struct {name} {{\n{typedefs}{flags}{accumulator}{formula.definitions(swapped)}}};\n"


def _follower(
    update: Any, expression: Any, same_keys: list[Any], written: list[Any]
) -> Follower | None:
    """Return a statement as a follower of the list, or None if it cannot be one.

    Parameters
    ----------
    same_keys : list
        The list, and vectors with the same keys. The output is added if it has them, too.
    written : list
        The list, and vectors that get other keys: no later statement may read them. The output
        is added if it is a new list.
    """
    if not isinstance(expression, Elementwise) or expression.formula.template not in TEMPLATES:
        return None
    out, mask, accum = update.out, update.mask, update.accum
    with_same_keys = [x for x in expression.operands if _contains(same_keys, x)]
    others = [x for x in expression.operands if not _contains(same_keys, x)]
    if len(with_same_keys) != 1 or _contains([*same_keys, *written], out):
        return None
    if others and not _is_unwritten_dense(others[0], written):
        return None
    aligned = mask is not None and _contains(same_keys, mask.parent)
    if mask is not None and not aligned and not _is_unwritten_dense(mask.parent, written):
        return None
    y = others[0] if others else None
    if accum is None and (mask is None or update.replace):
        if not _may_be_list(out):
            return None
        output = SAME_KEYS if mask is None and expression.formula.keeps_structure(y) else NEW_LIST
        (same_keys if output == SAME_KEYS else written).append(out)
    elif accum is not None and not update.replace and isinstance(out._store, Dense):
        output = BITMAP
    else:
        return None
    x = None if with_same_keys[0] is same_keys[0] else with_same_keys[0]
    parent, structure = (None, True) if mask is None else (mask.parent, mask.structure)
    return Follower(out, output, x, y, expression.scalar, parent, structure, aligned, PlanBuffers())


def _may_be_list(x: Any) -> bool:
    """Whether the storage hint of an object allows a list."""
    return x._storage_hint in (None, "sparse")


def _contains(objects: list[Any], x: Any) -> bool:
    """Whether x itself is in a list; ``in`` would compare entries."""
    return any(x is y for y in objects)


def _is_unwritten_dense(x: Any, written: list[Any]) -> bool:
    return isinstance(x._store, Dense) and not _contains(written, x)


class StatementChain:
    """Pairs of an update and an expression, run in order, many times."""

    def __init__(self, statements: Any) -> None:
        self.statements = [
            (update, e if isinstance(e, Expression) else to_expression(e))
            for update, e in statements
        ]
        self.objects = _objects(self.statements)
        self.plans: dict[Any, FusedChain | None] = {}  # by storage forms

    def __call__(self, times: int = 1, continue_up_to: int = 0) -> None:
        """Run the statements `times` times.

        If one kernel repeats them, it continues while the vector of the first statement has 1 to
        `continue_up_to` entries.
        """
        if times < 1:
            return
        if tracing.active():
            plan = None
        elif (state := self._state()) in self.plans:
            plan = self.plans[state]
        else:  # the first time one by one, which raises for statements that are wrong
            self._run_one_by_one()
            state, times = self._state(), times - 1
            plan = self._find_plan(state)
        if plan is None:
            for _ in range(times):
                self._run_one_by_one()
        elif times > 0:
            self._translate_out_of_memory(plan, times, continue_up_to)

    def _find_plan(self, state: Any) -> FusedChain | None:
        """Return the plan for a state, which is made once."""
        if state not in self.plans:
            if len(self.plans) == MAX_PLANS:  # they refer to matrices that may be gone
                self.plans.clear()
            self.plans[state] = self._translate_out_of_memory(_make_plan, self.statements)
        return self.plans[state]

    def _translate_out_of_memory(self, work: Callable[..., Any], *args: Any) -> Any:
        try:
            return work(*args)
        except OutOfMemory:
            raise
        except device.out_of_memory as error:
            operation = self.statements[0][1].operation
            raise out_of_device_memory(error, f"{operation} and the statements after it") from error

    def _state(self) -> Any:
        """Return what a plan depends on: storage forms of vectors, stores of matrices."""
        stores = [x._store for x in self.objects]
        forms = (s.form if isinstance(s, (Dense, Sparse)) else s for s in stores)
        return CachedPlan.shape_changes, *forms

    def _run_one_by_one(self) -> None:
        for update, e in self.statements:
            update << e


def _objects(statements: Any) -> list[Any]:
    """Return all vectors and matrices that statements read or write, each once."""
    objects = {}
    for update, e in statements:
        parent = () if update.mask is None else (update.mask.parent,)
        for x in (update.out, *parent, *e.operands):
            stored = x if hasattr(x, "_store") else x.T
            objects[id(stored)] = stored
    return list(objects.values())


def _make_plan(statements: Any) -> FusedChain | None:
    """Return the kernels of a product and its followers; None if statements do not fit."""
    (first, product), *others = statements
    if not MIN_FOLLOWERS <= len(others) <= MAX_FOLLOWERS or not _makes_list(first, product):
        return None
    C, u = first.out, product.operands[1]
    same_keys, written, followers = [C], [C], []
    definitions = ""
    for k, (update, expression) in enumerate(others):
        follower = _follower(update, expression, same_keys, written)
        if follower is None:
            return None
        followers.append(follower)
        definitions += follower.definition(f"S{k}", update, expression, follower.out is u)
    return FusedChain(C, u, product, followers, definitions)


def _makes_list(update: Any, product: Any) -> bool:
    """Whether a statement is a product by push whose result is a list of sums."""
    if not isinstance(product, MatrixVectorProduct):
        return False
    if update.mask is not None or update.accum is not None:
        return False
    C, (A, u) = update.out, product.operands
    if (
        C is u
        or C.dtype != product.dtype
        or not _may_be_list(C)
        or tables.is_any(product.op.monoid)
    ):
        return False
    rows, _ = A._rows(product.flip)
    return isinstance(u._store, Sparse) and bool(product.dependencies()) and rows is not None


class FusedChain:
    """A product C = u' A that makes a list, and statements along C."""

    def __init__(
        self,
        C: Any,
        u: Any,
        product: MatrixVectorProduct,
        followers: list[Follower],
        definitions: str,
    ) -> None:
        rows, transposed = product.operands[0]._rows(product.flip)
        op, flip, size = product.op, product.flip, C._positions
        self.C, self.u, self.followers, self.A = C, u, followers, rows
        self.buffers = PlanBuffers()
        self.push = SpMSpV(rows, transposed, u.dtype, op, flip, size, None)
        text = f"typedef {cuda_type(kernel_index_dtype(size))} Index;\n{self.push.definitions}"
        text += f'#include "elementwise_formula.cuh"\n{native_atomic(op.monoid)}{definitions}'
        text += f"#define STATEMENTS {len(followers)}\n"
        self.follow = [kernel("fused_list", text + constants(SUMS=sums)) for sums in (0, 1)]

        feeding = [f.out is u for f in followers if f.output == NEW_LIST]
        self.can_loop = feeding == [True] and not self.push.max_long_rows
        loop_edges = max(BITMAP_EDGES * bitmap_words(size), MIN_LOOP_EDGES)
        self.max_loop_size = loop_edges / rows.max_row_length if rows.max_row_length else 0
        offset, columns = cuda_type(rows.indptr.dtype), cuda_type(rows.indices.dtype)
        text += f"typedef {offset} Offset;\ntypedef {columns} Columns;\n"
        text += constants(BLOCK=BLOCK, STATE_WORDS=STATE_WORDS, STAGE_BYTES=STAGE_BYTES)
        self.loop = kernel("fused_list_loop", text, cooperative=True)
        self.loop_state = device.xp.zeros(STATE_WORDS, np.uint64)

    def __call__(self, times: int, continue_up_to: int) -> None:
        """Run the statements; see StatementChain."""
        max_size = min(continue_up_to, int(self.max_loop_size))
        if self.can_loop and 0 < self.u._store.max_nvals <= max_size:
            with self._restored_on_error():
                self._run_loop(times, max_size)
        else:
            self._run_steps(times)

    @contextmanager
    def _restored_on_error(self) -> Iterator[None]:
        """If a kernel is not launched, give all outputs their stores of before."""
        stores = [(x, x._store) for x in (self.C, *(f.out for f in self.followers))]
        try:
            yield
        except BaseException:
            for x, store in stores:
                x._store = store
            raise

    def _run_steps(self, times: int) -> None:
        """Run each step by two kernels."""
        estimate = self.u._store.max_nvals
        wanted = [getattr(f.out._store, "count_wanted", False) for f in self.followers]
        for step in range(times):
            with self._restored_on_error():
                self._run_step(estimate, wanted, step == times - 1)
            estimate = min(self.C._positions, estimate * GROWTH)

    def _run_step(self, estimate: int, counts_wanted: list[bool], last: bool) -> None:
        C, u, size = self.C, self.u, self.C._positions
        result = self._new_list(u._store.max_nvals)
        accumulators = self.push.push_into(result, u._store, estimate)
        C._store = result
        args = [result.count, result.keys, result.values, accumulators and accumulators.array]
        for follower, wanted in zip(self.followers, counts_wanted, strict=True):
            args += follower.arguments(result, size, wanted, last)
        self.follow[accumulators is not None](min(size, estimate * self.A.max_row_length), *args)
        if accumulators:
            buffer_pool.release(accumulators)

    def _run_loop(self, times: int, max_size: int) -> None:
        """Run all steps by one kernel."""
        C, u, push, A, size = self.C, self.u, self.push, self.A, self.C._positions
        old, result = u._store, self._new_list(size)
        marks = buffer_pool.acquire_marks(size)
        accumulators = buffer_pool.acquire_accumulators(
            size, push.monoid, push.kernels.clear_accumulators
        )
        alternate = Sparse.allocate(size, size, u.dtype, None, self.buffers)  # every second u
        C._store = result
        follower_arguments: list[Any] = []
        for follower in self.followers:
            follower_arguments += follower.arguments(result, size, follower.out is u, True)
        new = u._store
        self.loop(
            device.multiprocessors * BLOCK, old.count, old.keys, old.values, A.indptr, A.indices,
            A.values, marks.array, marks.call, accumulators.array, times, MAX_STEPS, max_size, size,
            self.loop_state, result.count, result.keys, result.values, new.count,
            alternate.keys, alternate.values, new.keys, new.values, new.host_count,
            *follower_arguments, block=BLOCK, shared=STAGE_BYTES * (BLOCK // 32),
        )  # fmt: skip
        buffer_pool.release(marks)
        buffer_pool.release(accumulators)

    def _new_list(self, max_nvals: int) -> Sparse:
        result = self.push.new_list(max_nvals)
        result.count_wanted = getattr(self.C._store, "count_wanted", False)
        return result
