"""``x[keys]`` as an operand, and as a place to assign to.

``x[keys](mask, accum, replace) << value`` is GraphBLAS's subassign: the mask has the shape of the
region, and nothing outside of it changes. ``x(mask, accum, replace)[keys] << value`` is its assign:
the mask has the shape of x, or of the one row or column, and `replace` deletes entries outside of
the region, too. If keys name an index twice, it is not specified which of its values is assigned.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from graphla.cuda.expressions.arguments import on_device, to_scalar
from graphla.cuda.expressions.index_keys import Axis, axes
from graphla.cuda.expressions.scalar import Scalar, typed
from graphla.cuda.expressions.statement import (
    OUTPUTS,
    Expression,
    Fill,
    Mask,
    as_mask,
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
    extracted,
    is_whole,
    shape_of,
    subassign,
)
from graphla.cuda.operators import graphblas_bridge
from graphla.cuda.runtime.device import device
from graphla.errors import DimensionMismatch, DomainMismatch, InvalidValue


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
    def new(
        self, dtype: Any = None, *, mask: Any = None, input_mask: Any = None,
        name: str | None = None, is_cscalar: bool | None = None, **options: Any,
    ) -> Any:  # fmt: skip
        """Return x[keys] as a Scalar, a Vector or a Matrix.

        `input_mask` has the shape of x; entries outside of it are left out.
        """
        if options:
            graphblas_bridge.check_options(options)
        if input_mask is not None:
            if mask is not None:
                raise DomainMismatch("give mask or input_mask, not both")
            if not self.shape:
                raise InvalidValue("an entry has no input_mask")
            mask = self.mask_of_input(input_mask)
        if self.shape or mask is not None:
            return super().new(dtype, mask=mask, name=name)
        element = extract_element(self.operands[0], self.axes)
        if dtype is None and name is is_cscalar is None:
            return element
        return element.dup(dtype, name=name, is_cscalar=is_cscalar)

    def mask_of_input(self, mask: Any) -> Mask:
        """Return the mask of the result for one of x, or of the one row or column."""
        x, mask, axes = self.operands[0], as_mask(mask), self.axes
        of = mask.parent
        if of.ndim < x.ndim:
            line = tuple(axis for axis in axes if not axis.single)
            if len(line) == len(axes):
                raise DomainMismatch("a Vector as input_mask needs a single row or column")
            if of.size != line[0].size:
                raise InvalidValue(f"an input_mask of {of.size} for a line of {line[0].size}")
            axes = line
        elif of.ndim > x.ndim:
            raise DomainMismatch(f"an input_mask of {of.shape} for a Vector")
        elif of.shape != x.shape:
            raise InvalidValue(f"an input_mask of {of.shape} for an operand of {x.shape}")
        return Mask(extracted(of, axes), mask.structure, mask.complement)

    @property
    def resolved_indexes(self) -> ResolvedIndexes:
        """The keys, as :class:`ResolvedIndexes`."""
        return ResolvedIndexes(self.axes)

    def __call__(
        self, *arguments: Any, mask: Any = None, accum: Any = None, replace: bool = False,
        **options: Any,
    ) -> Assignment:  # fmt: skip
        if options:
            graphblas_bridge.check_options(options)
        return Assignment(self, subassign, arguments, mask, accum, replace)

    def __lshift__(self, value: Any) -> None:
        Assignment(self, subassign, (), None, None, False) << value

    def update(self, value: Any, **options: Any) -> None:
        """Do the same as ``x[keys] << value``."""
        if options:
            graphblas_bridge.check_options(options)
        self << value


class ResolvedIndexes(NamedTuple):
    """The keys of ``x[keys]``: one axis for each dimension."""

    indices: Axes

    @property
    def is_single_element(self) -> bool:
        """Whether each key is a number."""
        return all(axis.single for axis in self.indices)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the region."""
        return shape_of(self.indices)

    @property
    def py_indices(self) -> Any:
        """The keys as numbers, slices and arrays, which index again."""
        keys = tuple(map(_python_key, self.indices))
        return keys[0] if len(keys) == 1 else keys


def _python_key(axis: Axis) -> Any:
    """Return an axis as a number, a slice as short as python-graphblas's, or an array."""
    if axis.single:
        return axis.start
    if axis.array is not None:
        return axis.array
    size, start, step = axis.size, axis.start, axis.step
    if not axis.length:
        return slice(max(1, start), 1)
    stop = start + axis.length * step
    if step > 0:
        step_or_none = None if step == 1 else step
        return slice(start or None, None if stop >= size else stop, step_or_none)
    first = None if start == size - 1 else start
    return slice(first, None if stop < 0 else stop - size, step)


