"""apply, select, eWiseAdd, eWiseMult, eWiseUnion and assignment against python-graphblas."""

from __future__ import annotations

import graphblas as gb
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphla.cuda import Vector
from graphla.cuda.objects import matrix
from graphla.cuda.runtime.device import device
from tests.cuda.object_pairs import MASKS, masked, pair, same, shapes
from tests.cuda.object_pairs import objects as pairs_of_objects
from tests.cuda.random_updates import (
    EXAMPLES,
    FLOATS,
    INTEGERS,
    REAL,
    maybe_transposed,
    objects,
    parametrize_cases,
    scalar,
    update,
)  # fmt: skip
from tests.strategies import examples

BINARY = [
    "plus", "minus", "times", ("min", REAL), ("max", REAL), "first", "second", "pair",
    ("lor", ["BOOL"]), ("land", ["BOOL"]), ("iseq", REAL), "lt", "ne", ("cdiv", REAL),
    ("truediv", REAL), ("bor", INTEGERS), ("bxor", INTEGERS), ("rminus", REAL), ("isgt", REAL),
    "firsti", "secondj1", ("hypot", FLOATS),
]  # fmt: skip
UNARY = [
    "identity", ("ainv", REAL), ("abs", REAL), ("minv", REAL), "lnot", "one",
    ("bnot", INTEGERS), ("sqrt", FLOATS), ("isnan", FLOATS), "positioni", "positionj1",
]  # fmt: skip
SELECT = [
    "tril",
    "triu",
    "diag",
    "offdiag",
    "valueeq",
    "valuene",
    "valuegt",
    "valuele",
    "rowle",
    "colgt",
]
BOUND = ["plus", "times", ("min", REAL), "first", "second", "lt", "eq", ("minus", REAL), "ge"]


@pytest.fixture(autouse=True)
def restore(monkeypatch):
    monkeypatch.setattr(matrix, "FLAT_ROWS", 64)


def draw_shape(data):
    """A length, or the numbers of rows and columns, in rows or as one long vector."""
    matrix.FLAT_ROWS = data.draw(st.sampled_from([0, 64]), "FLAT_ROWS")
    size = st.one_of(st.integers(0, 4), st.integers(0, 40))
    return data.draw(st.one_of(st.tuples(size), st.tuples(size, size)), "shape")


def operand(data, shape, dtype):
    return maybe_transposed(data, data.draw(objects(shape, dtype)))


def operator(kind, case, typed):
    op = getattr(getattr(gb, kind), case.op)
    return op[case.dtypes[0]] if typed else op


@parametrize_cases(BINARY)
@given(data=st.data())
@EXAMPLES
def test_ewise(case, data):
    shape = draw_shape(data)
    operands = [operand(data, shape, t) for t in case.dtypes]
    op = operator("binary", case, data.draw(st.booleans(), "typed"))
    formula = data.draw(
        st.sampled_from(
            [
                lambda x, y: x.ewise_add(y, op),
                lambda x, y: x.ewise_mult(y, op),
                lambda x, y: op(x | y),
                lambda x, y: op(x & y),
            ]
        )
    )
    update(data, case, formula, operands, shape)


@parametrize_cases(UNARY, operands=1)
@given(data=st.data())
@EXAMPLES
def test_apply(case, data):
    shape = draw_shape(data)
    op = operator("unary", case, False)
    called = data.draw(st.booleans(), "called")
    formula = (lambda x: op(x)) if called else (lambda x: x.apply(op))
    update(data, case, formula, [operand(data, shape, case.dtypes[0])], shape)


@parametrize_cases(BOUND)
@given(data=st.data())
@EXAMPLES
def test_apply_with_a_scalar(case, data):
    """Also with a Scalar whose value changes, and called as an infix operator."""
    shape = draw_shape(data)
    first, second = case.dtypes
    s = scalar(data.draw(st.integers(0, 3)), second)
    op = operator("binary", case, data.draw(st.booleans(), "typed"))
    formula = data.draw(
        st.sampled_from(
            [
                lambda x, s: x.apply(op, right=s),
                lambda x, s: x.apply(op, left=s),
                lambda x, s: op(x, s),
                lambda x, s: op(s, x),
                lambda x, s: op(x, 3),
            ]
        )
    )
    update(data, case, formula, [operand(data, shape, first)], shape, scalars=[s])


@parametrize_cases(SELECT)
@given(data=st.data())
@EXAMPLES
def test_select(case, data):
    shape = draw_shape(data)
    op = getattr(gb.select, case.op)
    s = scalar(data.draw(st.integers(0, 3)), case.dtypes[0] if "value" in case.op else "INT64")
    thunk = data.draw(st.booleans(), "called")
    formula = (lambda x, s: op(x, s)) if thunk else (lambda x, s: x.select(op, s))
    update(data, case, formula, [operand(data, shape, case.dtypes[0])], shape, scalars=[s])


@parametrize_cases(["plus", "minus", ("min", REAL), "lt", ("times", REAL)], dtypes=REAL)
@given(data=st.data())
@EXAMPLES
def test_ewise_union(case, data):
    shape = draw_shape(data)
    op = operator("binary", case, data.draw(st.booleans(), "typed"))
    left = scalar(data.draw(st.integers(0, 3)), case.dtypes[0])
    right = scalar(data.draw(st.integers(0, 3)), case.dtypes[1])
    operands = [operand(data, shape, t) for t in case.dtypes]
    update(
        data, case, lambda x, y, a, b: x.ewise_union(y, op, a, b), operands, shape,
        scalars=[left, right],
    )  # fmt: skip


