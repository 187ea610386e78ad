"""Signs of arithmetic and comparison, ``x + y``, ``x < 3``, ``-x``, ``x *= 2``: python-graphblas's.

A sign of two objects is an element-wise operation. ``+`` is of the union, ``-`` of the union with
zeros in the place of missing entries, all others are of the intersection. A sign of an object and
a number applies the operator to each entry; of two Scalars it is a Scalar.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from graphblas import binary, unary
from graphblas.dtypes import BOOL

from graphla.errors import DomainMismatch


class Sign(NamedTuple):
    """A sign, its operator by name, and the element-wise method of two objects."""

    text: str
    op: str
    method: str = "ewise_mult"

    def of(self, x: Any, y: Any) -> Any:
        """Return the expression ``x sign y``."""
        op = operator(self.op)
        x, y = number(x), number(y)
        if is_collection(x):
            if is_collection(y):
                defaults = (False, False) if self.method == "ewise_union" else ()
                found = getattr(x, self.method)(y, op, *defaults)
            else:
                found = x.apply(op, right=y)
        elif is_collection(y):
            found = y.apply(op, left=x)
        elif hasattr(x, "_of_scalars"):
            found = x._of_scalars(self.method, x, y, op)
        elif self.method != "ewise_mult" or op.commutes_to is None:
            found = y._of_scalars(self.method, x, y, op)
        else:  # as python-graphblas does, whose dtypes differ for BOOL
            found = y._of_scalars(self.method, y, x, op.commutes_to)
        if self.op == "lxor" and found.dtype != BOOL:
            raise DomainMismatch(f"{self.text} is for BOOL; the result is {found.dtype.name}")
        return found


def operator(name: str) -> Any:
    """Return a binary operator of python-graphblas; two signs are NumPy's."""
    return binary.numpy.mod if name == "numpy.mod" else getattr(binary, name)


def is_collection(x: Any) -> bool:
    """Whether x is a Vector, a Matrix or its transpose, or an expression of one."""
    return bool(getattr(type(x), "_has_signs", False) and x.shape)


def number(x: Any) -> Any:
    """Return the Scalar that an expression of one number is computed to, or x itself."""
    if getattr(type(x), "_has_signs", False) and not x.shape and hasattr(type(x), "_computed"):
        return x._computed()
    return x


def _methods(*sign: str) -> tuple[Callable[..., Any], Callable[..., Any], Callable[..., Any]]:
    """Return ``x sign y``, ``y sign x`` and ``x sign= y``."""
    found = Sign(*sign)

    def forward(self: Any, other: Any) -> Any:
        return found.of(self, other)

    def reflected(self: Any, other: Any) -> Any:
        return found.of(other, self)

    def in_place(self: Any, other: Any) -> Any:
        return self._update_in_place(found, other)

    return forward, reflected, in_place


def _comparison(*sign: str) -> Callable[[Any, Any], Any]:
    return _methods(*sign)[0]


class Signs:
    """The signs of an object, or of an expression, which they compute first."""

    __slots__ = ()
    _has_signs = True
    shape: Any
    dtype: Any

    __add__, __radd__, __iadd__ = _methods("+", "plus", "ewise_add")
    __sub__, __rsub__, __isub__ = _methods("-", "minus", "ewise_union")
    __mul__, __rmul__, __imul__ = _methods("*", "times")
    __truediv__, __rtruediv__, __itruediv__ = _methods("/", "truediv")
    __floordiv__, __rfloordiv__, __ifloordiv__ = _methods("//", "floordiv")
    __mod__, __rmod__, __imod__ = _methods("%", "numpy.mod")
    __pow__, __rpow__, __ipow__ = _methods("**", "pow")
    __xor__, __rxor__, __ixor__ = _methods("^", "lxor", "ewise_add")
    __lt__, __le__ = _comparison("<", "lt"), _comparison("<=", "le")
    __gt__, __ge__ = _comparison(">", "gt"), _comparison(">=", "ge")

    def __divmod__(self, other: Any) -> tuple[Any, Any]:
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> tuple[Any, Any]:
        return other // self, other % self

    def __neg__(self) -> Any:
        return number(self).apply(unary.ainv)

    def __abs__(self) -> Any:
        return number(self).apply(unary.abs)

    def __invert__(self) -> Any:
        if self.dtype != BOOL:
            raise DomainMismatch(f"~ is for BOOL, not {self.dtype.name}")
        return number(self).apply(unary.lnot)

    def _update_in_place(self, sign: Sign, other: Any) -> Any:
        raise DomainMismatch(f"{sign.text}= does not update an expression")


class Compared(Signs):
    """The signs ``==`` and ``!=`` of objects with a shape: entry by entry."""

    __slots__ = ()

    __eq__ = _comparison("==", "eq")
    __ne__ = _comparison("!=", "ne")
    __hash__ = object.__hash__