class InputMasked:
    """``x(input_mask=m)``: the left side of ``<<`` for ``y[keys]`` and a mask of the shape of y."""

    __slots__ = ("input_mask", "options", "out")

    def __init__(
        self, out: Any, input_mask: Any, arguments: Any, mask: Any, accum: Any, replace: bool
    ) -> None:
        self.out, self.input_mask = out, as_mask(input_mask)
        mask, accum, replace = output_options(arguments, mask, accum, False)
        if mask is not None:
            raise DomainMismatch("give mask or input_mask, not both")
        self.options = {"accum": accum, "replace": replace}

    @translate_out_of_memory
    def __lshift__(self, value: Any) -> None:
        if not isinstance(value, Indexed):
            raise DomainMismatch("input_mask is for x[keys] on the right side")
        self.out(mask=value.mask_of_input(self.input_mask), **self.options) << value

    update = __lshift__

    def __getitem__(self, keys: Any) -> Any:
        raise DomainMismatch("input_mask is for x[keys] on the right side")

    def __setitem__(self, keys: Any, value: Any) -> None:
        self[keys]


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
        mask = None if mask is None else as_mask(mask)
        self.target, self.function, self.mask = target, function, mask
        self.accum = x._accum(accum)

    def __lshift__(self, value: Any) -> None:
        x, region = self.target.operands[0], self.target.axes
        is_element, is_subassign = not self.target.shape, self.function is subassign
        if self.mask is not None:
            of, line = self.mask.parent.ndim, len(self.target.shape)
            if of != line if is_subassign else of > x.ndim:
                raise DomainMismatch(
                    f"a mask of {self.mask.parent.shape} for a region of {self.target.shape}"
                )
        if is_element:
            if self.mask is not None and is_subassign:
                raise DomainMismatch("the assignment of a single element cannot have its own mask")
            region = tuple(axis._replace(single=False) for axis in region)
        value = _assigned_value(value, shape_of(region), is_element)
        name = "subassign" if is_subassign and self.mask is not None else "assign"
        operands = () if isinstance(value, np.generic) else (value,)
        e = Expression(name, None, x.dtype, self.accum, operands)
        require_same_device(e, x, None if self.mask is None else self.mask.parent)
        evaluate(e, x, self.mask, lambda: self._assign(x, region, value), is_element)

    update = __lshift__

    def __bool__(self) -> bool:
        raise DomainMismatch("the truth value of an assignment is not defined")

    def __eq__(self, other: object) -> Any:
        raise DomainMismatch("== of assignments is not defined")

    __hash__ = object.__hash__

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


def entry(x: Any, keys: Any, error: type[Exception] = DomainMismatch) -> Scalar:
    """Return the entry at a position; keys that are no numbers raise `error`."""
    found = index(x, keys)
    if found.shape:
        raise error(f"the index of an entry is a number for each dimension; got {keys!r}")
    element: Scalar = found.new()
    return element


def delete(x: Any, keys: Any) -> None:
    """Delete the entries at keys."""
    index(x, keys) << Scalar(x.dtype)


def _assigned_value(value: Any, shape: tuple[int, ...], is_element: bool = False) -> Any:
    """Return a value as an object of a region's shape, or as a NumPy scalar for all of it."""
    if isinstance(value, (int, float, np.bool_, np.number)):
        return typed(to_scalar(value))
    on_device("assign", value)
    if device.is_array(value) and value.ndim == 0:
        value = value.dtype.type(device.read_scalar(value))
    elif isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    elif isinstance(value, (list, np.ndarray)) or device.is_array(value):
        if is_element:
            raise DomainMismatch("an entry is assigned one number")
        array = value if device.is_array(value) else np.asarray(value)
        if array.dtype == object:
            raise DomainMismatch("the values that are assigned are not all numbers")
        value = OUTPUTS[len(shape)].from_dense(device.xp.asarray(array))
    if not isinstance(value, Expression) and not hasattr(value, "_store"):
        value = to_expression(value)
    if isinstance(value, Fill):
        value = value.scalar
    elif value.shape == ():
        value = value.new()
    if value.shape == () and hasattr(value, "value"):
        return OUTPUTS[len(shape)](value.dtype, *shape) if value.value is None else typed(value)
    if value.shape != shape:
        is_other_kind = is_element or len(value.shape) != len(shape)
        error = DomainMismatch if is_other_kind else DimensionMismatch
        raise error(f"a value of {value.shape} into a region of {shape}")
    if isinstance(value, Expression):
        return value.new()
    return value._matrix() if value.ndim == 2 else value
