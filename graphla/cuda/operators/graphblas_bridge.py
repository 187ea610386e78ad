"""The connection with python-graphblas's operators; no other file uses its private names.

The operators are python-graphblas's own objects. :func:`resolve` returns the typed operator that
python-graphblas chooses for given dtypes. :func:`register` lets its operators be called on this
engine's objects. :class:`Infix` is ``u | v``, ``u & v`` or ``A @ u``, on which an operator is then
called. python-graphblas turns such calls into methods of our objects (`op` is the operator as the
user wrote it, typed or not):

=============================================  =====================================================
``unary(v)``                                   ``v.apply(op)``
``binary(v, s)``, ``indexunary(v, thunk)``     ``v.apply(op, right=s)``
``indexunary(v)``                              ``v.apply(op, right=False)``
``binary(s, v)``                               ``v.apply(op, left=s)``
``select(v)``                                  ``v.select(op, thunk=False)``
``select(v, thunk)``                           ``v.select(op, thunk=thunk)``
``binary(u | v)``, ``monoid(u | v)``           ``u._ewise_add(v, op, is_infix=True)``
``binary(u & v)``, ``monoid(u & v)``           ``u._ewise_mult(v, op, is_infix=True)``
``binary(u | v, left_default=a, right_...=b)`` ``u._ewise_union(v, op, a, b, is_infix=True)``
``semiring(A @ B)``                            ``A._mxm(B, op, is_infix=True)``
``semiring(A @ u)``                            ``A._mxv(u, op, is_infix=True)``
``semiring(u @ A)``                            ``u._vxm(A, op, is_infix=True)``
``semiring(u @ v)``                            ``u._inner(v, op, is_infix=True)``
=============================================  =====================================================

A Scalar of this engine is passed on as it is. An object of a registered class that is given to a
method of python-graphblas's objects passes its check of types; reading one of the
attributes ``INTERNALS`` raises.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from graphblas import Matrix, Scalar, Vector, exceptions
from graphblas.core import utils as core_utils
from graphblas.core.base import BaseExpression
from graphblas.core.descriptor import lookup as lookup_descriptor
from graphblas.core.dtypes import lookup_dtype, unify
from graphblas.core.expr import InfixExprBase
from graphblas.core.operator import find_opclass, get_typed_op
from graphblas.core.operator.utils import (
    aggregator_from_string,
    indexunary_from_string,
    op_from_string,
)
from graphblas.exceptions import UdfParseError

from graphla.errors import (
    DimensionMismatch,
    DomainMismatch,
    EmptyObject,
    EngineMismatch,
    GraphlaError,
    InvalidIndex,
    InvalidValue,
    NotSupported,
    OutOfMemory,
    OutputNotEmpty,
)

__all__ = ["Infix", "kind_of", "lookup_dtype", "register", "resolve", "scalar_dtype", "unify"]

ACCEPTED = {  # kind of operator: the classes that are accepted
    "unary": ("UnaryOp",),
    "binary": ("BinaryOp", "Monoid"),
    "monoid": ("Monoid", "BinaryOp"),
    "semiring": ("Semiring",),
    "indexunary": ("IndexUnaryOp", "SelectOp"),
    "select": ("SelectOp", "IndexUnaryOp"),
}
KINDS = {first: kind for kind, (first, *_) in ACCEPTED.items()}
REFUSALS = (KeyError, TypeError, ValueError, AttributeError, UdfParseError)
INTERNALS = frozenset({  # attributes that its methods read of operands that passed its check
    "gb_obj", "_carg", "_nrows", "_ncols", "_size", "_parent", "_is_transposed", "output_type",
    "name", "new",
})  # fmt: skip
CLASS_OF_NDIM = {0: Scalar, 1: Vector, 2: Matrix}


def kind_of(op: Any) -> str | None:
    """Return the kind of an operator, typed or not, or of its name; None for anything else.

    Examples
    --------
    >>> from graphblas import binary
    >>> kind_of(binary.plus), kind_of("abs"), kind_of(3)
    ('binary', 'unary', None)
    """
    if isinstance(op, str):
        try:
            op = op_from_string(op)
        except ValueError:
            return None
    return KINDS.get(op.opclass if hasattr(op, "gb_name") else find_opclass(op)[1])


def resolve(
    op: Any,
    kind: str,
    dtype: Any,
    dtype2: Any = None,
    *,
    left_scalar: bool = False,
    right_scalar: bool = False,
) -> Any:
    """Return the typed operator that python-graphblas chooses for operands of these dtypes.

    Parameters
    ----------
    op : operator, typed or not, its name or sign (``"min_plus"``, ``"<"``), or a Python function
        A Monoid is accepted as "binary", and a BinaryOp that has a monoid as "monoid".
    kind : {"unary", "binary", "monoid", "semiring", "indexunary", "select"}
        For the last two, `dtype2` is the thunk's.
    dtype, dtype2 : dtypes of the operands
    left_scalar, right_scalar : bool
        Whether that operand is a scalar, which may have less influence on the common dtype.

    Raises
    ------
    DomainMismatch
        It is an operator of another kind, or does not accept these dtypes.
    """
    dtype = lookup_dtype(dtype)
    dtype2 = None if dtype2 is None else lookup_dtype(dtype2)
    scalars = {"is_left_scalar": left_scalar, "is_right_scalar": right_scalar}
    try:
        if kind == "indexunary" and isinstance(op, str):
            op = indexunary_from_string(op)
        typed = get_typed_op(op, dtype, dtype2, kind=kind, **scalars)
    except REFUSALS as error:
        given = dtype.name if dtype2 is None else f"{dtype.name} and {dtype2.name}"
        raise DomainMismatch(f"no {kind} operator {op!r} for {given}: {error}") from error
    if typed.opclass not in ACCEPTED[kind]:
        raise DomainMismatch(f"{typed!r} is not a {kind} operator")
    if kind == "binary" and typed.opclass == "Monoid":
        typed = typed.binaryop
    if kind == "monoid" and typed.opclass == "BinaryOp":
        if typed.monoid is None:
            raise DomainMismatch(f"{typed!r} belongs to no monoid")
        typed = typed.monoid
    return typed


def scalar_dtype(value: Any) -> Any:
    """Return the dtype of a Python or NumPy scalar, as python-graphblas sees it.

    Examples
    --------
    >>> scalar_dtype(True).name, scalar_dtype(3).name, scalar_dtype(0.5).name
    ('BOOL', 'INT64', 'FP64')
    """
    try:
        return lookup_dtype(type(value), value)
    except (TypeError, ValueError) as error:
        raise DomainMismatch(f"{value!r} is not a scalar") from error


def register(*classes: type) -> None:
    """Let python-graphblas's operators be called on objects of these classes.

    Each has ``ndim``: 0 for a scalar, 1 for a vector, 2 for a matrix. Classes of expressions that
    can be operands are registered too.
    """
    for cls in classes:
        core_utils._output_types[cls] = CLASS_OF_NDIM[cls.ndim]  # type: ignore[attr-defined]


def register_expression(cls: type) -> None:
    """Let operators be called on expressions of a class, which may have any number of dimensions.

    What operators ask for is whether an object has entries: that of a Matrix is the answer.
    """
    core_utils._output_types[cls] = Matrix


class Infix(InfixExprBase):
    """``left | right``, ``left & right`` or ``left @ right``, on which an operator is called.

    Parameters
    ----------
    left, right : object
        The operands.
    method_name : "ewise_add", "ewise_mult", "mxm", "mxv", "vxm" or "inner"
        Without an operator the expression is ``left.method_name(right)``.
    """

    __slots__ = ("method_name",)

    def __init__(self, left: Any, right: Any, method_name: str) -> None:
        super().__init__(left, right)
        self.method_name = method_name

    def __repr__(self) -> str:
        sign = {"ewise_add": "|", "ewise_mult": "&"}.get(self.method_name, "@")
        return f"{type(self.left).__name__} {sign} {type(self.right).__name__}"

    _repr_html_ = None


class Expression(BaseExpression):
    """An expression as ``graphblas.select.value(v < 3)`` and its like take one apart.

    ``args`` are the operand and the scalar, ``op`` is the typed operator.
    """

    __slots__ = ()
    dtype: Any
    op: Any
    operands: tuple[Any, ...]
    scalar: Any = None

    def __init_subclass__(cls) -> None:
        register_expression(cls)

    @property
    def args(self) -> tuple[Any, ...]:
        """The operands, and the scalar."""
        return (*self.operands, self.scalar)

    @property
    def output_type(self) -> Any:
        """Read by objects of engine 'cpu' that are given the expression."""
        raise EngineMismatch(
            "an expression of engine 'cuda' was given to an object of engine 'cpu': "
            "graphla.cuda.to_graphblas(x.new()) copies it there"
        )


def common_operator(op: Any, typed_x_right: Any, typed_left_y: Any) -> Any:
    """Return `op` typed for the operands of two typed operators: of (x, right) and of (left, y)."""
    if typed_x_right is typed_left_y:
        return typed_x_right
    first = unify(typed_x_right.type, typed_left_y.type, is_right_scalar=True)
    second = unify(typed_x_right.type2, typed_left_y.type2, is_left_scalar=True)
    return resolve(op, "binary", first, second)


# ---- options, errors, Scalars

ERRORS = {  # python-graphblas's exceptions, and Python's that it raises: graphla's
    exceptions.DimensionMismatch: DimensionMismatch,
    exceptions.DomainMismatch: DomainMismatch,
    exceptions.EmptyObject: EmptyObject,
    exceptions.IndexOutOfBound: InvalidIndex,
    exceptions.InvalidIndex: InvalidIndex,
    exceptions.InvalidObject: InvalidValue,
    exceptions.InvalidValue: InvalidValue,
    exceptions.NotImplementedException: NotSupported,
    exceptions.OutOfMemory: OutOfMemory,
    exceptions.OutputNotEmpty: OutputNotEmpty,
    exceptions.UdfParseError: DomainMismatch,
    IndexError: InvalidIndex,
    KeyError: DomainMismatch,
    OverflowError: InvalidValue,
    TypeError: DomainMismatch,
    ValueError: InvalidValue,
}


@contextmanager
def translated_errors() -> Iterator[None]:
    """Raise graphla's exceptions in the place of python-graphblas's."""
    try:
        yield
    except GraphlaError:
        raise
    except tuple(ERRORS) as error:
        found = next(ERRORS[cls] for cls in type(error).__mro__ if cls in ERRORS)
        raise found(str(error)) from error


def check_options(options: dict[str, Any]) -> None:
    """Refuse options that python-graphblas does not have; of those that it has, none is needed."""
    if options:
        with translated_errors():
            lookup_descriptor(**options)


AXB_METHODS = frozenset(("gustavson", "dot", "hash", "saxpy", "default"))  # of products


def _on_host(x: Any, value: Any = None) -> Any:
    """Return a Scalar of this engine as python-graphblas's, of a given value or its own."""
    if not getattr(type(x), "_has_signs", False):
        return x
    if x.shape:
        raise DomainMismatch(f"a Scalar is expected, or a number, not {x!r}")
    return Scalar.from_value(x.value if value is None else value, x.dtype)


