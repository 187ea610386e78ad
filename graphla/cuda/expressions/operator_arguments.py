"""From what a method is given to the formula that it means: typed operator, template, scalar.

The rules are python-graphblas's: an untyped operator takes the type that unifies its operands',
a scalar being the weaker one; a string names an operator.
"""

from __future__ import annotations

from typing import Any

from graphblas.dtypes import lookup_dtype

from graphla.core.input_arrays import real_dtype as dtype
from graphla.cuda.expressions.arguments import on_device
from graphla.cuda.expressions.scalar import Scalar
from graphla.cuda.operators import graphblas_bridge
from graphla.errors import DomainMismatch, InvalidValue

NUMBERS = {bool: lookup_dtype("BOOL"), int: lookup_dtype("INT64"), float: lookup_dtype("FP64")}


def number(x: Any) -> Any:
    """Return a Python number as a NumPy scalar."""
    found = NUMBERS[type(x)]
    try:
        return found.np_type.type(x)
    except OverflowError:
        raise InvalidValue(f"{x} does not fit {found.name}") from None


def scalar(x: Any) -> Any:
    """Return a Scalar, itself if it is one: its value may change between two runs."""
    if (found := NUMBERS.get(type(x))) is not None:
        return Scalar(found, x)
    on_device("a scalar", x)
    if isinstance(x, Scalar) or (hasattr(x, "value") and hasattr(x, "dtype")):
        return x
    if getattr(x, "ndim", 0):
        raise DomainMismatch(f"{type(x).__name__} of {x.ndim} dimensions is no scalar")
    return Scalar(graphblas_bridge.scalar_dtype(x), x)


def apply(x: Any, op: Any, left: Any, right: Any) -> tuple[Any, ...]:
    """Return what makes ``x.apply(op, right, left=left)`` an Elementwise expression."""
    if left is not None and right is not None:
        raise DomainMismatch("apply takes `left` or `right`, not both")
    if graphblas_bridge.kind_of(op) in ("indexunary", "select"):
        if left is not None:
            raise DomainMismatch(f"apply takes the thunk of {op!r} as `right`, not as `left`")
        s = scalar(False if right is None else right)
        op = graphblas_bridge.resolve(op, "indexunary", x.dtype, s.dtype, right_scalar=True)
        return "apply", "BindSecond", op.return_type, op, (x,), s
    if left is None and right is None:
        op = graphblas_bridge.resolve(op, "unary", x.dtype)
        return "apply", "Apply", op.return_type, op, (x,)
    if right is None:
        s = scalar(left)
        op = graphblas_bridge.resolve(op, "binary", s.dtype, x.dtype, left_scalar=True)
        return "apply", "BindFirst", op.return_type, op, (x,), s
    s = scalar(right)
    op = graphblas_bridge.resolve(op, "binary", x.dtype, s.dtype, right_scalar=True)
    return "apply", "BindSecond", op.return_type, op, (x,), s


def select(x: Any, op: Any, thunk: Any) -> tuple[Any, ...]:
    """Return what makes ``x.select(op, thunk)`` an Elementwise expression."""
    s = scalar(False if thunk is None else thunk)
    op = graphblas_bridge.resolve(op, "select", x.dtype, s.dtype, right_scalar=True)
    return "select", "Select", x.dtype, op, (x,), s


def ewise(template: str, operation: str, x: Any, y: Any, op: Any) -> tuple[Any, ...]:
    """Return what makes ``x.ewise_add(y, op)`` or ``x.ewise_mult(y, op)`` an expression."""
    op = graphblas_bridge.resolve(op, "binary", x.dtype, y.dtype)
    return operation, template, op.return_type, op, (x, y)


__all__ = ["apply", "dtype", "ewise", "number", "scalar", "select"]
