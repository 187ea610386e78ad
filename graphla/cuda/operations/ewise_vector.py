"""C<M, accum, replace> = combine(x, y, s) position by position, for vectors and flat matrices.

The formula is a template of elementwise_formula.cuh: apply, select, eWiseAdd, eWiseMult and the
assignment of a scalar. :func:`plan_elementwise` chooses the kernel; each kernel evaluates the
formula, the mask, the accumulator and `replace` in one pass:

- ewise_map_list: a new list with the keys of an operand's list; only values are written;
- ewise_filter_list: a new list of some entries of an operand's list;
- ewise_list_to_bitmap: the entries of a list are written or accumulated into C in place;
- ewise_bitmap_to_list: a new list of some entries of a bitmap or a full array;
- ewise_bitmap: everything else, over all positions, in place.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from graphla.cuda.expressions.arguments import to_scalar, typed_operator
from graphla.cuda.expressions.scalar import typed
from graphla.cuda.expressions.statement import Elementwise, Expression, Mask, probe
from graphla.cuda.memory.buffer_pool import PlanBuffers
from graphla.cuda.operations.definitions import (
    constants,
    mask_kind,
    mask_type,
    typedefs,
    update_definitions,
)
from graphla.cuda.operators import graphblas_bridge
from graphla.cuda.operators.elementwise_formula import FALSE, Formula, Plan
from graphla.cuda.runtime.device import device
from graphla.cuda.runtime.kernel import Kernel, kernel
from graphla.cuda.storage.vector_formats import (
    Dense,
    Sparse,
    bitmap_words,
    cuda_type,
    kernel_index_dtype,
    to_dense,
    to_sorted_list,
)


@cache
def _kernel(
    file: str,
    formula: Formula,
    swapped: bool,
    types: tuple[str, ...],
    mask: int,
    accum: Any,
    replace: bool,
    aligned: bool = False,
) -> Kernel:
    names = ("Index", "X", "Y", "S", "C", "Mask")
    text = typedefs(**dict(zip(names, types, strict=True))) + constants(ALIGNED=aligned)
    return kernel(
        file, text + update_definitions(mask, accum, replace) + formula.definitions(swapped)
    )


def plan_elementwise(
    C: Any,
    formula: Formula,
    operands: tuple[Any, ...],
    s: Any,
    mask: Mask | None,
    accum: Any,
    replace: bool,
) -> Plan:
    """Choose the kernel and return what computes C<mask, accum, replace> = combine(x, y, s).

    C and the operands x, y are Vectors, or Matrices stored as one; s is a Scalar. The plan
    may run many times: it reads them when it runs, and is valid while their formats stay the same.
    """
    replace = replace and mask is not None
    overwrites = accum is None and (mask is None or replace)  # no entry of the old C stays
    x, y = (*operands, None, None)[:2]
    listed, other_operand, swapped = _covering_list(formula, x, y, mask)
    if listed is not None and overwrites and C._storage_hint != "bitmap":
        if mask is None and formula.keeps_structure(other_operand):
            return _plan_map(C, formula, listed, other_operand, s, swapped)
        return _plan_filter(C, formula, listed, other_operand, s, mask, swapped)
    if listed is not None and (formula.template == "Constant" or accum is not None) and not replace:
        return _plan_scatter(C, formula, listed, other_operand, s, mask, accum, swapped)
    if overwrites and C._storage_hint == "sparse" and formula.template == "Select":
        return _plan_pick(C, formula, x, s, mask)
    return _plan_dense(C, formula, x, y, s, mask, accum, replace, overwrites)


def _is_list(x: Any) -> bool:
    return x is not None and isinstance(x._flat(), Sparse)


def _covering_list(formula: Formula, x: Any, y: Any, mask: Mask | None) -> tuple[Any, Any, bool]:
    """Return the object whose list has all entries of T, the other operand, and if they swap.

    T is the result before the update of C; the first is None if there is no such list.
    """
    if formula.template == "Constant":
        allowed = mask is not None and not mask.complement and _is_list(mask.parent)
        return mask.parent if allowed and mask is not None else None, None, False
    if formula.template == "Union":
        return None, None, False
    if formula.template == "Intersection" and _is_list(y):
        if not _is_list(x) or y._flat().max_nvals < x._flat().max_nvals:
            return y, x, True
        return x, y, False
    return (x, y, False) if _is_list(x) else (None, None, False)


def argument_types(C: Any, x: Any, y: Any, s: Any, mask: Mask | None) -> tuple[str, ...]:
    """Return the CUDA names of Index, X, Y, S, C and Mask."""
    dtypes = [np.bool_ if z is None else z.dtype for z in (x, y, s, C)]
    index = cuda_type(kernel_index_dtype(C._positions))
    return (
        index, *[cuda_type(getattr(dtype, "np_type", dtype)) for dtype in dtypes], mask_type(mask),
    )  # fmt: skip


def _plan_map(C: Any, formula: Formula, x: Any, y: Any, s: Any, swapped: bool) -> Plan:
    """Compute another value for each entry of the list x, whose keys the result shares."""
    types = argument_types(C, x, y, s, None)
    run = _kernel("ewise_map_list", formula, swapped, types, 0, None, False)
    ncols, dtype, buffers = C._ncols, C.dtype, PlanBuffers()

    def compute() -> None:
        entries = x._flat()
        out = entries.with_new_values(dtype, buffers)
        run(
            entries.max_nvals, entries.count, ncols, entries.keys, entries.values,
            _dense_arrays(y)[0], scalar_argument(s), out.values,
        )  # fmt: skip
        C._store = out

    return compute


def _plan_filter(
    C: Any, formula: Formula, x: Any, y: Any, s: Any, mask: Mask | None, swapped: bool
) -> Plan:
    """Compute a list of the entries of x that the formula and the mask keep."""
    types, kind = argument_types(C, x, y, s, mask), mask_kind(mask)
    run, run_aligned = (
        _kernel("ewise_filter_list", formula, swapped, types, kind, None, False, aligned)
        for aligned in (False, True)
    )
    size, ncols, dtype, buffers = C._positions, C._ncols, C.dtype, PlanBuffers()

    def compute() -> None:
        entries = x._flat()
        # a mask with the same keys array as the list is read by index in the list, not by position
        aligned = mask is not None and getattr(mask.parent._flat(), "keys", None) is entries.keys
        m = mask.along() if mask is not None and aligned else probe(mask)
        out = Sparse.allocate(size, entries.max_nvals, dtype, C._store, buffers)
        (run_aligned if aligned else run)(
            entries.max_nvals, entries.count, ncols, entries.keys, entries.values,
            *_dense_arrays(y), scalar_argument(s), m.values, m.bits, out.keys, out.values,
            out.count, out.host_count,
        )  # fmt: skip
        C._store = out

    return compute


def _plan_scatter(
    C: Any, formula: Formula, x: Any, y: Any, s: Any, mask: Mask | None, accum: Any, swapped: bool
) -> Plan:
    """Update C, as a bitmap or full, at the entries of the list x."""
    if formula.template == "Constant" and mask is not None and mask.structure:
        mask = None  # x is the mask's own list: it has no entry that the mask excludes
    types = argument_types(C, x, y, s, mask)
    run = _kernel("ewise_list_to_bitmap", formula, swapped, types, mask_kind(mask), accum, False)
    size, ncols = C._positions, C._ncols

    def compute() -> None:
        entries, m, out = x._flat(), probe(mask), to_dense(C._flat(), size)
        run(
            entries.max_nvals, entries.count, ncols, entries.keys, entries.values,
            *_dense_arrays(y), scalar_argument(s), m.values, m.bits, out.values, out.bits,
        )  # fmt: skip
        out.forget_count()
        C._store = out

    return compute


def _plan_pick(C: Any, formula: Formula, x: Any, s: Any, mask: Mask | None) -> Plan:
    """Compute a list of the entries of a bitmap or full x that a select keeps."""
    types = argument_types(C, x, None, s, mask)
    run = _kernel("ewise_bitmap_to_list", formula, False, types, mask_kind(mask), None, False)
    size, ncols, dtype, buffers = C._positions, C._ncols, C.dtype, PlanBuffers()

    def compute() -> None:
        m, out = probe(mask), Sparse.allocate(size, size, dtype, C._store, buffers, whole=True)
        run(
            size, size, ncols, *_dense_arrays(x), scalar_argument(s), m.values, m.bits,
            out.keys, out.values, out.count, out.host_count,
        )  # fmt: skip
        C._store = out

    return compute


def _plan_dense(
    C: Any,
    formula: Formula,
    x: Any,
    y: Any,
    s: Any,
    mask: Mask | None,
    accum: Any,
    replace: bool,
    overwrites: bool,
) -> Plan:
    """Update C at all positions, in place."""
    types = argument_types(C, x, y, s, mask)
    run = _kernel("ewise_bitmap", formula, False, types, mask_kind(mask), accum, replace)
    full = formula.is_full(x, y) and not replace
    keeps = full or (accum is not None and not replace)
    size, ncols = C._positions, C._ncols

    def compute() -> None:
        m, operands = probe(mask), (*_dense_arrays(x), *_dense_arrays(y))
        values, old_bits, bits = prepare_output(C, overwrites, full and mask is None, keeps)
        run(
            size, size, ncols, *operands, scalar_argument(s), m.values, m.bits,
            values, old_bits, bits,
        )  # fmt: skip
        C._store = Dense(values, bits)

    return compute


def prepare_output(C: Any, overwrites: bool, fills: bool, keeps: bool) -> tuple[Any, Any, Any]:
    """Return arrays for the values of C, its old bits and its new ones; bits None: C is full.

    `overwrites`: no entry of the old C stays, none is read; `fills`: every entry is written;
    `keeps`: no entry of C is deleted. The kernel writes all words of the new bits.
    """
    xp, size = device.active.xp, C._positions
    store = C._flat()
    if not overwrites or store.form != "sparse":
        store = to_dense(store, size)
        values, old_bits = store.values, store.bits
        if not fills and (old_bits is not None or (keeps and not overwrites)):
            return values, old_bits, old_bits
    else:
        values, old_bits = xp.empty(size, C.dtype.np_type), None
    if fills:
        return values, old_bits, None
    bits = xp.empty(bitmap_words(size), np.uint32) if size else xp.zeros(1, np.uint32)
    return values, old_bits, bits


def _dense_arrays(x: Any) -> tuple[Any, Any]:
    """Return the values and the bits of an object as a bitmap or full; None twice without one."""
    if x is None:
        return None, None
    dense = x._flat()
    if dense.form == "sparse":
        dense = to_dense(dense, x._positions)
    return dense.values, dense.bits


def scalar_argument(s: Any) -> Any:
    """Return a Scalar, or none, as a kernel takes it."""
    return FALSE if s is None else s if isinstance(s, np.generic) else typed(s)


def as_list(x: Any) -> Sparse:
    """Return an object's entries as a list."""
    return to_sorted_list(x._flat(), x._positions)


