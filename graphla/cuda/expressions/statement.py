"""Statements ``C(mask, accum, replace) << expression``: lazy expressions, masks and updates.

An expression is an operation and its operands, evaluated by ``<<`` or ``.new()``. It can be
evaluated many times; each time it reads its operands and scalars again.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, NamedTuple

from graphblas import replace as REPLACE
from graphblas.dtypes import BOOL

from graphla.core import tracing
from graphla.cuda.expressions.arguments import NUMBERS, on_device, to_scalar
from graphla.cuda.expressions.lazy import OUTPUTS, Lazy
from graphla.cuda.expressions.scalar import Scalar
from graphla.cuda.expressions.tracing import run_traced
from graphla.cuda.operators import graphblas_bridge
from graphla.cuda.operators.elementwise_formula import Formula, Plan
from graphla.cuda.runtime.device import device
from graphla.cuda.storage import sliced_ell
from graphla.cuda.storage.vector_formats import ReorderedDense, to_dense
from graphla.errors import (
    DimensionMismatch,
    DomainMismatch,
    EngineMismatch,
    InvalidValue,
    OutOfDeviceMemory,
    OutOfMemory,
)

MAX_PLANS = 8  # cached by an expression


class CachedPlan:
    """A cached execution plan, valid while its operands keep their storage forms, or stores.

    A plan refers to the objects that it reads and writes. ``shape_changes`` counts resized objects:
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


# ---- expressions


def is_operand(x: Any) -> bool:
    """Whether x is a Vector, a Matrix or its transpose, or an expression of one."""
    kind = type(x)
    return hasattr(kind, "_entries") or (hasattr(kind, "plans") and bool(x.shape))


