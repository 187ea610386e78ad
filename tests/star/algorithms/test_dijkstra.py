"""Dijkstra's algorithm against SciPy."""

from __future__ import annotations

import pytest
from hypothesis import given

from graphla.errors import DomainMismatch, InvalidIndex, NegativeWeight
from graphla.star import Slice, Weights
from graphla.star.algorithms import dijkstra
from tests.star.algorithms.paths import SIZES, check_paths, digraph, distances, made
from tests.star.models import drawn


@drawn
@given(**SIZES)
def test_random_digraphs(n, degree, seed):
    D = digraph(n, degree, seed)
    s = seed % n
    check_paths(dijkstra(made(D, "cpu"), s + 1), D, distances(D, "D")[s], s)


def test_every_engine(engine):
    D = digraph(66, 2, 5)
    check_paths(dijkstra(made(D, engine), 3), D, distances(D, "D")[2], 2)


def test_refusals():
    W = Weights(3, 4, signed=True)
    with pytest.raises(NegativeWeight, match="dijkstra needs weights >= 0"):
        dijkstra(W, 1)
    with pytest.raises(InvalidIndex, match=r"source 4 is out of range 1\.\.3"):
        dijkstra(W, 4)
    with pytest.raises(DomainMismatch, match="expected Weights, not Slice"):
        dijkstra(Slice(3), 1)
