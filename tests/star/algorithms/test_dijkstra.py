"""Dijkstra, Bellman-Ford and Floyd against SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse.csgraph import csgraph_from_dense, shortest_path

from graphla.errors import DomainMismatch, InvalidIndex, NegativeCycle, NegativeWeight
from graphla.star import Slice, Weights
from graphla.star.algorithms import bellman_ford, dijkstra, floyd
from tests.star.models import drawn


def digraph(n, degree, seed, shift=0):
    """Weights with infinity where there is no arc; potentials make some of them negative."""
    rng = np.random.default_rng(seed)
    D = np.where(rng.random((n, n)) < degree / n, rng.integers(0, 20, (n, n)), np.inf)
    height = rng.integers(0, shift + 1, n)
    return D + height[:, None] - height


def made(D, engine, signed=False):
    W = Weights(len(D), 8, signed=signed, engine="cpu")
    for i, j in zip(*np.isfinite(D).nonzero(), strict=True):
        W[i + 1, j + 1] = int(D[i, j])
    return W.to(engine)


def distances(D, method):
    return shortest_path(csgraph_from_dense(D, null_value=np.inf), method=method)


def check(paths, D, model, s):
    """Distances are the model's, and parents are the last arcs of paths of these lengths."""
    d, parent, reached = paths.to_numpy()
    assert (np.where(reached, d, np.inf) == model).all()
    assert parent[s] == s + 1
    for v in set(np.flatnonzero(reached)) - {s}:
        assert d[v] == d[parent[v] - 1] + D[parent[v] - 1, v]
        seen = {v}
        while v != s:
            v = parent[v] - 1
            assert v not in seen
            seen.add(v)
    assert not parent[~reached].any()


SIZES = {"n": st.integers(1, 70), "degree": st.floats(0.5, 5), "seed": st.integers(0, 2**32)}


@drawn
@given(**SIZES)
def test_dijkstra(n, degree, seed):
    D = digraph(n, degree, seed)
    s = seed % n
    check(dijkstra(made(D, "cpu"), s + 1), D, distances(D, "D")[s], s)


@drawn
@given(**SIZES)
def test_bellman_ford(n, degree, seed):
    D = digraph(n, degree, seed, shift=30)
    s = seed % n
    check(bellman_ford(made(D, "cpu", signed=True), s + 1), D, distances(D, "BF")[s], s)


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
def test_floyd(n, degree, seed):
    D = digraph(n, degree, seed, shift=30)
    check_pairs(made(D, "cpu", signed=True), D)


def test_every_engine(engine):
    D = digraph(66, 2, 5)
    check(dijkstra(made(D, engine), 3), D, distances(D, "D")[2], 2)
    check(bellman_ford(made(D, engine), 3), D, distances(D, "D")[2], 2)
    D = digraph(12, 2, 6, shift=30)
    check(bellman_ford(made(D, engine, True), 3), D, distances(D, "BF")[2], 2)
    check_pairs(made(D, engine, True), D)


@pytest.mark.parametrize("n", [1, 2, 9])
def test_negative_cycles(n):
    W = Weights(n + 1, 5, signed=True)
    for v in range(1, n + 1):
        W[v, v % n + 1] = 1 if v < n else -n
    with pytest.raises(NegativeCycle, match="source=1 reaches a cycle"):
        bellman_ford(W, 1)
    with pytest.raises(NegativeCycle, match=r"vertex . is on a cycle"):
        floyd(W)
    assert bellman_ford(W, n + 1).to_numpy()[0][n] == 0
    W[n, 1] = 1 - n
    assert bellman_ford(W, 1).to_numpy()[0][0] == 0
    assert floyd(W)[0][1, 1] == 0


def test_refusals():
    W = Weights(3, 4, signed=True)
    with pytest.raises(NegativeWeight, match="dijkstra needs weights >= 0"):
        dijkstra(W, 1)
    for form in (dijkstra, bellman_ford):
        with pytest.raises(InvalidIndex, match=r"source 4 is out of range 1\.\.3"):
            form(W, 4)
    for form in (floyd, lambda x: dijkstra(x, 1), lambda x: bellman_ford(x, 1)):
        with pytest.raises(DomainMismatch, match="expected Weights, not Slice"):
            form(Slice(3))
