"""The syntax tree of a Python function, found in the file that it was written in."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from types import CodeType
from typing import Any

import numpy as np

from graphla.errors import DomainMismatch

Function = ast.FunctionDef | ast.Lambda


def find_function(function: Callable[..., Any], name: str) -> tuple[Function, list[str]]:
    """Return a function's syntax tree and the lines of its file.

    The whole file is read, as a lambda alone on a line of a call is no Python; of several
    lambdas on a line the one is taken that the compiled code's columns lie in.
    """
    here = 'give its CUDA expression yourself: cuda="..."'
    try:
        lines, _ = inspect.findsource(function)
        tree = ast.parse("".join(lines))
    except (OSError, TypeError, SyntaxError) as error:
        raise DomainMismatch(
            f"the source of operator {name!r}, which engine 'cuda' translates, is not at hand "
            f"(it was typed into a prompt, say); {here}"
        ) from error
    code = function.__code__
    named = code.co_name
    candidates = [
        node
        for node in ast.walk(tree)
        if (isinstance(node, ast.Lambda) and named == "<lambda>")
        or (isinstance(node, ast.FunctionDef) and node.name == named)
        if first_line(node) == code.co_firstlineno
    ]
    if len(candidates) > 1:
        candidates = [n for n in candidates if isinstance(n, ast.Lambda) and holds(n.body, code)]
    if len(candidates) != 1:
        raise DomainMismatch(
            f"the function of operator {name!r} is not found on line {code.co_firstlineno} of its "
            f"file (did the file change?); {here}"
        )
    node = candidates[0]
    a = node.args
    if a.posonlyargs or a.kwonlyargs or a.vararg or a.kwarg or a.defaults:
        raise DomainMismatch(f"the function of operator {name!r} has other than plain arguments")
    return node, lines


def first_line(node: Function) -> int:
    """Return the line that compiled code has as its first: that of the first decorator."""
    decorators = getattr(node, "decorator_list", [])
    return min([node.lineno, *(d.lineno for d in decorators)])


def holds(node: ast.expr, code: CodeType) -> bool:
    """Whether compiled code comes from within an expression."""
    first, last = (node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0)
    places = [tuple(x or 0 for x in place) for place in code.co_positions()]
    return all(
        first <= (line, column) and (end, end_column) <= last
        for line, end, column, end_column in places
        if end_column  # without columns: the function's own first and last steps
    )


def known_names(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the numbers that a function takes from around it, which Numba makes constants."""
    try:
        around = inspect.getclosurevars(function)
    except ValueError:  # a cell that is still empty
        return {}
    found = {**around.globals, **around.nonlocals}
    return {k: v for k, v in found.items() if isinstance(v, bool | int | float | np.generic)}
