"""A level of a traversal in one kernel: q<~visited, replace> = product, and writes of the new q.

The writes store the new entries of q in one or two bitmaps, ``visited`` among them:
``level(accum) << q.apply(...)``, or ``visited(q.S) << value``. The kernel that finds an entry
writes it to all bitmaps; one statement after the other would read the frontier again for each.
Statements of another kind, or other storage forms, run one after the other.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from graphla.core import tracing
from graphla.cuda.expressions import execute
from graphla.cuda.expressions.expression import CachedPlan, Elementwise
from graphla.cuda.expressions.scalar import typed
from graphla.cuda.expressions.update import Fill
from graphla.cuda.fused.traversal_kernels import (
    LevelsRun,
    PullTraversal,
    PushTraversal,
    TraversalKernel,
)
from graphla.cuda.operations.spmv import MatrixVectorProduct
from graphla.cuda.operators import tables
from graphla.cuda.operators.elementwise_formula import FALSE, Combine
from graphla.cuda.runtime.device import device
from graphla.execution.push_pull import PushPullState

MAX_LEVELS = 4096  # levels of one launch, after which Python may be interrupted
FORMULAS = ("Same", "Apply", "BindFirst", "BindSecond", "Value")  # that a writer can compute


class BitmapWriter(NamedTuple):
    """A write of each new frontier entry into a bitmap."""

    out: Any
    formula: Combine
    scalar: Any
    accum: Any

    @property
    def types(self) -> tuple[Any, ...]:
        """What the definition of the writer in a kernel depends on."""
        scalar = None if self.scalar is None else self.scalar.dtype
        return self.formula, self.out.dtype, scalar, self.accum

    def arguments(self) -> tuple[Any, ...]:
        """Return the kernel arguments of the writer."""
        store = self.out._store
        return store.values, store.bits, FALSE if self.scalar is None else typed(self.scalar)


class TraversalLevel:
    """The statements of one level: one kernel if a plan for it exists, else one by one."""

    __slots__ = ("plans", "statements")

    def __init__(self, statements: Any) -> None:
        self.statements = statements
        self.plans: dict[Any, CachedPlan | None] = {}  # by storage form, or by class of kernel

    def __call__(self, times: int = 1, continue_up_to: int = 0) -> None:
        """Run the level so many times; `continue_up_to` has no effect."""
        for _ in range(times):
            form = self.statements[0][0].out._store.form
            kernel = self._kernel(form, PullTraversal if form == "bitmap" else PushTraversal)
            if kernel is None:
                for update, expression in self.statements:
                    update << expression
            else:
                self._execute(kernel)

    def run_levels(
        self, push: bool, state: PushPullState, depth: Any, max_levels: int, other: Any
    ) -> LevelsRun | None:
        """Run several levels from a sparse frontier in one launch.

        The kernel stops where the frontier is empty, after `max_levels` levels, or where `push`
        has to change. `depth` grows by one before each level. While the kernel runs, the buffers
        of the `other` direction, which is likely to come next, are allocated.

        Returns
        -------
        LevelsRun or None
            None if no kernel can do this; nothing has run then.
        """
        if tracing.active() or self.statements[0][0].out._store.form != "sparse":
            return None
        this, next_ = (PushTraversal, PullTraversal) if push else (PullTraversal, PushTraversal)
        other = other if isinstance(other, TraversalLevel) else None
        if other:
            other.drop_buffers()
        kernel = self._kernel(this, this)
        max_levels = min(max_levels, MAX_LEVELS, increments_left(depth))
        if kernel is None or max_levels < 1:
            return None
        if push and state.push_size_after_pull >= 0:  # pushed again: it rarely pulls once more
            other = None
        results: list[LevelsRun] = []

        def while_running() -> None:
            if other:
                other.prepare_buffers(next_)

        def run() -> None:
            results.append(kernel.run_levels(state, depth, max_levels, while_running))

        self._execute(run)
        (result,) = results
        if depth is not None:
            depth.value += result.levels
        return result

    def prepare_buffers(self, kind: type[TraversalKernel]) -> None:
        """Allocate the buffers of a kernel that may run next, unless it needs a new transpose."""
        product = self.statements[0][1]
        try:
            if product.operands[0]._rows(kind.reads_own_rows(product))[0] is not None:
                kernel = self._cached_kernel(kind, kind)
                if kernel is not None:
                    kernel.prepare_buffers()
        except device.out_of_memory:  # raised when the kernel is really used
            pass

    def drop_buffers(self) -> None:
        """Release the buffers of kernels that were prepared and did not run."""
        for plan in self.plans.values():
            if plan is not None:
                kernel: Any = plan.run
                kernel.prepared_buffers = None

    def _kernel(self, key: Any, kind: type[TraversalKernel]) -> Any:
        """Return the kernel of the level, or None if its statements run one by one."""
        try:
            return self._cached_kernel(key, kind)
        except device.out_of_memory as error:
            operation = self.statements[0][1].operation
            raise execute.refusal(error, f"{operation} and what follows") from error

    def _cached_kernel(self, key: Any, kind: type[TraversalKernel]) -> Any:
        plan = self.plans.get(key)
        if plan is None or not plan.is_valid():
            plan = self.plans[key] = self._make_plan(kind)
        return None if plan is None else plan.run

    def _execute(self, work: Callable[[], Any]) -> None:
        update, product = self.statements[0]
        execute.run(product, update.out, update.mask, work)

    def _make_plan(self, kind: type[TraversalKernel]) -> CachedPlan | None:
        """Return a plan with a kernel for the statements; None if they do not fit one."""
        (update, product), *others = self.statements
        frontier, mask = update.out, update.mask
        candidates = [_bitmap_writer(frontier, *statement) for statement in others]
        writers = [writer for writer in candidates if writer is not None]
        if len(writers) < len(others) or len(writers) not in (1, 2):
            return None
        if not _is_masked_product(update, product):
            return None
        outs = [writer.out for writer in writers]
        if all(x is not mask.parent for x in outs):
            return None
        if len({id(x) for x in (frontier, *outs)}) < 1 + len(outs):
            return None
        execute.one_device(product, frontier, *outs)
        dependencies = product.dependencies()
        if dependencies is None or any(x._store.form != "bitmap" for x in outs):
            return None
        rows, _ = product.operands[0]._rows(kind.reads_own_rows(product))
        if kind is PushTraversal and rows is None:
            return None  # a transpose would have to be made
        kernel = kind(frontier, product, writers, mask.parent)
        return CachedPlan((*dependencies, *((x, "bitmap") for x in outs)), kernel)


def increments_left(depth: Any) -> int:
    """Return how many times a Scalar can grow by one."""
    if depth is None or depth.dtype.np_type.kind not in "iu":
        return MAX_LEVELS
    return _largest_integer(depth.dtype.np_type) - int(depth.value)


@cache
def _largest_integer(dtype: Any) -> int:
    return int(np.iinfo(dtype).max)


def is_traversal(statements: Any) -> bool:
    """Whether statements begin with a product whose monoid takes any value, as in a BFS."""
    product = statements[0][1]
    return isinstance(product, MatrixVectorProduct) and _takes_any(product.op)


@cache
def _takes_any(semiring: Any) -> bool:
    return tables.is_any(semiring.monoid)


def _is_masked_product(update: Any, product: Any) -> bool:
    """Whether a statement is q<~visited.S, replace> = A q or q' A, with a square A."""
    q, mask = update.out, update.mask
    if mask is None or mask.kind != 3 or update.accum is not None or not update.replace:
        return False
    A, u = product.operands
    is_square = A.nrows == A.ncols == q.size == mask.parent._positions
    has_hinted_form = q._store.form == q._keep in ("sparse", "bitmap")
    return u is q and product.dtype == q.dtype and is_square and has_hinted_form


def _bitmap_writer(frontier: Any, update: Any, value: Any) -> BitmapWriter | None:
    """Return a statement as a writer of new frontier entries; None if it is another."""
    mask, out = update.mask, update.out
    if mask is None:
        reads_frontier = isinstance(value, Elementwise) and [
            x is frontier for x in value.operands
        ] == [True]
        if not reads_frontier or update.accum is None:
            return None  # without an accumulator it would delete the other entries
        formula, scalar = value.formula, value.scalar
    elif mask.kind == 1 and mask.parent is frontier and not update.replace and np.isscalar(value):
        fill = Fill(value)
        formula, scalar = Combine("Value", None, fill.dtype), fill.scalar
    else:
        return None
    fits = formula.template in FORMULAS and out.ndim == 1 and out.size == frontier.size
    return BitmapWriter(out, formula, scalar, update.accum) if fits else None
