"""Typed scalar expressions: CUDA text with Numba's type, and Numba's rules of conversion."""

from __future__ import annotations

import ast
import operator
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba.core import types
from numba.core.errors import NumbaError
from numba.core.registry import cpu_target

from graphla.cuda.structs import C_NAMES, literal

LONGEST = 20_000  # characters of an expression
ARITHMETIC = {  # (of integers, of floats)
    ast.Add: (operator.add, "ring({}) + ring({})", "{} + {}"),
    ast.Sub: (operator.sub, "ring({}) - ring({})", "{} - {}"),
    ast.Mult: (operator.mul, "ring({}) * ring({})", "product({}, {})"),
    ast.Div: (operator.truediv, "{} / {}", "{} / {}"),
    ast.FloorDiv: (operator.floordiv, "floor_divide({}, {})", "floor_divide({}, {})"),
    ast.Mod: (operator.mod, "modulo({}, {})", "modulo({}, {})"),
    ast.BitAnd: (operator.and_, "{} & {}", ""),
    ast.BitOr: (operator.or_, "{} | {}", ""),
    ast.BitXor: (operator.xor, "{} ^ {}", ""),
}
COMPARISONS = {
    ast.Lt: (operator.lt, "<"),
    ast.LtE: (operator.le, "<="),
    ast.Gt: (operator.gt, ">"),
    ast.GtE: (operator.ge, ">="),
    ast.Eq: (operator.eq, "=="),
    ast.NotEq: (operator.ne, "!="),
}
SIGNS = {ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Invert: operator.invert}
FUNCTIONS = {"min": min, "max": max, "abs": abs, "bool": bool, "float": float}


class Term(NamedTuple):
    """An expression and its Numba type."""

    type: Any
    text: str


class Untranslatable(Exception):
    """What cannot be translated, and where."""

    def __init__(self, node: ast.AST, what: str) -> None:
        super().__init__(what)
        self.line = getattr(node, "lineno", 1)


@cache
def typing_context() -> Any:
    """Return Numba's rules of typing, loaded."""
    context = cpu_target.typing_context
    context.refresh()
    return context


def is_float(t: Any) -> bool:
    """Whether a Numba type is a float."""
    return isinstance(t, types.Float)


def ctype(t: Any) -> str:
    """Return the CUDA name of a Numba type."""
    return C_NAMES["bool" if t == types.boolean else str(t)]


def cast(term: Term, t: Any) -> Term:
    """Convert a term to another type, as Numba does."""
    return term if term.type == t else Term(t, f"({ctype(t)})({term.text})")


def resolve(node: ast.AST, function: Any, *arguments: Any) -> Any:
    """Return Numba's signature of a function for these types."""
    try:
        found = typing_context().resolve_function_type(function, arguments, {})
    except NumbaError:
        found = None
    if found is None:
        of = " and ".join(map(str, arguments))
        raise Untranslatable(node, f"{function.__name__} of {of} is undefined")
    return found


def unify(node: ast.AST, a: Any, b: Any) -> Any:
    """Return the type that Numba gives to a value that is one or the other."""
    t = a if a == b else typing_context().unify_types(a, b)
    if t is None or not isinstance(t, types.Number | types.Boolean):
        raise Untranslatable(node, f"{a} and {b} have no common type")
    return t


def choose(node: ast.AST, test: Term, then: Term, other: Term) -> Term:
    """Return the conditional expression."""
    t = unify(node, then.type, other.type)
    condition, yes, no = cast(test, types.boolean), cast(then, t), cast(other, t)
    return Term(t, f"({condition.text} ? {yes.text} : {no.text})")


def constant(node: ast.AST, value: Any) -> Term:
    """Return a number of the source."""
    if isinstance(value, np.generic) and value.dtype.name in C_NAMES:
        t = types.boolean if value.dtype.kind == "b" else getattr(types, value.dtype.name)
        return Term(t, literal(value))
    if type(value) is bool:
        return Term(types.boolean, str(value).lower())
    if type(value) is int and -(1 << 63) <= value < 1 << 64:
        t = np.int64 if value < 1 << 63 else np.uint64
        return Term(getattr(types, t.__name__), literal(t(value)))
    if type(value) is float:
        return Term(types.float64, literal(np.float64(value)))
    raise Untranslatable(node, f"{value!r} is no scalar")
