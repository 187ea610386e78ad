"""No argument is dropped in silence: it has the meaning of python-graphblas's, or is refused."""

import inspect

import graphblas as gb
import numpy as np
import pytest
from graphblas import binary

from graphla import cuda
from graphla.cuda import Matrix, Scalar, Vector
from graphla.errors import DomainMismatch, InvalidValue
from tests.cuda.both_engines import agree
from tests.cuda.pairs import same

CONSTRUCTORS = [
    "side.Vector.from_coo([1, 3])", "side.Vector.from_coo([1, 1])",
    "side.Vector.from_coo([], size=3)", "side.Vector.from_coo([1, 3], dtype='INT8')",
    "side.Vector.from_coo([1, 3], True)", "side.Matrix.from_coo([1, 3], [2, 4])",
    "side.Matrix.from_coo([], [], nrows=2, ncols=3)", "side.Matrix.from_csr([0, 1, 2], [2, 0])",
    "side.Matrix.from_csr([0, 1, 2], [2, 0], dtype='UINT16')",
    "side.Vector.from_pairs([])", "side.Vector.from_pairs([], size=3)",
    "side.Vector.from_dict({}, size=3)", "side.Vector.from_scalar(3, 2)",
    "side.Matrix.from_scalar(3, 2, 2)", "side.Vector.from_dict({1: 2.5}, size=3)",
    "side.Vector.from_pairs([(1, 2), (1, 3)], dup_op=binary.plus)",
]  # fmt: skip


@pytest.mark.parametrize("line", CONSTRUCTORS)
def test_values_that_are_left_out_are_ones_of_fp64(line):
    agree(line, refused=line == "side.Vector.from_pairs([])")


def test_build_takes_values():
    for side in (cuda, gb):
        with pytest.raises(TypeError, match="values"):
            side.Vector(int, 3).build([0, 1])
        with pytest.raises(TypeError, match="values"):
            side.Matrix(int, 3, 3).build([0, 1], [1, 2])
        with pytest.raises(TypeError, match="dup_op"):
            side.Vector.from_dict({1: 2}, dup_op=binary.plus)


INDEX_OPERATORS = [
    "indexunary.valueeq", "select.valueeq", "'valueeq'", "indexunary.rowindex", "select.tril",
    "'tril'",
]  # fmt: skip


@pytest.mark.parametrize("op", INDEX_OPERATORS)
@pytest.mark.parametrize("x", ["v", "A", "T", "v.apply('abs')"])
def test_an_index_operator_takes_no_left(x, op):
    agree(f"{x}.apply({op}, right=2)", refused=False)
    agree(f"{x}.apply({op})", refused=False)
    for options in ("left=2", "left=s", "left=0", "left=2, right=2", "left=v"):
        agree(f"{x}.apply({op}, {options})", refused=True)


BINARY_OPTIONS = ["", "left=2", "right=2", "left=2, right=2", "right=half", "left=yes", "right=v"]


@pytest.mark.parametrize("op", ["binary.minus", "monoid.plus", "unary.abs", "semiring.min_plus"])
def test_the_options_of_apply(op):
    for options in BINARY_OPTIONS:
        agree(f"v.apply({op}, {options})")
        agree(f"A.apply({op}, {options})")


VALUES = [
    "v.reduce()", "b.reduce(monoid.lor)", "A.reduce_scalar('max')", "v.inner(v)", "v[0]", "v[2]",
    "A[0, 1]", "A[0, 0]", "v @ v",
]  # fmt: skip


@pytest.mark.parametrize("x", VALUES)
def test_expressions_of_one_value(x):
    for call in ("new()", "dup()", "new('FP32')", "dup('INT8')", "dup(clear=True)"):
        agree(f"({x}).{call}", refused=False)
    agree(f"({x}).dup('FP32', clear=True)", refused=False)
    if "2]" not in x and "0]" not in x:  # there is a value
        agree(f"np.asarray({x}).dtype.name", refused=False)
    for call in ("new(mask=v.S)", "dup(mask=b.V)", "new('FP32', mask=v.S)"):
        for side in (cuda, gb):
            names = {"v": side.Vector(int, 3), "b": side.Vector(bool, 3)}
            names |= {"A": side.Matrix(int, 3, 3), "monoid": gb.monoid}
            with pytest.raises(DomainMismatch if side is cuda else (TypeError, ValueError)):
                eval(f"({x}).{call}", names)


@pytest.mark.parametrize("x", ["v[[2, 0]]", "v.apply('abs')", "A.mxv(v)", "v | v", "A[1, :]"])
def test_expressions_of_many_values(x):
    for call in ("dup()", "dup('FP32')", "dup(clear=True)", "dup('INT8', clear=True)"):
        agree(f"binary.plus({x}).{call}" if "|" in x else f"({x}).{call}", refused=False)
    if "[[" not in x and "|" not in x:
        agree(f"({x}).dup(mask=b.V)", refused=False)
        agree(f"({x}).new('FP32', mask=~b.S)", refused=False)


def test_a_name_is_kept():
    v, A = Vector.from_coo([0], [1], size=2), Matrix.from_coo([0], [1], [1], nrows=2, ncols=2)
    found = [v.dup(name="x"), v.diag(name="x"), A.diag(name="x"), v.apply("abs").new(name="x")]
    found += [v.apply("abs").dup(clear=True, name="x"), v[[0]].new(name="x"), A.T.new(name="x")]
    found += [Vector.from_dict({0: 1}, name="x"), Vector.from_pairs([(0, 1)], name="x")]
    found += [Matrix.from_csr([0, 1], [0], name="x"), Vector.from_dense([1], name="x")]
    assert [y.name for y in found] == ["x"] * len(found)


