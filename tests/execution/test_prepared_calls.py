"""Prepared calls do what python-graphblas does with the same statements, again and again."""

from __future__ import annotations

import graphblas as gb
import numpy as np
import pytest
from graphblas import Matrix, Scalar, Vector, binary, monoid, semiring, unary
from graphblas.exceptions import DimensionMismatch
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.execution import hints, prepared_calls
from tests.strategies import examples

N = 5
DTYPES = ("BOOL", "INT64", "FP64")
MASKS = {
    "none": lambda m: {},
    "structure": lambda m: {"mask": m.S},
    "values": lambda m: {"mask": m.V},
    "not structure": lambda m: {"mask": ~m.S},
    "not values": lambda m: {"mask": ~m.V},
}


@st.composite
def vectors(draw):
    """Return a Vector of length N of a drawn dtype."""
    dtype = draw(st.sampled_from(DTYPES))
    values = draw(st.lists(st.one_of(st.none(), st.integers(0, 3)), min_size=N, max_size=N))
    v = Vector(dtype, N)
    for i, value in enumerate(values):
        if value is not None:
            v[i] = value
    return v


def expressions(u, v, A, c):
    """Return expressions and other values of every kind that is one call."""
    return {
        "vxm": u.vxm(A, semiring.min_plus),
        "mxv": A.T.mxv(u, semiring.plus_second),
        "add": u.ewise_add(v, binary.plus),
        "multiply": u.ewise_mult(v, binary.lt),
        "apply": u.apply(unary.identity),
        "apply a value": u.apply(binary.second, right=c),
        "select": u.select("<=", c),
        "reduce rows": A.reduce_rowwise(monoid.max),
        "a vector": v,
        "a scalar": c,
        "a number": 2,
    }


@given(
    vectors(), vectors(), vectors(), st.sampled_from(list(MASKS)), st.booleans(), st.booleans(),
    st.sampled_from(list(expressions(Vector(int, N), Vector(int, N), Matrix(int, N, N), 1))),
    st.booleans(),
)  # fmt: skip
@examples(60)
def test_equal_to_python_graphblas(u, v, w, mask, accumulate, replace, name, alias):
    A = Matrix.from_coo([0, 1, 1, 4], [1, 0, 3, 4], [2, 3, 1, 5], nrows=N, ncols=N, dtype="INT64")
    outputs = []
    for plan in (hints.run_in_order, prepared_calls.plan):
        out, c = w.dup(), Scalar.from_value(0, "INT64", is_cscalar=True)
        left = out if alias and name not in ("mxv", "reduce rows") else u
        options = MASKS[mask](v)
        if accumulate:
            options["accum"] = binary.plus[out.dtype]
        if replace and options.get("mask") is not None:
            options["replace"] = True
        run = plan([(out(**options), expressions(left, v, A, c)[name])])
        results = []
        for value in (1, 2):
            c.value = value
            run()
            results.append(out.dup())
        run(times=2)
        outputs.append([*results, out])
    for ours, theirs in zip(*outputs, strict=True):
        assert ours.isequal(theirs, check_dtype=True)


def test_vectors_are_updated_without_options():
    u, w = Vector.from_dense([1, 2, 3]), Vector(int, 3)
    run = hints.fuse((w, u.apply(unary.ainv)))
    u[0] = 9
    run()
    assert w.to_dense().tolist() == [-9, -2, -3]


def test_the_calls_are_prepared(monkeypatch):
    u, w = Vector.from_dense([1, 2, 3]), Vector(int, 3)
    run = hints.fuse((w, u.apply(unary.ainv)), (w(binary.plus), u), (w(binary.plus), 4))
    monkeypatch.setattr(Vector, "_update", None)  # python-graphblas's own way
    run()
    assert w.to_dense().tolist() == [4, 4, 4]


def test_traced_statements_are_recorded():
    u, w = Vector.from_dense([1, 2, 3]), Vector(int, 3)
    run = hints.fuse((w, u.apply(unary.ainv)), (w(binary.plus), u.apply(unary.ainv)))
    with gl.trace() as steps:
        run(times=2)
    assert [step.operation for step in steps] == ["apply"] * 4
    assert w.to_dense().tolist() == [-2, -4, -6]


@pytest.mark.parametrize(
    "expression",
    [
        lambda A, u: A.reduce_rowwise(gb.agg.mean),  # several calls
        lambda A, u: u[[2, 1, 0]],  # no expression
        lambda A, u: np.float32(7),
    ],
)
def test_other_statements_run_as_they_are(expression):
    A, u = Matrix.from_dense(np.arange(9.0).reshape(3, 3)), Vector.from_dense([1.0, 2.0, 3.0])
    w, expected = Vector(float, 3), Vector(float, 3)
    run = prepared_calls.plan([(w(binary.plus), expression(A, u))])
    run(times=2)
    for _ in range(2):
        expected(binary.plus) << expression(A, u)
    assert w.isequal(expected)


def test_values_of_other_outputs_run_as_they_are():
    v, A, c = Vector.from_dense([1, 2, 3]), Matrix(int, 2, 2), Scalar(int)
    w = Vector(int, 3)
    hints.fuse((w, v.apply(unary.ainv)), (A, 3), (A(binary.plus), 4), (c, 5), (c(binary.plus), 6))()
    assert w.to_dense().tolist() == [-1, -2, -3]
    assert A.to_dense().tolist() == [[7, 7], [7, 7]]
    assert c.value == 11


def test_input_masks_run_as_they_are():
    u, w = Vector.from_dense([1, 2, 3]), Vector(int, 2)
    prepared_calls.plan([(w(input_mask=u.V), u[[0, 2]])])()
    assert w.to_dense().tolist() == [1, 3]


def test_errors_of_suitesparse():
    u, w = Vector(int, 3), Vector(int, 3)
    run = prepared_calls.plan([(w, u.apply(unary.ainv))])
    w.resize(4)
    with pytest.raises(DimensionMismatch):
        run()


def test_empty_c_scalar():
    c, w = Scalar(int, is_cscalar=True), Vector(int, 3)
    run = prepared_calls.plan([(w, Vector.from_dense([1, 2, 3]).apply(binary.plus, right=c))])
    with pytest.raises(gb.exceptions.EmptyObject):
        run()
    c.value = 1
    run()
    assert w.to_dense().tolist() == [2, 3, 4]
