"""Scalar: a value on the host, or on the device until it is read.

Operations of Scalars alone read their values and are python-graphblas's own, on the host: no kernel
is launched for a single number.
"""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
from graphblas import binary, monoid
from graphblas import replace as REPLACE
from graphblas.dtypes import BOOL

from graphla.core.validation import real_dtype
from graphla.cuda.expressions.lazy import OUTPUTS, Lazy
from graphla.cuda.expressions.signs import Sign, Signs
from graphla.cuda.operators import graphblas_bridge
from graphla.cuda.runtime.device import device
from graphla.cuda.runtime.kernel import HostResult
from graphla.errors import DomainMismatch, EmptyObject, InvalidValue


class NotAnIndex(DomainMismatch, AttributeError):
    """A Scalar that is no integer, where an index is needed."""


class ScalarOperations(Signs):
    """Operations of Scalars: an expression reads their values when it is computed."""

    __slots__ = ()

    def apply(self, op: Any, right: Any = None, *, left: Any = None) -> ScalarExpression:
        """op(x), or op(x, right), or op(left, x)."""
        return ScalarExpression("apply", self, op, right=right, left=left)

    def select(self, op: Any, thunk: Any = None) -> ScalarExpression:
        """The value if op(x, thunk) is true, else none."""
        return ScalarExpression("select", self, op, thunk=thunk)

    def ewise_add(self, other: Any, op: Any = monoid.plus) -> ScalarExpression:
        """op(x, y) if both have a value, else the one that has."""
        return ScalarExpression("ewise_add", self, other, op)

    def ewise_mult(self, other: Any, op: Any = "times") -> ScalarExpression:
        """op(x, y) if both have a value."""
        return ScalarExpression("ewise_mult", self, other, op)

    def ewise_union(
        self, other: Any, op: Any, left_default: Any, right_default: Any
    ) -> ScalarExpression:
        """op(x, y) if one has a value; a default replaces the other."""
        return ScalarExpression("ewise_union", self, other, op, left_default, right_default)

    @staticmethod
    def _of_scalars(method: str, x: Any, y: Any, op: Any) -> ScalarExpression:
        defaults = (False, False) if method == "ewise_union" else ()
        return ScalarExpression(method, to_scalar_operand(x), y, op, *defaults)

    def __or__(self, other: Any) -> Any:
        return scalar_infix(self, "ewise_add", other)

    def __ror__(self, other: Any) -> Any:
        return scalar_infix(other, "ewise_add", self)

    def __and__(self, other: Any) -> Any:
        return scalar_infix(self, "ewise_mult", other)

    def __rand__(self, other: Any) -> Any:
        return scalar_infix(other, "ewise_mult", self)

    def _ewise_add(self, other: Any, op: Any, is_infix: bool = True) -> ScalarExpression:
        return ScalarExpression("ewise_add", _nested(self, op), _nested(other, op), op)

    def _ewise_mult(self, other: Any, op: Any, is_infix: bool = True) -> ScalarExpression:
        return ScalarExpression("ewise_mult", _nested(self, op), _nested(other, op), op)

    def _ewise_union(
        self, other: Any, op: Any, left_default: Any, right_default: Any, is_infix: bool = True
    ) -> ScalarExpression:
        defaults = left_default, right_default
        operands = _nested(self, op, *defaults), _nested(other, op, *defaults)
        return ScalarExpression("ewise_union", *operands, op, *defaults)


