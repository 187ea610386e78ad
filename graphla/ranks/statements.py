"""Statements ``C(mask, accum, replace) << expression`` on distributed objects.

Every rank evaluates the same statement on its blocks, which are objects of python-graphblas or of
the CUDA engine; an operation gathers or exchanges what its block needs from other ranks. So masks,
accumulators and `replace` are those of that engine.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import graphblas
import numpy as np
from graphblas.core.expr import InfixExprBase

from graphla.errors import DimensionMismatch, DomainMismatch, EngineMismatch, NotSupported

if TYPE_CHECKING:
    from graphla.ranks.layout import Layout

PRODUCTS = {(2, 2): "mxm", (2, 1): "mxv", (1, 2): "vxm", (1, 1): "inner"}


class Lazy:
    """An expression as an operand, or one of whose result an attribute is read: it is evaluated."""

    __slots__ = ()
    _engine = "ranks"
    new: Callable[..., Any]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.new(), name)

    def __or__(self, other: Any) -> Any:
        return self.new() | other

    def __and__(self, other: Any) -> Any:
        return self.new() & other

    def __matmul__(self, other: Any) -> Any:
        return self.new() @ other


class Product(NamedTuple):
    """The operands of A u, or, if `flip`, of u' A, and the operator that was given."""

    A: Any
    u: Any
    op: Any
    flip: bool


class RedistributedRows(NamedTuple):
    """This rank's rows of a result whose layout is not that of the operands.

    `in_operand_layout` returns the rows of this rank in the layout of the operands.
    """

    block: Any
    layout: Any
    in_operand_layout: Callable[[], Any]


class Expression(Lazy):
    """An operation whose result is a Vector or a Matrix.

    Parameters
    ----------
    layout : Layout
    name : str
        Name of the operation.
    shape : tuple of int
        Of the result.
    evaluate : function
        Takes the axis along which the result is cut, and returns the block of this rank: an
        expression of python-graphblas, or a new object, which nothing else uses. Called by all
        ranks together.
    axis : int or function, default 0
        The axis along which a new object is cut; a function that returns it is called by all ranks
        together.
    evaluate_masked : function, optional
        The same of the axis, a mask and the options of an update, for operations that are faster
        if they know the mask. It may also return :class:`RedistributedRows`, without the places
        outside of the mask.
    product : Product, optional
        Of a matrix and a vector.
    op : operator, optional
        If there is one; compared between the ranks with ``check_calls``.
    """

    __slots__ = ("_axis", "evaluate", "evaluate_masked", "layout", "name", "op", "product", "shape")

    def __init__(
        self,
        layout: Layout,
        name: str,
        shape: tuple[int, ...],
        evaluate: Callable[[int], Any],
        axis: int | Callable[[], int] = 0,
        evaluate_masked: Callable[[int, Any, Any], Any] | None = None,
        product: Product | None = None,
        op: Any = None,
    ) -> None:
        self.layout, self.name, self.shape = layout, name, shape
        self.evaluate, self._axis = evaluate, axis
        self.evaluate_masked, self.product = evaluate_masked, product
        self.op = op if product is None else product.op

    @property
    def ndim(self) -> int:
        """Number of dimensions of the result."""
        return len(self.shape)

    def new(
        self, dtype: Any = None, *, mask: Any = None, name: str | None = None, **options: Any
    ) -> Any:
        """Return the result as a new Vector or Matrix; `options` are python-graphblas's."""
        check_mask(mask, self.shape)

        def work() -> Any:
            axis = self._axis() if callable(self._axis) else self._axis
            local_mask = None if mask is None else mask.local(axis, self.layout)
            local = self.local(axis, mask, options)
            if hasattr(local, "new"):
                return axis, local.new(dtype, mask=local_mask, **options)
            if dtype is local_mask is None:
                return axis, local
            return axis, local.dup(dtype, mask=local_mask, **options)

        axis, block = self.layout.communicator.guarded(self._call(), work)
        return OUTPUTS[self.ndim]._of(self.layout, block, self.shape, axis)

    def dup(
        self, dtype: Any = None, *, clear: bool = False, mask: Any = None, **options: Any
    ) -> Any:
        """Return the result of :meth:`new`, or with `clear` an empty object of its shape."""
        return self.new(dtype, mask=mask, **options).dup(clear=clear)

    def local(self, axis: int, mask: Any = None, options: Any = None) -> Any:
        """Return this rank's block of the result; places outside of the mask may be left out."""
        local = self.local_or_redistributed(axis, mask, options)
        if isinstance(local, RedistributedRows):
            return local.in_operand_layout()
        return local

    def local_or_redistributed(self, axis: int, mask: Any, options: Any) -> Any:
        """Return the same, or :class:`RedistributedRows`."""
        if mask is not None and self.evaluate_masked is not None:
            return self.evaluate_masked(axis, mask, options or {})
        return self.evaluate(axis)

    def _call(self) -> str:
        return name_of_call(self.name, self.shape, self.op)

    def __repr__(self) -> str:
        shape = "x".join(map(str, self.shape))
        return f"<{self.name}: {shape}, distributed, not computed; .new() computes it>"


