"""Every operator x dtype on extreme and random values, bitwise as SuiteSparse computes it."""

from itertools import product
from math import factorial

import graphblas as gb
import numpy as np
import pytest
from graphblas import Matrix, Vector, binary, dtypes, indexunary, monoid, select, semiring, unary

from graphla import cuda
from graphla.cuda.operators import tables
from graphla.errors import DomainMismatch
from tests.cuda.object_pairs import same
from tests.cuda.operator_kernel import DTYPES, NAMES, agree, compile_as_cuda, pairs, runner, values

MONOIDS = ("any", "band", "bor", "bxor", "bxnor", "eq", "land", "lor", "lxor", "lxnor")
MONOIDS += ("max", "min", "plus", "times")
NUMBA = {"absfirst", "abssecond", "binom", "floordiv", "rfloordiv", "rpow", "isclose"}


def find(module, name):
    """The untyped operator of a table's name."""
    for place in (module.ss, module):
        if name in dir(place):
            return getattr(place, name)
    raise AssertionError(f"{module.__name__} has no {name}")


def typed(module, table, dtype):
    """The typed operators of a table that take a dtype."""
    for name in table:
        if name.startswith("numpy.") or name in NUMBA:
            continue
        op = find(module, name)
        if dtype in op.types:
            yield op[dtype]


def everything(dtype):
    """Yield (macro of operator_kernel.cu, maker of the struct, typed operator) for a dtype."""
    for op in typed(unary, tables.UNARY, dtype):
        yield "UNARY", tables.unary, op
    for op in typed(binary, tables.BINARY, dtype):
        yield "BINARY", tables.binary, op
    for op in typed(indexunary, tables.INDEX, dtype):
        yield "INDEXED", tables.indexunary, op
    for op in typed(monoid, MONOIDS, dtype):
        yield "REDUCE", tables.monoid, op


@pytest.mark.parametrize("dtype", DTYPES, ids=NAMES)
def test_elementwise(dtype):
    ops = list(everything(dtype))
    compute, (x, y) = runner(dtype, ops), pairs(dtype)
    u, v = Vector.from_dense(x), Vector.from_dense(y)
    A, some = Matrix.from_dense(x.reshape(-1, 2)), values(dtype)[::3]
    for k, (macro, _, op) in enumerate(ops):
        if macro == "UNARY":
            agree(op, compute(x, y, k), u.apply(op).new().to_dense(), x, y)
        if macro == "BINARY":
            agree(op, compute(x, y, k), u.ewise_mult(v, op).new().to_dense(), x, y)
        if macro == "INDEXED":
            for thunk in some:
                want = A.apply(op, thunk).new().to_dense().ravel()
                agree(op, compute(x, np.full(1, thunk), k), want, x, x)


def check_beside_numba(dtype, one, two):
    """Compare operators of one and of two arguments with those that Numba compiles for the CPU.

    Division by zero is undefined there; the device returns NumPy's result.
    """
    rows = [("UNARY", tables.unary, op[dtype]) for op in one if dtype in op.types]
    rows += [("BINARY", tables.binary, op[dtype]) for op in two if dtype in op.types]
    x, y = pairs(dtype)
    x, y = x[(x != 0) & (y != 0)], y[(x != 0) & (y != 0)]
    compute, u, v = runner(dtype, rows), Vector.from_dense(x), Vector.from_dense(y)
    for k, (macro, _, op) in enumerate(rows):
        w = u.apply(op) if macro == "UNARY" else u.ewise_mult(v, op)
        agree(op, compute(x, y, k), w.new().to_dense(), x, y)


@pytest.mark.parametrize("dtype", DTYPES, ids=NAMES)
def test_operators_that_numba_compiles(dtype):
    check_beside_numba(
        dtype, [], [getattr(binary, name) for name in sorted(NUMBA - {"isclose", "rpow"})]
    )


@pytest.mark.thorough
@pytest.mark.parametrize("dtype", DTYPES, ids=NAMES)
def test_operators_of_numpy(dtype):
    one = [getattr(unary.numpy, name[6:]) for name in tables.UNARY if name[:6] == "numpy."]
    two = [getattr(binary.numpy, name[6:]) for name in tables.BINARY if name[:6] == "numpy."]
    check_beside_numba(dtype, one, two)


@pytest.mark.parametrize("dtype", DTYPES, ids=NAMES)
def test_reduce(dtype):
    ops = [row for row in everything(dtype) if row[0] == "REDUCE"]
    compute, x = runner(dtype, ops), values(dtype)
    x = x[np.isfinite(x) & (np.abs(x.astype(float)) < 1e3)] if x.dtype.kind == "f" else x
    assert ops
    for k, (_, _, op) in enumerate(ops):
        got, want = compute(x, x, k)[0], Vector.from_dense(x).reduce(op).new().value
        if op.name == "any":
            assert got in x
        else:
            assert got == pytest.approx(want, rel=1e-5 if dtype.name == "FP32" else 1e-12), op


