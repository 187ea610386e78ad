"""Statements of python-graphblas that run many times, as calls of SuiteSparse that are made once.

Each time a statement ``w(mask, accum) << expression`` runs, python-graphblas checks it, looks its
descriptor up and collects the arguments of a C function. The objects of a loop's statements are
the same in every step, and so are these arguments. An update of one entry takes 2.9 us in place of
5.2 (two cores of an Intel Xeon).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from graphblas.core import NULL, base
from graphblas.core.descriptor import lookup as find_descriptor
from graphblas.core.expr import IndexerResolver
from graphblas.core.scalar import Scalar
from graphblas.core.utils import libget
from graphblas.core.vector import Vector, VectorExpression
from graphblas.exceptions import check_status

from graphla.core import tracing
from graphla.execution.hints import register_planner, run_in_order


class Call(NamedTuple):
    """A statement as a C function and its arguments."""

    function: Callable[..., int]
    arguments: list[Any]  # objects of python-graphblas, for error messages
    handles: list[Any]  # of the same objects, as C has them
    values: list[tuple[int, Scalar]]  # positions of Scalars that are passed by value


def plan(statements: list[tuple[Any, Any]]) -> Callable[..., None]:
    """Return a function that runs the statements in order, as :func:`~hints.fuse` describes it.

    Inside of :func:`graphla.trace` and of a Recorder of python-graphblas, and if it has a recipe
    for a statement instead of one function, the statements run as they are.
    """
    run_statements = run_in_order(statements)
    prepared = [(update, _as_expression(update, value)) for update, value in statements]
    if not all(_is_one_call(update, expression) for update, expression in prepared):
        return run_statements
    calls = [_prepare(update, expression) for update, expression in prepared]

    def run(times: int = 1, continue_up_to: int = 0) -> None:
        if tracing.active() or base._recorder.get(base._prev_recorder) is not None:
            return run_statements(times)
        for _ in range(times):
            for function, arguments, handles, values in calls:
                for position, scalar in values:
                    handles[position] = scalar._carg
                if status := function(*handles):
                    check_status(status, arguments)
        return None

    return run


def _as_expression(update: Any, value: Any) -> Any:
    """Return a value; if a Vector gets a Vector, a Scalar or a number, that assignment to it."""
    vector = getattr(update, "parent", update)
    if type(vector) is not Vector or not isinstance(value, (Vector, Scalar, int, float)):
        return value
    options = _options(update)
    expression, _ = vector._prep_for_assign(
        IndexerResolver(vector, Ellipsis), value, options.get("mask"), False,
        options.get("replace", False), {},
    )  # fmt: skip
    return expression


def _is_one_call(update: Any, expression: Any) -> bool:
    """Whether a statement is one call whose arguments do not change with an object's value."""
    if type(expression) is not VectorExpression or expression.cfunc_name is None:
        return False
    if expression.op is not None and expression.op.opclass == "Aggregator":
        return False
    return "input_mask" not in _options(update)


def _options(update: Any) -> dict[str, Any]:
    """Return mask, accum, replace and input_mask, as far as they are given."""
    if isinstance(update, Vector):
        return {}
    return {name: value for name, value in update.kwargs.items() if value is not None}


def _prepare(update: Any, expression: Any) -> Call:
    """Return the call that python-graphblas would make for a statement."""
    options = _options(update)
    vector, extra = (update, {}) if isinstance(update, Vector) else (update.parent, update.opts)
    mask = options.get("mask")
    descriptor = find_descriptor(
        transpose_first=expression.at,
        transpose_second=expression.bt,
        mask_complement=mask is not None and mask.complement,
        mask_structure=mask is not None and mask.structure,
        output_replace=options.get("replace", False),
        **extra,
    )
    operator = [] if expression.op is None else [expression.op]
    arguments = [vector, mask, options.get("accum"), *operator, *expression.args, descriptor]
    by_value = [i for i, a in enumerate(arguments) if isinstance(a, Scalar) and a._is_cscalar]
    handles = [
        NULL if a is None or i in by_value else getattr(a, "_carg", a)
        for i, a in enumerate(arguments)
    ]
    values = [(i, arguments[i]) for i in by_value]
    return Call(libget(expression.cfunc_name), arguments, handles, values)


register_planner(VectorExpression, plan)
