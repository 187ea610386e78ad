"""Wrong results and exceptions outside the first call leave an implementation out."""

from __future__ import annotations

from itertools import count

import pytest

import graphla as gl
from graphla.comparison.implementations import Implementation, register, unregister
from tests.graphs import random_graph

G = random_graph(40, 160, kind="undirected")


@pytest.fixture
def race():
    """Compare one more implementation of triangle_count with the algebraic one."""
    added = []

    def run(**fields):
        added.append(register(Implementation("late", "triangle_count", "count", **fields)))
        return gl.compare("triangle_count", G, implementations=["graphla", "late"], trials=4).rows

    yield run
    for each in added:
        unregister(each)


def test_a_wrong_last_result_fails(race):
    calls, right = count(), gl.triangle_count(G)
    algebra, late = race(run=lambda S, start: right + (next(calls) > 3))
    assert late["verified"] is False
    assert "VerificationError" in late["error"]
    assert late["trials_s"] == []
    assert algebra["verified"] is True


def test_an_exception_in_refuses_is_a_failure_of_that_row(race):
    def refuses(G):
        raise RuntimeError("no answer")

    algebra, late = race(run=lambda S, start: 0, refuses=refuses)
    assert (late["verified"], late["error"]) == (False, "RuntimeError: no answer")
    assert len(algebra["trials_s"]) == 4
