"""What is refused: operands of the other engine, and bad arguments, before anything changes."""

import graphblas as gb
import numpy as np
import pytest
from graphblas import binary, monoid, semiring, unary

import graphla as gl
from graphla import cuda
from graphla.cuda import Matrix, Scalar, Vector
from graphla.cuda.device import device
from graphla.errors import (
    DimensionMismatch,
    DomainMismatch,
    EngineMismatch,
    GraphlaError,
    InvalidIndex,
    InvalidValue,
)

VALUES = [1.0, 2.0, 3.0]
ROWS = [[1.0, 2, 3], [4, 5, 6], [7, 8, 9]]


class Ours:
    """Objects that every case may use; none of them may change."""

    def __init__(self):
        self.v, self.A = Vector.from_dense(VALUES), Matrix.from_dense(ROWS)
        self.T, self.s, self.E = self.A.T, Scalar("FP64", 2.0), Vector(float, 3)
        self.w, self.B, self.C = Vector(float, 5), Matrix(float, 5, 5), Matrix(float, 2, 3)

    def check(self):
        """Check that nothing has changed."""
        assert device.to_host(self.v.to_dense()).tolist() == VALUES
        assert device.to_host(self.A.to_dense()).tolist() == ROWS
        assert (self.E.nvals, self.w.shape, self.A.shape) == (0, (5,), (3, 3))


@pytest.fixture
def ours():
    found = Ours()
    yield found
    found.check()


# ---- operands of the other engine

gv, gA = gb.Vector.from_dense(VALUES), gb.Matrix.from_dense(ROWS)
THEIRS = {
    "Vector": gv,
    "Matrix": gA,
    "TransposedMatrix": gA.T,
    "StructuralMask": gv.S,
    "ComplementedValueMask": ~gv.V,
    "VectorExpression": gv.apply("abs"),
    "VectorEwiseAddExpr": gv | gv,
    "VectorIndexExpr": gv[:3],
}
BESIDE = {
    "update": lambda o, x: o.v << x,
    "update of a matrix": lambda o, x: o.A << x,
    "mask": lambda o, x: o.v(mask=x) << o.v,
    "mask or accumulator": lambda o, x: o.v(x) << o.v,
    "accumulator": lambda o, x: o.A(accum=x) << o.A,
    "mask of a region": lambda o, x: o.v[:2](x) << 1,
    "mask around a region": lambda o, x: o.v(x)[:2] << 1,
    "mask of a new object": lambda o, x: o.v.apply("abs").new(mask=x),
    "mask of a copy": lambda o, x: o.v.dup(mask=x),
    "ewise_add": lambda o, x: o.v.ewise_add(x),
    "ewise_mult": lambda o, x: o.A.ewise_mult(x),
    "ewise_union": lambda o, x: o.T.ewise_union(x, "plus", 0, 0),
    "vxm": lambda o, x: o.v.vxm(x),
    "mxv": lambda o, x: o.T.mxv(x),
    "mxm": lambda o, x: o.A.mxm(x),
    "inner": lambda o, x: o.v.inner(x),
    "kronecker": lambda o, x: o.A.kronecker(x),
    "isequal": lambda o, x: o.v.isequal(x),
    "isclose": lambda o, x: o.A.isclose(x),
    "|": lambda o, x: binary.plus(o.v | x),
    "@": lambda o, x: semiring.plus_times(o.A @ x),
    "scalar of apply": lambda o, x: o.v.apply("plus", right=x),
    "thunk": lambda o, x: o.v.select(">", x),
    "assign": lambda o, x: o.v.__setitem__(slice(2), x),
    "assign to one": lambda o, x: o.v.__setitem__(0, x),
    "assign to a row": lambda o, x: o.A.__setitem__((0, slice(None)), x),
    "index": lambda o, x: o.v[x],
    "array": lambda o, x: Vector.from_dense(x),
    "build": lambda o, x: o.E.build(x, 1),
}


@pytest.mark.parametrize("name", THEIRS)
@pytest.mark.parametrize("where", BESIDE)
def test_theirs_beside_ours(where, name, ours):
    with pytest.raises(EngineMismatch, match=f"{name} is on engine 'cpu'.*'cuda'.*from_graphblas"):
        BESIDE[where](ours, THEIRS[name])


