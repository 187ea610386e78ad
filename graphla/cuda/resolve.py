"""From what a method is given to the formula that it means: typed operator, template, scalar.

The rules are python-graphblas's: an untyped operator takes the type that unifies its operands',
a scalar being the weaker one; a string names an operator.
"""

from __future__ import annotations

from typing import Any

from graphblas.dtypes import lookup_dtype

from graphla.arrays import REAL_DTYPES
from graphla.cuda import bridge
from graphla.cuda.scalar import Scalar
from graphla.errors import DomainMismatch


def dtype(x: Any) -> Any:
    """Return a python-graphblas dtype that the device knows."""
    found = lookup_dtype(x)
    if found.name not in REAL_DTYPES:
        raise DomainMismatch(f"dtype {found.name} is not one of {', '.join(REAL_DTYPES)}")
    return found


def scalar(x: Any) -> Any:
    """Return a Scalar, itself if it is one: its value may change between two runs."""
    if isinstance(x, Scalar) or (hasattr(x, "value") and hasattr(x, "dtype")):
        return x
    return Scalar(bridge.scalar_dtype(x), x)


def apply(x: Any, op: Any, left: Any, right: Any) -> tuple[Any, ...]:
    """Return what makes ``x.apply(op, right, left=left)`` an Elementwise expression."""
    if left is not None and right is not None:
        raise DomainMismatch("apply takes `left` or `right`, not both")
    if bridge.kind_of(op) in ("indexunary", "select"):
        s = scalar(False if right is None else right)
        op = bridge.resolve(op, "indexunary", x.dtype, s.dtype, right_scalar=True)
        return "apply", "BindSecond", op.return_type, op, (x,), s
    if left is None and right is None:
        op = bridge.resolve(op, "unary", x.dtype)
        return "apply", "Apply", op.return_type, op, (x,)
    if right is None:
        s = scalar(left)
        op = bridge.resolve(op, "binary", s.dtype, x.dtype, left_scalar=True)
        return "apply", "BindFirst", op.return_type, op, (x,), s
    s = scalar(right)
    op = bridge.resolve(op, "binary", x.dtype, s.dtype, right_scalar=True)
    return "apply", "BindSecond", op.return_type, op, (x,), s


def select(x: Any, op: Any, thunk: Any) -> tuple[Any, ...]:
    """Return what makes ``x.select(op, thunk)`` an Elementwise expression."""
    s = scalar(False if thunk is None else thunk)
    op = bridge.resolve(op, "select", x.dtype, s.dtype, right_scalar=True)
    return "select", "Select", x.dtype, op, (x,), s


def ewise(template: str, operation: str, x: Any, y: Any, op: Any) -> tuple[Any, ...]:
    """Return what makes ``x.ewise_add(y, op)`` or ``x.ewise_mult(y, op)`` an expression."""
    op = bridge.resolve(op, "binary", x.dtype, y.dtype)
    return operation, template, op.return_type, op, (x, y)
