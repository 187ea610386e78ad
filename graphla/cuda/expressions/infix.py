"""Infix expressions ``x | y``, ``x & y``, ``A @ B``, and the operators that are called on them.

The operator of an expression is also the operator of the expressions of the same sign that are
nested in it: ``min_plus(A @ (A @ A))`` has two products over min_plus. Its type unifies the dtypes
of all operands. Any other operand is evaluated first; an infix one then has its default operator:
lor for ``|`` and land for ``&``, both of BOOL only, plus_times for ``@``.
"""

from __future__ import annotations

from typing import Any

from graphblas.dtypes import BOOL

from graphla.cuda.expressions.arguments import operand, to_scalar, typed_operator
from graphla.cuda.expressions.lazy import Lazy
from graphla.cuda.expressions.python_protocols import absent
from graphla.cuda.expressions.signs import Compared
from graphla.cuda.expressions.statement import Expression, Mask, is_operand
from graphla.cuda.operators import graphblas_bridge
from graphla.errors import DimensionMismatch, DomainMismatch

PRODUCTS = {(2, 2): "mxm", (2, 1): "mxv", (1, 2): "vxm", (1, 1): "inner"}
ELEMENTWISE = {"|": "ewise_add", "&": "ewise_mult"}
SIGNS = {"ewise_add": "|", "ewise_union": "|", "ewise_mult": "&"}
SIGNS |= dict.fromkeys(PRODUCTS.values(), "@")


class Operand(Compared):
    """An object that python-graphblas's operators can be called on: ``op(x | y)``, ``op(x, s)``."""

    __slots__ = ()
    ndim: int

    def __or__(self, other: Any) -> Infix:
        return infix(self, "|", other)

    def __and__(self, other: Any) -> Infix:
        return infix(self, "&", other)

    def __matmul__(self, other: Any) -> Infix:
        return infix(self, "@", other)

    def __ror__(self, other: Any) -> Infix:
        return infix(other, "|", self)

    def __rand__(self, other: Any) -> Infix:
        return infix(other, "&", self)

    def __rmatmul__(self, other: Any) -> Infix:
        return infix(other, "@", self)

    def __ior__(self, other: Any) -> Any:
        raise DomainMismatch(f"|= does not update a {type(self).__name__}")

    def __iand__(self, other: Any) -> Any:
        raise DomainMismatch(f"&= does not update a {type(self).__name__}")

    def __imatmul__(self, other: Any) -> Any:
        raise DomainMismatch(f"@= does not update a {type(self).__name__}")

    def __getattr__(self, name: str) -> Any:
        raise absent(self, name)

    def _ewise_add(self, other: Any, op: Any, is_infix: bool = True) -> Expression:
        return applied("ewise_add", self, other, op)

    def _ewise_mult(self, other: Any, op: Any, is_infix: bool = True) -> Expression:
        return applied("ewise_mult", self, other, op)

    def _ewise_union(
        self, other: Any, op: Any, left: Any, right: Any, is_infix: bool = True
    ) -> Expression:
        return applied("ewise_union", self, other, op, left, right)

    def _mxm(self, other: Any, op: Any, is_infix: bool = True) -> Expression:
        return applied("mxm", self, other, op)

    def _mxv(self, other: Any, op: Any, is_infix: bool = True) -> Expression:
        return applied("mxv", self, other, op)

    def _vxm(self, other: Any, op: Any, is_infix: bool = True) -> Expression:
        return applied("vxm", self, other, op)

    def _inner(self, other: Any, op: Any, is_infix: bool = True) -> Expression:
        return applied("inner", self, other, op)


class Infix(Lazy, Operand, graphblas_bridge.Infix):
    """An infix expression; without an operator it can be the right side of ``<<``."""

    __slots__ = ("shape",)
    plans = None  # caches none

    def __init__(self, left: Any, right: Any, method_name: str, shape: tuple[int, ...]) -> None:
        super().__init__(left, right, method_name)
        self.shape = shape

    __or__, __and__, __matmul__ = Operand.__or__, Operand.__and__, Operand.__matmul__
    __ror__, __rand__, __rmatmul__ = Operand.__ror__, Operand.__rand__, Operand.__rmatmul__
    size, nrows, ncols = Expression.size, Expression.nrows, Expression.ncols
    _dimensions = Expression._dimensions

    @property
    def ndim(self) -> int:  # type: ignore[override]
        """Number of dimensions of the result."""
        return len(self.shape)

    @property
    def dtype(self) -> Any:
        """Type of the result with the default operator."""
        return self._default().return_type

    def _default(self) -> Any:
        """Return the typed default operator, as of python-graphblas."""
        x, y = self.left.dtype, self.right.dtype
        sign = SIGNS[self.method_name]
        if sign == "@":
            return typed_operator("plus_times", "semiring", x, y)
        if not x == y == BOOL:
            names = " and ".join(sorted({x.name, y.name}))
            raise DomainMismatch(f"{self!r} of {names} needs an operator, op({self!r})")
        return typed_operator("lor" if sign == "|" else "land", "binary", x, y)

    def _expression(self) -> Expression:
        op = self._default()
        found: Expression = getattr(evaluated(self.left), self.method_name)(self.right, op)
        return found

    def new(self, dtype: Any = None, **options: Any) -> Any:
        """Return the result with the default operator of python-graphblas."""
        return self._expression().new(dtype, **options)

    def dup(self, dtype: Any = None, **options: Any) -> Any:
        """Return the result of :meth:`new`, or with ``clear=True`` an empty object of its shape."""
        return self._expression().dup(dtype, **options)

    def _computed(self) -> Any:
        self._default()  # refuses dtypes that it is not for
        return super()._computed()


