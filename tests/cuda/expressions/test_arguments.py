"""No argument is dropped in silence: it has the meaning of python-graphblas's, or is refused."""

import inspect

import graphblas as gb
import numpy as np
import pytest

from graphla import cuda
from graphla.cuda import Matrix, Scalar, Vector
from graphla.errors import DomainMismatch
from tests.cuda.both_engines import agree
from tests.cuda.object_pairs import same

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
                if method == "ewise_mult" and x + y in ("bB", "Bb"):
                    continue  # python-graphblas has no any_times of BOOL
                if hasattr(Vector if x in "vb" else Matrix, method):
                    agree(f"{x}.{method}({y})")
    agree("b.ewise_add(b)", refused=True)
    agree("B.ewise_add(B)", refused=True)
    agree("b.ewise_add(b, 'plus')", refused=False)
    agree("b.ewise_mult(b)", refused=False)
    agree("b.reduce()", refused=True)


def parameters(cls, method):
    """The parameters of a method, without those that hold any other."""
    found = inspect.signature(getattr(cls, method)).parameters.values()
    return [p for p in found if p.kind is not p.VAR_KEYWORD and p.name != "self"]


OWN = {"from_dense": {"copy"}, "diag": {"dtype"}}  # what our methods take beyond theirs
NAMED = {"vxm": ["A"], "mxv": ["u"], "get": ["i"]}


@pytest.mark.parametrize("name", ["Vector", "Matrix"])
def test_parameters_have_the_defaults_of_python_graphblas(name):
    ours, theirs = getattr(cuda, name), getattr(gb, name)
    checked = 0
    for method in dir(ours):
        if method.startswith("_") or method == "ss" or not callable(getattr(theirs, method, None)):
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
