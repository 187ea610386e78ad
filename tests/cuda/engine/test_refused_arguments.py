"""What is refused: bad arguments, before anything changes."""

import graphblas as gb
import numpy as np
import pytest
from graphblas import binary, monoid, semiring, unary

from graphla import cuda
from graphla.cuda import Matrix, Scalar, Vector
from graphla.errors import (
    DimensionMismatch,
    DomainMismatch,
    GraphlaError,
    InvalidIndex,
    InvalidValue,
)
from tests.cuda.shared_objects import ROWS, VALUES

DIMENSION = (
    lambda o: Vector.from_coo([0, 1], [1, 2, 3], size=3),
    lambda o: Vector.from_coo([[0]], [1]),
    lambda o: Vector.from_dense(ROWS),
    lambda o: Matrix.from_dense(VALUES),
    lambda o: Matrix.from_coo([0], [0, 1], [1]),
    lambda o: o.v << o.w,
    lambda o: o.A << o.C,
    lambda o: o.v(o.w.S) << o.v,
    lambda o: o.A(o.v.S) << o.A,
    lambda o: o.v.dup(mask=o.w.V),
    lambda o: o.v.ewise_add(o.w),
    lambda o: o.w.ewise_add(o.A),
    lambda o: o.A | o.w,
    lambda o: o.A.setdiag(VALUES[:2]),
    lambda o: o.C.power(2),
    lambda o: o.v.ewise_mult(o.w),
    lambda o: o.v.ewise_union(o.w, "plus", 0, 0),
    lambda o: o.v.inner(o.w),
    lambda o: o.v.vxm(o.B),
    lambda o: o.A.mxv(o.w),
    lambda o: o.T.mxv(o.w),
    lambda o: o.A.mxm(o.B),
    lambda o: o.A.ewise_add(o.C),
    lambda o: o.T.ewise_mult(o.C),
    lambda o: semiring.plus_times(o.A @ o.B),
    lambda o: binary.plus(o.v | o.w),
    lambda o: o.v.__setitem__(slice(2), o.w),
    lambda o: o.v.__setitem__(slice(2), VALUES),
    lambda o: o.A.__setitem__((0, slice(None)), o.w),
    lambda o: o.v(o.w.S)[:2] << 1,
    lambda o: o.v[:2](o.v.S) << 1,
)
DOMAIN = (
    lambda o: Vector("nonsense", 3),
    lambda o: Vector(complex, 3),
    lambda o: Vector(np.float16, 3),
    lambda o: Vector(float, 2.5),
    lambda o: Vector(float, None),
    lambda o: Matrix(object, 2, 2),
    lambda o: Matrix(float, "2", 2),
    lambda o: Scalar("nonsense"),
    lambda o: Scalar("INT64", "abc"),
    lambda o: Scalar(complex, 1j),
    lambda o: Vector.from_coo([0.5], [1]),
    lambda o: Vector.from_coo([0], ["a"]),
    lambda o: Vector.from_coo([0], [1j]),
    lambda o: Vector.from_coo([0], [1], "nonsense"),
    lambda o: Vector.from_coo([0], [1], size=1.5),
    lambda o: Vector.from_coo([0, 0], [1, 2], dup_op="nonsense"),
    lambda o: Vector.from_coo([0, 0], [1, 2], dup_op="eq"),
    lambda o: Vector.from_pairs(5),
    lambda o: Vector.from_dict([1]),
    lambda o: Vector.from_scalar("x", 3),
    lambda o: Vector.from_dense(["a"]),
    lambda o: Vector.from_dense([1, [2]]),
    lambda o: Vector.from_dense(VALUES, missing_value="x"),
    lambda o: Matrix.from_csr([0, 1.5], [0], [1]),
    lambda o: o.v.dup("nonsense"),
    lambda o: o.v.dup(mask=3),
    lambda o: o.v.to_coo("nonsense"),
    lambda o: o.E.to_dense(fill_value="x"),
    lambda o: o.E.to_dense(fill_value=[1, 2]),
    lambda o: o.v.apply("nonsense"),
    lambda o: o.v.apply(semiring.plus_times),
    lambda o: o.v.apply(binary.plus, right=1, left=1),
    lambda o: o.v.apply(binary.plus, right="x"),
    lambda o: o.v.apply(binary.plus, right=o.v),
    lambda o: o.v.select(">", VALUES),
    lambda o: o.v.ewise_add(VALUES),
    lambda o: o.v.ewise_add(o.v.S),
    lambda o: o.v.ewise_add(o.v, unary.abs),
    lambda o: o.v.ewise_union(o.v, "plus", None, 0),
    lambda o: o.v.vxm(o.v),
    lambda o: o.v.vxm(o.A, binary.plus),
    lambda o: o.v.inner(3),
    lambda o: o.v.reduce(binary.minus),
    lambda o: o.v.diag(1.5),
    lambda o: o.v[1.5],
    lambda o: o.v[None],
    lambda o: o.v[0, 0],
    lambda o: o.v[[True, False, True]],
    lambda o: o.v[o.v.S],
    lambda o: o.v[0:2.5],
    lambda o: o.v.__setitem__(0, "x"),
    lambda o: o.v.isequal(3),
    lambda o: o.v.isequal(o.A),
    lambda o: o.v.isclose(o.v, rel_tol="x"),
    lambda o: o.v.resize(1.5),
    lambda o: o.v << "x",
    lambda o: o.v << o.A,
    lambda o: o.A << o.v,
    lambda o: o.A.setdiag("x"),
    lambda o: o.A.setdiag(1, 0.5),
    lambda o: o.A.power(1.5),
    lambda o: o.v.outer(3),
    lambda o: o.v + "x",
    lambda o: ~o.v,
    lambda o: o.v ^ o.v,
    lambda o: o.v.select(o.A.S),
    lambda o: o.v.select(o.v.S, 1),
    lambda o: o.v(input_mask=o.v.S) << 1,
    lambda o: o.E.to_dense(),
    lambda o: o.v(mask=o.v) << o.v,
    lambda o: o.v(accum=semiring.plus_times) << o.v,
    lambda o: o.v(o.v.S, o.v.V) << o.v,
    lambda o: o.v(binary.plus, accum="plus") << o.v,
    lambda o: o.v[0](o.v.S) << 1,
    lambda o: o.A.mxm(o.v),
    lambda o: o.A.mxv(o.A),
    lambda o: o.A.kronecker(3),
    lambda o: o.A.reduce_rowwise(binary.minus),
    lambda o: o.A[0],
    lambda o: o.A["a", 0],
    lambda o: o.A.diag("a"),
    lambda o: o.A @ 3,
    lambda o: o.A | 3,
    lambda o: o.v & None,
    lambda o: cuda.from_graphblas(3),
    lambda o: cuda.to_graphblas(gb.Vector.from_dense(VALUES)),
)
INDEX = (
    lambda o: Vector.from_coo([0, 5], [1, 2], size=3),
    lambda o: Vector.from_coo([-1], [1], size=3),
    lambda o: Matrix.from_coo([0], [5], [1], nrows=2, ncols=2),
    lambda o: Matrix.from_csr([0, 1], [5], [1], ncols=2),
    lambda o: o.E.build([9], [1]),
    lambda o: o.v[5],
    lambda o: o.v[[0, 9]],
    lambda o: o.v.get(-4),
    lambda o: 9 in o.v,
    lambda o: o.v.__delitem__(9),
    lambda o: o.v.__setitem__(9, 1),
    lambda o: o.A[0, -9],
    lambda o: o.T[9, 0],
    lambda o: o.A.get(9, 0),
    lambda o: o.A.__setitem__((9, 0), 1),
    lambda o: o.A.setdiag(1, 9),
)
VALUE = (
    lambda o: Vector(float, -1),
    lambda o: Matrix(float, 3, -1),
    lambda o: Scalar("INT8", 1000),
    lambda o: Vector.from_coo([0, 0], [1, 2]),
    lambda o: Vector.from_coo([], []),
    lambda o: Vector.from_scalar(1, -3),
    lambda o: Matrix.from_csr([0, 2], [0], [1]),
    lambda o: Matrix.from_csr([0, 2], [1, 1], [1, 2]),
    lambda o: Matrix.from_csr([0, 2, 1], [0, 1], 1),
    lambda o: Vector.from_pairs([(0, 1, 2)]),
    lambda o: o.E.build([0, 0], [1, 2]),
    lambda o: o.A.power(-1),
    lambda o: o.v.dup(bad_option=1),
    lambda o: o.A.ss.reshape(5, 5),
    lambda o: o.v.ss.selectk("best", 1),
    lambda o: o.v.resize(-1),
    lambda o: o.A.resize(2, -1),
    lambda o: o.v.store("nonsense"),
)
CASES = [
    (error, case)
    for error, cases in (
        (DimensionMismatch, DIMENSION),
        (DomainMismatch, DOMAIN),
        (InvalidIndex, INDEX),
        (InvalidValue, VALUE),
    )
    for case in cases
]


@pytest.mark.parametrize(("error", "case"), CASES)
def test_refused_before_anything_changes(error, case, objects):
    with pytest.raises(GraphlaError) as caught:
        case(objects)
    assert type(caught.value) is error
    assert str(caught.value)


def test_messages_have_sizes_and_names(objects):
    for case, says in (
        (
            lambda: objects.v.ewise_add(objects.w),
            "ewise_add: Vectors of length 5 and 3",
        ),
        (
            lambda: objects.A.mxv(objects.w),
            r"mxv: a vector of 5 and a matrix of \(3, 3\)",
        ),
        (lambda: objects.v.resize(-1), "size=-1 is negative"),
        (lambda: objects.v.reduce(monoid.plus).new().new("x"), "'x' is not a dtype"),
        (lambda: objects.A.mxm(3), "mxm takes a Matrix of graphla.cuda, not builtins.int"),
    ):
        with pytest.raises(GraphlaError, match=says):
            case()
