"""Every operator x dtype on extreme and random values, bitwise as SuiteSparse computes it."""

import numpy as np
import pytest
from graphblas import Matrix, Vector, binary, indexunary, monoid, select, semiring, unary

from graphla.cuda.operators import tables
from graphla.errors import DomainMismatch
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


@pytest.mark.slow
def test_operators_that_numba_compiles():
    """By zero their result is undefined on the CPU; on the device it is that of NumPy."""
    one = [getattr(unary.numpy, name[6:]) for name in tables.UNARY if name[:6] == "numpy."]
    two = [getattr(binary.numpy, name[6:]) for name in tables.BINARY if name[:6] == "numpy."]
    two += [getattr(binary, name) for name in sorted(NUMBA - {"isclose", "rpow"})]
    for dtype in DTYPES:
        rows = [("UNARY", tables.unary, op[dtype]) for op in one if dtype in op.types]
        rows += [("BINARY", tables.binary, op[dtype]) for op in two if dtype in op.types]
        x, y = pairs(dtype)
        x, y = x[(x != 0) & (y != 0)], y[(x != 0) & (y != 0)]
        compute, u, v = runner(dtype, rows), Vector.from_dense(x), Vector.from_dense(y)
        for k, (macro, _, op) in enumerate(rows):
            w = u.apply(op) if macro == "UNARY" else u.ewise_mult(v, op)
            agree(op, compute(x, y, k), w.new().to_dense(), x, y)


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
