"""Users' functions on both engines: the same bits on extreme and random values."""

import numba
import numpy as np
import pytest
from graphblas import Matrix, Vector, binary, indexunary, unary
from graphblas.dtypes import BOOL, FP32, FP64, INT8, INT64, UINT8, UINT64

from graphla import cuda
from graphla.core.user_operators import binary_op, monoid_op, semiring_op, unary_op
from graphla.cuda import to_graphblas
from graphla.cuda.operators import python_functions, tables
from graphla.errors import DomainMismatch
from tests.cuda.operator_kernel import agree, compile_as_cuda, pairs, runner

HALF, THREE, TINY = 0.5, 3, np.float32(1e-3)


def arithmetic(x, y):
    return x + y * x - (-y)


def quotient(x, y):
    return x / y


def floor_quotient(x, y):
    return x // y


def remainder(x, y):
    return x % y


def comparisons(x, y):
    return (x < y) + 2 * (x <= y) + 4 * (x == y) + 8 * (x != y) + 16 * (0 <= x < y <= 100)


def extremes(x, y):
    return min(x, y, 3) if abs(x) > 1 else max(y, x)


def logic(x, y):
    return (x and not y) or (y and x > 2) or x


def bits(x, y):
    return (x & y) | (~x ^ y)


def branches(x, y):
    """A docstring, assignments, and branches that join."""
    r = 0
    if x > r:
        r = x
        s = y + 1
    else:
        s = y
    t = r
    t *= s
    if t < y:
        return t
    if t == y:
        return THREE
    t -= x
    return t


def constants(x, y):
    near: float = HALF * x + THREE
    return near if near > y else TINY * y + True


def made(k):
    def inner(x, y):
        return x - k * y

    return inner


lambdas = [lambda x, y: x + y, lambda x, y: y - x, lambda x, y: x * y if x > y else y]

FLOATS = (FP32, FP64)
EVERY = (BOOL, INT8, UINT8, INT64, UINT64, *FLOATS)
ROWS = [
    *((f, EVERY) for f in (arithmetic, quotient, floor_quotient, remainder, comparisons, logic)),
    (bits, (BOOL, INT8, UINT8, INT64, UINT64)),
    (extremes, (BOOL, INT8, INT64, *FLOATS)),
    (branches, (INT8, INT64, *FLOATS)),
    (constants, (INT8, FP32, FP64)),
    (made(5), (INT8, FP32)),
    *((f, (INT8, FP32)) for f in lambdas),
]


def lazy(function):
    """Compile a function for the dtypes that are used only."""
    inner = numba.njit(error_model="numpy")(function)
    op = binary.register_anonymous(lambda x, y: inner(x, y), function.__name__, is_udt=True)
    op.orig_func = function
    return op


@pytest.mark.thorough
@pytest.mark.parametrize("dtype", EVERY, ids=lambda d: d.name)
def test_both_engines_agree(dtype):
    ops = [lazy(function)[dtype] for function, dtypes in ROWS if dtype in dtypes]
    compute = runner(dtype, [("BINARY", tables.binary, op) for op in ops])
    x, y = pairs(dtype)
    u, v = Vector.from_dense(x), Vector.from_dense(y)
    for k, op in enumerate(ops):
        agree(op, compute(x, y, k), u.ewise_mult(v, op).new().to_dense(), x, y)


@pytest.mark.thorough
@pytest.mark.parametrize("dtype", [INT64, FP32], ids=lambda d: d.name)
def test_compiles_as_cuda(dtype):
    ops = [lazy(function)[dtype] for function, dtypes in ROWS if dtype in dtypes]
    compile_as_cuda(dtype, [("BINARY", tables.binary, op) for op in ops])


def test_index_operator():
    """Positions are unsigned, as Numba has them: i - 3 wraps on both engines alike."""
    op = indexunary.register_anonymous(lambda x, i, j, s: x + s if i - 3 < 2 * j else s - i)
    compute, (x, _) = runner(INT64, [("INDEXED", tables.indexunary, op[INT64])]), pairs(INT64)
    want = Matrix.from_dense(x.reshape(-1, 2)).apply(op, 7).new().to_dense().ravel()
    agree(op[INT64], compute(x, np.full(1, 7), 0), want, x, x)


def test_endless_expressions_are_refused():
    def growing(x, y):
        x = x * x + y
        x = x * x + y
        x = x * x + y
        x = x * x + y
        x = x * x + y
        x = x * x + y
        x = x * x + y
        x = x * x + y
        x = x * x + y
        return x * x + y

    with pytest.raises(DomainMismatch, match="has more than"):
        tables.binary(lazy(growing)[INT64])