SCALARS = ["s", "half", "yes", "v.reduce()", "f.reduce()", "b.reduce(monoid.lor)", "f[1]", "v[0]"]


@pytest.mark.parametrize("key", SCALARS)
def test_a_scalar_that_is_an_index_is_an_integer(key):
    integer = key in ("s", "v[0]")
    if key != "v.reduce()":  # 3, beyond the end
        for line in (f"v[{key}].new()", f"A[{key}, 0].new()", f"v.get({key})"):
            agree(line, refused=not integer)
        agree(f"v[{key}] = 7", refused=not integer)
        agree(f"({key}) in v", refused=not integer)
    if integer:
        agree(f"v[:{key}].new()", refused=False)


@pytest.mark.parametrize("value", [Scalar("FP64", 1.7), Scalar("FP32", 1.0)])
def test_a_float_is_no_index(value):
    v = Vector.from_coo([0, 1], [1, 2], size=3)
    for ask in (lambda: v[value], lambda: v[:value], lambda: range(3)[value]):
        with pytest.raises(DomainMismatch):
            ask()
    with pytest.raises(DomainMismatch, match="not an index"):
        v[gb.Scalar.from_value(1.7)]


def test_a_scalar_as_an_array_is_its_value():
    for x in (Scalar("INT8", 3), Vector.from_coo([1], [3], "INT8").reduce()):
        found = np.asarray(x)
        assert (found.dtype, found.tolist()) == (np.int8, 3)
        assert np.asarray(x, float).dtype == float
    with pytest.raises(DomainMismatch):
        np.asarray(Vector(int, 3).apply("abs"))


METHODS = ["ewise_add", "ewise_mult", "inner", "kronecker", "mxm", "mxv", "vxm"]


def test_default_operators():
    for method in METHODS:
        for x in "vbAB":
            for y in "vbAB":
                if method.startswith("ewise") and (x in "AB") != (y in "AB"):
                    continue  # a Vector beside a Matrix, which the device refuses
                if hasattr(Vector if x in "vb" else Matrix, method):
                    agree(f"{x}.{method}({y})")
    agree("b.ewise_add(b)", refused=True)
    agree("B.ewise_add(B)", refused=True)
    agree("b.ewise_add(b, 'plus')", refused=False)
    agree("b.ewise_mult(b)", refused=False)
    agree("b.reduce()", refused=True)


OPTIONS = [
    "", "replace=True", "replace", "b.S, replace", "b.S, replace=True", "binary.plus, binary.minus",
    "binary.plus, accum=binary.minus", "b.S, b.S", "b.S, mask=b.S", "mask=None",
    "b.S, binary.plus", "binary.plus, b.S, replace", "mask=~b.V, accum='plus'", "accum=monoid.plus",
    "v", "3", "b.S, replace=0", "unary.abs", "accum=binary.plus['FP64']",
]  # fmt: skip


@pytest.mark.parametrize("options", OPTIONS)
def test_the_options_of_an_update(options):
    agree(f"v({options}) << v.apply('ainv')")
    agree(f"v({options}) << 7")
    agree(f"v({options})[:] << 7")
    agree(f"v[:]({options}) << 7")
    agree(f"v[[2, 0, 1]]({options}) << v.apply('ainv')")
    if "b." not in options:
        agree(f"v[1]({options}) << 7")
        agree(f"A({options}) << A.apply('ainv')")
        agree(f"A[0, :]({options}) << v")


def test_wait_takes_two_words():
    for side in (cuda, gb):
        for x in (side.Vector(int, 3), side.Matrix(int, 3, 3)):
            assert x.wait("complete") is x.wait() is x.wait("MATERIALIZE")
            with pytest.raises(ValueError, match="nonsense"):
                x.wait("nonsense")
    with pytest.raises(InvalidValue):
        Vector(int, 3).wait(3)


def parameters(cls, method):
    """The parameters of a method, without those that hold any other."""
    found = inspect.signature(getattr(cls, method)).parameters.values()
    return [p for p in found if p.kind is not p.VAR_KEYWORD and p.name != "self"]


OWN = {"from_dense": {"copy"}, "diag": {"dtype"}}  # what our methods take beyond theirs
NAMED = {"vxm": ["A"], "mxv": ["u"], "get": ["i"], "from_csr": ["indices"]}


@pytest.mark.parametrize("name", ["Vector", "Matrix"])
def test_parameters_have_the_defaults_of_python_graphblas(name):
    ours, theirs = getattr(cuda, name), getattr(gb, name)
    checked = 0
    for method in dir(ours):
        if method.startswith("_") or not callable(getattr(theirs, method, None)):
            continue
        wanted = {p.name: p for p in parameters(theirs, method)}
        for p in parameters(ours, method):
            if p.name not in wanted:
                assert p.name in OWN.get(method, NAMED.get(method, ())), (method, p)
                continue
            want = wanted[p.name].default
            if p.name == "op" and want is not p.empty:
                assert getattr(p.default, "name", p.default) == want.name, method
            else:
                assert (p.default, type(p.default)) == (want, type(want)), (method, p)
            checked += 1
    assert checked > 50


def test_a_result_on_both_engines_is_named_alike():
    same(*(side.Vector.from_coo([0, 2]).diag(1, name="x") for side in (cuda, gb)))