def test_scalars_of_the_other_engine_are_values(ours):
    two = gb.Scalar.from_value(2.0)
    found = [ours.v.apply("plus", right=two).new(), ours.v.apply("plus", right=2.0).new()]
    assert found[0].isequal(found[1])
    w = ours.v.dup()
    w << two
    w[0] = gb.Scalar.from_value(3.0)
    assert device.to_host(w.to_dense()).tolist() == [3, 2, 2]


LEFT = {
    "ewise_add": lambda x: gv.ewise_add(x).new(),
    "ewise_mult": lambda x: gA.ewise_mult(x).new(),
    "vxm": lambda x: gv.vxm(x).new(),
    "mxv": lambda x: gA.mxv(x).new(),
    "mxm": lambda x: gA.mxm(x).new(),
    "inner": lambda x: gv.inner(x).new(),
    "kronecker": lambda x: gA.kronecker(x).new(),
    "isequal": lambda x: gA.isequal(x),
    "update": lambda x: gv.dup() << x,
    "mask": lambda x: gv.dup()(x) << gv,
    "|": lambda x: binary.plus(gv | x).new(),
    "@": lambda x: semiring.plus_times(gA @ x).new(),
    "apply": lambda x: gv.apply("plus", right=x).new(),
    "assign": lambda x: gv.dup().__setitem__(slice(None), x),
    "index": lambda x: gv[x].new(),
}


@pytest.mark.parametrize("where", LEFT)
@pytest.mark.parametrize("name", ["v", "A", "T"])
def test_ours_beside_theirs(where, name, ours):
    with pytest.raises(TypeError):
        LEFT[where](getattr(ours, name))
    for mask_or_expression in (ours.v.S, ours.v.apply("abs"), ours.v | ours.v):
        with pytest.raises(TypeError):
            LEFT[where](mask_or_expression)


def test_ours_beside_theirs_says_what_to_do(ours):
    with pytest.raises(EngineMismatch, match=r"Vector is on engine 'cuda'.*'cpu'.*to_graphblas"):
        gv.ewise_add(ours.v).new()
    assert not hasattr(ours.v, "no_such_name")


def test_graphs_of_two_engines(ours):
    G = gl.Graph.from_edges([0, 1], [1, 2]).to("cuda")
    with pytest.raises(EngineMismatch):
        G.A.mxv(gv)
    with pytest.raises(TypeError):
        gA.mxm(G.A).new()


# ---- bad arguments

DIMENSION = (
    lambda o: Vector.from_coo([0, 1], [1, 2, 3], size=3),
    lambda o: Vector.from_coo([[0]], [1]),
    lambda o: Vector.from_dense(ROWS),
    lambda o: Matrix.from_dense(VALUES),
    lambda o: Matrix.from_coo([0], [0, 1], [1]),
    lambda o: o.v << o.w,
    lambda o: o.v << o.A,
    lambda o: o.A << o.v,
    lambda o: o.A << o.C,
    lambda o: o.v(o.w.S) << o.v,
    lambda o: o.A(o.v.S) << o.A,
    lambda o: o.v.dup(mask=o.w.V),
    lambda o: o.v.ewise_add(o.w),
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
    lambda o: Vector.from_pairs([(0, 1, 2)]),
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
    lambda o: o.v.ewise_add(o.A),
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
    lambda o: cuda.to_graphblas(gv),
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
    lambda o: o.v.build([0], [1]),
    lambda o: o.E.build([0, 0], [1, 2]),
    lambda o: o.E.to_dense(),
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
def test_refused_before_anything_changes(error, case, ours):
    with pytest.raises(GraphlaError) as caught:
        case(ours)
    assert type(caught.value) is error
    assert str(caught.value)


def test_messages_have_sizes_and_names(ours):
    for case, says in (
        (lambda: ours.v.ewise_add(ours.w), "ewise_add: a Vector of length 5 beside one of 3"),
        (lambda: ours.A.mxv(ours.w), r"mxv: a vector of 5 and a matrix of \(3, 3\)"),
        (lambda: ours.v.resize(-1), "size=-1 is negative"),
        (lambda: ours.v.reduce(monoid.plus).new().new("x"), "'x' is no dtype"),
        (lambda: ours.A.mxm(3), "mxm takes a Matrix of graphla.cuda, not builtins.int"),
    ):
        with pytest.raises(GraphlaError, match=says):
            case()
