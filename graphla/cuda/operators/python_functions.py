"""A scalar Python function as a CUDA expression that gives Numba's result, bit for bit.

The function's syntax tree is walked and each node gets a Numba type. Numba itself answers which
types an operation has (``int8 + int8`` is int64, ``uint64 < int64`` compares in float64), so both
engines convert at the same places. ``//`` and ``%`` round down as in Python, and by zero give what
Numba's NumPy error model gives; ``/`` divides floats; integers wrap; min and max are Python's (the
first operand stays if the comparison is false). A body is a sequence of assignments, ``if`` and
``return``: after an ``if`` a variable is a conditional expression, where Numba has a phi node.
NumPy's functions of scalars have a table; logarithms, powers of floats and the like are CUDA's,
whose last digit may differ.

The file in order: the entry :func:`expression`; the source of a function; the translation of its
syntax tree; typed terms and Numba's rules of conversion.
"""

from __future__ import annotations

import ast
import inspect
import operator
from collections.abc import Callable
from functools import cache, lru_cache
from types import CodeType
from typing import Any, NamedTuple

import numpy as np
from numba.core import types
from numba.core.errors import NumbaError
from numba.core.registry import cpu_target

from graphla.core.user_operators import by_hand
from graphla.cuda.operators.codegen import C_NAMES, literal
from graphla.errors import DomainMismatch

Function = ast.FunctionDef | ast.Lambda

