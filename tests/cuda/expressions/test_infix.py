"""Infix expressions: nested ones, those without an operator, and updates in place."""

import graphblas as gb
import numpy as np
import pytest
from graphblas import binary, monoid, semiring
from hypothesis import given
from hypothesis import strategies as st

from graphla import cuda
from graphla.errors import DimensionMismatch, DomainMismatch, EngineMismatch
from tests.cuda.both_engines import agree, world
from tests.cuda.object_pairs import DTYPES, objects, same
from tests.strategies import examples

PRODUCTS = [
    "A @ (A @ A)", "(A @ A) @ A", "A @ (A @ v)", "(A @ A) @ v", "(v @ A) @ A", "v @ (A @ A)",
    "(v @ A) @ v", "v @ (A @ v)", "(A @ v) @ (v @ A)", "F @ (A @ B)", "(B @ F) @ A",
    "A @ (F @ (A @ v))", "T @ (A @ f)", "i8 @ (i8 @ A)", "A @ (B | B)", "(B | B) @ A",
    "A @ A.apply('ainv')", "A.apply('ainv') @ A", "A @ v[[2, 1, 0]]",
]  # fmt: skip
UNIONS = [
    "b | (b | b)", "(b | b) | b", "v | (f | i8)", "(v | f) | i8", "(v | b) | (f | i8)",
    "v | (A @ v)", "(A @ v) | v", "A | (A | F)", "v | v.apply('ainv')", "v.apply('ainv') | v",
    "v | v[[2, 1, 0]]", "v[[2, 1, 0]] | v",
]  # fmt: skip
INTERSECTIONS = [
    "b & (b & b)", "(b & b) & b", "v & (v & i8)", "(v & i8) & (b & v)", "(A @ v) & v",
    "A & (A & T)", "v.apply('ainv') & v",
]  # fmt: skip
REFUSED = [
    "b | (b & b)", "(b & b) | b", "b & (b | b)", "(b | b) & b", "(b | b) & (b & b)",
    "(v | v) @ A", "v | s", "v | 3", "v | (v @ v)", "(v @ v) | v", "(v @ v) @ A", "A @ s",
    "A @ (v @ v)", "v | v.reduce()",
]  # fmt: skip
SEMIRINGS = ("min_plus", "any_pair", "max_second")


@pytest.mark.parametrize("expression", PRODUCTS)
def test_the_semiring_is_that_of_nested_products(expression):
    for op in SEMIRINGS:
        agree(f"semiring.{op}({expression})", refused=False)
    agree(f"semiring.plus_times['FP64']({expression})", refused=False)
    agree(f"monoid.plus({expression})", refused=True)


def test_the_type_of_an_expression_of_another_sign_counts():
    agree("semiring.min_plus(A @ (A @ (B | B)))", refused=True)  # min_plus is not for BOOL
    agree("semiring.any_pair(A @ (A @ (B | B)))", refused=False)


@pytest.mark.thorough
@pytest.mark.parametrize("expression", UNIONS + INTERSECTIONS)
def test_the_operator_is_that_of_nested_expressions(expression):
    for op in ("monoid.lxor", "monoid.land", "binary.eq", "binary.plus['FP64']"):
        agree(f"{op}({expression})", refused=False)
    agree(f"binary.minus({expression})")  # refused of BOOL
    agree(f"semiring.min_plus({expression})", refused=True)


@pytest.mark.thorough
@pytest.mark.parametrize("expression", ["v | f", "v | (f | i8)", "(v | v) | i8", "f | (A @ v)"])
@pytest.mark.parametrize("defaults", [(1, 2), (0.5, "True"), ("s", "half")])
def test_defaults_are_those_of_nested_unions(expression, defaults):
    left, right = defaults
    for op in ("minus", "first", "truediv"):
        agree(f"binary.{op}({expression}, left_default={left}, right_default={right})", False)


def test_a_union_over_an_operator_without_the_dtype_is_refused():
    agree("b.ewise_union(b, monoid.plus, 1, 1)", refused=True)
    agree("b.ewise_union(b, binary.plus, 1, 1)", refused=False)
    agree("binary.plus(b | b, left_default=1, right_default=1)", refused=False)


@pytest.mark.parametrize("expression", PRODUCTS + UNIONS + INTERSECTIONS)
def test_without_an_operator(expression):
    agree(f"({expression}).new()")
    agree(f"({expression}).dup('FP32')")
    agree(f"({expression}).dup(clear=True)")
    agree(f"({expression}).dtype.name")
    target = "A" if eval(expression, world(gb)).ndim == 2 else "v"
    agree(f"{target} << ({expression})")