class ScalarExpression(Lazy):
    """An operation whose result is one value: the same Scalar of python-graphblas on every rank.

    Parameters
    ----------
    layout : Layout
    name : str
    reduce : function
        Returns the Scalar of python-graphblas that the ranks agree on.
    """

    __slots__ = ("layout", "name", "reduce")
    ndim = 0
    shape = ()

    def __init__(self, layout: Layout, name: str, reduce: Callable[[], Any]) -> None:
        self.layout, self.name, self.reduce = layout, name, reduce

    def new(self, dtype: Any = None, *, name: str | None = None, **options: Any) -> Any:
        """Return the value as a Scalar of python-graphblas."""
        scalar = self.layout.communicator.guarded(self.name, self.reduce)
        return scalar if dtype is None else scalar.dup(dtype)

    def __repr__(self) -> str:
        return f"<{self.name}: one value, distributed, not computed; .new() computes it>"


class Infix(Lazy, InfixExprBase):
    """``x | y``, ``x & y`` or ``A @ B``, on which an operator of python-graphblas is called."""

    __slots__ = ("method_name", "shape")

    def __init__(self, left: Any, right: Any, method_name: str, shape: tuple[int, ...]) -> None:
        InfixExprBase.__init__(self, left, right)
        self.method_name, self.shape = method_name, shape

    def new(self, dtype: Any = None, *, mask: Any = None, **options: Any) -> Any:
        """Refuse: an infix expression has no operator of its own here."""
        raise NotSupported(f"{self!r} needs an operator, such as plus_times({self!r})")

    def __repr__(self) -> str:
        sign = {"ewise_add": "|", "ewise_mult": "&"}.get(self.method_name, "@")
        return f"{type(self.left).__name__} {sign} {type(self.right).__name__}"

    _repr_html_ = None


class AbsentMethod(NotSupported, AttributeError):
    """A method of python-graphblas's objects that distributed ones do not have."""


