"""Users' own operators on the CPU, and what is refused; tests/cuda has them on both engines."""

import pickle

import graphblas as gb
import numpy as np
import pytest
from graphblas.dtypes import BOOL, FP64, INT8, INT64

import graphla as gl
from graphla.errors import DomainMismatch, InvalidValue


def absdiff(x, y):
    return x - y if x > y else y - x


@pytest.fixture(scope="module")
def op():
    return gl.binary_op("absdiff", absdiff)


@pytest.mark.thorough
def test_binary(op):
    u, v = gb.Vector.from_dense([1, 5, -3]), gb.Vector.from_dense([3, 2, -3])
    assert u.ewise_mult(v, op).new().to_dense().tolist() == [2, 3, 0]
    assert u.apply(op, right=1).new().to_dense().tolist() == [0, 4, 4]
    assert op.name == "absdiff"
    assert (op[INT8].return_type, op[FP64].return_type) == (INT8, FP64)


@pytest.mark.thorough
def test_the_namespace_of_python_graphblas_is_left_alone(op):
    assert not hasattr(gb.binary, "absdiff")
    assert gl.binary_op("absdiff", absdiff) is not op  # a name can be used again


@pytest.mark.thorough
def test_unary_with_complex_free_functions():
    """min and max, which Numba cannot compile for complex numbers, are no obstacle."""
    clip = gl.unary_op("clip", lambda x: min(max(x, 0), 1))
    assert gb.Vector.from_dense([-2.0, 0.5, 7]).apply(clip).new().to_dense().tolist() == [0, 0.5, 1]
    assert "FC64" not in {dtype.name for dtype in clip.types}


@pytest.mark.thorough
def test_division_by_zero_is_numpys():
    divide = gl.binary_op("divide", lambda x, y: x // y)
    u, zero = gb.Vector.from_dense([5, -5]), gb.Vector.from_dense([0, 0])
    assert u.ewise_mult(zero, divide).new().to_dense().tolist() == [0, 0]
    w = u.dup(FP64).ewise_mult(zero.dup(FP64), divide).new()
    assert w.to_dense().tolist() == [np.inf, -np.inf]


@pytest.mark.thorough
def test_monoid_and_semiring(op):
    longest = gl.monoid_op(gl.binary_op("longest", lambda x, y: x if x > y else y), -128)
    assert gb.Vector.from_dense([1, 7, 3], dtype=INT8).reduce(longest).new().value == 7
    A = gb.Matrix.from_dense([[1, 2], [3, 4]])
    u = gb.Vector.from_dense([10, 20])
    near = gl.semiring_op(gb.monoid.min, op)
    assert A.mxv(u, near).new().to_dense().tolist() == [9, 7]


def test_pickle(op):
    again = pickle.loads(pickle.dumps(op))
    assert again.name == "absdiff"
    assert gb.Vector.from_dense([4]).apply(again, right=7).new()[0].new().value == 3


@pytest.mark.thorough
def test_boolean_results():
    near = gl.binary_op("near", lambda x, y: abs(x - y) <= 1)
    assert near[INT64].return_type == BOOL


@pytest.mark.parametrize(
    ("make", "error", "says"),
    [
        (lambda: gl.unary_op("", lambda x: x), InvalidValue, "name"),
        (lambda: gl.unary_op(3, lambda x: x), InvalidValue, "name"),
        (lambda: gl.unary_op("f", lambda x, y: x), InvalidValue, "2 arguments, not 1"),
        (lambda: gl.binary_op("f", lambda x: x), InvalidValue, "1 arguments, not 2"),
        (lambda: gl.binary_op("f", max), DomainMismatch, "Python function"),
        (lambda: gl.unary_op("f", np.sqrt), DomainMismatch, "Python function"),
        (lambda: gl.unary_op("f", lambda x: x.nothing), DomainMismatch, "cannot compile"),
        (lambda: gl.unary_op("f", lambda x: x, cuda=""), InvalidValue, "cuda="),
        (lambda: gl.unary_op("f", lambda x: x, cuda="x; y"), InvalidValue, "cuda="),
        (lambda: gl.monoid_op(gb.monoid.min, 0), DomainMismatch, "BinaryOp"),
        (lambda: gl.monoid_op(gb.binary.hypot, 0), DomainMismatch, "built-in"),
        (lambda: gl.monoid_op(gb.binary.plus, 0), DomainMismatch, "use gb.monoid.plus"),
        (lambda: gl.monoid_op(gl.binary_op("f", absdiff), "zero"), InvalidValue, "zero"),
        (lambda: gl.semiring_op(gb.binary.minus, gb.binary.plus), DomainMismatch, "no semiring"),
        (lambda: gl.semiring_op(3, gb.binary.plus), DomainMismatch, "no semiring"),
    ],
)
def test_refusals(make, error, says):
    with pytest.raises(error, match=says):
        make()
    assert gb.binary.plus.monoid is gb.monoid.plus  # a refused call changes no built-in operator
    assert gb.binary.hypot.monoid is None


def test_a_refused_monoid_leaves_its_operator_as_it_was():
    operator = gl.binary_op("f", absdiff)
    with pytest.raises(InvalidValue, match="zero"):
        gl.monoid_op(operator, "zero")
    assert operator.monoid is None
    assert gl.monoid_op(operator, 0) is operator.monoid
