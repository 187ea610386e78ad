"""Updates ``C(mask, accum, replace) << expression``, and their masks."""

from __future__ import annotations

from typing import Any, NamedTuple

from graphblas import replace as REPLACE

from graphla.cuda.expressions.arguments import NUMBERS, on_device, to_scalar
from graphla.cuda.expressions.expression import (
    CachedPlan,
    Expression,
    Identity,
    evaluate,
    require_same_device,
)
from graphla.cuda.operators.elementwise_formula import Formula, Plan
from graphla.cuda.storage.vector_formats import to_dense
from graphla.errors import DimensionMismatch, DomainMismatch


class Mask:
    """The structure (``v.S``) or the true values (``v.V``) of an object, or, by ``~``, the rest.

    ``kind`` is the kernels' number for this kind of mask (see mask.cuh).
    """

    __slots__ = ("complement", "kind", "parent", "structure")

    def __init__(self, parent: Any, structure: bool, complement: bool = False) -> None:
        self.parent, self.structure, self.complement = parent, structure, complement
        self.kind = (1 if structure else 2) + 2 * complement

    def __invert__(self) -> Mask:
        return Mask(self.parent, self.structure, not self.complement)

    def __repr__(self) -> str:
        return f"{'~' if self.complement else ''}{self.parent!r}.{'S' if self.structure else 'V'}"

    def probe(self) -> Probe:
        """Return what a kernel looks positions up in."""
        dense = self.parent._flat()
        if dense.form == "sparse":
            dense = to_dense(dense, self.parent._positions)
        return Probe(self.kind, None if self.structure else dense.values, dense.bits)

    def along(self) -> Probe:
        """Return what a kernel looks places up in, which are those of a list of the same keys."""
        return Probe(self.kind, None if self.structure else self.parent._flat().values)


class Probe(NamedTuple):
    """A mask as a kernel takes it."""

    kind: int = 0
    values: Any = None
    bits: Any = None


NO_MASK = Probe()


def output_options(
    arguments: tuple[Any, ...], mask: Any, accum: Any, replace: bool
) -> tuple[Any, Any, bool]:
    """Return mask, accumulator and replace of ``C(*arguments, mask=, accum=, replace=)``.

    Raises
    ------
    DomainMismatch
        One is given twice, an argument is of another type, or replace=True without a mask.
    """
    for argument in arguments:
        if argument is None:
            continue
        if isinstance(argument, Mask):
            if mask is not None:
                raise DomainMismatch("give at most one mask")
            mask = argument
        elif argument is REPLACE:
            replace = True
        elif hasattr(type(argument), "_entries"):
            raise DomainMismatch(
                f"a mask is x.S, its structure, or x.V, its true values; not {argument!r}"
            )
        elif accum is not None:
            raise DomainMismatch("give at most one accumulator")
        else:
            accum = argument
    if replace and mask is None:
        raise DomainMismatch("replace=True needs a mask")
    return mask, accum, bool(replace)


def probe(mask: Mask | None) -> Probe:
    """Return a mask, or none, as a kernel takes it."""
    return NO_MASK if mask is None else mask.probe()


# ---- updates


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
        evaluate(value, out, self.mask, plan.run, copies)

    def _make_plan(self, value: Expression) -> CachedPlan:
        """Return a plan for the update, cached with the expression if it can be reused."""
        out, mask = self.out, self.out._mask(self.mask)
        if value.shape == ():
            value = Fill(value.new())
        if value.shape is not None and value.shape != out.shape:
            raise DimensionMismatch(
                f"{value.operation}: a result of {value.shape} into {out.shape}"
            )
        require_same_device(value, out, mask and mask.parent)
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
        self.scalar = to_scalar(scalar)
        super().__init__("assign", None, self.scalar.dtype, None, ())

    def plan(self, C: Any, mask: Any, accum: Any, replace: bool) -> Plan:
        """Return a function that computes C<mask, accum, replace> = scalar.

        An empty scalar deletes entries.
        """
        if self.scalar.value is None:
            return Identity(C.dup(clear=True)).plan(C, mask, accum, replace)
        if mask is None and accum is None and C._is_flat:
            return lambda: C._fill(self.scalar)
        how = Formula("Constant", None, self.dtype)
        return C._plan(how, (), self.scalar, mask, accum, replace)


def to_expression(value: Any) -> Expression:
    """Return the right side of ``<<`` as an expression: a number, an object or an expression."""
    if type(value) in NUMBERS:
        return Fill(value)
    if hasattr(value, "_expression"):  # a Vector or a Matrix, its transpose, an infix expression
        found: Expression = value._expression()
        return found
    on_device("update", value)
    return Fill(value)