@parametrize_cases(["copy", "scalar"], operands=1)
@given(data=st.data())
@EXAMPLES
def test_assignment(case, data):
    """C(mask, accum, replace) << an object, a transposed one, a Scalar or a number."""
    shape = draw_shape(data)
    if case.op == "copy":
        x = operand(data, shape, case.dtypes[0])
        update(data, case, lambda x: x, [x], shape)
    else:
        s = scalar(data.draw(st.integers(0, 3)), case.dtypes[0])
        update(data, case, lambda s: s, [], shape, scalars=[s])


@pytest.mark.parametrize(
    "make",
    [
        lambda A: A,
        lambda A: A.select(">=", 0),
        lambda A: A.apply("identity"),
        lambda A: A.T.new().T,
        lambda A: A.ewise_add(A, "first"),
    ],
)
@pytest.mark.parametrize("form", [None, "bitmap", "full"])
@pytest.mark.parametrize("flat", [0, 64])
def test_a_result_is_its_own(monkeypatch, make, form, flat):
    """Entries that a result took over as they were do not change with the operand."""
    monkeypatch.setattr(matrix, "FLAT_ROWS", flat)
    A = matrix.Matrix.from_dense(np.arange(12.0).reshape(4, 3))
    A.store(form)
    C = matrix.Matrix("FP64", 4, 3)
    C << make(A)
    A(gb.binary.plus) << 1
    A[0, 0] = 99
    assert device.to_host(C.to_coo()[2]).tolist() == list(range(12))


@pytest.mark.parametrize("n", [1, 5, 32, 33])
@pytest.mark.parametrize("mask", ["S", "V", "~S", "~V"])
def test_a_full_output_has_no_entries_behind_its_end(n, mask):
    """A mask, or an operand with missing entries, makes the result a bitmap."""
    x, m = (Vector("INT64", n) for _ in range(2))
    x.store("bitmap")
    m[0] = mask.endswith("V")  # the first entry is allowed, or all others
    found = Vector.from_dense(np.arange(n))
    chosen = getattr(m, mask[-1])
    found(~chosen if "~" in mask else chosen) << x
    want = list(range(1)) if "~" in mask else list(range(1, n))
    assert found.nvals == len(want)
    assert device.to_host(found.to_coo()[0]).tolist() == want
    assert found.reduce().new().value == (sum(want) if want else None)


@pytest.mark.parametrize("n", [1, 5, 33])
def test_replace_and_an_accumulator_on_a_full_output(n):
    """Positions that the mask excludes have no entry, even if the operand is full."""
    x, m = Vector.from_dense(np.arange(n)), Vector.from_coo([n - 1], [True], size=n)
    for mask, kept in ((m.S, [n - 1]), (~m.V, list(range(n - 1)))):
        found = Vector.from_dense(np.arange(n))
        found(mask, gb.binary.plus, replace=True) << x.apply("plus", right=1)
        keys, values = (device.to_host(z).tolist() for z in found.to_coo())
        assert (keys, values) == (kept, [2 * k + 1 for k in kept])


DEFAULTS = ((0, 1), (2, 0.5), (True, 7))


@pytest.mark.thorough
@pytest.mark.parametrize("form", ["rows", "flat", "vector"])
@examples(15)
@given(data=st.data())
def test_union(form, monkeypatch, data):
    monkeypatch.setattr(matrix, "FLAT_ROWS", 0 if form == "rows" else 64)
    shape = data.draw(shapes(8))
    shape = shape[:1] if form == "vector" else shape
    of_x, of_y = data.draw(st.sampled_from((("INT32", "INT32"), ("INT32", "FP64"))))
    (A, a), (B, b) = (
        data.draw(pairs_of_objects(shape, of_x)),
        data.draw(pairs_of_objects(shape, of_y)),
    )
    (C, c), (M, m) = (
        data.draw(pairs_of_objects(shape, "FP64")),
        data.draw(pairs_of_objects(shape, "BOOL")),
    )
    left, right = data.draw(st.sampled_from(DEFAULTS))
    kind, plus = data.draw(st.sampled_from(MASKS)), data.draw(st.booleans())
    replace = kind != "none" and data.draw(st.booleans())
    for x, y, mask, out in ((A, B, M, C), (a, b, m, c)):
        accum = gb.binary.plus if plus else None
        union = x.ewise_union(y, gb.binary.minus, left, right)
        out(mask=masked(kind, mask), accum=accum, replace=replace) << union
    same(C, c)


@pytest.mark.parametrize("defaults", DEFAULTS)
def test_type_of_the_result(defaults):
    """The dtype of a default value takes part in the choice of the operator."""
    X, x = pair((4,), [(0,), (2,)], [1, 2], "INT8")
    Y, y = pair((4,), [(1,), (2,)], [5, 6], "INT8")
    for op in (gb.binary.minus, gb.binary.truediv, gb.binary.lt):
        theirs = x.ewise_union(y, op, *defaults).new()
        same(X.ewise_union(Y, op, *defaults).new(), theirs)
        same(op(X | Y, left_default=defaults[0], right_default=defaults[1]).new(), theirs)