class Operand:
    """An object that python-graphblas's operators can be called on: ``op(x | y)``."""

    __slots__ = ()
    _engine = "ranks"
    layout: Layout
    shape: tuple[int, ...]
    ndim: int
    dtype: Any

    def __or__(self, other: Any) -> Infix:
        return Infix(self, other, "ewise_add", self.shape)

    def __and__(self, other: Any) -> Infix:
        return Infix(self, other, "ewise_mult", self.shape)

    def __matmul__(self, other: Any) -> Infix:
        shape = self.shape[:-1] + other.shape[1:]
        return Infix(self, other, PRODUCTS[self.ndim, other.ndim], shape)

    def _refuse_sign(self, *operands: Any) -> Any:
        raise NotSupported(
            "signs of distributed objects are not supported: write op(x | y), op(x & y) or "
            "x.apply(op, right=1)"
        )

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse_sign
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _refuse_sign
    __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = _refuse_sign
    __pow__ = __rpow__ = __neg__ = __abs__ = _refuse_sign
    __hash__ = object.__hash__

    def __getattr__(self, name: str) -> Any:
        # the methods by which python-graphblas calls an operator on an infix expression
        method = name[1:]
        if name[:1] == "_" and method in (*PRODUCTS.values(), "ewise_add", "ewise_mult"):
            return lambda other, op, is_infix=True: getattr(self, method)(other, op)
        if name[:1] == "_":
            raise AttributeError(name)
        raise AbsentMethod(f"a distributed {type(self).__name__} has no {name!r}")

    def __reduce__(self) -> Any:
        raise NotSupported("a block is of one rank: x.gathered() is an object that can be pickled")

    def __bool__(self) -> bool:
        raise DomainMismatch(f"the truth of a distributed {type(self).__name__}: use x.nvals")

    def __iter__(self) -> Any:
        raise DomainMismatch("a loop over the entries of a distributed object: x.to_coo() has them")

    def __array__(self, *args: Any, **options: Any) -> Any:
        raise DomainMismatch("nothing is gathered silently: x.to_dense() gathers the values")


class Mask:
    """The structure (``v.S``) or the true values (``v.V``) of an object, or, by ``~``, the rest."""

    __slots__ = ("complement", "parent", "structure")

    def __init__(self, parent: Any, structure: bool, complement: bool = False) -> None:
        self.parent, self.structure, self.complement = parent, structure, complement

    def __invert__(self) -> Mask:
        return Mask(self.parent, self.structure, not self.complement)

    def local(self, axis: int, layout: Layout) -> Any:
        """Return the mask of this rank's block of an object that a layout cuts along an axis."""
        block = self.parent.cut_as(layout).local(axis)
        mask = block.S if self.structure else block.V
        return ~mask if self.complement else mask


class Update:
    """``C(mask, accum, replace)``: the left side of ``<<``."""

    __slots__ = ("accum", "mask", "options", "out", "replace")

    def __init__(
        self, out: Any, mask: Any, accum: Any, replace: bool, options: dict[str, Any]
    ) -> None:
        if mask is not None:
            check_mask(mask, out.shape)
        self.out, self.mask, self.accum, self.replace = out, mask, accum, replace
        self.options = options

    def __lshift__(self, value: Any) -> None:
        out = self.out
        if isinstance(value, Lazy) and not isinstance(value, Expression):
            value = value.new()
        if isinstance(value, (Expression, Operand)):
            if value.shape != out.shape:
                raise DimensionMismatch(f"a result of {value.shape} into {out.shape}")
            if value.layout is not out.layout:
                out.layout.require_same_ranks(value.layout, "update")
            name = getattr(value, "name", "assign")
        else:
            check_scalar(value)
            name = "fill"

        def work() -> None:
            local = value
            if isinstance(value, Expression):
                local = self._local_result(value)
                if isinstance(local, RedistributedRows):
                    out._set_redistributed(local)
                    return
                if not hasattr(local, "new") and self.is_plain:
                    out.layout.blocks.move(local, out.local(out.axis))
                    return
            elif isinstance(value, Operand):
                local = value.cut_as(out.layout).local(out.axis)
            block = out.local(out.axis)
            if self.mask is self.accum is None:
                local = out.layout.blocks.value_to_write(local, block)
            self.of_block(block) << local

        try:
            call = name_of_call(name, out.shape, getattr(value, "op", None))
            out.layout.communicator.guarded(call, work)
        finally:  # after an error of another rank this one's block has changed
            out._changed()

    update = __lshift__

    def _local_result(self, value: Expression) -> Any:
        """Return this rank's block of a result, or rows for an output without entries."""
        out, axis, layout = self.out, self.out.axis, self.out.layout
        if value.layout is not layout and not value.layout.cuts_as(layout, out.shape[axis]):
            return value.new().cut_as(layout).local(axis)
        found = value.local_or_redistributed(axis, self.mask, self.options)
        if isinstance(found, RedistributedRows) and not (
            self.accum is None and out._is_known_empty
        ):
            return found.in_operand_layout()
        return found

    @property
    def is_plain(self) -> bool:
        """Whether there is neither a mask nor an accumulator nor an option."""
        return self.mask is self.accum is None and not self.options

    def of_block(self, block: Any) -> Any:
        """Return the same left side for a block of C."""
        if self.is_plain:
            return block
        options = dict(self.options)
        if self.mask is not None:
            options |= {
                "mask": self.mask.local(self.out.axis, self.out.layout),
                "replace": self.replace,
            }
        return block(accum=self.accum, **options)

    def __getitem__(self, keys: Any) -> Any:
        return self.out._region(keys).with_update(self)

    def __setitem__(self, keys: Any, value: Any) -> None:
        self[keys] << value