MAX_CHARACTERS = 20_000  # of an expression
ARITHMETIC = {  # Python's function, and the CUDA expressions of integers and of floats
    ast.Add: (operator.add, "ring({}) + ring({})", "{} + {}"),
    ast.Sub: (operator.sub, "ring({}) - ring({})", "{} - {}"),
    ast.Mult: (operator.mul, "ring({}) * ring({})", "rounded_product({}, {})"),
    ast.Div: (operator.truediv, "{} / {}", "{} / {}"),
    ast.FloorDiv: (operator.floordiv, "floor_divide({}, {})", "floor_divide({}, {})"),
    ast.Mod: (operator.mod, "modulo({}, {})", "modulo({}, {})"),
    ast.Pow: (operator.pow, "", "pow({}, {})"),
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
# NumPy's functions: the operator of the same meaning,
OPERATORS: dict[str, type[ast.operator]] = {
    "add": ast.Add, "subtract": ast.Sub, "multiply": ast.Mult, "true_divide": ast.Div,
    "divide": ast.Div, "floor_divide": ast.FloorDiv, "mod": ast.Mod, "remainder": ast.Mod,
    "bitwise_and": ast.BitAnd, "bitwise_or": ast.BitOr, "bitwise_xor": ast.BitXor,
}  # fmt: skip
RELATIONS = {
    "greater": ">", "greater_equal": ">=", "less": "<", "less_equal": "<=", "equal": "==",
    "not_equal": "!=",
}  # fmt: skip
# the expression of operands of the result's type,
SAME_TYPE = {
    "maximum": "({0} != {0} ? {0} : {1} != {1} ? {1} : larger({0}, {1}))",
    "minimum": "({0} != {0} ? {0} : {1} != {1} ? {1} : smaller({0}, {1}))",
    "fmax": "larger({0}, {1})", "fmin": "smaller({0}, {1})", "absolute": "absolute({0})",
    "abs": "absolute({0})", "negative": "(-ring({0}))", "square": "(ring({0}) * ring({0}))",
    "sign": "sign({0})",
}  # fmt: skip
# the expression of floats,
FLOATS = {
    "arcsin": "asin({0})", "arccos": "acos({0})", "arctan": "atan({0})", "arcsinh": "asinh({0})",
    "arccosh": "acosh({0})", "arctanh": "atanh({0})", "fabs": "fabs({0})", "rint": "rint({0})",
    "arctan2": "atan2({0}, {1})", "hypot": "hypotenuse({0}, {1})", "fmod": "fmod({0}, {1})",
    "copysign": "copysign({0}, {1})", "power": "power({0}, {1})", "float_power": "power({0}, {1})",
    "log": "({0} < 0 ? not_a_number<{2}>() : log({0}))",
    "log2": "({0} < 0 ? not_a_number<{2}>() : logarithm_of_base_two({0}))",
    "log10": "({0} < 0 ? not_a_number<{2}>() : logarithm_of_base_ten({0}))",
    "exp2": "power_of_two({0})",
    "logaddexp": "({0} == {1} ? {0} + ({2})0.6931471805599453 : {0} > {1} ? "
    "{0} + log1p(exp({1} - {0})) : {0} < {1} ? {1} + log1p(exp({0} - {1})) : {0} - {1})",
    "logaddexp2": "({0} == {1} ? {0} + 1 : {0} > {1} ? {0} + ({2})1.4426950408889634 * "
    "log1p(exp2({1} - {0})) : {0} < {1} ? {1} + ({2})1.4426950408889634 * log1p(exp2({0} - {1})) : "
    "{0} - {1})",
    "deg2rad": "({0} * ({2})0.017453292519943295)", "radians": "({0} * ({2})0.017453292519943295)",
    "rad2deg": "({0} * ({2})57.29577951308232)", "degrees": "({0} * ({2})57.29577951308232)",
}  # fmt: skip
FLOATS |= {
    name: f"{name}({{0}})"
    for name in (
        "sqrt", "exp", "expm1", "log1p", "sin", "cos", "tan", "sinh", "cosh", "tanh", "floor",
        "ceil", "trunc",
    )
}  # fmt: skip
# and the expression of a truth value.
TRUTH = {
    "isnan": "({0} != {0})", "isfinite": "({0} - {0} == 0)",
    "isinf": "({0} == {0} && {0} - {0} != 0)",
    "logical_and": "(({0} != 0) && ({1} != 0))", "logical_or": "(({0} != 0) || ({1} != 0))",
    "logical_xor": "(({0} != 0) != ({1} != 0))", "logical_not": "({0} == 0)",
}  # fmt: skip
GIVE_CUDA = 'give its CUDA expression yourself: cuda="..."'


class Term(NamedTuple):
    """A CUDA expression and its Numba type."""

    type: Any
    text: str


class Untranslatable(Exception):
    """A node that has no translation: the reason and the line."""

    def __init__(self, node: ast.AST, reason: str) -> None:
        super().__init__(reason)
        self.line = getattr(node, "lineno", 1)


@lru_cache(maxsize=512)
def expression(op: Any, names: tuple[str, ...]) -> str:
    """Return the CUDA expression of a typed operator that was made from a Python function.

    Parameters
    ----------
    op : typed operator of python-graphblas
    names : tuple of str
        The CUDA names of its arguments.

    Raises
    ------
    DomainMismatch
        The function cannot be translated; the message shows the line.
    """
    if op.parent in by_hand:
        return by_hand[op.parent]
    function = op.parent.orig_func
    node, lines = find_syntax_tree(function, op.name)
    first, last = op.type.numba_type, (getattr(op, "_type2", None) or op.type).numba_type
    argument_types = [first, last][: len(names)]
    if len(names) == 4:  # of an index operator: x, i, j and the thunk
        argument_types = [first, types.uint64, types.uint64, last]
        names = (names[0], f"(u64){names[1]}", f"(u64){names[2]}", names[3])
    arguments = {
        argument.arg: Term(t, name)
        for argument, t, name in zip(node.args.args, argument_types, names, strict=True)
    }
    refusal = f"operator {op!r} cannot run on engine 'cuda'"
    try:
        term = Translation({**constants_of(function), **arguments}).function(node)
    except Untranslatable as error:
        line = lines[error.line - 1].strip()
        raise DomainMismatch(
            f"{refusal}: {error}, in line {error.line}:\n    {line}\n{GIVE_CUDA}"
        ) from None
    overload = op._numba_func.overloads[tuple(argument_types)]
    computed = types.unliteral(overload.signature.return_type)
    if term.type != computed:
        raise DomainMismatch(
            f"{refusal}: Numba computes it in {computed}, its translation in {term.type}; "
            f'cuda="..." defines it'
        )
    if is_float(term.type) and op.return_type.np_type.kind in "iub":
        raise DomainMismatch(
            f"{refusal}: it computes in {term.type} and cuts to {op.return_type}, which is "
            f'undefined for values out of its range; cuda="..." defines it'
        )
    return term.text


# ---- the source of a function


def find_syntax_tree(function: Callable[..., Any], name: str) -> tuple[Function, list[str]]:
    """Return a function's syntax tree and the lines of its file.

    The whole file is parsed: the lines of a lambda alone need not be valid Python. Of several
    lambdas on one line, the one is taken whose columns contain the compiled code's.
    """
    try:
        lines, _ = inspect.findsource(function)
        tree = ast.parse("".join(lines))
    except (OSError, TypeError, SyntaxError) as error:
        raise DomainMismatch(
            f"the source of operator {name!r}, which engine 'cuda' translates, is not available "
            f"(it was typed into a prompt, say); {GIVE_CUDA}"
        ) from error
    code = function.__code__
    candidates = [
        node
        for node in ast.walk(tree)
        if (isinstance(node, ast.Lambda) and code.co_name == "<lambda>")
        or (isinstance(node, ast.FunctionDef) and node.name == code.co_name)
        if first_line(node) == code.co_firstlineno
    ]
    if len(candidates) > 1:
        candidates = [
            node
            for node in candidates
            if isinstance(node, ast.Lambda) and contains_code(node.body, code)
        ]
    if len(candidates) != 1:
        raise DomainMismatch(
            f"the function of operator {name!r} is not found on line {code.co_firstlineno} of its "
            f"file (did the file change?); {GIVE_CUDA}"
        )
    node = candidates[0]
    a = node.args
    if a.posonlyargs or a.kwonlyargs or a.vararg or a.kwarg or a.defaults:
        raise DomainMismatch(f"the function of operator {name!r} must have plain arguments only")
    return node, lines


def first_line(node: Function) -> int:
    """Return the first line of the compiled code: that of the first decorator."""
    decorators = getattr(node, "decorator_list", [])
    return min([node.lineno, *(d.lineno for d in decorators)])


def contains_code(node: ast.expr, code: CodeType) -> bool:
    """Whether compiled code is that of an expression, by lines and columns."""
    first, last = (node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0)
    positions = [tuple(x or 0 for x in position) for position in code.co_positions()]
    return all(
        first <= (line, column) and (end, end_column) <= last
        for line, end, column, end_column in positions
        if end_column  # the function's own first and last instructions have none
    )


def constants_of(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the global and enclosing scalars of a function, which are constants for Numba."""
    try:
        variables = inspect.getclosurevars(function)
    except ValueError:  # a cell that is still empty
        return {}
    values = {**variables.globals, **variables.nonlocals}
    kinds = (bool, int, float, np.generic, np.ufunc)
    return {k: v for k, v in values.items() if isinstance(v, kinds) or v is np}


# ---- the translation of a syntax tree


NO_RETURN = "not every path ends with a return"


class Translation:
    """Translates one function; `names` are its variables (terms) and constants (values)."""

    def __init__(self, names: dict[str, Any]) -> None:
        self.names = names

    def function(self, node: Function) -> Term:
        """Translate the whole function."""
        if isinstance(node, ast.Lambda):
            return self.visit(node.body)
        result = self.block(node.body)
        if result is None:
            raise Untranslatable(node, NO_RETURN)
        return result

    def block(self, statements: list[ast.stmt]) -> Term | None:
        """Translate statements up to a return; return None if there is none, and note variables."""
        for k, node in enumerate(statements):
            if isinstance(node, ast.Return) and node.value is not None:
                return self.visit(node.value)
            if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                if not all(isinstance(target, ast.Name) for target in targets):
                    raise Untranslatable(node, "assignment to more than a name")
                value = self.visit(node.value)
                self.names |= {
                    target.id: value for target in targets if isinstance(target, ast.Name)
                }
            elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
                variable = ast.copy_location(ast.Name(node.target.id), node)
                binary = ast.copy_location(ast.BinOp(variable, node.op, node.value), node)
                self.names[node.target.id] = self.visit(binary)
            elif isinstance(node, ast.If):
                if (result := self.branch(node, statements[k + 1 :])) is not None:
                    return result
            elif not isinstance(node, ast.Pass) and not is_docstring(node):
                raise Untranslatable(
                    node, f"{type(node).__name__.lower()} is not a scalar statement"
                )
        return None

    def branch(self, node: ast.If, rest: list[ast.stmt]) -> Term | None:
        """Translate an if and the `rest` of the block if a branch returns.

        If none does, each variable becomes a conditional expression, and the result is None.
        """
        test, names_before = self.visit(node.test), dict(self.names)
        then_term = self.block(node.body)
        names_then, self.names = self.names, dict(names_before)
        else_term = self.block(node.orelse)
        if then_term is None and else_term is None:
            if any(
                isinstance(n, ast.Return) for s in (*node.body, *node.orelse) for n in ast.walk(s)
            ):
                raise Untranslatable(node, NO_RETURN)
            for name in {**names_then, **self.names}:
                then_value, else_value = names_then.get(name), self.names.get(name)
                if then_value is None or else_value is None:
                    self.names.pop(name, None)  # is assigned in one branch only
                elif then_value is not else_value:
                    then_value, else_value = (
                        self.term(node, then_value),
                        self.term(node, else_value),
                    )
                    self.names[name] = conditional(node, test, then_value, else_value)
            return None
        if then_term is None:
            names_else, self.names = self.names, names_then
            then_term = self.block(rest)
            self.names = names_else
        elif else_term is None:
            else_term = self.block(rest)
        if then_term is None or else_term is None:
            raise Untranslatable(node, NO_RETURN)
        return conditional(node, test, then_term, else_term)

    def term(self, node: ast.AST, value: Any) -> Term:
        """Return a variable's term as it is, and a constant's."""
        return value if isinstance(value, Term) else constant(node, value)

    def visit(self, node: ast.expr) -> Term:
        """Translate an expression."""
        method = getattr(self, f"visit_{type(node).__name__}", None)
        if method is None:
            raise Untranslatable(node, f"`{ast.unparse(node)}` is not a scalar expression")
        term: Term = method(node)
        if len(term.text) > MAX_CHARACTERS:
            raise Untranslatable(
                node, f"its expression has more than {MAX_CHARACTERS:,} characters"
            )
        return term

    def visit_Constant(self, node: ast.Constant) -> Term:
        return constant(node, node.value)

    def visit_Name(self, node: ast.Name) -> Term:
        if node.id not in self.names:
            raise Untranslatable(node, f"{node.id} is not the name of a scalar")
        return self.term(node, self.names[node.id])

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Term:
        if isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
            return constant(node, -node.operand.value)  # type: ignore[operator]
        x = self.visit(node.operand)
        if isinstance(node.op, ast.Not):
            return Term(types.boolean, f"(!{cast(x, types.boolean).text})")
        dtype = numba_signature(node, SIGNS[type(node.op)], x.type).return_type
        if isinstance(node.op, ast.Invert):
            sign = "!" if dtype == types.boolean else "~"
            return Term(dtype, f"({cuda_name(dtype)})({cuda_name(x.type)})({sign}{x.text})")
        if isinstance(node.op, ast.UAdd) or x.type == types.boolean:
            x = cast(x, dtype)
        if isinstance(node.op, ast.UAdd):
            return x
        return cast(Term(x.type, f"({cuda_name(x.type)})(-ring({x.text}))"), dtype)

    def visit_BinOp(self, node: ast.BinOp) -> Term:
        rule = ARITHMETIC.get(type(node.op))
        if rule is None:
            raise Untranslatable(
                node, f"`{ast.unparse(node)}` has an operator that is not translated"
            )
        function, integer, real = rule
        left, right = self.visit(node.left), self.visit(node.right)
        dtype = numba_signature(node, function, left.type, right.type).return_type
        left, right = cast(left, dtype), cast(right, dtype)
        rule_of_dtype = real if is_float(dtype) else integer
        if not rule_of_dtype:
            raise Untranslatable(node, f"`{ast.unparse(node)}` of {dtype} is not translated")
        text = rule_of_dtype.format(left.text, right.text)
        return Term(dtype, f"({cuda_name(dtype)})({text})")

    def visit_Compare(self, node: ast.Compare) -> Term:
        parts, left = [], self.visit(node.left)
        for sign, operand in zip(node.ops, node.comparators, strict=True):
            if type(sign) not in COMPARISONS:
                raise Untranslatable(node, f"`{ast.unparse(node)}` does not compare values")
            function, text = COMPARISONS[type(sign)]
            right = self.visit(operand)
            to = numba_signature(node, function, left.type, right.type).args
            parts.append(f"({cast(left, to[0]).text} {text} {cast(right, to[1]).text})")
            left = right
        return Term(types.boolean, f"({' && '.join(parts)})")

    def visit_BoolOp(self, node: ast.BoolOp) -> Term:
        *first, term = [self.visit(value) for value in node.values]
        for x in reversed(first):
            then, other = (term, x) if isinstance(node.op, ast.And) else (x, term)
            term = conditional(node, x, then, other)
        return term

    def visit_IfExp(self, node: ast.IfExp) -> Term:
        return conditional(
            node, self.visit(node.test), self.visit(node.body), self.visit(node.orelse)
        )

    def visit_Call(self, node: ast.Call) -> Term:
        function = self.numpy_function(node.func)
        if function is not None and node.args and not node.keywords:
            return numpy_call(node, function, [self.visit(x) for x in node.args])
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name not in FUNCTIONS or name in self.names or node.keywords or not node.args:
            known = ", ".join(FUNCTIONS)
            raise Untranslatable(node, f"`{ast.unparse(node)}` is not a call of one of {known}")
        terms = [self.visit(x) for x in node.args]
        if name in ("min", "max") and len(terms) > 1:
            term, *others = terms
            for x in others:
                t = common_type(node, term.type, x.type)
                term = Term(t, f"python_{name}({cast(term, t).text}, {cast(x, t).text})")
            return term
        signature = numba_signature(node, FUNCTIONS[name], *(x.type for x in terms))
        x = cast(terms[0], signature.args[0])
        if name == "abs":
            return cast(Term(x.type, f"absolute({x.text})"), signature.return_type)
        return cast(x, signature.return_type)

    def numpy_function(self, node: ast.expr) -> Any:
        """Return the ufunc that an expression names, ``np.log`` or a variable; None for others."""
        found: Any = None
        if isinstance(node, ast.Name):
            found = self.names.get(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            found = getattr(self.names.get(node.value.id), node.attr, None)
        return found if isinstance(found, np.ufunc) else None


def numpy_call(node: ast.Call, function: Any, terms: list[Term]) -> Term:
    """Return the term of a call of a ufunc."""
    name = function.__name__
    count = function.nin  # codespell:ignore
    if len(terms) != count:
        raise Untranslatable(node, f"`{ast.unparse(node)}` has not {count} arguments")
    dtype = numba_signature(node, function, *(x.type for x in terms)).return_type
    if name in OPERATORS and dtype != types.boolean:
        _, integer, real = ARITHMETIC[OPERATORS[name]]
        template = f"({cuda_name(dtype)})({real if is_float(dtype) else integer})"
    elif name in SAME_TYPE and dtype != types.boolean:
        template = f"({cuda_name(dtype)}){SAME_TYPE[name]}"
    elif name in FLOATS and is_float(dtype):
        template = FLOATS[name]
    elif name in RELATIONS:
        common = common_type(node, terms[0].type, terms[1].type)
        texts = [cast(x, common).text for x in terms]
        return Term(types.boolean, f"({texts[0]} {RELATIONS[name]} {texts[1]})")
    elif name in TRUTH:
        return Term(types.boolean, TRUTH[name].format(*(x.text for x in terms)))
    else:
        raise Untranslatable(node, f"`{ast.unparse(node)}` calls a function without translation")
    texts = [cast(x, dtype).text for x in terms]
    texts += [""] * (2 - len(texts))
    return Term(dtype, template.format(*texts, cuda_name(dtype)))


def is_docstring(node: ast.stmt) -> bool:
    """Whether a statement is a string, or another constant, alone."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


# ---- typed terms and Numba's rules of conversion


@cache
def typing_context() -> Any:
    """Return Numba's rules of typing, loaded."""
    context = cpu_target.typing_context
    context.refresh()
    return context


def numba_signature(node: ast.AST, function: Any, *arguments: Any) -> Any:
    """Return Numba's signature of a function for arguments of these types."""
    try:
        signature = typing_context().resolve_function_type(function, arguments, {})
    except NumbaError:
        signature = None
    if signature is None:
        given = " and ".join(map(str, arguments))
        raise Untranslatable(node, f"{function.__name__} of {given} is undefined")
    return signature


def common_type(node: ast.AST, a: Any, b: Any) -> Any:
    """Return the type that Numba gives to a value that is of type a or b."""
    unified = a if a == b else typing_context().unify_types(a, b)
    if unified is None or not isinstance(unified, types.Number | types.Boolean):
        raise Untranslatable(node, f"{a} and {b} have no common type")
    return unified


def is_float(t: Any) -> bool:
    """Whether a Numba type is a float."""
    return isinstance(t, types.Float)


def cuda_name(t: Any) -> str:
    """Return the CUDA name of a Numba type."""
    return C_NAMES["bool" if t == types.boolean else str(t)]


def cast(term: Term, t: Any) -> Term:
    """Convert a term to another type, as Numba does."""
    return term if term.type == t else Term(t, f"({cuda_name(t)})({term.text})")


def conditional(node: ast.AST, test: Term, if_true: Term, if_false: Term) -> Term:
    """Return the conditional expression."""
    dtype = common_type(node, if_true.type, if_false.type)
    condition, yes, no = cast(test, types.boolean), cast(if_true, dtype), cast(if_false, dtype)
    return Term(dtype, f"({condition.text} ? {yes.text} : {no.text})")


def constant(node: ast.AST, value: Any) -> Term:
    """Return the term of a scalar."""
    if isinstance(value, np.generic) and value.dtype.name in C_NAMES:
        number_type = types.boolean if value.dtype.kind == "b" else getattr(types, value.dtype.name)
        return Term(number_type, literal(value))
    if type(value) is bool:
        return Term(types.boolean, str(value).lower())
    if type(value) is int and -(1 << 63) <= value < 1 << 64:
        number_type = np.int64 if value < 1 << 63 else np.uint64
        return Term(getattr(types, number_type.__name__), literal(number_type(value)))
    if type(value) is float:
        return Term(types.float64, literal(np.float64(value)))
    raise Untranslatable(node, f"{value!r} is not a scalar")
