"""Results that are whole numbers, or powers of two, are exact: CUDA's functions need not be.

Here each function that CUDA documents with an error is off by some units in the last place.
"""

from itertools import product
from math import factorial

import graphblas as gb
import numpy as np
import pytest
from graphblas import Vector, binary, dtypes, unary

from graphla import cuda
from graphla.cuda.operators import tables
from tests.cuda.operator_kernel import runner
from tests.cuda.pairs import same

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