class EWiseUnion(Expression):
    """op(x, y) where both have an entry, op(x, right) and op(left, y) where one has.

    Parameters
    ----------
    x, y : Vector or Matrix
        Of one shape.
    op : binary operator
    left, right : scalar
        The values of a missing entry of x, and of y.
    """

    __slots__ = ("parts",)

    def __init__(self, x: Any, y: Any, op: Any, left: Any, right: Any) -> None:
        left, right = to_scalar(left), to_scalar(right)
        op = _typed(op, x.dtype, y.dtype, left.dtype, right.dtype)
        dtype = op.return_type
        super().__init__("ewise_union", x.shape, dtype, op, (x, y))
        self.parts = (
            Elementwise("ewise_mult", "Intersection", dtype, op, (x, y)),
            Elementwise("apply", "BindSecond", dtype, op, (x,), right),
            Elementwise("apply", "BindFirst", dtype, op, (y,), left),
        )

    def run(self, C: Any, mask: Any = None, accum: Any = None, replace: bool = False) -> None:
        """Compute C<mask, accum, replace> = union."""
        first = typed_operator("first", "binary", self.dtype, self.dtype)
        union = Formula("Union", first, self.dtype)
        both, left, right = (part.new(mask=mask) for part in self.parts)
        alone = left.ewise_add(right, first).new()
        C._elementwise(union, (both, alone), None, mask, accum, replace)


def _typed(op: Any, x: Any, y: Any, left: Any, right: Any) -> Any:
    """Return the typed operator; the type of each side is unified with that of its default."""
    typed_operator(op, "binary", x, y)  # raises for types that op does not take
    typed_x_right = typed_operator(op, "binary", x, right)
    return graphblas_bridge.common_operator(
        op, typed_x_right, typed_operator(op, "binary", left, y)
    )
