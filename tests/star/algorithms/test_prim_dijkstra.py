"""The forests of Prim and Dijkstra against NetworkX."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphla.errors import DomainMismatch
from graphla.star import Arcs, Slice
from graphla.star.algorithms import prim_dijkstra
from tests.star.algorithms.edges import check_forest, chosen, drawn_edges, listed
from tests.star.models import drawn


@drawn
@given(n=st.integers(1, 40), degree=st.floats(0, 4), seed=st.integers(0, 2**32))
def test_random_graphs(n, degree, seed):
    edges = drawn_edges(n, int(n * degree), seed)
    E = listed(edges, n, "cpu", capacity=len(edges) + 2)
    forest = prim_dijkstra(E)
    check_forest(chosen(E, forest), edges, range(1, n + 1))
    assert chosen(E, E.used) == edges


def test_every_engine(engine):
    edges = drawn_edges(30, 70, 3)
    E = listed(edges, 30, engine)
    check_forest(chosen(E, prim_dijkstra(E)), edges, range(1, 31))
    X = Slice.from_numpy([k % 2 for k in range(70)], engine=engine)
    check_forest(chosen(E, prim_dijkstra(E, X)), edges[1::2], range(1, 31))


def test_refusals():
    with pytest.raises(DomainMismatch, match="expected Arcs, not Slice"):
        prim_dijkstra(Slice(3))
    assert prim_dijkstra(Arcs(0, 0, 3)).n == 0
