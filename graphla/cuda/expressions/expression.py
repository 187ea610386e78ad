"""A lazy expression: an operation and its operands, evaluated by ``<<`` or ``.new()``.

An expression can be evaluated many times; each time it reads its operands and scalars again.
"""

from __future__ import annotations

from operator import index
from typing import Any

from graphla.cuda.expressions import execute
from graphla.cuda.expressions.scalar import Scalar
from graphla.cuda.operators.elementwise_formula import Combine, Plan
from graphla.errors import DomainMismatch

MAX_PLANS = 8  # cached by an expression
OUTPUTS: dict[int, Any] = {}  # number of dimensions -> Vector, Matrix


class CachedPlan:
    """A cached execution plan, valid while its operands keep their storage forms, or stores.

    A plan holds references to what it computes with. ``shape_changes`` counts resized objects:
    after a change of any shape no older plan is valid.
    """

    __slots__ = ("dependencies", "run", "shape_changes_seen")
    shape_changes = 0

    def __init__(self, dependencies: Any, run: Plan) -> None:
        self.dependencies, self.run = dependencies, run
        self.shape_changes_seen = CachedPlan.shape_changes

    def is_valid(self) -> bool:
        """Whether nothing has changed that the plan depends on."""
        if self.shape_changes_seen != CachedPlan.shape_changes:
            return False
        for x, form in self.dependencies:
            store = x._store
            if store is not form and store.form is not form:
                return False
        return True


class Lazy:
    """An expression as an operand, or one of whose result an attribute is read: it is evaluated."""

    __slots__ = ()
    new: Any
    shape: Any

    def __or__(self, other: Any) -> Any:
        return self.new() | other

    def __and__(self, other: Any) -> Any:
        return self.new() & other

    def __matmul__(self, other: Any) -> Any:
        return self.new() @ other

    def __ior__(self, other: Any) -> Any:
        raise DomainMismatch("|= does not update an expression")

    def __iand__(self, other: Any) -> Any:
        raise DomainMismatch("&= does not update an expression")

    def __imatmul__(self, other: Any) -> Any:
        raise DomainMismatch("@= does not update an expression")

    def _number(self) -> Any:
        """Return the Scalar that the expression evaluates to."""
        if self.shape:
            raise DomainMismatch(f"expected an expression of one number, not {self!r}")
        return self.new()

    def __bool__(self) -> bool:
        return bool(self._number())

    def __int__(self) -> int:
        return int(self._number())

    def __index__(self) -> int:
        return index(self._number())

    def __array__(self, dtype: Any = None, *, copy: bool | None = None) -> Any:
        return self._number().__array__(dtype)

    def __float__(self) -> float:
        return float(self._number())

    def __eq__(self, other: object) -> bool:
        return bool(self._number() == other)

    __hash__ = object.__hash__

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.new(), name)


def is_operand(x: Any) -> bool:
    """Whether x is a Vector, a Matrix or its transpose, or an expression of one."""
    kind = type(x)
    return hasattr(kind, "_entries") or (hasattr(kind, "plans") and bool(x.shape))