@pytest.mark.parametrize("expression", REFUSED)
def test_mixtures_are_refused(expression):
    agree(f"semiring.min_plus({expression})", refused=True)
    agree(f"monoid.lor({expression})", refused=True)


def test_shapes_are_checked_at_once():
    v, A = cuda.Vector(int, 3), cuda.Matrix(int, 3, 4)
    for make in (lambda: v | cuda.Vector(int, 4), lambda: A & A.T, lambda: A @ v, lambda: A @ A):
        with pytest.raises(DimensionMismatch, match=r"\(3"):
            make()
    assert (v @ A).shape == (4,)
    assert (A.T @ A).shape == (4, 4)
    with pytest.raises(EngineMismatch, match="from_graphblas"):
        v | gb.Vector(int, 3)


def test_an_inner_product_is_a_number():
    for line in ("bool(v @ v)", "int(v @ v)", "(v @ v) == 5", "(v @ v) == 6", "range(9)[v @ v]"):
        agree(line, refused=False)
    agree("bool(v | v)", refused=True)
    agree("float(v & v)", refused=True)


@pytest.mark.thorough
@given(st.data())
@examples(20)
def test_nested_products_of_drawn_matrices(data):
    dtypes = st.sampled_from([t for t in DTYPES if t != "BOOL"])
    pairs = [data.draw(objects((5, 5), data.draw(dtypes))) for _ in range(3)]
    for nested in (lambda A, B, C: A @ (B @ C), lambda A, B, C: (A @ B) @ C):
        found = [nested(*(pair[k] for pair in pairs)) for k in (0, 1)]
        same(*(semiring.min_plus(x).new() for x in found))


# ---- in place

SIGNS = ("|=", "&=", "@=")
OTHERS = [
    "v", "b", "A", "B", "T", "b & b", "B | B", "A @ A", "v @ A", "v @ v", "v.apply('ainv')",
    "b.apply('lnot')", "v[[2, 1, 0]]", "v[1]", "s", "yes", "3", "True", "b.S", "f",
]  # fmt: skip


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("name", ["v", "b", "A", "B"])
def test_an_object_is_updated_in_place(name, sign):
    for other in OTHERS:
        agree(f"{name} {sign} {other}")
        agree(f"{name}0 = {name}\n{name} {sign} {other}\n{name} = {name}0")


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("target", ["T", "b | b", "A @ A", "v @ A", "v.apply('ainv')", "v[[0, 1]]"])
def test_expressions_and_transposes_are_not_updated(target, sign):
    for other in ("b", "B", "True"):
        agree(f"x = {target}\nx {sign} {other}", refused=True)


def test_in_place_updates_are_seen_through_every_name():
    b = cuda.Vector.from_coo([0], [True], size=3)
    other = kept = b
    b |= cuda.Vector.from_coo([1], [True], size=3)
    assert kept is b
    assert other.nvals == 2
    kept &= cuda.Vector.from_coo([1, 2], [True, True], size=3)
    assert other.nvals == 1
    A = cuda.Matrix.from_coo([0, 1], [1, 2], [2, 3], nrows=3, ncols=3)
    same_matrix = A
    A @= A
    assert same_matrix.get(0, 2) == 6


def test_a_refused_update_changes_nothing():
    b = cuda.Vector.from_coo([0], [True], size=3)
    with pytest.raises(DomainMismatch, match="BOOL"):
        b |= cuda.Vector.from_coo([1], [7], size=3)
    with pytest.raises(DimensionMismatch):
        b &= cuda.Vector("BOOL", 4)
    with pytest.raises(EngineMismatch):
        b |= gb.Vector("BOOL", 3)
    with pytest.raises(DomainMismatch, match="into a Vector"):
        b |= cuda.Matrix("BOOL", 3, 3)
    assert (b.nvals, b[0].new().value) == (1, True)


def test_the_operands_are_read_when_the_operator_is_called():
    found = []
    for side in (cuda, gb):
        v, w = (side.Vector.from_coo([k, 2], [1, 5], "INT64", size=3) for k in (0, 1))
        waiting = v | (w | w)
        w[2] = 7
        e = monoid.plus(waiting)
        found.append(e.new())
        assert np.array_equal(binary.first(v | w).new().nvals, 3)
    same(*found)
