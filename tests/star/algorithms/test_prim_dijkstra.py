"""The forests of Prim and Dijkstra against NetworkX."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphla.errors import DomainMismatch
from graphla.star import Arcs, Slice
from graphla.star.algorithms import prim_dijkstra
from tests.star.algorithms.edges import check_forest_of, check_forests_on
from tests.star.models import drawn


@drawn
@given(n=st.integers(1, 40), degree=st.floats(0, 4), seed=st.integers(0, 2**32))
def test_random_graphs(n, degree, seed):
    check_forest_of(prim_dijkstra, n, int(n * degree), seed)


def test_every_engine(engine):
    check_forests_on(prim_dijkstra, engine)


def test_refusals():
    with pytest.raises(DomainMismatch, match="expected Arcs, not Slice"):
        prim_dijkstra(Slice(3))
    assert prim_dijkstra(Arcs(0, 0, 3)).n == 0
