"""Statements in which SuiteSparse 9.4.5 writes beyond an array: in tests they raise.

``C << A.ewise_mult(B, op)``, without a mask or an accumulator, into a full C whose entries share
one value, writes as many values as A and B have where C has memory for one, if A and B have all
entries (docs/upstream.md). The heap is damaged then, which a test may not notice.
"""

from __future__ import annotations

from math import prod

from graphblas.core.base import BaseType
from graphblas.core.infix import InfixExprBase

METHODS = {"ewise_add", "ewise_mult", "ewise_union"}
update = BaseType._update


def is_full(x):
    """Whether a Vector or a Matrix, or the transpose of one, has all entries."""
    return x.nvals == prod(x.shape)


def overflows(C, expression, mask, accum):
    """Whether a statement may write beyond the values of C.

    It does not if one operand has a single value, too, but with other input it may have more.
    """
    if mask is not None or accum is not None or C._is_scalar or not C.shape:
        return False
    if isinstance(expression, InfixExprBase):
        expression = expression._to_expr()
    if getattr(expression, "method_name", None) not in METHODS:
        return False
    operands = expression.args[:2]
    return (
        is_full(C) and prod(C.shape) > 1 and C.ss.is_iso
        and not any(x is C for x in operands) and all(map(is_full, operands))
    )  # fmt: skip


def checked_update(self, expr, mask=None, accum=None, replace=False, input_mask=None, *, opts):
    """Do what python-graphblas's ``_update`` does, or raise."""
    if overflows(self, expr, mask, accum):
        raise AssertionError(f"{expr!r} into a full {type(self).__name__} of one value")
    update(self, expr, mask, accum, replace, input_mask, opts=opts)


def install():
    """Let every statement of python-graphblas be checked."""
    BaseType._update = checked_update