def infix(left: Any, sign: str, right: Any) -> Infix:
    """Return ``left sign right``, an expression that waits for its operator.

    Raises
    ------
    DomainMismatch
        An operand is neither a Vector nor a Matrix, or ``|`` and ``&`` are mixed.
    EngineMismatch
        It is an object of python-graphblas.
    DimensionMismatch
        The shapes do not fit.
    """
    if isinstance(left, Infix) or isinstance(right, Infix):
        left = _nested(left, sign, right)
    if not is_operand(right):
        if isinstance(right, Mask) and sign != "@":
            return right | left if sign == "|" else right & left
        return _refused(sign, right, left)
    if not is_operand(left):
        return _refused(sign, left, right)
    x, y = left.shape, right.shape
    if sign == "@":
        if x[-1] != y[0]:
            raise DimensionMismatch(f"a product of {x} and {y}")
        return Infix(left, right, PRODUCTS[len(x), len(y)], x[:-1] + y[1:])
    shape = x if len(x) >= len(y) else y
    if x != y and (len(x) == len(y) or not fits_beside(x, y)):
        raise DimensionMismatch(f"{sign} of {x} and {y}")
    return Infix(left, right, ELEMENTWISE[sign], shape)


def fits_beside(x: tuple[int, ...], y: tuple[int, ...]) -> bool:
    """Whether a Vector fits a Matrix: on the left one entry a row, on the right one a column."""
    return x[0] == y[0] if len(x) < len(y) else x[1] == y[0]


def _nested(left: Any, sign: str, right: Any) -> Any:
    """Return the left operand, evaluated if it is an infix expression of another sign."""
    for x in (left, right):
        if isinstance(x, Infix) and {sign, SIGNS[x.method_name]} == {"|", "&"}:
            raise DomainMismatch(
                f"{x!r} inside of {sign}: | and & are not mixed; call an operator on {x!r} first"
            )
    if isinstance(left, Infix) and SIGNS[left.method_name] != sign:
        return left.new()
    return left


def _refused(sign: str, x: Any, other: Any) -> Any:
    """Raise what an operation says of an operand of another kind."""
    operand(sign, x, len(other.shape) if is_operand(other) else 1)


def evaluated(x: Any) -> Any:
    """Return the value of an expression, or x itself."""
    return x.new() if isinstance(x, Lazy) else x


def applied(method: str, left: Any, right: Any, op: Any, *defaults: Any) -> Expression:
    """Return ``left.method(right, op)``, op being the operator of nested infix expressions too."""
    if isinstance(right, Lazy) and not (
        isinstance(right, Infix) and SIGNS[right.method_name] == SIGNS[method]
    ):
        right = right.new()
    if defaults:
        _typed(op, "binary", left, right)  # raises for dtypes that op does not take
        x, y = defaults = tuple(map(to_scalar, defaults))
        op = graphblas_bridge.common_operator(
            op, _typed(op, "binary", left, y), _typed(op, "binary", x, right)
        )
    elif isinstance(left, Infix) or isinstance(right, Infix):
        op = _typed(op, "semiring" if SIGNS[method] == "@" else "binary", left, right)
    if isinstance(left, Infix):
        left = _computed(left, op, *defaults)
    if isinstance(right, Infix):
        right = _computed(right, op, *defaults)
    found: Expression = getattr(left, method)(right, op, *defaults)
    return found


def _typed(op: Any, kind: str, left: Any, right: Any) -> Any:
    """Return the typed operator that python-graphblas chooses for nested infix expressions."""
    x = _typed(op, kind, left.left, left.right) if isinstance(left, Infix) else None
    y = _typed(op, kind, right.left, right.right) if isinstance(right, Infix) else None
    if x is not None and x is y:
        return x
    return typed_operator(
        op,
        kind,
        left.dtype if x is None else x.type,
        right.dtype if y is None else y.type2,
        left_scalar=left.shape == (),
        right_scalar=right.shape == (),
    )


def _computed(x: Infix, op: Any, *defaults: Any) -> Any:
    """Return the result of a nested infix expression with the operator of the outer one."""
    method = "ewise_union" if defaults else x.method_name
    return applied(method, x.left, x.right, op, *defaults).new()


graphblas_bridge.register_expression(Infix)
