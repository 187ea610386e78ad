"""What operations have to know of python-graphblas's operators: types, positions, unread values."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from graphblas.core.operator import find_opclass, get_typed_op
from graphblas.core.operator.utils import (
    indexunary_from_string,
    op_from_string,
    select_from_string,
)

from graphla.errors import NotSupported

FIRST, SECOND = "first", "second"
KEPT = 256  # operators of which a property is kept
READS = {  # operands whose values a binary operator reads; others read both
    "pair": (), "oneb": (), "first": (FIRST,), "any": (FIRST, SECOND), "second": (SECOND,),
    "firsti": (), "firstj": (), "secondi": (), "secondj": (),
    "firsti1": (), "firstj1": (), "secondi1": (), "secondj1": (),
}  # fmt: skip
# Comparisons of an index with a thunk, as the change of the thunk that an offset of the rows, or of
# the columns, asks for.
INDEX_SELECTIONS = {
    "tril": (1, -1), "triu": (1, -1), "diag": (1, -1), "offdiag": (1, -1),
    "rowle": (-1, 0), "rowgt": (-1, 0), "colle": (0, -1), "colgt": (0, -1),
    "indexle": (-1, 0), "indexgt": (-1, 0),
}  # fmt: skip
INDEX_VALUES = {  # the same for operators whose value is an index plus a thunk
    "rowindex": (1, 0), "colindex": (0, 1), "diagindex": (1, -1), "index": (1, 0),
}  # fmt: skip


def typed_semiring(op: Any, left: Any, right: Any) -> Any:
    """Return a semiring typed for operands of these dtypes."""
    if isinstance(op, str):
        op = op_from_string(op)
    return get_typed_op(op, left, right, kind="semiring")


def typed_monoid(op: Any, dtype: Any) -> Any:
    """Return a monoid typed for a dtype."""
    if isinstance(op, str):
        op = op_from_string(op)
    if find_opclass(op)[1] == "BinaryOp":
        op = op.monoid
    if op is None or find_opclass(op)[1] != "Monoid":
        raise NotSupported("a reduction of a distributed object is over a monoid, no aggregator")
    return get_typed_op(op, dtype, kind="binary")


def refuse_positional(op: Any) -> None:
    """Refuse a unary or binary operator whose values are indices, which count from the block here.

    The index operators of :data:`INDEX_VALUES` are shifted instead.
    """
    _refuse_positional(op_from_string(op) if isinstance(op, str) else op)


@lru_cache(KEPT)
def _refuse_positional(op: Any) -> None:
    if find_opclass(op)[1] in ("UnaryOp", "BinaryOp") and op.is_positional:
        raise NotSupported(f"{op.name}: a positional operator on entries of distributed objects")


def reads(semiring: Any, operand: str) -> bool:
    """Whether a semiring reads the values of its first or second operand."""
    return operand in READS.get(semiring.binaryop.name, (FIRST, SECOND))


def index_of(semiring: Any) -> str | None:
    """Return which index is the value of a positional semiring: "row", "inner" or "column"."""
    if not semiring.is_positional:
        return None
    name = semiring.binaryop.name
    return {"firsti": "row", "secondj": "column"}.get(name.rstrip("1"), "inner")


def index_shift(op: Any, table: Any) -> tuple[Any, tuple[int, int] | None]:
    """Return an operator, and the change of its thunk by each row and each column before a block.

    The change is None for an operator that reads no index.
    """
    if isinstance(op, str):
        if table is INDEX_VALUES and op not in table:
            return op, None
        op = (select_from_string if table is INDEX_SELECTIONS else indexunary_from_string)(op)
    return op, _index_shift(op, table is INDEX_SELECTIONS)


@lru_cache(KEPT)
def _index_shift(op: Any, selects: bool) -> tuple[int, int] | None:
    name = getattr(op, "name", "")
    shift = (INDEX_SELECTIONS if selects else INDEX_VALUES).get(name)
    if shift is None and _reads_indices(op):
        raise NotSupported(f"{name}: a user's operator on indices of distributed objects")
    return shift


def shifted_thunk(thunk: Any, shift: tuple[int, int], rows: int, columns: int) -> Any:
    """Return the thunk of an index operator for a block that starts at (rows, columns)."""
    change = shift[0] * rows + shift[1] * columns
    return int(getattr(thunk, "value", thunk) or 0) + change if change else thunk


def _reads_indices(op: Any) -> bool:
    kind = find_opclass(op)[1]
    if kind not in ("IndexUnaryOp", "SelectOp"):
        return False
    return not op.name.startswith("value")