class Scalar(ScalarOperations):
    """A typed value, or none; that of a reduction stays on the device until it is read.

    Parameters
    ----------
    dtype : dtype
        As of python-graphblas.
    value : number, optional
        None is an empty Scalar.
    is_cscalar : bool, optional
        Kept as in python-graphblas, and without effect.
    name : str, optional
    """

    __slots__ = ("__weakref__", "_cscalar", "_name", "_pending", "_typed", "_value", "dtype")
    _engine = "cuda"
    ndim, shape = 0, ()

    def __init__(
        self, dtype: Any = "FP64", value: Any = None, *, is_cscalar: bool = False,
        name: str | None = None,
    ) -> None:  # fmt: skip
        self.dtype = real_dtype(dtype)
        self._pending: Any = None
        self.value = value
        if is_cscalar or name is not None:
            self._cscalar, self._name = bool(is_cscalar), name

    @classmethod
    def from_value(
        cls, value: Any, dtype: Any = None, *, is_cscalar: bool = False, name: str | None = None
    ) -> Scalar:
        """Make a Scalar of a number, or of another Scalar."""
        value = value._number() if isinstance(value, Lazy) else value
        if dtype is None:
            dtype = getattr(value, "dtype", None) or graphblas_bridge.scalar_dtype(value)
        return cls(dtype, value, is_cscalar=is_cscalar, name=name)

    @classmethod
    def on_device(cls, dtype: Any, value: Any, found: Any = None) -> Scalar:
        """Make a Scalar of a word of the device, empty if the word `found` is 0.

        Without `found`, `value` is a HostResult or an array of two words: value and flag.
        """
        scalar = cls.__new__(cls)
        scalar.dtype, scalar._typed, scalar._value = dtype, None, None
        scalar._pending = value if found is None else (value, found)
        return scalar

    @property
    def name(self) -> str | None:
        """A name, or None; it can be set."""
        return getattr(self, "_name", None)

    @name.setter
    def name(self, name: str | None) -> None:
        self._name = name

    @property
    def is_cscalar(self) -> bool:
        """Whether it was made with ``is_cscalar=True``, which has no effect here."""
        return getattr(self, "_cscalar", False)

    _is_cscalar = is_cscalar

    @property
    def is_grbscalar(self) -> bool:
        """Whether it was made without ``is_cscalar=True``."""
        return not self.is_cscalar

    @property
    def value(self) -> Any:
        """The value as a Python number, or None; it can be set."""
        pending = self._pending
        if pending is not None:
            if isinstance(pending, HostResult):
                word, has_value = pending.wait()
                self._value = _value_of_word(word, self.dtype.np_type) if has_value else None
            elif isinstance(pending, tuple):
                value, has_value = pending
                self._value = device.read_scalar(value) if device.read_scalar(has_value) else None
            else:
                words = device.read_words(pending)
                self._value = words.view(self.dtype.np_type)[0].item() if words[1] else None
            self._pending = None
        return self._value

    @value.setter
    def value(self, value: Any) -> None:
        value = getattr(value, "value", value)
        try:
            typed: Any = None if value is None else _cast(value, self.dtype.np_type)
            self._typed, self._value = typed, None if value is None else typed.item()
        except OverflowError:
            raise InvalidValue(f"{value} does not fit {self.dtype.name}") from None
        except (TypeError, ValueError):
            raise DomainMismatch(f"{value!r} is not a value of {self.dtype.name}") from None
        self._pending = None

    def get(self, default: Any = None) -> Any:
        """Return the value, or `default` if there is none."""
        return default if self.value is None else self.value

    def dup(
        self, dtype: Any = None, *, clear: bool = False, is_cscalar: bool | None = None,
        name: str | None = None,
    ) -> Scalar:  # fmt: skip
        """Return a new Scalar, of another dtype if one is given, empty with `clear`."""
        value = None if clear else self.value
        is_cscalar = self.is_cscalar if is_cscalar is None else is_cscalar
        return Scalar(dtype or self.dtype, value, is_cscalar=is_cscalar, name=name)

    new = dup

    def clear(self) -> None:
        """Remove the value."""
        self.value = None

    def wait(self, how: str = "materialize") -> Scalar:
        """Do nothing: operations end in order. `how` is "materialize" or "complete"."""
        check_how(how)
        return self

    def isequal(self, other: Any, *, check_dtype: bool = False) -> bool:
        """Whether the value, or its absence, is that of another Scalar or number."""
        return bool(graphblas_bridge.scalar_call("isequal", self, other, check_dtype=check_dtype))

    def isclose(
        self, other: Any, *, rel_tol: float = 1e-7, abs_tol: float = 0.0, check_dtype: bool = False
    ) -> bool:
        """Whether the value is nearly that of another Scalar or number."""
        tolerances = {"rel_tol": rel_tol, "abs_tol": abs_tol, "check_dtype": check_dtype}
        return bool(graphblas_bridge.scalar_call("isclose", self, other, **tolerances))

    @property
    def is_empty(self) -> bool:
        """Whether the Scalar has no value."""
        return self.value is None

    @property
    def nvals(self) -> int:
        """1, or 0 if there is no value."""
        return int(not self.is_empty)

    # ---- update

    def __call__(
        self, *arguments: Any, mask: Any = None, accum: Any = None, replace: bool = False,
        input_mask: Any = None, **options: Any,
    ) -> ScalarUpdate:  # fmt: skip
        graphblas_bridge.check_options(options)
        for argument in arguments:
            if argument is REPLACE:
                replace = True
            elif hasattr(argument, "shape") or hasattr(argument, "structure"):
                mask = argument
            elif accum is not None:
                raise DomainMismatch("give at most one accumulator")
            else:
                accum = argument
        if mask is not None or input_mask is not None or replace:
            raise DomainMismatch("a Scalar has no mask, and nothing to replace outside of one")
        return ScalarUpdate(self, accum)

    def update(self, value: Any, **options: Any) -> None:
        """Take the value of a number, another Scalar, or an expression of one."""
        graphblas_bridge.check_options(options)
        value = result_of(value)
        if getattr(value, "shape", ()):
            raise DomainMismatch(f"a value of {value.shape} into a Scalar")
        if value is not None and not hasattr(value, "value"):
            graphblas_bridge.scalar_dtype(value)  # refuses what is no number
        self.value = value

    def __lshift__(self, value: Any) -> None:
        self.update(value)

    def _update_in_place(self, sign: Sign, other: Any) -> Scalar:
        if sign.text in "+^":
            ScalarUpdate(self, binary.plus if sign.text == "+" else binary.lxor) << other
        else:
            self << sign.of(self, other)
        return self

    def __ior__(self, other: Any) -> Scalar:
        return self._logical("|=", self.ewise_add(other, binary.lor))

    def __iand__(self, other: Any) -> Scalar:
        return self._logical("&=", self.ewise_mult(other, binary.land))

    def _logical(self, sign: str, expression: ScalarExpression) -> Scalar:
        if expression.dtype != BOOL:
            raise DomainMismatch(f"{sign} is for BOOL; the result is {expression.dtype.name}")
        self << expression
        return self

    # ---- Python

    def __bool__(self) -> bool:
        return bool(self.value)

    def __int__(self) -> int:
        return int(self.value)

    def __index__(self) -> int:
        if self.dtype.np_type.kind == "f":
            raise NotAnIndex(f"an index must be an integer, not {self.dtype.name}")
        return int(self.value)

    def __array__(self, dtype: Any = None, *, copy: bool | None = None) -> Any:
        return np.array(self.value, dtype or self.dtype.np_type)

    def __float__(self) -> float:
        return float(self.value)

    def __complex__(self) -> complex:
        return complex(self.value)

    def __eq__(self, other: object) -> bool:
        return bool(self.value == getattr(other, "value", other))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Scalar: {self.dtype.name}, {self.value}>"