@pytest.mark.parametrize("dtype", DTYPES, ids=NAMES)
def test_identity_and_terminal(dtype):
    x = values(dtype)
    for op in typed(monoid, MONOIDS, dtype):
        z = op.return_type.np_type
        u = Vector.from_dense(x).apply(unary.identity[op.type]).new()  # cast
        same = u.apply(op.binaryop, left=tables.identity(op)).new(z)
        assert tables.identity(op).dtype == z
        assert op.name == "any" or same.isequal(u.dup(z)) or np.isnan(x).any(), op
        absorbs = [
            t
            for t in np.unique(u.to_coo()[1])
            if t == t and (u.apply(op.binaryop, left=t).new().to_dense() == t).all()
        ]
        last = tables.terminal(op)
        if op.name == "any" or (op.name == "times" and z.kind == "f"):
            assert last is None
        else:
            assert absorbs == ([] if last is None else [last]), op


@pytest.mark.thorough
@pytest.mark.parametrize("dtype", DTYPES, ids=NAMES)
def test_compiles_as_cuda(dtype):
    compile_as_cuda(dtype, [row for row in everything(dtype) if row[2].type == dtype])


def test_nothing_is_left_out():
    """Every real built-in operator is supported."""
    kinds = [(unary, tables.unary), (binary, tables.binary), (monoid, tables.monoid)]
    kinds += [(indexunary, tables.indexunary), (select, tables.indexunary)]
    kinds += [(semiring, tables.semiring)]
    for module, make in kinds:
        names = {*dir(module), *dir(module.ss)}
        for name in sorted(n for n in names if NUMBA.isdisjoint(n.split("_"))):
            op = getattr(module.ss if name in dir(module.ss) else module, name)
            for dtype in getattr(op, "types", ()) if hasattr(op, "_typed_ops") else ():
                if dtype in DTYPES and op[dtype].return_type in DTYPES:
                    assert "struct" in make(op[dtype])


def test_what_an_operator_reads():
    assert tables.uses(semiring.any_pair[bool]) == set()
    assert tables.uses(semiring.min_second["FP32"]) == {"y"}
    assert tables.uses(semiring.min_first["FP32"]) == {"x"}
    assert tables.uses(semiring.min_plus["FP32"]) == {"x", "y"}
    assert tables.uses(semiring.ss.any_secondi["INT64"]) == {"yi"}


def test_unsupported_operators_are_named():
    with pytest.raises(DomainMismatch, match="conj"):
        tables.unary(unary.conj["FC64"])
    with pytest.raises(DomainMismatch, match="FC64"):
        tables.ctype("FC64")


# Units in the last place that CUDA's functions are off, of double and of single precision.
ERRORS = {"pow": (2, 8), "exp2": (1, 2), "log2": (1, 1), "log10": (1, 3), "cbrt": (1, 1)}
ERRORS |= {"hypot": (2, 3), "tgamma": (10, 11)}


def inexact(up):
    """CUDA C++ that puts functions with such errors, up or down, in the place of the exact ones."""
    found = ""
    for name, errors in ERRORS.items():
        two = name in ("pow", "hypot")
        for t, count in zip(("f64", "f32"), errors, strict=True):
            one = f"{t} x, {t} y" if two else f"{t} x"
            found += f"""
static __device__ {t} inexact_{name}({one}) {{
  {t} z = {name}({"x, y" if two else "x"});
  if (z - z == 0 && z != 0) for (int k = 0; k < {count}; ++k) z = nextafter(z, ({t}){up}1e30);
  return z;
}}"""
        found += f"\n#define {name} inexact_{name}\n"
    return found


def check(op, x, y, want, up):
    """Check that an operator of pairs has a result, bitwise, on the device and in SuiteSparse."""
    make = tables.unary if op.opclass == "UnaryOp" else tables.binary
    macro = "UNARY" if op.opclass == "UnaryOp" else "BINARY"
    got = runner(op.type, [(macro, make, op)], inexact(up))(x, y, 0)
    np.testing.assert_array_equal(got, want.astype(got.dtype))
    np.testing.assert_array_equal(np.signbit(got), np.signbit(want))