class Expression(Lazy, graphblas_bridge.Expression):
    """An operation, the shape and the dtype of its result, its operator and its operands.

    A subclass computes C<mask, accum, replace> = self in ``run``, or in ``plan``, which is for
    operations that loops repeat.
    """

    __slots__ = ("operands", "operation", "plans", "shape")

    _value: Any  # dtype -> Scalar: a method of subclasses whose results have no shape

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
        C._apply_storage_hint()

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
        is_cscalar: bool | None = None, axb_method: str | None = None, **options: Any,
    ) -> Any:  # fmt: skip
        """Return the result as a new object, of its own dtype or the given one.

        Parameters
        ----------
        dtype : dtype, optional
        mask : Mask, optional
            Positions outside are left out.
        name : str, optional
        is_cscalar : bool, optional
            Of a Scalar: kept as in python-graphblas, and without effect.
        **options
            Those of python-graphblas's descriptors, such as ``nthreads``, are accepted and
            ignored, and so is `axb_method`: this engine chooses the method.
        """
        if axb_method is not None and axb_method not in graphblas_bridge.AXB_METHODS:
            options["axb_method"] = axb_method
        if options:
            graphblas_bridge.check_options(options)
        if not self.shape:
            if mask is not None:
                raise InvalidValue(f"{self.operation}: a Scalar has no mask; no such descriptor")
            found = evaluate_scalar(self, lambda: self._value(dtype))
            return found if is_cscalar is name is None else named(found, name, is_cscalar)
        out = OUTPUTS[len(self.shape)](dtype or self.dtype, *self.shape, name=name)
        mask = out._mask(mask)
        require_same_device(self, None if mask is None else mask.parent)

        def work() -> None:
            self.run(out, mask)
            out._shrink()

        evaluate(self, out, mask, work)
        return out

    @property
    def ndim(self) -> int:
        """Number of dimensions of the result."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """Length of the Vector."""
        (size,) = self._dimensions(1)
        return size

    @property
    def nrows(self) -> int:
        """Number of rows of the Matrix."""
        return self._dimensions(2)[0]

    @property
    def ncols(self) -> int:
        """Number of columns of the Matrix."""
        return self._dimensions(2)[1]

    def _dimensions(self, ndim: int) -> tuple[int, ...]:
        if len(self.shape) != ndim:
            raise AttributeError(f"{self!r} has {len(self.shape)} dimensions")
        return tuple(self.shape)

    def dup(
        self, dtype: Any = None, *, clear: bool = False, mask: Any = None, name: str | None = None,
        is_cscalar: bool | None = None, **options: Any,
    ) -> Any:  # fmt: skip
        """Return the result of :meth:`new`, or with `clear` an empty object of its shape."""
        if not clear:
            return self.new(dtype, mask=mask, name=name, is_cscalar=is_cscalar, **options)
        graphblas_bridge.check_options(options)
        if not self.shape:
            return Scalar(dtype or self.dtype, is_cscalar=bool(is_cscalar), name=name)
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
        self.formula = Formula(template, op, dtype)
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
        return C._plan(Formula("Identity", None, x.dtype), (x,), None, mask, accum, replace)


class Composition(Expression):
    """An expression that is computed by other operations: it has no kernel of its own.

    ``compute`` returns the result as a new object.
    """

    __slots__ = ("compute",)

    def __init__(
        self, operation: str, shape: Any, dtype: Any, op: Any, operands: tuple[Any, ...],
        compute: Callable[[], Any],
    ) -> None:  # fmt: skip
        super().__init__(operation, shape, dtype, op, operands)
        self.compute = compute

    def run(self, C: Any, mask: Any = None, accum: Any = None, replace: bool = False) -> None:
        """Compute C<mask, accum, replace> = the result."""
        C(mask=mask, accum=accum, replace=replace) << self.compute()

    def _value(self, dtype: Any) -> Any:
        """Return the result as a Scalar."""
        return self.compute().dup(dtype or self.dtype)

    @property
    def value(self) -> Any:
        """The result as a Python number, if it is a Scalar."""
        return self._number().value


def masked(x: Any, mask: Any, thunk: Any = None) -> Composition:
    """Return ``x.select(mask)``; `mask` may be an object of BOOL."""
    if thunk is not None:
        raise DomainMismatch("select: a mask takes no thunk")
    mask = as_mask(mask)
    if mask.parent.shape != x.shape:
        error = DimensionMismatch if len(mask.parent.shape) == len(x.shape) else DomainMismatch
        raise error(f"select: a mask of {mask.parent.shape} for {x.shape}")
    operands = (x,) if mask.parent is x else (x, mask.parent)
    return Composition("select", x.shape, x.dtype, None, operands, lambda: x.dup(mask=mask))


def is_mask(x: Any) -> bool:
    """Whether x is a mask, or an object that can be one."""
    return type(x) is Mask or hasattr(type(x), "_has_signs")


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


# ---- masks


class Mask:
    """The structure (``v.S``) or the true values (``v.V``) of an object, or, by ``~``, the rest.

    ``kind`` is the kernels' number for this kind of mask (see mask.cuh).
    """

    __slots__ = ("__weakref__", "complement", "kind", "parent", "structure")

    def __init__(self, parent: Any, structure: bool, complement: bool = False) -> None:
        self.parent, self.structure, self.complement = parent, structure, complement
        self.kind = (1 if structure else 2) + 2 * complement

    def __invert__(self) -> Mask:
        return Mask(self.parent, self.structure, not self.complement)

    def new(
        self, dtype: Any = None, *, complement: bool = False, mask: Any = None,
        name: str | None = None, **options: Any,
    ) -> Any:  # fmt: skip
        """Return an object that is True where the mask, and another one, let values through.

        With `complement` it is True at all other positions.
        """
        graphblas_bridge.check_options(options)
        out = OUTPUTS[len(self.parent.shape)](dtype or BOOL, *self.parent.shape, name=name)
        other = None if mask is None else out._mask(mask)
        out(self if other is not None or not complement else ~self) << True
        if other is not None:
            out(other, replace=True) << out
            if complement:
                out(~Mask(out.dup(), True), replace=True) << True
        return out

    def __and__(self, other: Any) -> Mask:
        """Return the intersection of two masks as a mask."""
        other = as_mask(other)
        if self.complement and other.complement:
            return ~(~self | ~other)
        first, second = (other, self) if self.complement else (self, other)
        return Mask(first.new(mask=second), True)

    def __or__(self, other: Any) -> Mask:
        """Return the union of two masks as a mask."""
        other = as_mask(other)
        if self.complement or other.complement:
            return ~(~self & ~other)
        out = self.new()
        out(other) << True
        return Mask(out, True)

    __rand__, __ror__ = __and__, __or__

    def __bool__(self) -> bool:
        raise DomainMismatch("the truth value of a mask is not defined")

    def __eq__(self, other: object) -> Any:
        raise DomainMismatch("== of masks is not defined")

    __hash__ = object.__hash__

    @property
    def value(self) -> bool:
        """Whether it is the mask of true values."""
        return not self.structure

    @property
    def name(self) -> str:
        """The name of the object, with ``.S`` or ``.V``, and ``~`` of a complement."""
        return (
            f"{'~' if self.complement else ''}{self.parent.name}.{'S' if self.structure else 'V'}"
        )

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
        elif hasattr(type(argument), "_has_signs"):
            if mask is not None:
                raise DomainMismatch("give at most one mask")
            mask = argument
        elif accum is not None:
            raise DomainMismatch("give at most one accumulator")
        else:
            accum = argument
    if replace and mask is None:
        raise DomainMismatch("replace=True needs a mask")
    return mask, accum, bool(replace)


def as_mask(mask: Any) -> Mask:
    """Return a mask, or the true values of an object of BOOL as one."""
    if isinstance(mask, Mask):
        return mask
    on_device("mask", mask)
    if is_operand(mask) and mask.dtype == BOOL:
        found: Mask = (mask._computed() if isinstance(mask, Lazy) else mask).V
        return found
    raise DomainMismatch(
        f"a mask is x.S, its structure, or x.V, its true values, or ~ of those; got {mask!r}"
    )


def probe(mask: Mask | None) -> Probe:
    """Return a mask, or none, as a kernel takes it."""
    return NO_MASK if mask is None else mask.probe()


# ---- memory


def translate_out_of_memory(method: Callable[..., Any]) -> Callable[..., Any]:
    """Let a method raise OutOfDeviceMemory instead of CuPy's error."""

    @wraps(method)
    def wrapper(*args: Any, **options: Any) -> Any:
        try:
            return method(*args, **options)
        except OutOfMemory:
            raise
        except device.out_of_memory as error:
            raise out_of_device_memory(error, method.__qualname__) from error

    return wrapper


