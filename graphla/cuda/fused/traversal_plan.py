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

from graphla.core import tracing
from graphla.cuda.expressions import execute
from graphla.cuda.expressions.expression import Elementwise, Kept
from graphla.cuda.expressions.scalar import typed
from graphla.cuda.fused.traversal_kernels import Found, Pull, Push
from graphla.cuda.operations.spmv import MatrixVectorProduct
from graphla.cuda.operators import tables
from graphla.cuda.operators.elementwise_formula import FALSE, Combine
from graphla.cuda.runtime.device import device
from graphla.execution.push_pull import Light

AT_ONCE = 4096  # steps of one kernel, after which Python may be interrupted
FORMULAS = ("Same", "Apply", "BindFirst", "BindSecond", "Value")


class Follower(NamedTuple):
    """What is written into a bitmap for each new entry of the frontier."""

    out: Any
    how: Combine
    scalar: Any
    accum: Any

    @property
    def types(self) -> tuple[Any, ...]:
        """What the text of its struct depends on."""
        scalar = None if self.scalar is None else self.scalar.dtype
        return self.how, self.out.dtype, scalar, self.accum

    def arguments(self) -> tuple[Any, ...]:
        """Return what a kernel takes for it."""
        store = self.out._store
        return store.values, store.bits, FALSE if self.scalar is None else typed(self.scalar)


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

    def on(self, push: bool, light: Light, depth: Any, most: int, other: Any) -> Found | None:
        """Compute them for a frontier that is a list by one kernel, `most` times at most.

        It goes on while the frontier is light, where they `push`, else until it is. None: it is
        another kernel's work. `depth` grows by one before each step. The `other` steps, which
        are likely to come next, are prepared while the kernel runs.
        """
        if tracing.active() or self.statements[0][0].out._store.form != "sparse":
            return None
        kind, next_kind = (Push, Pull) if push else (Pull, Push)
        following = other if isinstance(other, Step) else None
        if following:
            following.forego()
        way, most = self._way(kind, kind), min(most, AT_ONCE, room(depth))
        if way is None or most < 1:
            return None
        told: list[Found] = []
        if push and light.few >= 0:  # it has been pulled: the search is most likely at its end
            following = None

        def meanwhile() -> None:
            if following:
                following.expect(next_kind)

        def work() -> None:
            told.append(way.on(light, depth, most, meanwhile))

        self._run(work)
        if depth is not None:
            depth.value += told[0].steps
        return told[0]

    def expect(self, kind: Any) -> None:
        """Prepare what is likely to be asked for next, where no transpose has to be made for it."""
        _, product = self.statements[0]
        try:
            if product.operands[0]._rows(kind.rows(product))[0] is not None:
                way = self._kept(kind, kind)
                if way is not None:
                    way.prepare()
        except device.exhausted:  # it is told when the way is taken
            pass

    def forego(self) -> None:
        """Give up the room that was prepared: other steps were taken."""
        ways: list[Any] = [kept.run for kept in self.kept.values() if kept is not None]
        for way in ways:
            way.prepared = None

    def _way(self, key: Any, kind: Any) -> Any:
        """Return what computes them in one launch, if something does."""
        try:
            return self._kept(key, kind)
        except device.exhausted as error:
            e = self.statements[0][1]
            raise execute.refusal(error, f"{e.operation} and what follows") from error

    def _kept(self, key: Any, kind: Any) -> Any:
        kept = self.kept.get(key)
        if kept is None or not kept.holds():
            kept = self.kept[key] = self._planned(kind)
        return None if kept is None else kept.run

    def _run(self, work: Callable[[], Any]) -> None:
        (update, product), *_ = self.statements
        execute.run(product, update.out, update.mask, work)

    def _planned(self, kind: Any) -> Kept | None:
        (update, product), *others = self.statements
        q, mask = update.out, update.mask
        followers = [_follower(q, *statement) for statement in others]
        found = [f for f in followers if f is not None]
        if len(found) < len(others) or len(found) not in (1, 2) or not _is_step(update, product):
            return None
        outs = [f.out for f in found]
        if all(x is not mask.parent for x in outs) or len(set(map(id, (q, *outs)))) < 1 + len(outs):
            return None
        execute.one_device(product, q, *outs)
        watched = product.watched()
        if watched is None or any(x._store.form != "bitmap" for x in outs):
            return None
        if kind is Push and product.operands[0]._rows(kind.rows(product))[0] is None:
            return None  # the rows to push along are not at hand
        way = kind(q, product, found, mask.parent)
        return Kept((*watched, *((x, "bitmap") for x in outs)), way)


def room(depth: Any) -> int:
    """Return how many times a Scalar can grow by one."""
    if depth is None or depth.dtype.np_type.kind not in "iu":
        return AT_ONCE
    return _largest(depth.dtype.np_type) - int(depth.value)


@cache
def _largest(dtype: Any) -> int:
    return int(np.iinfo(dtype).max)


def suits(statements: Any) -> bool:
    """Whether statements begin with a product where any value will do, as those of a search."""
    product = statements[0][1]
    return isinstance(product, MatrixVectorProduct) and _takes_any(product.op)


@cache
def _takes_any(semiring: Any) -> bool:
    return tables.is_any(semiring.monoid)


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
    from graphla.cuda.objects.base import Fill

    mask, out = update.mask, update.out
    if mask is None:
        alone = isinstance(value, Elementwise) and [x is q for x in value.operands] == [True]
        if not alone or update.accum is None:
            return None  # without an accumulator what is not in q would go
        how, scalar = value.how, value.scalar
    elif mask.kind == 1 and mask.parent is q and not update.replace and np.isscalar(value):
        fill = Fill(value)
        how, scalar = Combine("Value", None, fill.dtype), fill.scalar
    else:
        return None
    suits = how.template in FORMULAS and out.ndim == 1 and out.size == q.size
    return Follower(out, how, scalar, update.accum) if suits else None
