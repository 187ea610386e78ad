"""Kruskal's forests against NetworkX."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphla.errors import DomainMismatch
from graphla.star import Arcs, Slice
from graphla.star.algorithms import kruskal
from tests.star.algorithms.edges import check_forest_of, check_forests_on, listed
from tests.star.models import drawn


@drawn
@given(n=st.integers(1, 40), degree=st.floats(0, 4), seed=st.integers(0, 2**32))
def test_random_graphs(n, degree, seed):
    check_forest_of(kruskal, n, int(n * degree), seed)


def test_every_engine(engine):
    check_forests_on(kruskal, engine)


def test_rows_that_are_kept():
    edges = [(1, 2, 9), (2, 3, 1), (1, 3, 2), (3, 4, 5), (2, 4, 6)]
    E = listed(edges, 4, "cpu")
    kept = Slice.from_numpy([1, 0, 0, 0, 1])
    assert kruskal(E, kept=kept).to_string() == "11001"
    assert kept.to_string() == "10001"


def test_refusals():
    with pytest.raises(DomainMismatch, match="expected Arcs, not Slice"):
        kruskal(Slice(3))
    assert kruskal(Arcs(0, 0, 3)).n == 0