class ScalarUpdate:
    """``s(accum)``: the left side of ``<<``."""

    __slots__ = ("accum", "out")

    def __init__(self, out: Scalar, accum: Any) -> None:
        if accum is not None:
            accum = graphblas_bridge.resolve(accum, "binary", out.dtype, out.dtype)
        self.out, self.accum = out, accum

    def __lshift__(self, value: Any) -> None:
        if self.accum is not None:
            if isinstance(value, Lazy) and hasattr(type(value), "axes"):
                value = value._computed()  # an entry, as in python-graphblas
            value = self.out.ewise_add(result_of(value), self.accum)
        self.out.update(value)

    update = __lshift__

    def __getitem__(self, keys: Any) -> Any:
        raise DomainMismatch("a Scalar has no index")

    def __setitem__(self, keys: Any, value: Any) -> None:
        self[keys]

    def __delitem__(self, keys: Any) -> None:
        self[keys]


class ScalarExpression(Lazy, ScalarOperations, graphblas_bridge.Expression):
    """An operation of Scalars; python-graphblas checks its arguments, and computes it."""

    __slots__ = ("arguments", "keywords", "operation")
    ndim, shape = 0, ()

    @property
    def args(self) -> tuple[Any, ...]:
        """The Scalar and the number of ``s < 3``."""
        x, y, *_ = self.arguments
        return x, to_scalar_operand(self.keywords["right"] if self.operation == "apply" else y)

    def __init__(self, operation: str, *arguments: Any, **keywords: Any) -> None:
        self.operation, self.arguments, self.keywords = operation, arguments, keywords
        self.dtype, self.op = graphblas_bridge.scalar_signature(operation, *arguments, **keywords)

    def new(
        self, dtype: Any = None, *, is_cscalar: bool = False, name: str | None = None,
        **options: Any,
    ) -> Scalar:  # fmt: skip
        """Return the result as a new Scalar."""
        graphblas_bridge.check_options(options)
        arguments = map(result_of, self.arguments)
        keywords = {key: result_of(x) for key, x in self.keywords.items()}
        value, result = graphblas_bridge.scalar_result(self.operation, *arguments, **keywords)
        found = Scalar(result, value)
        return found.dup(dtype or result, is_cscalar=is_cscalar, name=name)

    def dup(
        self, dtype: Any = None, *, clear: bool = False, is_cscalar: bool = False,
        name: str | None = None, **options: Any,
    ) -> Scalar:  # fmt: skip
        """Return the result of :meth:`new`, or with `clear` an empty Scalar."""
        if clear:
            return Scalar(dtype or self.dtype, is_cscalar=is_cscalar, name=name)
        return self.new(dtype, is_cscalar=is_cscalar, name=name, **options)

    @property
    def value(self) -> Any:
        """The result as a Python number, or None."""
        return self._computed().value

    def __repr__(self) -> str:
        return f"<{self.operation}: {self.dtype.name}, not computed; .new() computes it>"

    __or__, __ror__ = ScalarOperations.__or__, ScalarOperations.__ror__
    __and__, __rand__ = ScalarOperations.__and__, ScalarOperations.__rand__


