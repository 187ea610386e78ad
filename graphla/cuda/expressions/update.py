"""The update ``C(mask, accum, replace) << expression``, and the expressions that values become."""

from __future__ import annotations

from typing import Any

from graphla.cuda.expressions import execute, operator_arguments
from graphla.cuda.expressions.arguments import on_device
from graphla.cuda.expressions.expression import CachedPlan, Expression, Identity
from graphla.cuda.expressions.mask import Mask
from graphla.cuda.operators.elementwise_formula import Combine, Plan
from graphla.errors import DimensionMismatch


class Update:
    """``C(mask, accum, replace)``: the left side of ``<<``."""

    __slots__ = ("accum", "key", "mask", "out", "replace")

    def __init__(self, out: Any, mask: Mask | None, accum: Any, replace: bool) -> None:
        self.out, self.mask, self.accum, self.replace = out, mask, accum, replace
        self.key: Any = id(out)
        if mask is not None or accum is not None or replace:
            mask_key = (id(mask.parent), mask.kind) if isinstance(mask, Mask) else (mask is None, 0)
            self.key = (id(out), id(accum), replace, *mask_key)

    def __lshift__(self, value: Any) -> None:
        out = self.out
        if not isinstance(value, Expression):
            value = to_expression(value)
        plan = value.plans.get(self.key)
        if plan is None or not plan.is_valid():
            plan = self._make_plan(value)
        copies = self.mask is None and self.accum is None and isinstance(value, Identity)
        execute.run(value, out, self.mask, plan.run, copies)

    def _make_plan(self, value: Expression) -> CachedPlan:
        """Return a plan for the update, cached with the expression if it can be reused."""
        out, mask = self.out, self.out._mask(self.mask)
        if value.shape == ():
            value = Fill(value.new())
        if value.shape is not None and value.shape != out.shape:
            raise DimensionMismatch(
                f"{value.operation}: a result of {value.shape} into {out.shape}"
            )
        execute.one_device(value, out, mask and mask.parent)
        dependencies = value.dependencies()
        run = value.plan(out, mask, self.accum, self.replace)
        if dependencies is None:
            return CachedPlan((), run)
        dependencies += ((out, out._store.form),)
        if mask is not None:
            dependencies += ((mask.parent, mask.parent._store.form),)
        return value.cache_plan(self.key, CachedPlan(dependencies, run))

    update = __lshift__

    def __getitem__(self, keys: Any) -> Any:
        """Return a region of C to assign to; the mask is of the shape of C."""
        return self.out._assignment(keys, self.mask, self.accum, self.replace)

    def __setitem__(self, keys: Any, value: Any) -> None:
        self[keys] << value


class Fill(Expression):
    """A scalar at every position."""

    __slots__ = ("scalar",)

    def __init__(self, scalar: Any) -> None:
        self.scalar = operator_arguments.scalar(scalar)
        super().__init__("assign", None, self.scalar.dtype, None, ())

    def plan(self, C: Any, mask: Any, accum: Any, replace: bool) -> Plan:
        """Return a function that computes C<mask, accum, replace> = scalar.

        An empty scalar deletes entries.
        """
        if self.scalar.value is None:
            return Identity(C.dup(clear=True)).plan(C, mask, accum, replace)
        if mask is None and accum is None and C._is_flat:
            return lambda: C._fill(self.scalar)
        how = Combine("Value", None, self.dtype)
        return C._plan(how, (), self.scalar, mask, accum, replace)


def to_expression(value: Any) -> Expression:
    """Return the right side of ``<<`` as an expression: a number, an object or an expression."""
    if type(value) in operator_arguments.NUMBERS:
        return Fill(value)
    if hasattr(value, "_expression"):  # a Vector or a Matrix, its transpose, an infix expression
        found: Expression = value._expression()
        return found
    on_device("update", value)
    return Fill(value)
