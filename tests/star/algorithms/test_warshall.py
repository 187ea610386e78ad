"""The four forms of Warshall's closure against repeated squaring."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.errors import DimensionMismatch, DomainMismatch
from graphla.star import Slice, Table, cpu_loops
from graphla.star.algorithms import (
    warshall,
    warshall_adapted,
    warshall_blocked,
    warshall_columns,
)
from tests.star.models import drawn, same, tabled

FORMS = [warshall_columns, warshall_adapted, warshall_blocked]


def closed(rows):
    """The closure by repeated squaring."""
    R, before = rows.astype(np.float32), -1
    while before != (before := R.sum()):
        R = ((R + R @ R) > 0).astype(np.float32)
    return R > 0


@pytest.mark.parametrize("form", [warshall, *FORMS])
@drawn
@given(n=st.integers(1, 20), degree=st.floats(0.1, 4), seed=st.integers(0, 2**32))
def test_small_tables(engine, form, n, degree, seed):
    rows = np.random.default_rng(seed).random((n, n)) < degree / n
    T = tabled(rows, engine)
    assert same(form(T), closed(rows))
    assert same(T, rows)
    assert form(T, overwrite=True) is T
    assert same(T, closed(rows))


@pytest.mark.thorough
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("n", [63, 64, 65, 200, 641])
@pytest.mark.parametrize("degree", [0.5, 1.2, 3])
def test_more_than_a_word(engine, form, n, degree):
    rows = np.random.default_rng(n).random((n, n)) < degree / n
    assert same(form(tabled(rows, engine)), closed(rows))


@pytest.mark.parametrize("form", FORMS)
def test_several_threads(monkeypatch, form):
    monkeypatch.setattr(cpu_loops, "SMALL", 0)
    rows = np.random.default_rng(8).random((200, 200)) < 0.01
    assert same(form(tabled(rows, "cpu")), closed(rows))


@pytest.mark.parametrize("form", FORMS)
def test_paths_and_cycles(engine, form):
    """Long paths, whose edges lie in the worst order for a pivot."""
    n = 300
    order = np.random.default_rng(3).permutation(n)
    rows = np.zeros((n, n), bool)
    rows[order[:-1], order[1:]] = True
    model = np.zeros((n, n), bool)
    model[np.ix_(order, order)] = np.arange(n)[:, None] < np.arange(n)
    assert same(form(tabled(rows, engine)), model)
    rows[order[-1], order[0]] = True
    assert same(form(tabled(rows, engine)), np.ones((n, n), bool))


def test_graph_of_the_library(engine):
    G = gl.Graph.from_edges(*np.random.default_rng(9).integers(0, 150, (2, 200)), n=150)
    T = warshall_blocked(Table.from_graph(G if engine == "cpu" else G.to("cuda")))
    assert same(T, gl.transitive_closure(G).to_dense(fill_value=False))


@pytest.mark.parametrize("form", [warshall, *FORMS])
def test_refusals(engine, form):
    with pytest.raises(DimensionMismatch, match="an adjacency table is square, not 3 x 4"):
        form(Table(3, 4, engine=engine))
    with pytest.raises(DomainMismatch, match="expected a Table, not Slice"):
        form(Slice(3, engine=engine))
    assert form(Table(0, 0, engine=engine)).n == 0
