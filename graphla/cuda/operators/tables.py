"""python-graphblas's operators in CUDA: one line each.

An operator is an expression of its operands ``x`` and ``y`` (for an index operator ``y`` is
the thunk) and of their positions: ``(i, j)`` of a unary operator's entry, ``(xi, xj)`` and
``(yi, yj)`` of a binary one's operands. Around it stands a struct that fixes the types, which
are those of the operator in SuiteSparse, and casts the expression to the result's. Integers
wrap: ``ring(x)`` is x in unsigned arithmetic; other functions stand in functions.cuh. What is
not in the tables but has a Python function is translated from it.
"""

from __future__ import annotations

from functools import cache
from threading import Lock
from typing import Any

from graphla.core.user_operators import terminals
from graphla.cuda.operators import python_functions
from graphla.cuda.operators.codegen import TYPES, ctype, limits, literal, reads, struct
from graphla.errors import DomainMismatch

UNARY = {
    "identity": "x",
    "one": "1",
    "ainv": "-ring(x)",
    "minv": "divide((X)1, x)",
    "abs": "absolute(x)",
    "lnot": "x == 0",
    "bnot": "~x",
    "signum": "sign(x)",
    "isinf": "x == x && x - x != 0",
    "isnan": "x != x",
    "isfinite": "x - x == 0",
    "frexpx": "mantissa(x)",
    "frexpe": "exponent(x)",
    "positioni": "i",
    "positioni1": "i + 1",
    "positionj": "j",
    "positionj1": "j + 1",
    "numpy.fabs": "fabs((Z)x)",
    "numpy.square": "ring(x) * ring(x)",
    "numpy.deg2rad": "(Z)x * (Z)0.017453292519943295",
    "numpy.radians": "(Z)x * (Z)0.017453292519943295",
    "numpy.rad2deg": "(Z)x * (Z)57.29577951308232",
    "numpy.degrees": "(Z)x * (Z)57.29577951308232",
}
_asking = Lock()
POWERS = ("sqrt", "cbrt", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p")
CIRCULAR = ("sin", "cos", "tan", "asin", "acos", "atan")
HYPERBOLIC = ("sinh", "cosh", "tanh", "asinh", "acosh", "atanh")
OTHER = ("ceil", "floor", "round", "trunc", "erf", "erfc", "lgamma", "tgamma")
UNARY |= {name: f"{name}(x)" for name in (*POWERS, *CIRCULAR, *HYPERBOLIC, *OTHER)}
UNARY |= {"exp2": "power_of_two(x)", "cbrt": "cube_root(x)", "tgamma": "gamma_function(x)"}
LOGARITHMS = {"log": "log(x)", "log2": "logarithm_of_base_two(x)"}
LOGARITHMS |= {"log10": "logarithm_of_base_ten(x)"}
UNARY |= {  # CUDA's take a tiny negative number for zero
    name: f"x < 0 ? not_a_number<X>() : {of}" for name, of in LOGARITHMS.items()
}

BINARY = {
    "first": "x",
    "second": "y",
    "any": "y",
    "pair": "1",
    "plus": "ring(x) + ring(y)",
    "minus": "ring(x) - ring(y)",
    "rminus": "ring(y) - ring(x)",
    "times": "ring(x) * ring(y)",
    "cdiv": "divide(x, y)",
    "rdiv": "divide(y, x)",
    "truediv": "x / y",
    "rtruediv": "y / x",
    "pow": "power(x, y)",
    "min": "smaller(x, y)",
    "max": "larger(x, y)",
    "iseq": "x == y",
    "isne": "x != y",
    "isgt": "x > y",
    "islt": "x < y",
    "isge": "x >= y",
    "isle": "x <= y",
    "eq": "x == y",
    "ne": "x != y",
    "gt": "x > y",
    "lt": "x < y",
    "ge": "x >= y",
    "le": "x <= y",
    "lor": "x || y",
    "land": "x && y",
    "lxor": "(x != 0) != (y != 0)",
    "lxnor": "(x != 0) == (y != 0)",
    "bor": "x | y",
    "band": "x & y",
    "bxor": "x ^ y",
    "bxnor": "~(x ^ y)",
    "bget": "(x & bit(y)) != 0",
    "bset": "x | bit(y)",
    "bclr": "x & ~bit(y)",
    "bshift": "shift(x, y)",
    "atan2": "atan2(x, y)",
    "hypot": "hypotenuse(x, y)",
    "fmod": "fmod(x, y)",
    "remainder": "remainder(x, y)",
    "copysign": "copysign(x, y)",
    "ldexp": "scale(x, y)",
    "firsti": "xi",
    "firsti1": "xi + 1",
    "firstj": "xj",
    "firstj1": "xj + 1",
    "secondi": "yi",
    "secondi1": "yi + 1",
    "secondj": "yj",
    "secondj1": "yj + 1",
    "absfirst": "absolute(x)",
    "abssecond": "absolute(y)",
    "binom": "binomial(x, y)",
    "numpy.float_power": "power(x, y)",
    "numpy.hypot": "hypotenuse((Z)x, (Z)y)",
    "numpy.maximum": "x != x ? x : y != y ? y : larger(x, y)",
    "numpy.minimum": "x != x ? x : y != y ? y : smaller(x, y)",
}

INDEX = {  # (xi, xj) is the entry's position, y the thunk
    "rowindex": "ring(xi) + ring(y)",
    "colindex": "ring(xj) + ring(y)",
    "diagindex": "ring(xj - xi) - ring(y)",
    "tril": "xj - xi <= y",
    "triu": "xj - xi >= y",
    "diag": "xj - xi == y",
    "offdiag": "xj - xi != y",
    "rowle": "xi <= y",
    "rowgt": "xi > y",
    "colle": "xj <= y",
    "colgt": "xj > y",
    "valueeq": "x == y",
    "valuene": "x != y",
    "valuegt": "x > y",
    "valuelt": "x < y",
    "valuege": "x >= y",
    "valuele": "x <= y",
}

# The value that no other can change, for bool, integers and floats; as a function of the type.
LOW, HIGH = (lambda t: limits(t)[0]), (lambda t: limits(t)[1])
TERMINAL = {
    "min": LOW,
    "max": HIGH,
    "lor": HIGH,
    "land": LOW,
    "times": lambda t: None if t.kind == "f" else 0,
    "bor": lambda t: HIGH(t) if t.kind == "u" else -1,
    "band": lambda t: 0,
}
BINARY_ARGUMENTS = "X x, Y y, i64 xi, i64 xj, i64 yi, i64 yj"


def name_of(op: Any) -> str:
    """Return a typed operator's name without SuiteSparse's namespace; "" for a user's own."""
    return "" if op.parent._anonymous else str(op.name).removeprefix("ss.")


def domain(op: Any) -> str:
    """Return the CUDA type of a typed operator's operands, as SuiteSparse has it.

    python-graphblas's INT64 ``truediv``, for one, is SuiteSparse's FP64 division.
    """
    last = op.gb_name.rsplit("_", 1)[-1]
    return ctype(last if last in TYPES else op.type)


def expression(op: Any, table: dict[str, str], names: tuple[str, ...]) -> str:
    """Return the expression that computes a typed operator; `names` are its Python arguments."""
    text = table.get(name_of(op))
    if text is not None:
        return text
    if getattr(op.parent, "orig_func", None) is None:
        raise DomainMismatch(f"operator {op!r} is not supported on engine 'cuda'")
    return python_functions.expression(op, names)


def unary(op: Any, name: str = "Op") -> str:
    """Return the struct of a typed unary operator."""
    body = expression(op, UNARY, ("x",))
    types = {"X": domain(op), "Z": ctype(op.return_type)}
    return struct(name, types, "X x, i64 i, i64 j", body)


def binary(op: Any, name: str = "Op") -> str:
    """Return the struct of a typed binary operator (a monoid stands for its operator)."""
    if op.opclass == "Monoid":
        op = op.binaryop
    body = expression(op, BINARY, ("x", "y"))
    types = {"X": domain(op), "Y": second_domain(op), "Z": ctype(op.return_type)}
    return struct(name, types, BINARY_ARGUMENTS, body)


def second_domain(op: Any) -> str:
    """Return the CUDA type of a binary operator's second operand."""
    if name_of(op) == "bshift":
        return "i8"
    return domain(op) if op.type2 == op.type else ctype(op.type2)


def indexunary(op: Any, name: str = "Op") -> str:
    """Return the struct of a typed index-unary or select operator."""
    body = expression(op, INDEX, ("x", "xi", "xj", "y"))
    thunk = "i64" if op.is_positional or name_of(op) == "diagindex" else ctype(op.thunk_type)
    types = {"X": domain(op), "Y": thunk, "Z": ctype(op.return_type)}
    return struct(name, types, BINARY_ARGUMENTS, body)


def monoid(op: Any, name: str = "Add") -> str:
    """Return the struct of a typed monoid: the operator, its identity, and when it is done."""
    body = expression(op.binaryop, BINARY, ("x", "y"))
    if reads(body) - {"x", "y"}:
        raise DomainMismatch(f"{op!r} has no positions to combine")
    last = terminal(op)
    first = literal(identity(op))
    if name_of(op) in ("min", "max") and op.return_type.np_type.kind == "f":
        first = "not_a_number<Z>()"  # so that nothing but NaN sums to NaN: both ignore it
    done = "true" if is_any(op) else "false" if last is None else f"x == {literal(last)}"
    more = f"""  static __device__ __forceinline__ Z identity() {{ return {first}; }}
  static const bool TERMINAL = {"true" if ends(op) else "false"};
  static __device__ __forceinline__ bool done(Z x) {{ return {done}; }}
"""
    return struct(name, {"Z": ctype(op.return_type)}, "Z x, Z y", body, more)


def semiring(op: Any, add: str = "Add", multiply: str = "Multiply") -> str:
    """Return the structs of a typed semiring's monoid and multiplication."""
    return monoid(op.monoid, add) + binary(op.binaryop, multiply)


@cache
def uses(op: Any) -> frozenset[str]:
    """Return what a typed binary operator or semiring's multiplication reads.

    A subset of x, y, xi, xj, yi, yj: nothing for ``pair``, y for ``second``, yi for ``secondi``.
    """
    op = op.binaryop if op.opclass in ("Semiring", "Monoid") else op
    return reads(expression(op, BINARY, ("x", "y")))


def is_any(op: Any) -> bool:
    """Whether a typed monoid may return either operand, so that the first value will do."""
    return name_of(op) == "any"


def ends(op: Any) -> bool:
    """Whether a typed monoid has values that nothing can change any more."""
    return is_any(op) or terminal(op) is not None


def identity(op: Any) -> Any:
    """Return a typed monoid's identity as a NumPy scalar of its dtype."""
    with _asking:  # python-graphblas pauses its one recorder while it finds it
        found = op.identity
    return op.return_type.np_type.type(found)


def terminal(op: Any) -> Any:
    """Return the value of a typed monoid that nothing can change, a NumPy scalar, or None.

    ``any`` has none: each value is one (:func:`is_any`).
    """
    dtype = op.return_type.np_type
    found = TERMINAL.get(name_of(op))
    value = found(dtype) if found else terminals.get(op.parent)
    return None if value is None else dtype.type(value)