class Expression(Lazy):
    """An operation, the shape and the dtype of its result, its operator and its operands.

    A subclass computes C<mask, accum, replace> = self in ``run``, or in ``plan``, which is for
    operations that loops repeat.
    """

    __slots__ = ("dtype", "op", "operands", "operation", "plans", "shape")

    def __init__(
        self, operation: str, shape: Any, dtype: Any, op: Any, operands: tuple[Any, ...]
    ) -> None:
        self.operation, self.shape, self.dtype = operation, shape, dtype
        self.op, self.operands = op, operands
        self.plans: dict[Any, CachedPlan] = {}

    def cache_plan(self, key: Any, plan: CachedPlan) -> CachedPlan:
        """Cache a plan for its output, mask and accumulator, and return it."""
        if len(self.plans) == MAX_PLANS:
            self.plans.clear()
        self.plans[key] = plan
        return plan

    def run(self, C: Any, mask: Any = None, accum: Any = None, replace: bool = False) -> None:
        """Compute C<mask, accum, replace> = self."""
        self.plan(C, mask, accum, replace)()
        C._settle()

    def plan(self, C: Any, mask: Any, accum: Any, replace: bool) -> Plan:
        """Return a function that computes C<mask, accum, replace> = self.

        It can be called again until the storage form of an operand changes.
        """
        return lambda: self.run(C, mask, accum, replace)

    def dependencies(self) -> Any:
        """Return (operand, storage form or store) pairs; None if no plan may be cached."""
        return None

    def new(
        self, dtype: Any = None, *, mask: Any = None, name: str | None = None,
        axb_method: str | None = None,
    ) -> Any:  # fmt: skip
        """Return the result as a new object, of its own dtype or the given one.

        Parameters
        ----------
        dtype : dtype, optional
        mask : Mask, optional
            Positions outside are left out.
        name : str, optional
        axb_method : str, optional
            Accepted as in python-graphblas, and ignored: this engine chooses the method.
        """
        if not self.shape:
            if mask is not None:
                raise DomainMismatch(f"{self.operation}: a Scalar has no mask")
            return execute.result(self, lambda: self._value(dtype))
        out = OUTPUTS[len(self.shape)](dtype or self.dtype, *self.shape, name=name)
        mask = out._mask(mask)
        execute.one_device(self, mask and mask.parent)

        def work() -> None:
            self.run(out, mask)
            out._fit()

        execute.run(self, out, mask, work)
        return out

    def _value(self, dtype: Any) -> Any:
        """Return the Scalar result of an expression without a shape."""
        raise NotImplementedError

    def dup(
        self, dtype: Any = None, *, clear: bool = False, mask: Any = None, name: str | None = None
    ) -> Any:
        """Return the result of :meth:`new`, or with `clear` an empty object of its shape."""
        if not clear:
            return self.new(dtype, mask=mask, name=name)
        if not self.shape:
            return Scalar(dtype or self.dtype)
        return OUTPUTS[len(self.shape)](dtype or self.dtype, *self.shape, name=name)

    def __repr__(self) -> str:
        op = "" if self.op is None else f"{self.op.name}[{self.op.type.name}]"
        shape = "x".join(map(str, self.shape or ()))
        return (
            f"<{self.operation} {op}: {shape} {self.dtype.name}, not computed; .new() computes it>"
        )


class Elementwise(Expression):
    """A formula of elementwise_formula.cuh over the positions of one or two objects."""

    __slots__ = ("formula", "scalar")

    def __init__(
        self,
        operation: str,
        template: str,
        dtype: Any,
        op: Any,
        operands: tuple[Any, ...],
        scalar: Any = None,
    ) -> None:
        super().__init__(operation, operands[0].shape, dtype, op, operands)
        self.formula = Combine(template, op, dtype)
        self.scalar = scalar

    def plan(self, C: Any, mask: Any, accum: Any, replace: bool) -> Plan:
        """Return a function that computes C<mask, accum, replace> = formula."""
        return C._plan(self.formula, self.operands, self.scalar, mask, accum, replace)

    def dependencies(self) -> Any:
        """Return the operands and their storage forms."""
        if not all(hasattr(x, "_store") for x in self.operands):
            return None
        return tuple((x, x._store.form) for x in self.operands)


class Identity(Expression):
    """The entries of an object, cast to the dtype of the output."""

    __slots__ = ()

    def __init__(self, x: Any) -> None:
        super().__init__("apply", x.shape, x.dtype, None, (x,))

    def plan(self, C: Any, mask: Any, accum: Any, replace: bool) -> Plan:
        """Return a function that computes C<mask, accum, replace> = x."""
        (x,) = self.operands
        if mask is None and accum is None and C.dtype == x.dtype:
            return lambda: C._replace(x._matrix()._store.copy())
        return C._plan(Combine("Same", None, x.dtype), (x,), None, mask, accum, replace)