class ScalarInfix(Lazy, ScalarOperations, graphblas_bridge.Infix):
    """``x | y`` or ``x & y`` of Scalars, on which an operator is called."""

    __slots__ = ()
    ndim, shape = 0, ()
    __or__, __ror__ = ScalarOperations.__or__, ScalarOperations.__ror__
    __and__, __rand__ = ScalarOperations.__and__, ScalarOperations.__rand__

    @property
    def dtype(self) -> Any:
        """Type of the result with the default operator."""
        return self._expression().dtype

    def _expression(self) -> ScalarExpression:
        """Return the operation with the default operator, which is for BOOL alone."""
        x, y = self.left, self.right
        if not x.dtype == y.dtype == BOOL:
            raise DomainMismatch(f"{self!r} of {x.dtype.name} and {y.dtype.name} needs an operator")
        op = binary.lor if self.method_name == "ewise_add" else binary.land
        return ScalarExpression(self.method_name, x, y, op)

    def new(self, dtype: Any = None, **options: Any) -> Scalar:
        """Return the result with the default operator."""
        return self._expression().new(dtype, **options)

    def dup(self, dtype: Any = None, **options: Any) -> Scalar:
        """Return the result of :meth:`new`, or with ``clear=True`` an empty Scalar."""
        return self._expression().dup(dtype, **options)

    def _computed(self) -> Any:
        return self._expression()._computed()

    def __getattribute__(self, name: str) -> Any:
        if name in ("apply", "ewise_add", "ewise_mult", "ewise_union", "select"):
            return getattr(self._computed(), name)
        return super().__getattribute__(name)


def scalar_infix(left: Any, method: str, right: Any) -> ScalarInfix:
    """Return ``left | right`` or ``left & right`` of Scalars and numbers."""
    for x in (left, right):
        if isinstance(x, ScalarInfix) and x.method_name != method:
            raise DomainMismatch(f"{x!r} inside: | and & are not mixed; call an operator on it")
        if getattr(x, "shape", ()):
            raise DomainMismatch("a Scalar beside an object with entries: apply takes it")
    if not isinstance(left, ScalarOperations) and isinstance(right, Scalar):
        left, right = right, left  # as python-graphblas does
    return ScalarInfix(to_scalar_operand(left), to_scalar_operand(right), method)


def _nested(x: Any, op: Any, *defaults: Any) -> Any:
    """Return a nested infix expression of Scalars with the operator of the outer one."""
    if not isinstance(x, ScalarInfix):
        return x
    method = "_ewise_union" if defaults else f"_{x.method_name}"
    return getattr(x.left, method)(x.right, op, *defaults)


def to_scalar_operand(x: Any) -> Any:
    """Return a number as a Scalar, or an expression of one itself."""
    if isinstance(x, ScalarOperations):
        return x
    if isinstance(x, Lazy):
        return x._number()
    return Scalar(graphblas_bridge.scalar_dtype(x), x)


def result_of(x: Any) -> Any:
    """Return the result of an expression, or x itself."""
    return x.new() if isinstance(x, Lazy) else x


def check_how(how: Any) -> None:
    """Refuse an argument of ``wait`` other than "materialize" and "complete"."""
    if not isinstance(how, str) or how.lower() not in ("materialize", "complete"):
        raise InvalidValue(f"how={how!r} is neither 'materialize' nor 'complete'")


def _cast(value: Any, np_type: Any) -> Any:
    """Return a number as a NumPy scalar; a float becomes the nearest integer towards zero."""
    if np_type.kind in "iu" and isinstance(value, (float, np.floating)):
        if value != value:
            return np_type.type(0)
        low, high = np.iinfo(np_type).min, np.iinfo(np_type).max
        return np_type.type(low if value <= low else high if value >= high else int(value))
    return np_type.type(value)


def _value_of_word(word: int, np_type: Any) -> Any:
    """Return the value in the first bytes of a 64-bit word."""
    return struct.unpack_from(np_type.char, struct.pack("q", word))[0]


def typed(x: Any) -> Any:
    """Return the value of a Scalar, ours or python-graphblas's, as a NumPy scalar."""
    if type(x) is Scalar and x._pending is None and x._typed is not None:
        return x._typed
    value = x.value
    if value is None:
        raise EmptyObject("an empty Scalar has no value")
    return x.dtype.np_type.type(value)


OUTPUTS[0] = Scalar
graphblas_bridge.register(Scalar, ScalarExpression, ScalarInfix)
