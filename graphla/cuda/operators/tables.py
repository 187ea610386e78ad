"""python-graphblas's operators as CUDA expressions, one line each.

An expression uses the operands ``x`` and ``y`` (the thunk, for an index operator) and their
positions: ``(i, j)`` of a unary operator's entry, ``(xi, xj)`` and ``(yi, yj)`` of a binary
operator's operands. A struct around it has SuiteSparse's types and casts the expression to the
result's. Integers wrap: ``ring(x)`` is x in unsigned arithmetic; functions.cuh has the other
functions. An operator that is not in the tables but has a Python function is translated from it.
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
POWERS = ("sqrt", "cbrt", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p")
CIRCULAR = ("sin", "cos", "tan", "asin", "acos", "atan")
HYPERBOLIC = ("sinh", "cosh", "tanh", "asinh", "acosh", "atanh")
OTHER = ("ceil", "floor", "round", "trunc", "erf", "erfc", "lgamma", "tgamma")
UNARY |= {name: f"{name}(x)" for name in (*POWERS, *CIRCULAR, *HYPERBOLIC, *OTHER)}
UNARY |= {"exp2": "power_of_two(x)", "cbrt": "cube_root(x)", "tgamma": "gamma_function(x)"}
LOGARITHMS = {"log": "log(x)", "log2": "logarithm_of_base_two(x)"}
LOGARITHMS |= {"log10": "logarithm_of_base_ten(x)"}
UNARY |= {  # CUDA's functions treat a tiny negative number as zero
    name: f"x < 0 ? not_a_number<X>() : {text}" for name, text in LOGARITHMS.items()
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

# The terminal value of a monoid, as a function of the dtype.
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
BINARY_PARAMETERS = "X x, Y y, i64 xi, i64 xj, i64 yi, i64 yj"
_identity_lock = Lock()


def name_of(op: Any) -> str:
    """Return a typed operator's name without SuiteSparse's namespace; "" for a user's own."""
    return "" if op.parent._anonymous else str(op.name).removeprefix("ss.")


def domain(op: Any) -> str:
    """Return the CUDA type of a typed operator's first operand, which is SuiteSparse's.

    For example, ``truediv`` of INT64 in python-graphblas is SuiteSparse's division of FP64.
    """
    last = op.gb_name.rsplit("_", 1)[-1]
    return ctype(last if last in TYPES else op.type)


def expression(op: Any, table: dict[str, str], names: tuple[str, ...]) -> str:
    """Return the expression of a typed operator; `names` are the CUDA names of its arguments."""
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
    """Return the struct of a typed binary operator, or of a typed monoid's operator."""
    if op.opclass == "Monoid":
        op = op.binaryop
    body = expression(op, BINARY, ("x", "y"))
    types = {"X": domain(op), "Y": second_domain(op), "Z": ctype(op.return_type)}
    return struct(name, types, BINARY_PARAMETERS, body)


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
    return struct(name, types, BINARY_PARAMETERS, body)


def monoid(op: Any, name: str = "Add") -> str:
    """Return the struct of a typed monoid: operator, identity, terminal values."""
    body = expression(op.binaryop, BINARY, ("x", "y"))
    if reads(body) - {"x", "y"}:
        raise DomainMismatch(f"{op!r} combines positions, which a sum does not have")
    terminal_value, start = terminal(op), literal(identity(op))
    if name_of(op) in ("min", "max") and op.return_type.np_type.kind == "f":
        start = "not_a_number<Z>()"  # min and max ignore NaN: only sums of NaN alone are NaN
    done = "false" if terminal_value is None else f"x == {literal(terminal_value)}"
    done = "true" if is_any(op) else done
    members = f"""  static __device__ __forceinline__ Z identity() {{ return {start}; }}
  static const bool TERMINAL = {"true" if has_terminal(op) else "false"};
  static __device__ __forceinline__ bool done(Z x) {{ return {done}; }}
"""
    return struct(name, {"Z": ctype(op.return_type)}, "Z x, Z y", body, members)


def semiring(op: Any, add: str = "Add", multiply: str = "Multiply") -> str:
    """Return the structs of a typed semiring's monoid and multiplication."""
    return monoid(op.monoid, add) + binary(op.binaryop, multiply)


@cache
def uses(op: Any) -> frozenset[str]:
    """Return which of x, y, xi, xj, yi, yj a binary operator or a semiring's multiplication reads.

    None for ``pair``, y for ``second``, yi for ``secondi``. The operator is typed.
    """
    op = op.binaryop if op.opclass in ("Semiring", "Monoid") else op
    return reads(expression(op, BINARY, ("x", "y")))


def is_any(op: Any) -> bool:
    """Whether a typed monoid may return either operand, so that any one value is a sum."""
    return name_of(op) == "any"


def has_terminal(op: Any) -> bool:
    """Whether a typed monoid has terminal values, which no operand can change."""
    return is_any(op) or terminal(op) is not None


def identity(op: Any) -> Any:
    """Return a typed monoid's identity as a NumPy scalar of its dtype."""
    with _identity_lock:  # python-graphblas pauses its global recorder while it computes it
        value = op.identity
    return op.return_type.np_type.type(value)


def terminal(op: Any) -> Any:
    """Return the terminal value of a typed monoid, a NumPy scalar, or None.

    None for ``any``, although each of its values is terminal (:func:`is_any`).
    """
    dtype = op.return_type.np_type
    compute = TERMINAL.get(name_of(op))
    value = compute(dtype) if compute else terminals.get(op.parent)
    return None if value is None else dtype.type(value)
