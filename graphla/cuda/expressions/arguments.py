"""Check and resolve the arguments of operations: operands, scalars, typed operators.

The rules are python-graphblas's: an untyped operator takes the dtype that unifies its operands',
in which a scalar has less weight; a string names an operator.
"""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np
from graphblas.dtypes import lookup_dtype

from graphla.cuda.expressions.lazy import Lazy
from graphla.cuda.expressions.scalar import Scalar
from graphla.cuda.operators import graphblas_bridge
from graphla.errors import DomainMismatch, EngineMismatch, InvalidValue

REMEDY = "graphla.cuda.from_graphblas(x) copies an object to the device, G.to('cuda') a graph"


def on_device(operation: str, *objects: Any) -> None:
    """Refuse objects, masks and expressions of python-graphblas's; its scalars are values."""
    for x in objects:
        kind = type(x)
        if kind.__module__.startswith("graphblas.core") and (
            getattr(kind, "ndim", None) or hasattr(kind, "structure")
        ):
            raise EngineMismatch(
                f"{operation}: {kind.__name__} is on engine 'cpu', the rest on 'cuda'; {REMEDY}"
            )


def operand(operation: str, x: Any, ndim: int) -> Any:
    """Return a Vector (`ndim` 1) or a Matrix or its transpose (2); an expression is computed.

    Raises
    ------
    EngineMismatch
        It is an object of python-graphblas.
    DomainMismatch
        It is something else.
    """
    if hasattr(type(x), "_entries") and x.ndim == ndim:
        return x
    on_device(operation, x)
    if isinstance(x, Lazy):
        x = x._computed()
    if getattr(x, "ndim", None) != ndim or not hasattr(type(x), "_entries"):
        kind = "Vector" if ndim == 1 else "Matrix"
        raise DomainMismatch(
            f"{operation} takes a {kind} of graphla.cuda, not {type(x).__module__}."
            f"{type(x).__name__}"
        )
    return x


def integer(x: Any, name: str) -> int:
    """Return an int."""
    try:
        return index(x)
    except TypeError:
        raise DomainMismatch(f"{name} must be an integer, not {type(x).__name__}") from None


def extent(x: Any, name: str) -> int:
    """Return the length of a dimension."""
    length = integer(x, name)
    if length < 0:
        raise InvalidValue(f"{name}={length} is negative")
    return length


def filler(x: Any, np_type: Any, wanted: Any) -> tuple[Any, Any]:
    """Return the fill value for missing entries, and a NumPy type that holds it and the values."""
    fill = np.asarray(0 if x is None else getattr(x, "value", x))
    if fill.ndim or fill.dtype.kind not in "biuf":
        raise DomainMismatch(f"fill_value={x!r} is not a real number")
    if x is not None and wanted is None:
        np_type = np.result_type(np_type, fill.dtype)
    return fill, np_type


# ---- scalars and operators

NUMBERS = {bool: lookup_dtype("BOOL"), int: lookup_dtype("INT64"), float: lookup_dtype("FP64")}


def to_numpy_scalar(x: Any) -> Any:
    """Return a Python number as a NumPy scalar."""
    dtype = NUMBERS[type(x)]
    try:
        return dtype.np_type.type(x)
    except OverflowError:
        raise InvalidValue(f"{x} does not fit {dtype.name}") from None


def to_scalar(x: Any) -> Any:
    """Return x as a Scalar; a Scalar itself, whose value may change between two evaluations."""
    if (dtype := NUMBERS.get(type(x))) is not None:
        return Scalar(dtype, x)
    on_device("a scalar", x)
    if isinstance(x, Scalar) or (hasattr(x, "value") and hasattr(x, "dtype")):
        return x
    if getattr(x, "ndim", 0):
        raise DomainMismatch(f"{type(x).__name__} of {x.ndim} dimensions is not a scalar")
    return Scalar(graphblas_bridge.scalar_dtype(x), x)


_typed_operators: dict[Any, Any] = {}  # by the arguments of `typed_operator`


def typed_operator(
    op: Any,
    kind: str,
    dtype: Any,
    dtype2: Any = None,
    *,
    left_scalar: bool = False,
    right_scalar: bool = False,
) -> Any:
    """Return an operator typed for its operands: :func:`graphblas_bridge.resolve`.

    The result is cached if `op` is typed; names and Python functions are resolved every time.
    """
    scalars = {"left_scalar": left_scalar, "right_scalar": right_scalar}
    if not hasattr(op, "gb_name"):  # not typed
        return graphblas_bridge.resolve(op, kind, dtype, dtype2, **scalars)
    key = op, kind, dtype, dtype2, left_scalar, right_scalar
    if key not in _typed_operators:
        _typed_operators[key] = graphblas_bridge.resolve(op, kind, dtype, dtype2, **scalars)
    return _typed_operators[key]


def _takes_index(op: Any) -> bool:
    """Whether an operator, typed or not, or its name is of the kind (value, row, column, thunk)."""
    if hasattr(op, "gb_name"):
        return op.opclass in ("IndexUnaryOp", "SelectOp")
    return graphblas_bridge.kind_of(op) in ("indexunary", "select")


def apply_arguments(x: Any, op: Any, left: Any, right: Any) -> tuple[Any, ...]:
    """Return the arguments of Elementwise for ``x.apply(op, right, left=left)``."""
    if left is not None and right is not None:
        raise DomainMismatch("apply takes `left` or `right`, not both")
    if _takes_index(op):
        if left is not None:
            raise DomainMismatch(f"apply takes the thunk of {op!r} as `right`, not as `left`")
        scalar = to_scalar(False if right is None else right)
        op = typed_operator(op, "indexunary", x.dtype, scalar.dtype, right_scalar=True)
        return "apply", "BindSecond", op.return_type, op, (x,), scalar
    if left is None and right is None:
        op = typed_operator(op, "unary", x.dtype)
        return "apply", "Apply", op.return_type, op, (x,)
    if right is None:
        scalar = to_scalar(left)
        op = typed_operator(op, "binary", scalar.dtype, x.dtype, left_scalar=True)
        return "apply", "BindFirst", op.return_type, op, (x,), scalar
    scalar = to_scalar(right)
    op = typed_operator(op, "binary", x.dtype, scalar.dtype, right_scalar=True)
    return "apply", "BindSecond", op.return_type, op, (x,), scalar


def select_arguments(x: Any, op: Any, thunk: Any) -> tuple[Any, ...]:
    """Return the arguments of Elementwise for ``x.select(op, thunk)``."""
    s = to_scalar(False if thunk is None else thunk)
    op = typed_operator(op, "select", x.dtype, s.dtype, right_scalar=True)
    return "select", "Select", x.dtype, op, (x,), s


def ewise_arguments(template: str, operation: str, x: Any, y: Any, op: Any) -> tuple[Any, ...]:
    """Return the arguments of Elementwise for ``x.ewise_add(y, op)`` or ``x.ewise_mult(y, op)``."""
    op = typed_operator(op, "binary", x.dtype, y.dtype)
    return operation, template, op.return_type, op, (x, y)
