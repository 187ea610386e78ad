"""What python-graphblas calls on our classes, and which typed operator it chooses."""

import pytest
from graphblas import Vector, binary, indexunary, monoid, select, semiring, unary
from graphblas.core.utils import _output_types
from graphblas.dtypes import BOOL, FP32, FP64, INT8, INT64, UINT8

from graphla.cuda.operators import graphblas_bridge
from graphla.errors import DomainMismatch


class Toy:
    """Says what was called on it."""

    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return self.name

    def __or__(self, other):
        return graphblas_bridge.Infix(self, other, "ewise_add")

    def __and__(self, other):
        return graphblas_bridge.Infix(self, other, "ewise_mult")

    def __getattr__(self, method):
        if method.startswith("__"):
            raise AttributeError(method)
        return lambda *args, **keywords: (self, method, *args, keywords)


class ToyVector(Toy):
    ndim = 1

    def __matmul__(self, other):
        return graphblas_bridge.Infix(self, other, "vxm" if other.ndim == 2 else "inner")


class ToyMatrix(Toy):
    ndim = 2

    def __matmul__(self, other):
        return graphblas_bridge.Infix(self, other, "mxm" if other.ndim == 2 else "mxv")


class ToyScalar(Toy):
    ndim = 0


u, v, s = ToyVector("u"), ToyVector("v"), ToyScalar("s")
A, B = ToyMatrix("A"), ToyMatrix("B")
INFIX = {"is_infix": True}


@pytest.fixture(autouse=True, params=["untyped", "typed"])
def typing(request, monkeypatch):
    """Register the toys; every call is tried with an untyped and with a typed operator."""
    monkeypatch.setattr("graphblas.core.utils._output_types", dict(_output_types))
    graphblas_bridge.register(ToyVector, ToyMatrix, ToyScalar)
    return (lambda op: op) if request.param == "untyped" else (lambda op: op[INT64])


def test_unary(typing):
    op = typing(unary.abs)
    assert op(v) == (v, "apply", op, {})
    assert op(A) == (A, "apply", op, {})


def test_binary_with_scalar(typing):
    op = typing(binary.minus)
    assert op(v, 3) == (v, "apply", op, {"right": 3})
    assert op(3, v) == (v, "apply", op, {"left": 3})
    assert op(A, s) == (A, "apply", op, {"right": s})
    assert op(s, A) == (A, "apply", op, {"left": s})


def test_ewise(typing):
    for op in (typing(binary.plus), typing(monoid.min)):
        assert op(u | v) == (u, "_ewise_add", v, op, INFIX)
        assert op(A & B) == (A, "_ewise_mult", B, op, INFIX)
    op = typing(binary.minus)
    union = op(u | v, left_default=1, right_default=2)
    assert union == (u, "_ewise_union", v, op, 1, 2, INFIX)


def test_matmul(typing):
    op = typing(semiring.min_plus)
    assert op(A @ B) == (A, "_mxm", B, op, INFIX)
    assert op(A @ u) == (A, "_mxv", u, op, INFIX)
    assert op(u @ A) == (u, "_vxm", A, op, INFIX)
    assert op(u @ v) == (u, "_inner", v, op, INFIX)


def test_select(typing):
    op = typing(select.valuelt)
    assert op(v, 3) == (v, "select", op, {"thunk": 3})
    assert select.tril(A) == (A, "select", select.tril, {"thunk": False})


def test_indexunary(typing):
    op = typing(indexunary.rowindex)
    assert op(v) == (v, "apply", op, {"right": False})
    assert op(v, 2) == (v, "apply", op, {"right": 2})


def test_infix_shows_itself():
    assert repr(A @ u) == "ToyMatrix @ ToyVector"
    assert (u | v)._to_expr() == (u, "ewise_add", v, {})


def test_unknown_classes_are_refused_by_python_graphblas():
    class Other(Toy):
        pass

    with pytest.raises(TypeError):
        unary.abs(Other("x"))


