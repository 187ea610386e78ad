"""Position by position: apply, select, eWiseAdd, eWiseMult, eWiseUnion, and assignment of a scalar.

Three ways lead through the same formula (combine.cuh), with the mask, the accumulator and
`replace` in the one pass:

- *filter*: the result is a part of a list and nothing of the old C stays; a new list.
- *scatter*: a list is added into C, of which all else stays; only the list is read.
- *dense*: everything else, over all positions, C in place.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from graphla.cuda import operators
from graphla.cuda.compile import Kernel, kernel
from graphla.cuda.device import device
from graphla.cuda.mask import Mask, probe
from graphla.cuda.storage import Dense, Sparse, element, index_dtype, to_dense, to_sparse, words
from graphla.cuda.structs import ctype

NO_ACCUM = (
    "struct Accum { typedef C X; typedef C Y; typedef C Z; "
    "static __device__ C of(C x, C y, i64, i64, i64, i64) { return y; } };\n"
)


class Combine(NamedTuple):
    """The formula at a position: a template of combine.cuh, its operator, the type of T."""

    template: str
    op: Any
    dtype: Any  # python-graphblas dtype

    def text(self, swapped: bool) -> str:
        """Return the definitions of ``Combine`` and ``T``."""
        write = {"Apply": operators.unary, "Select": operators.indexunary}.get(
            self.template, operators.binary
        )
        if self.op is not None and self.op.opclass in ("IndexUnaryOp", "SelectOp"):
            write = operators.indexunary
        op = "" if self.op is None else write(self.op, "Op")
        argument = {"Value": "", "Same": "", "Either": f"<Op, {ctype(self.dtype)}>"}.get(
            self.template, "<Op>"
        )
        form = self.template + argument
        return (
            f'#include "combine.cuh"\n{op}'
            f"typedef {f'Swapped<{form}>' if swapped else form} Combine;\n"
            f"typedef {ctype(self.dtype)} T;\n"
        )

    def is_full(self, x: Any, y: Any) -> bool:
        """Whether T has all entries, given the forms of its operands."""
        full = [z is not None and z.form == "full" for z in (x, y)]
        if self.template == "Value":
            return True
        if self.template == "Select":
            return False
        if self.template == "Both":
            return all(full)
        return any(full) if self.template == "Either" else full[0]


VALUE = "Value"


@cache
def _kernel(
    file: str,
    how: Combine,
    swapped: bool,
    types: tuple[str, ...],
    mask: int,
    accum: Any,
    replace: bool,
) -> Kernel:
    names = "".join(
        f"typedef {t} {name};\n"
        for name, t in zip(("Index", "X", "Y", "S", "C", "Mask"), types, strict=True)
    )
    flags = f"enum {{ MASK = {mask}, ACCUM = {accum is not None:d}, REPLACE = {replace:d} }};\n"
    added = NO_ACCUM if accum is None else operators.binary(accum, "Accum")
    return kernel(file, names + flags + added + how.text(swapped))


def run(
    C: Any,
    how: Combine,
    x: Any = None,
    y: Any = None,
    s: Any = None,
    mask: Mask | None = None,
    accum: Any = None,
    replace: bool = False,
) -> None:
    """C<mask, accum, replace> = combine(x, y, s).

    C is a Vector or a Matrix in the form of one; x and y are the stores of two like it.
    """
    replace = replace and mask is not None
    anew = accum is None and (mask is None or replace)  # nothing of the old C stays
    listed, other, swapped = _list(how, x, y, mask)
    if listed is not None and anew and C._keep != "bitmap":
        C._store = _filter(C, how, listed, other, s, mask, swapped)
    elif listed is not None and (how.template == VALUE or accum is not None) and not replace:
        _scatter(C, how, listed, other, s, mask, accum, swapped)
    else:
        _dense(C, how, x, y, s, mask, accum, replace, anew)
    C._settle()


def _list(how: Combine, x: Any, y: Any, mask: Mask | None) -> tuple[Any, Any, bool]:
    """Return the list that holds all entries of T, the other operand, and whether they swap."""
    if how.template == VALUE:
        return (mask.listed if mask is not None else None), None, False
    if how.template == "Both":
        if isinstance(x, Sparse) and (not isinstance(y, Sparse) or x.most <= y.most):
            return x, y, False
        return (y, x, True) if isinstance(y, Sparse) else (None, None, False)
    if how.template == "Either":
        return None, None, False
    return (x, None, False) if isinstance(x, Sparse) else (None, None, False)


def _types(C: Any, x: Any, y: Any, s: Any, mask: Any) -> tuple[str, ...]:
    def name(array: Any) -> str:
        return "bool" if array is None else element(array.dtype)

    return (
        element(index_dtype(C._positions)),
        name(None if x is None else x.values),
        name(None if y is None else y.values),
        name(s),
        element(C.dtype.np_type),
        name(mask.values),
    )


def _filter(
    C: Any, how: Combine, x: Sparse, y: Any, s: Any, mask: Mask | None, swapped: bool
) -> Sparse:
    y = None if y is None else to_dense(y, C._positions)
    m = probe(mask)
    run = _kernel("filter", how, swapped, _types(C, x, y, s, m), m.kind, None, False)
    out = Sparse.room(C._positions, x.most, C.dtype)
    run(
        x.most, x.count, C._ncols, x.keys, x.values, *_pair(y), _scalar(s), m.values, m.bits,
        out.keys, out.values, out.count,
    )  # fmt: skip
    return out


def _scatter(
    C: Any, how: Combine, x: Sparse, y: Any, s: Any, mask: Mask | None, accum: Any, swapped: bool
) -> None:
    y = None if y is None else to_dense(y, C._positions)
    c = to_dense(C._store, C._positions)
    if how.template == VALUE and mask is not None and mask.structure:
        mask = None  # the list is what it allows
    m = probe(mask)
    run = _kernel("scatter", how, swapped, _types(C, x, y, s, m), m.kind, accum, False)
    run(
        x.most, x.count, C._ncols, x.keys, x.values, *_pair(y), _scalar(s), m.values, m.bits,
        c.values, c.bits,
    )  # fmt: skip
    C._store = Dense(c.values, c.bits)


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
) -> None:
    size = C._positions
    x, y = (None if z is None else to_dense(z, size) for z in (x, y))
    m = probe(mask)
    full = how.is_full(x, y) and not replace
    c, old, bits = prepare(C, anew, full and mask is None, full or accum is not None)
    run = _kernel("dense", how, False, _types(C, x, y, s, m), m.kind, accum, replace)
    run(
        size, size, C._ncols, *_pair(x), *_pair(y), _scalar(s), m.values, m.bits, c, old, bits
    )  # fmt: skip
    C._store = Dense(c, bits)


def prepare(C: Any, anew: bool, fills: bool, keeps: bool) -> tuple[Any, Any, Any]:
    """Return arrays for the values of C, its old bits and its new ones (None: full).

    `fills`: every entry is written; `keeps`: no entry of C is deleted.
    """
    xp = device.xp
    store = C._store
    if anew and not isinstance(store, Dense):
        store = Dense(xp.empty(C._positions, C.dtype.np_type), xp.zeros(words(C._positions), "u4"))
    else:
        store = to_dense(store, C._positions)
    old = store.bits
    if fills or (old is None and keeps and not anew):
        return store.values, old, None
    bits = xp.zeros(words(C._positions), "u4") if old is None else old
    return store.values, old, bits


def _pair(x: Any) -> tuple[Any, Any]:
    return (None, None) if x is None else (x.values, x.bits)


def _scalar(s: Any) -> Any:
    return np.bool_(False) if s is None else s


def as_list(x: Any) -> Sparse:
    """Return an object's entries as a list."""
    return to_sparse(x._flat(), x._positions)
