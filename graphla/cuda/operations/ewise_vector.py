"""Position by position: apply, select, eWiseAdd, eWiseMult, eWiseUnion, and assignment of a scalar.

Five ways lead through the same formula (elementwise_formula.cuh), with the mask, the accumulator
and `replace` in the one pass:

- *filter*: the result is a part of a list and nothing of the old C stays; a new list.
- *map*: the same where it has all entries of the list; other values beside the same keys.
- *pick*: a list is wanted, of some entries of a bitmap or a full array.
- *scatter*: a list is added into C, of which all else stays; only the list is read.
- *dense*: everything else, over all positions, C in place.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from graphla.cuda.expressions import operator_arguments
from graphla.cuda.expressions.expression import Elementwise, Expression
from graphla.cuda.expressions.mask import Mask, probe
from graphla.cuda.expressions.scalar import typed
from graphla.cuda.memory.list_buffers import Stock
from graphla.cuda.operators import graphblas_bridge, tables
from graphla.cuda.operators.elementwise_formula import FALSE, NO_ACCUM, VALUE, Combine, Plan
from graphla.cuda.runtime.compile import Kernel, kernel
from graphla.cuda.runtime.device import device
from graphla.cuda.storage.vector_formats import (
    Dense,
    Sparse,
    element,
    index_dtype,
    to_dense,
    to_sparse,
    words,
)


@cache
def _kernel(
    file: str,
    how: Combine,
    swapped: bool,
    types: tuple[str, ...],
    mask: int,
    accum: Any,
    replace: bool,
    aligned: bool = False,
) -> Kernel:
    names = "".join(
        f"typedef {t} {name};\n"
        for name, t in zip(("Index", "X", "Y", "S", "C", "Mask"), types, strict=True)
    )
    flags = f"enum {{ MASK = {mask}, ACCUM = {accum is not None:d}, REPLACE = {replace:d} }};\n"
    flags += f"enum {{ ALIGNED = {aligned:d} }};\n"
    added = NO_ACCUM if accum is None else tables.binary(accum, "Accum")
    return kernel(file, names + flags + added + how.text(swapped))


def plan(
    C: Any,
    how: Combine,
    operands: tuple[Any, ...],
    s: Any,
    mask: Mask | None,
    accum: Any,
    replace: bool,
) -> Plan:
    """Return what computes C<mask, accum, replace> = combine(x, y, s), again and again.

    C and the operands x, y are Vectors, or Matrices in the form of one; s is a Scalar. The
    plan reads them when it runs, and holds as long as the forms of their storage do.
    """
    replace = replace and mask is not None
    anew = accum is None and (mask is None or replace)  # nothing of the old C stays
    x, y = (*operands, None, None)[:2]
    listed, other, swapped = _list(how, x, y, mask)
    if listed is not None and anew and C._keep != "bitmap":
        return _filter(C, how, listed, other, s, mask, swapped)
    if listed is not None and (how.template == VALUE or accum is not None) and not replace:
        return _scatter(C, how, listed, other, s, mask, accum, swapped)
    if anew and C._keep == "sparse" and how.template == "Select":
        return _pick(C, how, x, s, mask)
    return _dense(C, how, x, y, s, mask, accum, replace, anew)


def _is_list(x: Any) -> bool:
    return x is not None and isinstance(x._flat(), Sparse)


def _list(how: Combine, x: Any, y: Any, mask: Mask | None) -> tuple[Any, Any, bool]:
    """Return whose list holds all entries of T, the other operand, and whether they swap."""
    if how.template == VALUE:
        allowed = mask is not None and not mask.complement and _is_list(mask.parent)
        return mask.parent if allowed and mask else None, None, False
    if how.template == "Either":
        return None, None, False
    if how.template == "Both" and _is_list(y):
        if not _is_list(x) or y._flat().most < x._flat().most:
            return y, x, True
        return x, y, False
    return (x, y, False) if _is_list(x) else (None, None, False)


def _types(C: Any, x: Any, y: Any, s: Any, mask: Mask | None) -> tuple[str, ...]:
    """Return the CUDA names of Index, X, Y, S, C and Mask."""
    valued = None if mask is None or mask.structure else mask.parent
    kinds = [np.bool_ if z is None else z.dtype for z in (x, y, s, C, valued)]
    index = element(index_dtype(C._positions))
    return (index, *[element(getattr(kind, "np_type", kind)) for kind in kinds])


def _filter(C: Any, how: Combine, x: Any, y: Any, s: Any, mask: Mask | None, swapped: bool) -> Plan:
    types = _types(C, x, y, s, mask)
    if mask is None and how.keeps(y):
        return _map(C, _kernel("ewise_map_list", how, swapped, types, 0, None, False), x, y, s)
    kind = 0 if mask is None else mask.kind
    run, aligned = (
        _kernel("ewise_filter_list", how, swapped, types, kind, None, False, k) for k in (0, 1)
    )
    size, ncols, dtype, stock = C._positions, C._ncols, C.dtype, Stock()

    def go() -> None:
        it = x._flat()
        along = mask is not None and getattr(mask.parent._flat(), "keys", None) is it.keys
        m = mask.along() if along and mask else probe(mask)
        out = Sparse.room(size, it.most, dtype, C._store, stock)
        (aligned if along else run)(
            it.most, it.count, ncols, it.keys, it.values, *_arrays(y), _scalar(s), m.values, m.bits,
            out.keys, out.values, out.count, out.host,
        )  # fmt: skip
        C._store = out

    return go


def _map(C: Any, run: Kernel, x: Any, y: Any, s: Any) -> Plan:
    """Return what computes another value for each entry of the list x, whose keys it shares."""
    ncols, dtype, stock = C._ncols, C.dtype, Stock()

    def go() -> None:
        it = x._flat()
        out = it.along(dtype, stock)
        run(
            it.most, it.count, ncols, it.keys, it.values, _arrays(y)[0], _scalar(s), out.values,
        )  # fmt: skip
        C._store = out

    return go


def _pick(C: Any, how: Combine, x: Any, s: Any, mask: Mask | None) -> Plan:
    kind = 0 if mask is None else mask.kind
    run = _kernel(
        "ewise_bitmap_to_list", how, False, _types(C, x, None, s, mask), kind, None, False
    )
    size, ncols, dtype, stock = C._positions, C._ncols, C.dtype, Stock()

    def go() -> None:
        m, out = probe(mask), Sparse.room(size, size, dtype, C._store, stock, whole=True)
        run(
            size, size, ncols, *_arrays(x), _scalar(s), m.values, m.bits,
            out.keys, out.values, out.count, out.host,
        )  # fmt: skip
        C._store = out

    return go


def _scatter(
    C: Any, how: Combine, x: Any, y: Any, s: Any, mask: Mask | None, accum: Any, swapped: bool
) -> Plan:
    if how.template == VALUE and mask is not None and mask.structure:
        mask = None  # the list is what it allows
    kind = 0 if mask is None else mask.kind
    run = _kernel(
        "ewise_list_to_bitmap", how, swapped, _types(C, x, y, s, mask), kind, accum, False
    )
    size, ncols = C._positions, C._ncols

    def go() -> None:
        it, m, c = x._flat(), probe(mask), to_dense(C._flat(), size)
        run(
            it.most, it.count, ncols, it.keys, it.values, *_arrays(y), _scalar(s), m.values, m.bits,
            c.values, c.bits,
        )  # fmt: skip
        c.forget()
        C._store = c

    return go


def _dense(
    C: Any,
    how: Combine,
    x: Any,
    y: Any,
    s: Any,
    mask: Mask | None,
    accum: Any,
    replace: bool,
    anew: bool,
) -> Plan:
    kind = 0 if mask is None else mask.kind
    run = _kernel("ewise_bitmap", how, False, _types(C, x, y, s, mask), kind, accum, replace)
    full = how.is_full(x, y) and not replace
    keeps = full or (accum is not None and not replace)
    size, ncols = C._positions, C._ncols

    def go() -> None:
        m, operands = probe(mask), (*_arrays(x), *_arrays(y))
        c, old, bits = prepare(C, anew, full and mask is None, keeps)
        run(size, size, ncols, *operands, _scalar(s), m.values, m.bits, c, old, bits)
        C._store = Dense(c, bits)

    return go


def prepare(C: Any, anew: bool, fills: bool, keeps: bool) -> tuple[Any, Any, Any]:
    """Return arrays for the values of C, its old bits and its new ones (None: full).

    `anew`: nothing of the old C stays, and none of it is read; `fills`: every entry is written;
    `keeps`: no entry of C is deleted. A kernel writes all words of the new bits.
    """
    xp, size = device.now.xp, C._positions
    store = C._flat()
    if not anew or store.form != "sparse":
        store = to_dense(store, size)
        values, old = store.values, store.bits
        if not fills and (old is not None or (keeps and not anew)):
            return values, old, old
    else:
        values, old = xp.empty(size, C.dtype.np_type), None
    if fills:
        return values, old, None
    return values, old, xp.empty(words(size), np.uint32) if size else xp.zeros(1, np.uint32)


def _arrays(x: Any) -> tuple[Any, Any]:
    """Return the values and the bits of an object as a bitmap or full."""
    if x is None:
        return None, None
    dense = x._flat()
    if dense.form == "sparse":
        dense = to_dense(dense, x._positions)
    return dense.values, dense.bits


def _scalar(s: Any) -> Any:
    return FALSE if s is None else s if isinstance(s, np.generic) else typed(s)


def as_list(x: Any) -> Sparse:
    """Return an object's entries as a list."""
    return to_sparse(x._flat(), x._positions)


