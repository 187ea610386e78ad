"""Dynamic shortest paths to a sink: after every update they equal those of SciPy."""

from __future__ import annotations

import numpy as np
import pytest

from graphla.errors import DomainMismatch, InvalidIndex, InvalidValue, NegativeWeight
from graphla.star import Slice, Weights
from graphla.star.algorithms import SinkPaths
from tests.star.algorithms.paths import distances, made


def check(S, D, t):
    """Distances equal the model's, and the subgraph is all arcs of shortest paths."""
    model = distances(D, "D")[:, t]
    reached = np.isfinite(model)
    with np.errstate(invalid="ignore"):
        tight = D + model == model[:, None]
    tight &= np.isfinite(D) & reached & reached[:, None]
    d = S.distance.to("cpu").to_integers()
    assert (S.reached.to_numpy() == reached).all()
    assert (d[reached] == model[reached]).all()
    assert (S.subgraph.to_numpy() == tight).all()
    W, there = S.weights.to_numpy()
    assert (np.where(there, W, np.inf) == D).all()


def random_updates(S, D, t, rng, steps, until=1.0):
    """Insert and delete arcs, deletions being the more likely the fuller the digraph is."""
    n, counts = len(D), [0, 0]
    for _ in range(steps):
        i, j = rng.integers(0, n, 2).tolist()
        arcs = np.argwhere(np.isfinite(D))
        if rng.random() < len(arcs) / (until * n * 2):
            i, j = arcs[rng.integers(len(arcs))].tolist()
        if np.isfinite(D[i, j]):
            S.delete_arc(i + 1, j + 1)
            D[i, j] = np.inf
            counts[0] += 1
        else:
            D[i, j] = rng.integers(1, 6)
            S.insert_arc(i + 1, j + 1, int(D[i, j]))
            counts[1] += 1
        check(S, D, t)
    return counts


@pytest.mark.thorough
@pytest.mark.parametrize("n", [4, 12])
@pytest.mark.parametrize("seed", [1, 2])
def test_random_updates(engine, n, seed):
    rng = np.random.default_rng([n, seed])
    D, t = np.full((n, n), np.inf), seed % n
    S = SinkPaths(Weights(n, 3, engine=engine), t + 1)
    check(S, D, t)
    assert min(random_updates(S, D, t, rng, 200 if engine == "cpu" else 40, until=1.2)) > 10


@pytest.mark.parametrize("n", [20, 70])
def test_a_denser_digraph(engine, n):
    t = 3
    rng = np.random.default_rng(5)
    D = np.where(rng.random((n, n)) < 4 / n, rng.integers(1, 9, (n, n)), np.inf)
    S = SinkPaths(made(D, engine), t + 1)
    check(S, D, t)
    random_updates(S, D, t, rng, 200 if engine == "cpu" else 20, until=2.0)


def test_updates_that_do_not_apply():
    W = Weights(3, 2)
    W[1, 2], W[2, 3] = 2, 1
    S = SinkPaths(W, 3)
    for call, message in (
        (lambda: S.insert_arc(1, 2, 1), "there is an arc 1 -> 2 already"),
        (lambda: S.insert_arc(1, 3, 0), "the arc 1 -> 3 has weight 0"),
        (lambda: S.insert_arc(1, 3, 4), r"weight 4 is out of range 0\.\.3"),
        (lambda: S.delete_arc(1, 3), "there is no arc 1 -> 3"),
    ):
        with pytest.raises(InvalidValue, match=message):
            call()
    with pytest.raises(InvalidIndex, match=r"vertex 4 is out of range 1\.\.3"):
        S.insert_arc(1, 4, 1)
    check(S, np.array([[np.inf, 2, np.inf], [np.inf, np.inf, 1], [np.inf] * 3]), 2)
    for i, j in (1, 3), (2, 1), (3, 2):
        W = Weights(3, 2)
        W[i, j] = 0
        with pytest.raises(InvalidValue, match=f"the arc {i} -> {j} has weight 0"):
            SinkPaths(W, 3)
    with pytest.raises(InvalidIndex, match=r"source 4 is out of range 1\.\.3"):
        SinkPaths(W, 4)
    with pytest.raises(NegativeWeight, match="needs weights >= 0"):
        SinkPaths(Weights(3, 2, signed=True), 3)
    with pytest.raises(DomainMismatch, match="expected Weights, not Slice"):
        SinkPaths(Slice(3), 1)
