"""What is refused: operands of the other engine, before anything changes."""

import graphblas as gb
import pytest
from graphblas import binary, semiring

import graphla as gl
from graphla.cuda import Vector
from graphla.cuda.runtime.device import device
from graphla.errors import (
    EngineMismatch,
)
from tests.cuda.shared_objects import ROWS, VALUES

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
def test_theirs_beside_ours(where, name, objects):
    with pytest.raises(EngineMismatch, match=f"{name} is on engine 'cpu'.*'cuda'.*from_graphblas"):
        BESIDE[where](objects, THEIRS[name])


def test_scalars_of_the_other_engine_are_values(objects):
    two = gb.Scalar.from_value(2.0)
    found = [
        objects.v.apply("plus", right=two).new(),
        objects.v.apply("plus", right=2.0).new(),
    ]
    assert found[0].isequal(found[1])
    w = objects.v.dup()
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
def test_ours_beside_theirs(where, name, objects):
    with pytest.raises(TypeError):
        LEFT[where](getattr(objects, name))
    for mask_or_expression in (
        objects.v.S,
        objects.v.apply("abs"),
        objects.v | objects.v,
    ):
        with pytest.raises(TypeError):
            LEFT[where](mask_or_expression)


def test_mixing_engines_names_the_conversion(objects):
    with pytest.raises(EngineMismatch, match=r"Vector is on engine 'cuda'.*'cpu'.*to_graphblas"):
        gv.ewise_add(objects.v).new()
    assert not hasattr(objects.v, "no_such_name")


def test_graphs_of_two_engines(objects):
    G = gl.Graph.from_edges([0, 1], [1, 2]).to("cuda")
    with pytest.raises(EngineMismatch):
        G.A.mxv(gv)
    with pytest.raises(TypeError):
        gA.mxm(G.A).new()
