"""Negative cycles: the returned cycle is negative; none is returned if Bellman-Ford converges."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.errors import InvalidIndex, InvalidValue, NegativeCycle
from tests.every_graph import on_edge_cases
from tests.graphs import DTYPES, edges, random_graph
from tests.strategies import graphs, signed_weights


def check(G, source):
    cycle = gl.negative_cycle(G, source)
    try:
        gl.bellman_ford_distances(G, source)
    except NegativeCycle:
        assert cycle[0] == cycle[-1]
        inner = cycle[:-1]
        assert len(set(inner)) == len(inner) > 0
        assert cycle[0] == (source if source in inner else min(inner))
        steps = [G.A[u, v].new().value for u, v in itertools.pairwise(cycle)]
        assert sum(steps) < 0
        assert gl.bfs_levels(G, source)[cycle[0]].new().value is not None
    else:
        assert cycle == []


@on_edge_cases
def test_edge_cases(G):
    for source in range(G.n):
        assert gl.negative_cycle(G, source) == []


@given(graphs(kind="directed", weights=signed_weights), st.data())
def test_signed_weights(G, data):
    check(G, data.draw(st.integers(0, G.n - 1)))


@given(graphs(kind="undirected", weights=signed_weights, max_n=6))
def test_undirected_edges_are_walked_back_and_forth(G):
    check(G, 0)


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64", "float32", "float64"])
def test_every_signed_dtype(dtype):
    w = np.array([5, -4, 2, -9, 6], dtype)
    G = edges([0, 1, 0, 2, 3], [1, 2, 2, 3, 2], w, n=5)
    assert gl.negative_cycle(G, 0) == [2, 3, 2]
    assert gl.negative_cycle(G, 3) == [3, 2, 3]
    assert gl.negative_cycle(G, 4) == []


@pytest.mark.parametrize("dtype", [x for x in DTYPES if x.startswith(("u", "b"))])
def test_dtypes_without_a_sign_have_none(dtype):
    assert gl.negative_cycle(random_graph(20, 80, dtype=dtype), 0) == []


def test_a_loop():
    assert gl.negative_cycle(edges([0, 1], [1, 1], [5, -1], n=2), 0) == [1, 1]


def test_a_cycle_of_length_zero_before_it_is_not_returned():
    # 1 <-> 2 has length 0 and is tight; what is negative comes behind
    G = edges([0, 1, 2, 2, 3, 4], [1, 2, 1, 3, 4, 3], [0, 3, -3, 1, 1, -2], n=5)
    assert gl.negative_cycle(G, 0) == [3, 4, 3]


def test_a_long_cycle_behind_a_long_path():
    n = 300
    src = [*range(n - 1), n - 1]
    dst = [*range(1, n), 100]
    G = edges(src, dst, [1] * (n - 1) + [-n], n=n)
    assert gl.negative_cycle(G, 0) == [*range(100, n), 100]


def test_bad_input():
    with pytest.raises(InvalidIndex, match="n=2"):
        gl.negative_cycle(edges([0], [1], [-1], n=2), 2)
    with pytest.raises(InvalidValue, match="NaN"):
        gl.negative_cycle(edges([0, 1], [1, 0], [np.nan, -1.0], n=2), 0)
    for sign in (1, -1):
        with pytest.raises(InvalidValue, match="INT64"):
            gl.negative_cycle(edges([0], [1], [sign * 2**62], n=2), 0)
    for weight in (np.nan, np.inf):
        with pytest.raises(InvalidValue):
            gl.negative_cycle(edges([0, 1], [1, 0], [weight, 1.0], n=2), 0)