# eWiseUnion: op(x, y) over the union of two structures, a default for each that is missing.
#
# T = op(x, right) where y is missing, op(left, y) where x is, op(x, y) where both are.


class Union(Expression):
    """op(x, y) where x or y has an entry.

    Parameters
    ----------
    x, y : Vector or Matrix
        Of one shape.
    op : binary operator
    left, right : scalar
        Stand for an entry that x, or y, has not.
    """

    __slots__ = ("parts",)

    def __init__(self, x: Any, y: Any, op: Any, left: Any, right: Any) -> None:
        left, right = operator_arguments.scalar(left), operator_arguments.scalar(right)
        op = _typed(op, x.dtype, y.dtype, left.dtype, right.dtype)
        z = op.return_type
        super().__init__("ewise_union", x.shape, z, op, (x, y))
        self.parts = (
            Elementwise("ewise_mult", "Both", z, op, (x, y)),
            Elementwise("apply", "BindSecond", z, op, (x,), right),
            Elementwise("apply", "BindFirst", z, op, (y,), left),
        )

    def run(self, C: Any, mask: Any = None, accum: Any = None, replace: bool = False) -> None:
        """Compute C<mask, accum, replace> = union."""
        first = graphblas_bridge.resolve("first", "binary", self.dtype, self.dtype)
        either = Combine("Either", first, self.dtype)
        both, left, right = (part.new(mask=mask) for part in self.parts)
        alone = left.ewise_add(right, first).new()
        C._elementwise(either, (both, alone), None, mask, accum, replace)


def _typed(op: Any, x: Any, y: Any, left: Any, right: Any) -> Any:
    """Return the typed operator: each default has a say in the type of its side."""
    graphblas_bridge.resolve(op, "binary", x, y)  # refuses what it does not take
    one = graphblas_bridge.resolve(op, "binary", x, right)
    return common(op, one, graphblas_bridge.resolve(op, "binary", left, y))


def common(op: Any, one: Any, other: Any) -> Any:
    """Return the typed operator for what two typed ones take: of (x, right) and (left, y)."""
    if one is other:
        return one
    first = graphblas_bridge.unify(one.type, other.type, is_right_scalar=True)
    second = graphblas_bridge.unify(one.type2, other.type2, is_left_scalar=True)
    return graphblas_bridge.resolve(op, "binary", first, second)