def powers(t):
    """All small x, y of a float type whose power is a number of the type."""
    bits = np.finfo(t).nmant + 1
    found = [(a, b, a**b) for a in range(-60, 400) for b in range(40) if abs(a) ** b <= 1 << bits]
    found += [(a * a, 0.5 * b, a**b) for a, b, z in found if a > 0 and a * a < 1 << bits]
    found += [(float(a) ** 8, b / 8, a**b) for a in range(1, 7) for b in range(1, 9)]
    found += [(2.0**a, -b, 2.0 ** (-a * b)) for a in range(-9, 9) for b in (1, 2, 7)]
    found += [(4.0, -1.5, 0.125), (-2.0, -3.0, -0.125), (-0.5, -5.0, -32.0), (0.0625, 0.25, 0.5)]
    found += [(1.0, 1e30, 1.0), (1.0, 0.3, 1.0), (-1.0, 1e30, 1.0), (-1.0, 1235.0, -1.0)]
    found += [(1.0, 1e-30, 1.0), (0.0, 3.0, 0.0), (2.0, 100.0, 2.0**100), (1.5, 2.0, 2.25)]
    return [np.array(column, t) for column in zip(*found, strict=True)]


@pytest.mark.parametrize("up", ["", "-"], ids=["above", "below"])
@pytest.mark.parametrize("dtype", [dtypes.FP32, dtypes.FP64], ids=str)
def test_powers(dtype, up):
    x, y, want = powers(dtype.np_type)
    u, v = Vector.from_dense(x), Vector.from_dense(y)
    assert (u.ewise_mult(v, binary.pow).new().to_dense() == want).all()
    check(binary.pow[dtype], x, y, want, up)


def test_powers_at_the_ends_of_the_range():
    x = np.array([2.0, 2.0, 0.5, 2.0**-1074, 2.0**-537, 2.0**512, -2.0, 0.5, 4.0, -(2.0**1000)])
    y = np.array([1023, -1074, 1074, 1, 2, 2, 1023, -1023, -537, 3.0])
    ends = [1023, -1074, -1074, -1074, -1074, None, 1023, 1023, -1074, None]
    want = np.array([np.inf if k is None else np.ldexp(1.0, k) for k in ends])
    want[[6, 9]] *= -1
    for up in ("", "-"):
        check(binary.pow["FP64"], x, y, want, up)


@pytest.mark.parametrize("up", ["", "-"], ids=["above", "below"])
@pytest.mark.parametrize("dtype", [dtypes.FP32, dtypes.FP64], ids=str)
def test_functions(dtype, up):
    t = dtype.np_type
    info = np.finfo(t)
    k = np.arange(info.minexp, info.maxexp)
    whole = np.arange(1, 200)
    ten = np.arange(23 if t.itemsize == 8 else 11)
    fact = np.arange(1, 24 if t.itemsize == 8 else 14)
    rows = [
        ("exp2", k, np.ldexp(t.type(1), k)),
        ("log2", np.ldexp(t.type(1), k), k),
        ("log10", np.array([10.0 ** int(n) for n in ten]), ten),
        ("cbrt", whole**3, whole),
        ("cbrt", -(whole**3) / 8, -whole / 2),
        ("tgamma", fact, np.array([float(factorial(n - 1)) for n in fact.tolist()])),
    ]
    for name, x, want in rows:
        op = getattr(unary.ss if name == "tgamma" else unary, name)[dtype]
        check(op, x.astype(t), x.astype(t), want.astype(t), up)
    pairs = [(a * a - b * b, 2 * a * b, a * a + b * b) for a in range(2, 40) for b in range(1, a)]
    pairs += [(0, 3, 3), (3, 0, 3), (-3, 4, 5), (0, 0, 0)]
    x, y, want = (np.array(column, t) for column in zip(*pairs, strict=True))
    check(binary.hypot[dtype], x, y, want, up)


INTEGERS = [f"{sign}INT{bits}" for sign in ("", "U") for bits in (8, 16, 32, 64)]


@pytest.mark.thorough
@pytest.mark.parametrize("other", ["INT8", "UINT16", "INT64", "UINT64"])
@pytest.mark.parametrize("one", INTEGERS)
def test_powers_of_integers(one, other):
    """Of any two types; SuiteSparse unifies UINT64 and a signed one to FP64."""
    pairs = [(a, b) for a, b in product(range(-4, 20), range(-2, 19)) if abs(a) ** max(b, 0) < 1e15]
    pairs = [(a, b) for a, b in pairs if b >= 0 or abs(a) in (0, 1, 2, 4)]  # exact in FP64
    limits = [np.iinfo(gb.dtypes.lookup_dtype(t).np_type) for t in (one, other)]
    pairs = [p for p in pairs if all(i.min <= z <= i.max for z, i in zip(p, limits, strict=True))]
    x, y = np.array(pairs).T
    found = []
    for side in (cuda, gb):
        u, v = (side.Vector.from_dense(z, dtype=t) for z, t in ((x, one), (y, other)))
        found.append(u.ewise_mult(v, binary.pow).new())
    same(*found)
    same(*(w.dup("INT64") for w in found))
    t = found[1].dtype
    for up in ("", "-"):
        check(binary.pow[t], x.astype(t.np_type), y.astype(t.np_type), found[1].to_dense(), up)
