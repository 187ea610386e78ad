"""``x[keys]`` as an operand, and as a place to assign to.

``x[keys](mask, accum, replace) << value`` is GraphBLAS's subassign: the mask has the shape of the
region, and nothing outside of it changes. ``x(mask, accum, replace)[keys] << value`` is its assign:
the mask has the shape of x, or of the one row or column, and `replace` deletes entries outside of
the region, too. If keys name an index twice, it is not specified which of its values is assigned.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.cuda.expressions.arguments import on_device, to_scalar
from graphla.cuda.expressions.index_keys import axes
from graphla.cuda.expressions.scalar import Scalar, typed
from graphla.cuda.expressions.statement import (
    OUTPUTS,
    Expression,
    Fill,
    Mask,
    evaluate,
    output_options,
    require_same_device,
    to_expression,
    translate_out_of_memory,
)
from graphla.cuda.operations.assign_extract import (
    Axes,
    assign_store,
    extract,
    extract_element,
    is_whole,
    shape_of,
    subassign,
)
from graphla.cuda.runtime.device import device
from graphla.errors import DimensionMismatch, DomainMismatch


class Indexed(Expression):
    """``x[keys]``, not computed yet."""

    __slots__ = ("axes",)

    def __init__(self, x: Any, region: Axes) -> None:
        super().__init__("extract", shape_of(region), x.dtype, None, (x,))
        self.axes = region

    def run(self, C: Any, mask: Any = None, accum: Any = None, replace: bool = False) -> None:
        """Compute C<mask, accum, replace> = x[keys]."""
        store = extract(self.operands[0], self.axes)
        assign_store(C, store, self.dtype, mask, accum, replace)

    @translate_out_of_memory
    def new(self, dtype: Any = None, *, mask: Any = None, name: str | None = None) -> Any:
        """Return x[keys] as a Scalar, a Vector or a Matrix."""
        if self.shape or mask is not None:
            return super().new(dtype, mask=mask, name=name)
        element = extract_element(self.operands[0], self.axes)
        return element if dtype is None else element.new(dtype)

    def __call__(
        self, *arguments: Any, mask: Any = None, accum: Any = None, replace: bool = False
    ) -> Assignment:
        return Assignment(self, subassign, arguments, mask, accum, replace)

    def __lshift__(self, value: Any) -> None:
        Assignment(self, subassign, (), None, None, False) << value

    update = __lshift__


class Assignment:
    """The left side of ``x[keys](mask, accum, replace) << value``, or of an assign.

    `function` is :func:`subassign` or :func:`assign`, which differ in the shape of the mask.
    """

    __slots__ = ("accum", "function", "mask", "replace", "target")

    def __init__(
        self, target: Indexed, function: Any, arguments: Any, mask: Any, accum: Any, replace: bool
    ) -> None:
        x = target.operands[0]
        if not hasattr(x, "_storage_hint"):
            raise DomainMismatch(f"{type(x).__name__} cannot be assigned to")
        mask, accum, self.replace = output_options(arguments, mask, accum, replace)
        on_device("assign", mask)
        if mask is not None and not isinstance(mask, Mask):
            raise DomainMismatch(f"a mask is x.S, x.V or ~ of those; got {mask!r}")
        self.target, self.function, self.mask = target, function, mask
        self.accum = x._accum(accum)

    def __lshift__(self, value: Any) -> None:
        x, region = self.target.operands[0], self.target.axes
        is_element, is_subassign = not self.target.shape, self.function is subassign
        if is_element:
            if self.mask is not None and is_subassign:
                raise DomainMismatch("the assignment of a single element cannot have its own mask")
            region = tuple(axis._replace(single=False) for axis in region)
        value = _assigned_value(value, shape_of(region))
        name = "subassign" if is_subassign and self.mask is not None else "assign"
        operands = () if isinstance(value, np.generic) else (value,)
        e = Expression(name, None, x.dtype, self.accum, operands)
        require_same_device(e, x, self.mask and self.mask.parent)
        evaluate(e, x, self.mask, lambda: self._assign(x, region, value), is_element)

    update = __lshift__

    def _assign(self, x: Any, region: Axes, value: Any) -> None:
        if is_whole(region):
            x(mask=self.mask, accum=self.accum, replace=self.replace) << value
        else:
            self.function(x, region, value, self.mask, self.accum, self.replace)


@translate_out_of_memory
def index(x: Any, keys: Any) -> Indexed:
    """Return ``x[keys]``; a Vector's keys are a tuple of one."""
    keys = keys[0] if x.ndim == 1 and keys[0] is Ellipsis else keys
    return Indexed(x, axes(keys, x.shape))


def delete(x: Any, keys: Any) -> None:
    """Delete the entries at keys."""
    index(x, keys) << Scalar(x.dtype)


def _assigned_value(value: Any, shape: tuple[int, ...]) -> Any:
    """Return a value as an object of a region's shape, or as a NumPy scalar for all of it."""
    if isinstance(value, (int, float, np.bool_, np.number)):
        return typed(to_scalar(value))
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