@pytest.mark.parametrize(
    ("op", "kind", "dtypes", "scalars", "want"),
    [
        (binary.plus, "binary", (INT8, FP32), {}, binary.plus[FP32]),
        (binary.plus, "binary", (UINT8, FP64), {"right_scalar": True}, binary.plus[FP64]),
        ("+", "binary", (INT8, INT8), {}, binary.plus[INT8]),
        ("==", "binary", (INT8, INT64), {}, binary.eq[INT64]),
        (monoid.min, "binary", (INT8, INT8), {}, binary.min[INT8]),
        (binary.min, "monoid", (INT8,), {}, monoid.min[INT8]),
        (max, "monoid", (INT8,), {}, monoid.max[INT8]),
        ("min", "monoid", (FP32,), {}, monoid.min[FP32]),
        (semiring.min_plus, "semiring", (INT8, FP32), {}, semiring.min_plus[FP32]),
        ("min_plus", "semiring", (INT8, INT8), {}, semiring.min_plus[INT8]),
        (semiring.min_plus[FP64], "semiring", (INT8, INT8), {}, semiring.min_plus[FP64]),
        (semiring.any_pair, "semiring", (BOOL, INT64), {}, semiring.any_pair[INT64]),
        (unary.sqrt, "unary", (INT64,), {}, unary.sqrt[FP64]),
        ("-", "unary", (INT8,), {}, unary.ainv[INT8]),
        ("<", "select", (FP32, FP64), {}, select.valuelt[FP64]),
        (select.tril, "select", (FP64, BOOL), {"right_scalar": True}, select.tril[BOOL]),
        ("rowindex", "indexunary", (FP64, BOOL), {}, indexunary.rowindex[INT64]),
    ],
)
def test_resolve(op, kind, dtypes, scalars, want):
    got = graphblas_bridge.resolve(op, kind, *dtypes, **scalars)
    assert repr(got) == repr(want)
    assert got.return_type == want.return_type


def test_resolve_agrees_with_python_graphblas():
    """A scalar counts exactly as in a call of python-graphblas."""
    for value in (True, 3, 0.5):
        for dtype in (BOOL, INT8, INT64, FP32):
            want = Vector(dtype, 1).apply(binary.plus, right=value).dtype
            dtypes = dtype, graphblas_bridge.scalar_dtype(value)
            assert (
                graphblas_bridge.resolve("+", "binary", *dtypes, right_scalar=True).return_type
                == want
            )


def test_parts_of_a_semiring():
    op = graphblas_bridge.resolve("min_plus", "semiring", FP32, FP32)
    assert (op.monoid, op.binaryop) == (monoid.min[FP32], binary.plus[FP32])


def test_kinds():
    ops = (unary.abs, binary.plus, monoid.min[INT8], semiring.min_plus, select.tril)
    assert [*map(graphblas_bridge.kind_of, ops)] == [
        "unary",
        "binary",
        "monoid",
        "semiring",
        "select",
    ]
    assert [
        *map(graphblas_bridge.kind_of, ("min_plus", "tril", "rowindex", "nothing", max, 3))
    ] == [*("semiring", "indexunary", "indexunary", None, "binary", None)]


def test_dtypes():
    assert graphblas_bridge.unify(INT8, FP32) == FP32
    assert graphblas_bridge.lookup_dtype(float) == FP64
    assert graphblas_bridge.scalar_dtype(True) == BOOL


@pytest.mark.parametrize(
    ("op", "kind", "dtypes", "says"),
    [
        (unary.abs, "binary", (INT8, INT8), "not a binary operator"),
        (binary.minus, "monoid", (INT8,), "belongs to no monoid"),
        (binary.bor, "binary", (FP32, FP32), "bor"),
        ("nothing", "semiring", (INT8, INT8), "nothing"),
        (3, "binary", (INT8, INT8), "3"),
    ],
)
def test_refusals(op, kind, dtypes, says):
    with pytest.raises(DomainMismatch, match=says):
        graphblas_bridge.resolve(op, kind, *dtypes)


def test_no_scalar():
    with pytest.raises(DomainMismatch, match="not a scalar"):
        graphblas_bridge.scalar_dtype(object())