OUTPUTS: dict[int, Any] = {}  # number of dimensions -> Vector, Matrix


def parse_update(
    out: Any, arguments: tuple[Any, ...], mask: Any, accum: Any, replace: bool, options: Any
) -> Update:
    """Return ``C(*arguments, mask=, accum=, replace=)``."""
    for argument in arguments:
        if hasattr(argument, "structure"):
            mask = argument
        elif argument is graphblas.replace:
            replace = True
        elif argument is not None:
            accum = argument
    if replace and mask is None:
        raise DomainMismatch("replace=True needs a mask")
    return Update(out, mask, accum, replace, options)


def plan(statements: list[tuple[Any, Any]]) -> Callable[..., None]:
    """Return a function that runs statements, fused on the blocks if their engine can do it."""
    updates = [(x if isinstance(x, Update) else x(), value) for x, value in statements]
    blocks = updates[0][0].out.layout.blocks
    fused: Callable[..., None] | None = blocks.plan_traversal(updates)
    if fused is not None:
        return fused

    def run(times: int = 1, continue_up_to: int = 0) -> None:
        for _ in range(times):
            for update, value in updates:
                update << value

    return run


@lru_cache(256)
def name_of_call(name: str, shape: tuple[int, ...], op: Any = None) -> str:
    """Return the name of a statement, by which ranks and errors identify it."""
    return f"{name} {shape}" if op is None else f"{name} {getattr(op, 'name', op)} {shape}"


def check_mask(mask: Any, shape: tuple[int, ...]) -> None:
    """Refuse a mask that is none, or of another shape."""
    if mask is None:
        return
    if not isinstance(mask, Mask):
        raise EngineMismatch(f"a mask is x.S, x.V or ~ of those of a distributed x; got {mask!r}")
    if mask.parent.shape != shape:
        raise DimensionMismatch(f"a mask of {mask.parent.shape} for a result of {shape}")


def check_scalar(value: Any) -> None:
    """Refuse what is neither a number nor a Scalar."""
    if (hasattr(value, "is_empty") and getattr(value, "ndim", None) == 0) or np.isscalar(value):
        return
    kind = type(value)
    if kind.__module__.startswith("graphblas"):
        raise EngineMismatch(
            f"a {kind.__name__} of engine 'cpu' into a distributed object; "
            "ranks.distribute(x) shares it out"
        )
    raise DomainMismatch(f"{kind.__name__} is neither a number nor a distributed object")


def operand(x: Any, ndim: int, operation: str) -> Any:
    """Return a Vector (1) or a Matrix, or its transpose (2); an expression is evaluated."""
    if isinstance(x, Lazy):
        x = x.new()
    if not isinstance(x, Operand):
        raise EngineMismatch(
            f"{operation} takes distributed objects, not {type(x).__module__}.{type(x).__name__}"
        )
    if x.ndim != ndim:
        raise DomainMismatch(f"{operation}: an object of {x.ndim} dimensions, not {ndim}")
    return x
