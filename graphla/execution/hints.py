"""Hints to an engine: they change how something is computed or stored, never the result.

Storage hints: the form in which an object is kept. Fusion: statements that run together, in fewer
passes if their engine can. An engine registers a planner for its class of expressions; other
statements run one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

Planner = Callable[[list[tuple[Any, Any]]], Callable[..., None]]
_planners: dict[type, Planner] = {}


def set_storage_hint(*objects: Any, form: str) -> None:
    """Keep each object as "sparse", "bitmap" or "full" from now on.

    A Boolean matrix can also be kept as "bits", on an engine that has this form (see
    :func:`graphla.execution.push_pull.boolean_matrix_storage`).
    """
    for x in objects:
        if hasattr(x, "store"):
            x.store(form)
        elif hasattr(x, "ss"):
            x.ss.config["sparsity_control"] = form


def register_planner(expression_class: type, planner: Planner) -> None:
    """Let a planner make the function for statements whose first expression is of this class.

    Their other values may be expressions, Vectors, Scalars or numbers.
    """
    _planners[expression_class] = planner


def fuse(*statements: tuple[Any, Any]) -> Callable[..., None]:
    """Return a function that runs statements in order.

    Parameters
    ----------
    *statements : (update, expression) pairs
        The state between them is not visible: an engine may merge them into fewer kernels.

    Returns
    -------
    function of ``times`` (default 1) and ``continue_up_to`` (default 0)
        Runs the statements `times` times. If the engine knows the number of entries of the
        first statement's vector at no cost, it continues while this is 1 to `continue_up_to`.
    """
    for cls in type(statements[0][1]).__mro__:
        if cls in _planners:
            return _planners[cls](list(statements))
    return run_in_order(statements)


def run_in_order(statements: Sequence[tuple[Any, Any]]) -> Callable[..., None]:
    """Return a function as of :func:`fuse` that runs one statement after the other."""

    def run(times: int = 1, continue_up_to: int = 0) -> None:
        for _ in range(times):
            for update, expression in statements:
                update << expression

    return run
