"""What Python does with any object: those of the device answer as python-graphblas's, or refuse."""

from __future__ import annotations

import operator

import graphblas as gb
import numpy as np
import pytest
from graphblas import binary, monoid

import graphla as gl
from graphla.cuda import Matrix, Vector
from graphla.errors import ConvergenceFailure, DomainMismatch, EngineMismatch

SIDES = (Vector, gb.Vector)
NUMBERS = {
    "a sum": lambda v: v.reduce(),
    "any true": lambda v: v.reduce(monoid.lor),
    "an entry": lambda v: v[2],
    "zero": lambda v: v[0],
    "no entry": lambda v: v[1],
}


@pytest.mark.parametrize("values", [[0, 0], [0, 3]])
@pytest.mark.parametrize("name", NUMBERS)
def test_expressions_of_one_value_are_that_value(name, values):
    mine, theirs = (NUMBERS[name](side.from_coo([0, 2], values, "INT64", size=4)) for side in SIDES)
    assert bool(mine) == bool(theirs)
    for other in (0, 3, True):
        assert (mine == other) == bool(theirs == other)
        assert (mine != other) == bool(theirs != other)
        assert (other == mine) == bool(theirs == other)
    if theirs.new().value is not None:
        assert (int(mine), float(mine)) == (theirs.new().value, float(theirs.new().value))
        assert range(9)[mine] == theirs.new().value


def test_a_loop_until_nothing_is_left():
    for side in SIDES:
        v, rounds = side.from_coo([0], [3], "INT64", size=1), 0
        while v.reduce() and rounds < 9:
            v << v.apply(binary.minus, right=1)
            rounds += 1
        assert rounds == 3


OBJECTS = {
    "vector": lambda: Vector("INT64", 3),
    "matrix": lambda: Matrix("INT64", 2, 2),
    "transpose": lambda: Matrix("INT64", 2, 3).T,
    "no entry": lambda: Vector("INT64", 0),
}


@pytest.mark.parametrize("name", OBJECTS)
@pytest.mark.parametrize("ask", [list, bool, np.asarray, np.array])
def test_objects_refuse_to_be_sequences_numbers_or_host_arrays(name, ask):
    x = OBJECTS[name]()
    with pytest.raises(DomainMismatch, match="engine 'cuda'"):
        ask(x)


@pytest.mark.parametrize("ask", [bool, int, float, complex, operator.index])
def test_expressions_of_many_values_are_no_number(ask):
    with pytest.raises(DomainMismatch, match="expected an expression of one number"):
        ask(Vector("INT64", 3).apply("abs"))


def test_objects_are_found_by_what_they_are():
    v, w = Vector("INT64", 3), Vector("INT64", 3)
    assert {v: 1, w: 2}[w] == 2
    assert len({v, w, v}) == 2


def test_infix_without_an_operator_is_for_truth():
    for side in SIDES:
        u, v = (side.from_coo([k, 1], True, "BOOL", size=3) for k in (0, 2))
        assert (u | v).new().nvals == 3
        assert (u & v).new().nvals == 1
        x = side.from_coo([0], [1], "INT64", size=3)
        for y in (x, u):
            with pytest.raises(TypeError):
                (x | y).new()
            with pytest.raises(TypeError):
                (y & x).new()
        assert binary.plus(x | x).new().nvals == 1


def test_what_objects_of_the_cpu_have_is_absent():
    v = Vector("INT64", 3)
    assert not hasattr(v, "new")
    assert getattr(v, "gb_obj", 7) == 7
    with pytest.raises(EngineMismatch, match="to_graphblas"):
        v.new


def test_messages():
    A = Matrix("INT64", 3, 3)
    with pytest.raises(DomainMismatch, match=r"A\[rows, columns\]; got 0"):
        A[0]
    with pytest.raises(DomainMismatch, match=r"a mask is x\.S"):
        A(A) << 4


@pytest.mark.parametrize("engine", ["cpu", "cuda"])
def test_iterations_end_when_they_come_to_no_number(engine):
    huge = np.array([2**64 - 1] * 3, np.uint64)
    G = gl.Graph.from_edges([0, 1, 2], [1, 2, 0], huge, kind="undirected").to(engine)
    with pytest.raises(ConvergenceFailure, match="nan") as caught:
        gl.katz_centrality(G, max_iter=1000)
    assert caught.value.iterations < 1000