def scalar_call(method: str, *arguments: Any, **keywords: Any) -> Any:
    """Call a method of python-graphblas's Scalars with the values of this engine's."""
    with translated_errors():
        first, *others = map(_on_host, arguments)
        return getattr(first, method)(*others, **keywords)


def scalar_signature(operation: str, *arguments: Any, **keywords: Any) -> tuple[Any, Any]:
    """Return the dtype and the operator of an operation of Scalars, without reading a value."""
    with translated_errors():
        first, *others = (_on_host(x, 1) for x in arguments)
        keywords = {key: _on_host(x, 1) for key, x in keywords.items()}
        expression = getattr(first, operation)(*others, **keywords)
        return expression.dtype, expression.op


def scalar_result(operation: str, *arguments: Any, **keywords: Any) -> tuple[Any, Any]:
    """Return the value of an operation of Scalars, None without one, and its dtype."""
    with translated_errors():
        first, *others = map(_on_host, arguments)
        keywords = {key: _on_host(x) for key, x in keywords.items()}
        found = getattr(first, operation)(*others, **keywords).new()
        return found.value, found.dtype


# ---- aggregators


class Aggregator(NamedTuple):
    """An aggregator for operands of one dtype.

    Attributes
    ----------
    name : str
    dtype : dtype
        Of the result.
    monoid, semiring : typed operator or None
        What it reduces with; a semiring has the number `initial` as its right operand, or, if
        `is_switched`, as its left one.
    composite : tuple of Aggregator
        Those that `finalize` combines.
    finalize : callable or None
        Maps results, Vectors, to an expression.
    is_custom : bool
        Whether it has a recipe of its own.
    """

    name: str
    dtype: Any
    monoid: Any = None
    semiring: Any = None
    initial: Any = None
    is_switched: bool = False
    composite: tuple[Aggregator, ...] = ()
    finalize: Any = None
    is_custom: bool = False

    def leaves(self) -> list[Aggregator]:
        """Return the aggregators that reduce: those that it combines, or itself."""
        return [leaf for part in self.composite for leaf in part.leaves()] or [self]


