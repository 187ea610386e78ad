"""Which fused plan runs a group of statements."""

from __future__ import annotations

from typing import Any

from graphla.cuda.expressions.update import Update
from graphla.cuda.fused import list_chain, traversal_plan


def plan(statements: Any) -> Any:
    """Return a function that runs pairs of an update, or an output, and an expression.

    Raises
    ------
    DomainMismatch, DimensionMismatch
        The mask of an update does not fit its output.
    """
    statements = [(x if isinstance(x, Update) else x(), e) for x, e in statements]
    for update, _ in statements:
        update.out._mask(update.mask)
    if traversal_plan.is_traversal(statements):
        return traversal_plan.TraversalLevel(statements)
    return list_chain.StatementChain(statements)