@pytest.mark.thorough
def test_registered_operators():
    """The results' types are python-graphblas's: narrow integers stay narrow."""
    absdiff = binary_op("absdiff", lambda x, y: x - y if x > y else y - x)
    half = unary_op("half", lambda x: x // 2)
    for dtype in (BOOL, INT8, UINT64, FP32):
        rows = [
            ("BINARY", tables.binary, absdiff[dtype]),
            ("UNARY", tables.unary, half[dtype]),
        ]
        compute, (x, y) = runner(dtype, rows), pairs(dtype)
        u, v = Vector.from_dense(x), Vector.from_dense(y)
        want = u.ewise_mult(v, absdiff).new().to_dense()
        agree(absdiff[dtype], compute(x, y, 0), want, x, y)
        agree(half[dtype], compute(x, y, 1), u.apply(half).new().to_dense(), x, y)
    assert absdiff[INT8].return_type == INT8


@pytest.mark.thorough
def test_monoid_and_semiring():
    longer = binary_op("longer", lambda x, y: x if abs(x) > abs(y) else y)
    add = monoid_op(longer, 0, terminal=127)
    assert tables.terminal(add[INT8]) == 127
    assert tables.terminal(monoid_op(longer, 0)[INT8]) is None
    assert tables.identity(add[FP32]) == np.float32(0)
    structs = tables.semiring(semiring_op(add, binary.plus)[INT8])
    assert "x == (i8)127" in structs
    assert "absolute" in structs


@pytest.mark.thorough
def test_by_hand():
    op = binary_op("spread", lambda x, y: max(x, y) ** 2, cuda="x > y ? x : y")
    assert "(x > y ? x : y)" in tables.binary(op[INT64])
    assert tables.uses(op[INT64]) == {"x", "y"}
    assert tables.uses(lazy(lambda x, y: y + 1)[INT64]) == {"y"}


def whole_of_numpy(x, y):
    a = np.maximum(np.add(x, y), np.minimum(x, 2)) - np.negative(np.abs(y))
    b = np.mod(x, 3) + np.floor_divide(y, 2) + np.sign(x) * np.square(y) + np.bitwise_xor(x, y)
    return a * b if np.logical_or(np.greater(x, y), np.logical_not(x)) else np.multiply(a, 3)


def real_of_numpy(x, y):
    a = np.abs(x) + 1.5
    b = np.abs(y) + 0.5
    c = np.log(a) + np.exp(-b) + np.sqrt(b) + np.sin(a) * np.arctan2(x, b) + np.hypot(a, b)
    d = np.logaddexp(x, y) + np.logaddexp2(x, x) - np.log2(b) + np.power(a, 2.5) + np.tanh(y)
    return c + d if np.isfinite(c) and not np.isnan(d) else np.fmax(c, d) + np.floor(y)


@pytest.mark.parametrize("function", [whole_of_numpy, real_of_numpy])
def test_functions_of_numpy(function):
    """Those of whole numbers are exact; logarithms and the like differ in the last digits."""
    dtype, np_type = ("FP64", float) if function is real_of_numpy else ("INT64", np.int64)
    x, y = np.arange(-6, 9).astype(np_type), np.arange(15) % 4 - 1
    sides = [(V.from_dense(x), V.from_dense(y.astype(x.dtype))) for V in (cuda.Vector, Vector)]
    op = binary.register_anonymous(function)
    ours, theirs = (u.ewise_mult(v, op).new() for u, v in sides)
    got = to_graphblas(ours)
    assert got.dtype == theirs.dtype == dtype
    rounding = 1e-12 if dtype == "FP64" else 0
    np.testing.assert_allclose(got.to_dense(), theirs.to_dense(), rtol=rounding)


def loop(x, y):
    while x < y:
        x += 1
    return x


def power(x, y):
    z = x + 1
    return z**y


def call(x, y):
    return np.gcd(x, y) + y


def sometimes(x, y):
    if x > 0:
        if y > 0:
            return x
        y = 3
    return y


def unpacked(x, y):
    x, y = y, x
    return x + y


def of_a_name_in_one_branch(x, y):
    if x > y:
        z = x
    return z


def identical(x, y):
    return x is y


def listed(x, y):
    return [x, y][0]


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (unpacked, "assignment to more than a name"),
        (of_a_name_in_one_branch, "z is not the name of a scalar"),
        (identical, "does not compare values"),
        (listed, "is not a scalar expression"),
        (loop, "while x < y:"),
        (power, r"return z\*\*y"),
        (call, r"np.gcd\(x, y\)"),
        (sometimes, "not every path"),
    ],
)
def test_refused_with_the_line(function, says):
    with pytest.raises(DomainMismatch, match=says) as caught:
        python_functions.expression(lazy(function)[INT64], ("x", "y"))
    assert 'cuda="..."' in str(caught.value)


def test_a_float_that_is_cut_to_an_integer_is_refused():
    relu = unary_op("relu", lambda x: x if x > 0 else 0)
    assert "?" in tables.unary(relu[INT64])
    with pytest.raises(DomainMismatch, match="float64 and cuts to UINT64"):
        tables.unary(relu[UINT64])


def test_source_that_cannot_be_read():
    space = {}
    exec("def typed(x, y):\n    return x + y", space)
    with pytest.raises(DomainMismatch, match="not available"):
        tables.binary(lazy(space["typed"])[INT64])


@pytest.mark.thorough
def test_parameterized_operator_of_python_graphblas():
    near = binary.isclose(0.1, 0.5)
    assert "python_max" in tables.binary(near[FP64])


def test_plain_function():
    """python-graphblas accepts a function in an operator's place."""
    op = unary.register_anonymous(lambda x: x + 1, is_udt=True)
    assert "ring" in tables.unary(op[INT8])