def is_aggregator(op: Any) -> bool:
    """Whether op is an aggregator, typed or not, or the name of one and of no operator."""
    if type(op) is str and kind_of(op) is None:
        try:
            op = aggregator_from_string(op)
        except ValueError:
            return False
    return getattr(op, "opclass", None) == "Aggregator"


def aggregator(op: Any, dtype: Any) -> Aggregator:
    """Return the parts of an aggregator for operands of a dtype."""
    try:
        typed = get_typed_op(op, lookup_dtype(dtype), kind="binary|aggregator")
    except REFUSALS as error:
        raise DomainMismatch(f"no aggregator {op!r} for {dtype.name}: {error}") from error
    parent, of, found = typed.parent, typed.type, typed.return_type
    if parent._custom is not None:
        return Aggregator(parent.name, found, is_custom=True)
    if parent._monoid is not None:
        return Aggregator(parent.name, found, resolve(parent._monoid, "monoid", of))
    if parent._composite is not None:
        parts = tuple(aggregator(part[of], of) for part in parent._composite)

        def finalize(*results: Any) -> Any:
            return parent._finalize(*results, {})

        return Aggregator(parent.name, found, composite=parts, finalize=finalize)
    parent.types  # looks semirings up that are given by name
    semiring = resolve(parent._semiring, "semiring", of, parent._initdtype)
    last = parent._finalize and parent._finalize[semiring.return_type]
    return Aggregator(
        parent.name, found, None, semiring, parent._initval, parent._switch, finalize=last
    )


def identity(op: Any) -> Any:
    """Return the identity of a typed monoid."""
    return op.identity


def chunk_lengths(chunks: Any, shape: tuple[int, ...]) -> list[list[int]]:
    """Return the lengths of the parts of each dimension, as ``ss.split`` takes them."""
    with translated_errors():
        found: list[list[int]] = core_utils.normalize_chunks(chunks, shape)
    for lengths, size in zip(found, shape, strict=True):
        if sum(lengths) != size:
            raise DimensionMismatch(f"chunks of {lengths} for a dimension of {size}")
    return found


def has_ss(name: str) -> bool:
    """Whether ``v.ss`` or ``A.ss`` of python-graphblas has an attribute."""
    return any(hasattr(cls.ss, name) for cls in (Matrix, Vector))
