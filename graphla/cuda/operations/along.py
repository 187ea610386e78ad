"""Statements along one list: they compute with its entries, and write at its positions alone.

Their operands but the list are along it too, or bitmaps or full (along.cuh).
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from graphla.cuda import operators
from graphla.cuda.expression import Elementwise
from graphla.cuda.operations.elementwise import NO_ACCUM, _scalar, _types
from graphla.cuda.spares import Stock
from graphla.cuda.storage import Dense, Sparse
from graphla.cuda.told import Told

EACH, PART, INTO = range(3)  # as in along.cuh
KINDS = ("Apply", "BindFirst", "BindSecond", "Select", "Both")  # of formulas


class Step(NamedTuple):
    """A statement along a list: what it writes and how; its operands but those of the list."""

    out: Any
    way: int
    own: bool
    x: Any  # None where it is the list itself
    y: Any
    s: Any
    mask: Any  # None, or the object
    structure: bool
    aligned: bool
    stock: Stock


def takes_list(x: Any) -> bool:
    """Whether an object may be left as a list."""
    return x._keep in (None, "sparse")


def step_of(update: Any, e: Any, along: list[Any], parts: list[Any]) -> Step | None:
    """Return a statement as one along a list, or None; note what it makes.

    `along`: the list, and objects with the same keys; `parts`: of which it must read none.
    """
    if not isinstance(e, Elementwise) or e.how.template not in KINDS:
        return None
    out, mask, accum = update.out, update.mask, update.accum
    ours = [x for x in e.operands if is_in(x, along)]
    others = [x for x in e.operands if not is_in(x, along)]
    if (
        len(ours) != 1
        or is_in(out, [*along, *parts])
        or (others and not _is_dense(others[0], parts))
    ):
        return None
    aligned = mask is not None and is_in(mask.parent, along)
    if mask is not None and not aligned and not _is_dense(mask.parent, parts):
        return None
    y = others[0] if others else None
    if accum is None and (mask is None or update.replace):
        if not takes_list(out):
            return None
        way = EACH if mask is None and e.how.keeps(y) else PART
        (along if way == EACH else parts).append(out)
    elif accum is not None and not update.replace and isinstance(out._store, Dense):
        way = INTO
    else:
        return None
    own = ours[0] is along[0]
    parent, structure = (None, True) if mask is None else (mask.parent, mask.structure)
    x = None if own else ours[0]
    return Step(out, way, own, x, y, e.scalar, parent, structure, aligned, Stock())


def is_in(x: Any, objects: list[Any]) -> bool:
    """Whether an object is one of some."""
    return any(x is y for y in objects)


def _is_dense(x: Any, without: list[Any]) -> bool:
    return isinstance(x._store, Dense) and not is_in(x, without)


def text_of(step: Step, update: Any, e: Any, feeds: bool, name: str) -> str:
    """Return the struct of a statement (along.cu)."""
    operands = (*e.operands, None)[:2]
    swapped = step.y is not None and e.operands[0] is step.y
    x, y = reversed(operands) if swapped else operands
    types = _types(step.out, x, y, e.scalar, update.mask)
    return _struct(name, e.how, swapped, types, update.mask and update.mask.kind, update.accum,
                   step.way, step.aligned, step.own, feeds)  # fmt: skip


@cache
def _struct(
    name: str, how: Any, swapped: bool, types: tuple[str, ...], mask: int | None, accum: Any,
    way: int, aligned: bool, own: bool, feeds: bool,
) -> str:  # fmt: skip
    names = zip(("X", "Y", "S", "C", "Mask"), types[1:], strict=True)
    added = NO_ACCUM if accum is None else operators.binary(accum, "Accum")
    return (
        f"struct {name} {{\n"
        + "".join(f"typedef {t} {letter};\n" for letter, t in names)
        + f"enum {{ WAY = {way}, MASK = {mask or 0}, ALIGNED = {aligned:d}, OWN = {own:d}, "
        + f"ACCUM = {accum is not None:d}, FEED = {feeds and way == PART:d} }};\n"
        + f"{added}{how.text(swapped)}}};\n"
    )


def arguments(step: Step, r: Sparse, size: int, asked: bool, last: bool) -> tuple[Any, ...]:
    """Return what a statement takes, and give its output the store that it fills."""
    out, y, mask = step.out, step.y, step.mask
    x = None if step.own else step.x._store.values
    given = (None, None) if y is None else (y._store.values, y._store.bits)
    seen = None if step.structure else mask._store.values
    mbits = None if mask is None or step.aligned else mask._store.bits
    operands = (x, *given, _scalar(step.s), seen, mbits)
    if step.way == EACH:
        out._store = c = r.along(out.dtype, step.stock)
        return *operands, None, c.values, None, None, None
    if step.way == INTO:
        out._store.forget()
        return *operands, None, out._store.values, out._store.bits, None, None
    out._store = c = Sparse.room(size, r.most, out.dtype, None, step.stock, True)
    c.asked = asked
    if asked and last:
        c.told = Told()
    return *operands, c.keys, c.values, None, c.count, c.host
