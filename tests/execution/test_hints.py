"""Storage hints reach each kind of object; statements run in order, or by a planner."""

from __future__ import annotations

import pytest
from graphblas import Vector

from graphla.execution import hints


class Stored:
    form = None

    def store(self, form):
        self.form = form


class Expression:
    pass


class Target:
    """The left side of a statement; it records what is written."""

    def __init__(self, log, name):
        self.log, self.name = log, name

    def __lshift__(self, expression):
        self.log.append((self.name, expression))


@pytest.fixture
def planners(monkeypatch):
    monkeypatch.setattr(hints, "_planners", {})


@pytest.mark.parametrize("form", ["sparse", "bitmap", "full"])
def test_hints(form):
    v, stored = Vector(int, 9), Stored()
    v[:] << 1
    hints.set_storage_hint(v, stored, 3, form=form)
    v[0] << 2
    v.wait()
    assert v.ss.format == form
    assert stored.form == form


def test_statements_run_in_order_any_number_of_times(planners):
    log = []
    run = hints.fuse((Target(log, "u"), 1), (Target(log, "v"), 2))
    assert log == []
    run()
    assert log == [("u", 1), ("v", 2)]
    run(times=2, continue_up_to=5)
    assert log == [("u", 1), ("v", 2)] * 3


def test_the_planner_of_the_first_expression_makes_the_function(planners):
    planned = []
    hints.register_planner(Expression, planned.append)
    derived, log = type("Derived", (Expression,), {})(), []
    assert hints.fuse((Target(log, "u"), derived), (Target(log, "v"), 2)) is None
    assert [expression for _, expression in planned[0]] == [derived, 2]
    hints.fuse((Target(log, "u"), 1), (Target(log, "v"), derived))()
    assert log == [("u", 1), ("v", derived)]
    assert len(planned) == 1
