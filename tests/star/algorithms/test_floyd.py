"""Floyd's algorithm against SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphla.errors import DomainMismatch, NegativeCycle
from graphla.star import Slice
from graphla.star.algorithms import floyd
from tests.star.algorithms.paths import cycle, digraph, distances, made
from tests.star.models import drawn


def check_pairs(W, D):
    model = distances(D, "FW")
    distance, parent = floyd(W)
    (d, has), (before, known) = distance.to_numpy(), parent.to_numpy()
    assert (np.where(has, d, np.inf) == model).all()
    assert (known == has).all()
    before = before.astype(np.int64) - 1
    for i, j in zip(*has.nonzero(), strict=True):
        k = before[i, j]
        assert k == i if i == j else d[i, j] == d[i, k] + D[k, j]
        steps = 0
        while j != i:
            j, steps = before[i, j], steps + 1
            assert steps < len(D)


@drawn
@given(n=st.integers(1, 24), degree=st.floats(0.5, 5), seed=st.integers(0, 2**32))
def test_random_digraphs(n, degree, seed):
    D = digraph(n, degree, seed, shift=30)
    check_pairs(made(D, "cpu", signed=True), D)


def test_every_engine(engine):
    D = digraph(12, 2, 6, shift=30)
    check_pairs(made(D, engine, True), D)


@pytest.mark.parametrize("n", [1, 2, 9])
def test_negative_cycles(n):
    W = cycle(n)
    with pytest.raises(NegativeCycle, match=r"vertex . is on a cycle"):
        floyd(W)
    W[n, 1] = 1 - n
    assert floyd(W)[0][1, 1] == 0


def test_what_is_no_weights_is_refused():
    with pytest.raises(DomainMismatch, match="expected Weights, not Slice"):
        floyd(Slice(3))
