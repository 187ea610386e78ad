"""User-defined operators, for both engines.

On the CPU an operator is python-graphblas's, compiled by Numba; on the GPU the same function
is translated into a CUDA expression that gives the same result on every value. Division by
zero follows NumPy's model on both: integers give 0, floats an infinity or NaN.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import FunctionType
from typing import Any
from weakref import WeakKeyDictionary

import numba
from graphblas import binary, monoid, semiring, unary
from graphblas.exceptions import GraphblasException, UdfParseError
from numba import types
from numba.extending import overload

from graphla.errors import DomainMismatch, InvalidValue

by_hand: WeakKeyDictionary[Any, str] = WeakKeyDictionary()  # operator -> CUDA expression
terminals: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()  # monoid -> terminal value


def real(x):
    """Return x; Numba finds no such function of complex numbers, and leaves them out."""
    return x


@overload(real)
def _real(x):
    return None if isinstance(x, types.Complex) else lambda x: x


def unary_op(name: str, function: Callable[..., Any], *, cuda: str | None = None) -> Any:
    """Make a unary operator from a function of one scalar.

    Parameters
    ----------
    name : str
        Its name in messages.
    function : Python function of one argument
        Arithmetic, comparisons, conditional expressions, ``and``, ``or``, ``not``, ``min``,
        ``max``, ``abs``, and in a ``def`` also assignments and ``if``.
    cuda : str, optional
        Its CUDA expression of ``x``, instead of the translation.

    Returns
    -------
    graphblas.core.operator.UnaryOp

    Raises
    ------
    InvalidValue
        An empty name, or a function of other than one argument.
    DomainMismatch
        Not a Python function, or one that Numba cannot compile for any dtype.

    Examples
    --------
    >>> import graphblas as gb
    >>> import graphla as gl
    >>> relu = gl.unary_op("relu", lambda x: x if x > 0 else 0)
    >>> gb.Vector.from_dense([-1.0, 2.0]).apply(relu).new().to_dense()
    array([0., 2.])
    """
    checked(name, function, 1, cuda)
    inner = numba.njit(error_model="numpy")(function)

    def call(x):
        return inner(real(x))

    return register(unary, name, function, call, cuda)


def binary_op(name: str, function: Callable[..., Any], *, cuda: str | None = None) -> Any:
    """Make a binary operator from a function of two scalars.

    Parameters
    ----------
    name : str
        Its name in messages.
    function : Python function of two arguments
        As in :func:`unary_op`.
    cuda : str, optional
        Its CUDA expression of ``x`` and ``y``, instead of the translation.

    Returns
    -------
    graphblas.core.operator.BinaryOp

    Raises
    ------
    InvalidValue
        An empty name, or a function of other than two arguments.
    DomainMismatch
        Not a Python function, or one that Numba cannot compile for any dtype.

    Examples
    --------
    >>> import graphblas as gb
    >>> import graphla as gl
    >>> absdiff = gl.binary_op("absdiff", lambda x, y: x - y if x > y else y - x)
    >>> u, v = gb.Vector.from_dense([1, 5]), gb.Vector.from_dense([3, 2])
    >>> u.ewise_mult(v, absdiff).new().to_dense()
    array([2, 3])
    """
    checked(name, function, 2, cuda)
    inner = numba.njit(error_model="numpy")(function)

    def call(x, y):
        return inner(real(x), real(y))

    return register(binary, name, function, call, cuda)


def monoid_op(op: Any, identity: Any, *, terminal: Any = None) -> Any:
    """Make a monoid of a binary operator.

    Parameters
    ----------
    op : BinaryOp
        Of :func:`binary_op`, associative and commutative, which is not checked.
    identity : scalar, or dict of dtype to scalar
        The value that changes no other.
    terminal : scalar, optional
        The value that no other changes, at which engine 'cuda' stops a reduction.

    Returns
    -------
    graphblas.core.operator.Monoid

    Raises
    ------
    DomainMismatch
        Not a BinaryOp, or a built-in one.
    InvalidValue
        An identity that is no value of the operator's dtypes.

    Examples
    --------
    >>> import graphblas as gb
    >>> import graphla as gl
    >>> longest = gl.binary_op("longest", lambda x, y: x if abs(x) > abs(y) else y)
    >>> gb.Vector.from_dense([1, -5, 3]).reduce(gl.monoid_op(longest, 0)).new().value
    -5
    """
    if type(op).__name__ != "BinaryOp":
        raise DomainMismatch(f"a monoid is made of a BinaryOp, not of {op!r}")
    if op.monoid is not None and getattr(monoid, op.monoid.name, None) is op.monoid:
        raise DomainMismatch(f"{op!r} has a built-in monoid: use gb.{op.monoid!r}")
    previous_monoid = op.monoid
    try:
        new_monoid = monoid.register_anonymous(op, identity, op.name)
    except (AttributeError, GraphblasException, TypeError, ValueError, OverflowError) as error:
        # python-graphblas attaches the new monoid to its operator before it checks the identity.
        op._monoid = previous_monoid
        if isinstance(error, AttributeError):
            raise DomainMismatch(
                f"a monoid is made of an operator of gl.binary_op, not of the built-in {op!r}"
            ) from error
        raise InvalidValue(f"no monoid of {op!r} and identity {identity!r}: {error}") from error
    if terminal is not None:
        terminals[new_monoid] = terminal
    return new_monoid


def semiring_op(add: Any, multiply: Any) -> Any:
    """Make a semiring of a monoid and a binary operator.

    Examples
    --------
    >>> import graphblas as gb
    >>> import graphla as gl
    >>> shortest = gl.semiring_op(gb.monoid.min, gb.binary.hypot)
    >>> shortest
    semiring.min_hypot
    """
    try:
        return semiring.register_anonymous(add, multiply, f"{add.name}_{multiply.name}")
    except (AttributeError, TypeError, ValueError) as error:
        raise DomainMismatch(f"no semiring of {add!r} and {multiply!r}: {error}") from error


def checked(name: str, function: Any, arguments: int, cuda: str | None) -> None:
    """Check the arguments of :func:`unary_op` and :func:`binary_op`."""
    if not isinstance(name, str) or not name:
        raise InvalidValue(f"the name of an operator must be a non-empty string, not {name!r}")
    if not isinstance(function, FunctionType):
        raise DomainMismatch(f"operator {name!r} needs a Python function, not {function!r}")
    num_parameters = len(inspect.signature(function).parameters)
    if num_parameters != arguments:
        raise InvalidValue(
            f"the function of operator {name!r} has {num_parameters} arguments, not {arguments}"
        )
    if cuda is not None and (not isinstance(cuda, str) or not cuda.strip() or ";" in cuda):
        raise InvalidValue(f"cuda= of operator {name!r} is an expression, not {cuda!r}")


def register(module: Any, name: str, function: Any, call: Any, cuda: str | None) -> Any:
    """Let python-graphblas compile an operator, which keeps the user's own function."""
    try:
        op = module.register_anonymous(call, name)
    except UdfParseError as error:
        raise DomainMismatch(f"Numba cannot compile operator {name!r} for any dtype") from error
    op.orig_func = function
    if cuda is not None:
        by_hand[op] = cuda
    return op
