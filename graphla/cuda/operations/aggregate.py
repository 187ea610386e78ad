"""Aggregators of python-graphblas (``graphblas.agg``), composed of other operations.

An aggregator over a semiring has a number in the place of one operand, so it applies the
multiplication to each entry and reduces the results; one over others finalizes their results. Of
those with recipes of their own, "first" and "last" are the entries at the extreme indices, and
"argmin" and "argmax" the first indices of the extreme values.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from graphblas import binary, monoid

from graphla.cuda.expressions.scalar import Scalar
from graphla.cuda.expressions.statement import OUTPUTS, Composition
from graphla.cuda.operators import graphblas_bridge
from graphla.cuda.operators.graphblas_bridge import Aggregator
from graphla.errors import InvalidValue, NotSupported

ROWS, COLUMNS, ALL = "reduce_rowwise", "reduce_columnwise", "reduce"


class Entries:
    """The entries of an object, and how they are reduced: to rows, to columns, or to one number."""

    def __init__(self, x: Any, how: str) -> None:
        self.x, self.how = x, how

    def reduced(self, op: Any, x: Any = None) -> Any:
        """Return the sums over a monoid: of a Vector a Vector of one entry."""
        x = self.x if x is None else x
        if self.how != ALL:
            return getattr(x, self.how)(op).new()
        if x.ndim == 2:
            return as_vector(x.reduce_scalar(op).new())
        return as_vector(x.reduce(op).new())

    def indices(self) -> Any:
        """Return an object of the same structure with the indices that a reduction passes."""
        name = "colindex" if self.how == ROWS else "rowindex"
        return self.x.apply(name).new()

    def beside(self, sums: Any) -> Any:
        """Return an object of the same structure with the result of each entry's row."""
        if self.how == ALL:
            return self.x.apply(binary.second, right=sums[0].new()).new()
        if self.how == ROWS:
            return sums.diag().mxm(self.x, "any_first").new()
        return self.x.mxm(sums.diag(), "any_second").new()

    def where(self, x: Any, sums: Any) -> Any:
        """Return the mask of the entries of x that equal the result of their row."""
        if not sums.nvals:
            return self.x.dup(bool, clear=True).S
        return x.ewise_mult(self.beside(sums), binary.eq).new().V


def as_vector(s: Any) -> Any:
    """Return a Scalar as a Vector of one entry, or of none."""
    v = OUTPUTS[1](s.dtype, 1)
    if not s.is_empty:
        v[0] = s.value
    return v


def aggregate(x: Any, op: Any, how: str, allow_empty: bool = True) -> Composition:
    """Return the expression ``x.reduce(op)`` for an aggregator."""
    parts = graphblas_bridge.aggregator(op, x.dtype)
    if not allow_empty and parts.monoid is None:
        raise InvalidValue("allow_empty=False is not for aggregators")
    for part in parts.leaves():
        if part.is_custom and part.name not in RECIPES:
            raise NotSupported(f"aggregator {part.name}: a recipe of its own, written for the CPU")
        if part.is_custom and part.name in WITHOUT_MATRICES and how == ALL and x.ndim == 2:
            raise InvalidValue(f"{part.name} does not reduce a Matrix to a Scalar")
    shape = {ALL: (), ROWS: x.shape[:1], COLUMNS: x.shape[1:]}[how]

    def compute() -> Any:
        found = results(parts, Entries(x._matrix(), how))
        if how != ALL:
            return found
        value = found[0].new()
        if value.is_empty and not allow_empty:
            return Scalar(value.dtype, graphblas_bridge.identity(parts.monoid))
        return value

    return Composition(how, shape, parts.dtype, None, (x,), compute)


def results(parts: Aggregator, entries: Entries) -> Any:
    """Return the Vector of results of an aggregator."""
    if parts.monoid is not None:
        return entries.reduced(parts.monoid)
    if parts.is_custom:
        return RECIPES[parts.name](entries)
    if parts.composite:
        found = [results(part, entries) for part in parts.composite]
        return parts.finalize(*found).new()
    side = {"left" if parts.is_switched else "right": parts.initial}
    terms = entries.x.apply(parts.semiring.binaryop, **side).new()
    sums = entries.reduced(parts.semiring.monoid, terms)
    return sums if parts.finalize is None else parts.finalize(sums).new()


# ---- recipes


def extreme_index(op: Any) -> Callable[[Entries], Any]:
    """Return a recipe for the least or greatest index of an entry."""
    return lambda entries: entries.reduced(op, entries.indices())


def extreme_entry(op: Any) -> Callable[[Entries], Any]:
    """Return a recipe for the entry with the least or greatest index."""

    def recipe(entries: Entries) -> Any:
        x, how = entries.x, entries.how
        if how == ALL and x.ndim == 2:  # the first entry of the first row that has one
            rows = recipe(Entries(x, ROWS))
            return recipe(Entries(rows, ALL))
        indices = entries.indices()
        mask = entries.where(indices, entries.reduced(op, indices))
        return entries.reduced(monoid.any, x.dup(mask=mask))

    return recipe


def index_of_extreme(op: Any) -> Callable[[Entries], Any]:
    """Return a recipe for the first index of the least or greatest value."""

    def recipe(entries: Entries) -> Any:
        mask = entries.where(entries.x, entries.reduced(op))
        return entries.reduced(monoid.min, entries.indices().dup(mask=mask))

    return recipe


RECIPES = {
    "first": extreme_entry(monoid.min),
    "last": extreme_entry(monoid.max),
    "first_index": extreme_index(monoid.min),
    "last_index": extreme_index(monoid.max),
    "argmin": index_of_extreme(monoid.min),
    "argmax": index_of_extreme(monoid.max),
}
WITHOUT_MATRICES = ("argmin", "argmax", "first_index", "last_index")
