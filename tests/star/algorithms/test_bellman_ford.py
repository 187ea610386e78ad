"""The algorithm of Bellman and Ford against SciPy."""

from __future__ import annotations

import pytest
from hypothesis import given

from graphla.errors import DomainMismatch, InvalidIndex, NegativeCycle
from graphla.star import Slice, Weights
from graphla.star.algorithms import bellman_ford
from tests.star.algorithms.paths import SIZES, check_paths, cycle, digraph, distances, made
from tests.star.models import drawn


@drawn
@given(**SIZES)
def test_random_digraphs(n, degree, seed):
    D = digraph(n, degree, seed, shift=30)
    s = seed % n
    check_paths(bellman_ford(made(D, "cpu", signed=True), s + 1), D, distances(D, "BF")[s], s)


def test_every_engine(engine):
    D = digraph(66, 2, 5)
    check_paths(bellman_ford(made(D, engine), 3), D, distances(D, "D")[2], 2)
    D = digraph(12, 2, 6, shift=30)
    check_paths(bellman_ford(made(D, engine, True), 3), D, distances(D, "BF")[2], 2)


@pytest.mark.parametrize("n", [1, 2, 9])
def test_negative_cycles(n):
    W = cycle(n)
    with pytest.raises(NegativeCycle, match="source=1 reaches a cycle"):
        bellman_ford(W, 1)
    assert bellman_ford(W, n + 1).to_numpy()[0][n] == 0
    W[n, 1] = 1 - n
    assert bellman_ford(W, 1).to_numpy()[0][0] == 0


def test_refusals():
    with pytest.raises(InvalidIndex, match=r"source 4 is out of range 1\.\.3"):
        bellman_ford(Weights(3, 4, signed=True), 4)
    with pytest.raises(DomainMismatch, match="expected Weights, not Slice"):
        bellman_ford(Slice(3), 1)
