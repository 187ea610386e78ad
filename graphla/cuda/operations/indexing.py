"""Indexing: ``x[keys]`` as an operand, and as a place to assign to.

``x[keys](mask, accum, replace) << value`` is GraphBLAS's subassign, its mask being of the
region's shape and nothing outside of the region changing; ``x(mask, accum, replace)[keys] <<
value`` is its assign, the mask being of the shape of x (or of the one row or column), with
`replace` deleting outside of the region too.

Of an index that an assignment names twice, one of the values is taken, whichever it may be.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.cuda.expressions import execute
from graphla.cuda.expressions.arguments import on_device
from graphla.cuda.expressions.expression import OUTPUTS, Expression
from graphla.cuda.expressions.index_keys import axes
from graphla.cuda.expressions.mask import Mask, output_options
from graphla.cuda.expressions.operator_arguments import number, scalar
from graphla.cuda.expressions.scalar import Scalar, typed
from graphla.cuda.expressions.update import Fill, to_expression
from graphla.cuda.operations import convert_values
from graphla.cuda.operations.assign_extract import (
    Axes,
    extract,
    find,
    is_whole,
    shape_of,
    subassign,
)
from graphla.cuda.operators.elementwise_formula import Combine
from graphla.cuda.runtime.device import device
from graphla.errors import DimensionMismatch, DomainMismatch


class Indexed(Expression):
    """``x[keys]``, not computed; what else is asked of it, its value answers."""

    __slots__ = ("axes",)

    def __init__(self, x: Any, where: Axes) -> None:
        super().__init__("extract", shape_of(where), x.dtype, None, (x,))
        self.axes = where

    def run(self, C: Any, mask: Any = None, accum: Any = None, replace: bool = False) -> None:
        """Compute C<mask, accum, replace> = x[keys]."""
        deliver(C, extract(self.operands[0], self.axes), self.dtype, mask, accum, replace)

    @execute.refusing
    def new(self, dtype: Any = None, *, mask: Any = None, name: str | None = None) -> Any:
        """Return x[keys] as a Scalar, a Vector or a Matrix."""
        if self.shape or mask is not None:
            return super().new(dtype, mask=mask, name=name)
        found = find(self.operands[0], self.axes)
        return found if dtype is None else found.new(dtype)

    def __call__(
        self, *arguments: Any, mask: Any = None, accum: Any = None, replace: bool = False
    ) -> Assignment:
        return Assignment(self, subassign, arguments, mask, accum, replace)

    def __lshift__(self, value: Any) -> None:
        Assignment(self, subassign, (), None, None, False) << value

    update = __lshift__


class Assignment:
    """``x[keys](mask, accum, replace)`` or ``x(mask, accum, replace)[keys]``, to be assigned to."""

    __slots__ = ("accum", "how", "mask", "replace", "where")

    def __init__(
        self, where: Indexed, how: Any, arguments: Any, mask: Any, accum: Any, replace: bool
    ) -> None:
        x = where.operands[0]
        if not hasattr(x, "_keep"):
            raise DomainMismatch(f"{type(x).__name__} cannot be assigned to")
        mask, accum, self.replace = output_options(arguments, mask, accum, replace)
        on_device("assign", mask)
        if mask is not None and not isinstance(mask, Mask):
            raise DomainMismatch(f"a mask is x.S, x.V or ~ of those; got {mask!r}")
        self.where, self.how, self.mask = where, how, mask
        self.accum = x._accum(accum)

    def __lshift__(self, value: Any) -> None:
        x, where = self.where.operands[0], self.where.axes
        if not self.where.shape:
            if self.mask is not None and self.how is subassign:
                raise DomainMismatch("a single element takes no mask of its own")
            where = tuple(axis._replace(single=False) for axis in where)
        value = operand(value, shape_of(where))
        name = "subassign" if self.how is subassign and self.mask is not None else "assign"
        operands = () if isinstance(value, np.generic) else (value,)
        e = Expression(name, None, x.dtype, self.accum, operands)
        execute.one_device(e, x, self.mask and self.mask.parent)
        execute.run(e, x, self.mask, lambda: self._assign(x, where, value), not self.where.shape)

    update = __lshift__

    def _assign(self, x: Any, where: Axes, value: Any) -> None:
        if is_whole(where):
            x(mask=self.mask, accum=self.accum, replace=self.replace) << value
        else:
            self.how(x, where, value, self.mask, self.accum, self.replace)


def of(x: Any, keys: Any) -> Indexed:
    """Return ``x[keys]``; a Vector's keys are a tuple of one."""
    keys = keys[0] if x.ndim == 1 and keys[0] is Ellipsis else keys
    return Indexed(x, axes(keys, x.shape))


@execute.refusing
def put(v: Any, i: int, value: Any) -> None:
    """v[i] << value, a Python number, of a Vector: by one launch but into a list of entries."""
    store, size = v._store, v.size
    if (store.form == "sparse" and store.max_nvals) or not -size <= i < size:
        of(v, (i,)) << value
    elif store.form == "sparse":
        make = convert_values.entry if v._keep in (None, "sparse") else convert_values.first
        v._store = make(size, i % size, number(value), v.dtype)
    else:
        convert_values.put(store, i % size, number(value))


def remove(x: Any, keys: Any) -> None:
    """Delete the entries at keys."""
    of(x, keys) << Scalar(x.dtype)


def deliver(C: Any, store: Any, dtype: Any, mask: Any, accum: Any, replace: bool) -> None:
    """Compute C<mask, accum, replace> = the entries of a store that nobody else has."""
    if mask is None and accum is None and C.dtype.np_type == store.values.dtype:
        C._store = store
        C._settle()
        return
    T = OUTPUTS[C.ndim](dtype, *C.shape)
    T._store = store
    T._settle()
    C._elementwise(Combine("Same", None, dtype), (T,), None, mask, accum, replace)


# ---- what is assigned


def operand(value: Any, shape: tuple[int, ...]) -> Any:
    """Return a value as an object of a region's shape, or as a NumPy scalar for all of it."""
    if isinstance(value, (int, float, np.bool_, np.number)):
        return typed(scalar(value))
    on_device("assign", value)
    if device.is_array(value) and value.ndim == 0:
        value = value.dtype.type(device.read_scalar(value))
    elif isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    elif isinstance(value, (list, np.ndarray)) or device.is_array(value):
        value = OUTPUTS[len(shape)].from_dense(device.xp.asarray(value))
    if not isinstance(value, Expression) and not hasattr(value, "_store"):
        value = to_expression(value)
    if isinstance(value, Fill):
        value = value.scalar
    elif value.shape == ():
        value = value.new()
    if hasattr(value, "value") and value.shape == ():
        return OUTPUTS[len(shape)](value.dtype, *shape) if value.value is None else typed(value)
    if value.shape != shape:
        raise DimensionMismatch(f"a value of {value.shape} into a region of {shape}")
    if isinstance(value, Expression):
        return value.new()
    return value._matrix() if value.ndim == 2 else value
