"""Every operator x dtype on extreme and random values, bitwise as SuiteSparse computes it."""

import itertools
from pathlib import Path

import numpy as np
import pytest
from graphblas import Matrix, Vector, binary, dtypes, indexunary, monoid, select, semiring, unary

from graphla.cuda import operators
from graphla.cuda.compile import paste, text
from graphla.cuda.device import device
from graphla.errors import DomainMismatch

INTEGERS = [f"{sign}INT{bits}" for sign in ("", "U") for bits in (8, 16, 32, 64)]
NAMES = ["BOOL", *INTEGERS, "FP32", "FP64"]
DTYPES = [getattr(dtypes, name) for name in NAMES]
EACH = (Path(__file__).parent / "each.cu").read_text()
MONOIDS = ("any", "band", "bor", "bxor", "bxnor", "eq", "land", "lor", "lxor", "lxnor")
MONOIDS += ("max", "min", "plus", "times")
NUMBA = {"absfirst", "abssecond", "binom", "floordiv", "rfloordiv", "rpow", "isclose"}
EXACT = {"sqrt", "ceil", "floor", "round", "trunc", "signum", "abs", "identity", "ainv", "minv"}
EXACT |= {"frexpx", "frexpe", "one", "lnot"}


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


def values(dtype, count=40):
    """Extreme and random values of a dtype."""
    t, random = dtype.np_type, np.random.default_rng(7)
    if t.kind == "b":
        return np.array([False, True])
    if t.kind == "f":
        info = np.finfo(t)
        edge = [0, 1, 2, 3, 0.5, 1.5, 2.5, np.inf, info.max, info.tiny, info.smallest_subnormal]
        edge = [*edge, 1e-3, 31.5, 2.0**31, 2.0**63, 7, info.eps]
        edge = np.array([*edge, *(-x for x in edge), np.nan], t)
        return np.concatenate([edge, random.normal(0, 10, count).astype(t)])
    low, high = np.iinfo(t).min, np.iinfo(t).max
    edge = {low, low + 1, -2, -1, 0, 1, 2, 3, 7, 8, 9, 16, 17, 31, 32, 33, 63, 64, high - 1, high}
    edge = np.array(sorted(x for x in edge if low <= x <= high), t)
    return np.concatenate([edge, random.integers(low, high, count, t), np.arange(10, dtype=t)])


def pairs(dtype):
    """All pairs of :func:`values`."""
    x = values(dtype)
    x = x[len(x) % 2 :]  # an even number: they stand in two columns
    return tuple(np.array(side, x.dtype) for side in zip(*itertools.product(x, x), strict=True))


def everything(dtype):
    """The typed operators that take a dtype: (macro of each.cu, struct's maker, operator)."""
    for op in typed(unary, operators.UNARY, dtype):
        yield "UNARY", operators.unary, op
    for op in typed(binary, operators.BINARY, dtype):
        yield "BINARY", operators.binary, op
    for op in typed(indexunary, operators.INDEX, dtype):
        yield "INDEXED", operators.indexunary, op
    for op in typed(monoid, MONOIDS, dtype):
        yield "REDUCE", operators.monoid, op


def source(dtype, ops):
    """The text of one kernel that has all these operators."""
    structs = "".join(make(op, f"Op{k}") for k, (_, make, op) in enumerate(ops))
    cases = " ".join(f"{macro}({k})" for k, (macro, _, _) in enumerate(ops))
    definitions = f"typedef {operators.ctype(dtype)} T;\n{structs}#define OPERATORS {cases}\n"
    seen = {"types.cuh"}
    return paste(text("types.cuh"), seen) + paste(definitions + EACH, seen)


def runner(dtype, ops):
    """A function of (x, y, k) that gives what operator k computes on the device."""
    run, xp = device.compile(source(dtype, ops), "each", False), device.xp

    def compute(x, y, k):
        z = xp.empty(len(x), ops[k][2].return_type.np_type)
        run(len(x), 256, (xp.asarray(x), xp.asarray(y), z, len(x), k))
        return device.to_host(z)

    return compute


def ulps(a, b):
    """Distance of floats in units of the last place."""
    with np.errstate(all="ignore"):
        return np.abs(a - b) / np.spacing(np.maximum(np.abs(a), np.abs(b)))


def agree(op, got, want, x, y):
    """Compare results bitwise, or to 4 ulp where the function is transcendental."""
    assert got.dtype == want.dtype, op
    if got.dtype.kind != "f":
        bad = got != want
    else:
        same = (got == want) | (np.isnan(got) & np.isnan(want))
        name = operators.name_of(op)
        if name not in ("min", "max"):  # either zero will do
            same &= (got != 0) | (np.signbit(got) == np.signbit(want))
        if (op.opclass == "UnaryOp" and name not in EXACT) or name in ("pow", "atan2", "hypot"):
            same |= ulps(got, want) <= 4
        bad = ~same
    k = int(np.argmax(bad))
    assert not bad.any(), f"{op!r} of {x[k]!r}, {y[k]!r}: {got[k]!r}, not {want[k]!r}"


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
        same = u.apply(op.binaryop, left=operators.identity(op)).new(z)
        assert operators.identity(op).dtype == z
        assert op.name == "any" or same.isequal(u.dup(z)) or np.isnan(x).any(), op
        absorbs = [
            t
            for t in np.unique(u.to_coo()[1])
            if t == t and (u.apply(op.binaryop, left=t).new().to_dense() == t).all()
        ]
        last = operators.terminal(op)
        if op.name == "any" or (op.name == "times" and z.kind == "f"):
            assert last is None
        else:
            assert absorbs == ([] if last is None else [last]), op


@pytest.mark.parametrize("dtype", DTYPES, ids=NAMES)
def test_compiles_as_cuda(dtype):
    ops = [row for row in everything(dtype) if row[2].type == dtype]
    nvrtc = pytest.importorskip("cupy_backends.cuda.libs.nvrtc")
    program = nvrtc.createProgram(source(dtype, ops), "each.cu", (), ())
    try:
        nvrtc.compileProgram(program, ("-arch=sm_90", "-std=c++17"))
    finally:
        assert "error" not in nvrtc.getProgramLog(program)
        nvrtc.destroyProgram(program)


def test_nothing_is_left_out():
    """Every real built-in operator is supported."""
    kinds = [(unary, operators.unary), (binary, operators.binary), (monoid, operators.monoid)]
    kinds += [(indexunary, operators.indexunary), (select, operators.indexunary)]
    kinds += [(semiring, operators.semiring)]
    for module, make in kinds:
        names = {*dir(module), *dir(module.ss)}
        for name in sorted(n for n in names if NUMBA.isdisjoint(n.split("_"))):
            op = getattr(module.ss if name in dir(module.ss) else module, name)
            for dtype in getattr(op, "types", ()) if hasattr(op, "_typed_ops") else ():
                if dtype in DTYPES and op[dtype].return_type in DTYPES:
                    assert "struct" in make(op[dtype])


def test_what_an_operator_reads():
    assert operators.uses(semiring.any_pair[bool]) == set()
    assert operators.uses(semiring.min_second["FP32"]) == {"y"}
    assert operators.uses(semiring.min_first["FP32"]) == {"x"}
    assert operators.uses(semiring.min_plus["FP32"]) == {"x", "y"}
    assert operators.uses(semiring.ss.any_secondi["INT64"]) == {"yi"}


def test_unsupported_operators_are_named():
    with pytest.raises(DomainMismatch, match="conj"):
        operators.unary(unary.conj["FC64"])
    with pytest.raises(DomainMismatch, match="FC64"):
        operators.ctype("FC64")