def out_of_device_memory(error: Any, what: str) -> OutOfDeviceMemory:
    """Return CuPy's out-of-memory error as graphla's, and free what can be computed again.

    CuPy's own class has the size of the one allocation that failed; the errors of its sorts do not.
    """
    sliced_ell.clear()
    needed = int(getattr(error, "_size", 0))
    return OutOfDeviceMemory(what, needed=needed, free=device.free(), is_total=False)


# ---- updates


class Update:
    """``C(mask, accum, replace)``: the left side of ``<<``."""

    __slots__ = ("accum", "key", "mask", "out", "replace")

    def __init__(self, out: Any, mask: Any, accum: Any, replace: bool) -> None:
        self.key: Any = id(out)
        if mask is not None or accum is not None or replace:
            mask_key: tuple[Any, int] = (True, 0)
            if mask is not None:
                mask = mask if isinstance(mask, Mask) else as_mask(mask)
                mask_key = (id(mask.parent), mask.kind)
            self.key = (id(out), id(accum), replace, *mask_key)
        self.out, self.mask, self.accum, self.replace = out, mask, accum, replace

    def __lshift__(self, value: Any) -> None:
        out = self.out
        if not isinstance(value, Expression):
            value = to_expression(value)
        plan = value.plans.get(self.key)
        if plan is None or not plan.is_valid():
            plan = self._make_plan(value)
        copies = self.mask is None and self.accum is None and isinstance(value, Identity)
        evaluate(value, out, self.mask, plan.run, copies)

    @translate_out_of_memory
    def _make_plan(self, value: Expression) -> CachedPlan:
        """Return a plan for the update, cached with the expression if it can be reused."""
        out, mask = self.out, self.out._mask(self.mask)
        if value.shape == ():
            value = Fill(value._computed())
        if value.shape is not None and value.shape != out.shape:
            is_other_kind = len(value.shape) != len(out.shape)
            error = DomainMismatch if is_other_kind else DimensionMismatch
            raise error(f"{value.operation}: a result of {value.shape} into {out.shape}")
        require_same_device(value, out, None if mask is None else mask.parent)
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

    def __delitem__(self, keys: Any) -> None:
        self[keys] << Scalar(self.out.dtype)

    def __bool__(self) -> bool:
        raise DomainMismatch("the truth value of an update is not defined")

    def __eq__(self, other: object) -> Any:
        raise DomainMismatch("== of updates is not defined")

    __hash__ = object.__hash__


# ---- evaluation


def evaluate(
    expression: Any, out: Any, mask: Any, work: Callable[[], Any], copies: bool = False
) -> None:
    """Run the work of an expression; if it fails, `out` keeps its entries.

    An operation allocates before it writes, so after an error the old store is still complete.
    Out-of-memory errors become OutOfDeviceMemory. Traces do not record `copies`.
    """
    before = out._store
    try:
        if copies or not tracing.active():
            work()
        else:
            run_traced(expression, out, mask, work)
        before = out._store
        out._apply_storage_hint()
    except BaseException as error:
        out._store = before
        if isinstance(error, device.out_of_memory) and not isinstance(error, OutOfMemory):
            raise out_of_device_memory(
                error, f"{expression.operation} into {describe(out)}"
            ) from error
        raise


def named(x: Any, name: str | None, is_cscalar: bool | None) -> Any:
    """Return a new Scalar with a name."""
    return x.dup(name=name, is_cscalar=is_cscalar)


def describe(x: Any) -> str:
    """Describe an object for a message, without reading from the device."""
    return f"a {type(x).__name__} of {' x '.join(f'{k:,}' for k in x.shape)}, {x.dtype.name},"


def evaluate_scalar(expression: Any, work: Callable[[], Any]) -> Any:
    """Run the work of an expression whose result is a Scalar, and return that."""
    try:
        return run_traced(expression, None, None, work) if tracing.active() else work()
    except OutOfMemory:
        raise
    except device.out_of_memory as error:
        raise out_of_device_memory(error, expression.operation) from error


def require_same_device(expression: Any, *others: Any) -> None:
    """Refuse operands, outputs and masks of different devices (EngineMismatch)."""
    example: dict[int, Any] = {}  # device -> object
    device_of = device.active.device_of
    for x in (*expression.operands, *others):
        if x is not None:
            store = getattr(x, "_store", None) or x.T._store  # of a transpose
            is_reordered = isinstance(store, ReorderedDense)
            example.setdefault(device_of(store.order if is_reordered else store.values), x)
    if len(example) > 1:
        (first, x), (second, y) = list(example.items())[:2]
        raise EngineMismatch(
            f"{expression.operation}: {describe(x)} is on device {first}, "
            f"{describe(y)} on device {second}; "
            "to_graphblas(x) and from_graphblas(...) on the other device move it"
        )
