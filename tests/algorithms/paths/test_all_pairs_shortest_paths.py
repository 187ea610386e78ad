"""Distances between all pairs, by all three methods, against SciPy and NetworkX."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.errors import (
    DomainMismatch,
    InvalidIndex,
    InvalidValue,
    NegativeCycle,
    OutOfMemory,
)
from tests.every_graph import on_edge_cases
from tests.graphs import DTYPES, edges, random_graph, to_networkx
from tests.strategies import FEW, float_weights, graphs, signed_weights

FUNCTIONS = [gl.all_pairs_shortest_paths, gl.johnson, gl.floyd_warshall]
each = pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)


def by_networkx(G, sources):
    """Return the distances by Bellman and Ford; None where there is a negative cycle."""
    H = to_networkx(G).to_directed()
    if nx.negative_edge_cycle(H):
        return None
    found = np.full((len(sources), G.n), np.inf)
    for row, source in enumerate(sources):
        for v, d in nx.single_source_bellman_ford_path_length(H, source).items():
            found[row, v] = d
    return found


def check(function, G, rtol=1e-13):
    expected = by_networkx(G, range(G.n))
    if expected is None:
        with pytest.raises(NegativeCycle):
            function(G)
        return
    D = function(G)
    assert D.shape == (G.n, G.n)
    np.testing.assert_allclose(D.to_dense(fill_value=np.inf, dtype=float), expected, rtol, 1e-12)


@each
@on_edge_cases
def test_edge_cases(G, function):
    check(function, G)


@each
@given(graphs(max_n=12, max_m=40))
@FEW
def test_random_graphs(function, G):
    check(function, G)


@each
@given(graphs(kind="directed", max_n=10, max_m=25, weights=signed_weights))
@FEW
def test_weights_of_any_sign(function, G):
    check(function, G)


@each
@given(graphs(max_n=10, max_m=25, weights=float_weights))
@FEW
def test_weights_of_floats(function, G):
    check(function, G, rtol=1e-6)


@each
@pytest.mark.parametrize("dtype", DTYPES)
def test_weights_of_every_dtype(dtype, function):
    G = random_graph(30, 90, dtype=dtype, high=100)
    check(function, G, rtol=1e-5)
    D = function(G)
    if function is gl.johnson:
        assert D.dtype == ("FP64" if np.dtype(dtype).kind == "f" else "INT64")
    elif dtype in ("int32", "int64", "float32", "float64"):
        assert D.dtype == G.dtype
    elif dtype in ("bool", "int8"):
        assert D.dtype == "INT64"


@each
def test_more_than_a_block_and_a_batch(function):
    check(function, random_graph(150, 400, kind="undirected", dtype="int32", seed=1))
    check(function, random_graph(129, 300, seed=2))


@each
def test_negative_weights_in_a_larger_graph(function):
    rng = np.random.default_rng(1)
    src, dst = rng.integers(0, 140, (2, 500))
    height = rng.integers(-50, 50, 140)
    weight = rng.integers(0, 9, 500) + height[dst] - height[src]  # no cycle is negative
    G = edges(src, dst, weight, n=140)
    assert G.min_weight < 0
    check(function, G)


@given(graphs(max_n=12, max_m=40, weights=st.integers(1, 5)), st.data())
@FEW
def test_some_sources_in_batches(G, data):
    sources = data.draw(st.lists(st.integers(0, G.n - 1), max_size=7))
    D = gl.all_pairs_shortest_paths(G, sources, batch=data.draw(st.integers(1, 8)))
    assert D.shape == (len(sources), G.n)
    expected = by_networkx(G, sources)
    np.testing.assert_array_equal(D.to_dense(fill_value=np.inf, dtype=float), expected)


def test_a_cycle_behind_no_source_is_not_seen():
    G = edges([0, 2, 3], [1, 3, 2], [1, -2, 1], n=4)
    assert gl.all_pairs_shortest_paths(G, [0]).nvals == 2
    with pytest.raises(NegativeCycle):
        gl.all_pairs_shortest_paths(G, [0, 2])


@each
def test_a_long_negative_cycle(function):
    n = 150
    weights = np.ones(n, np.int64)
    weights[-1] = -n
    with pytest.raises(NegativeCycle):
        function(edges(np.arange(n), (np.arange(n) + 1) % n, weights, n=n))


@each
def test_refused_before_work(function):
    with pytest.raises(InvalidValue, match=f"{function.__name__}: a weight is NaN"):
        function(edges([0], [1], [np.nan], n=2))
    with pytest.raises(InvalidValue, match=function.__name__):
        function(edges([0], [1], [2**62], n=2))
    with pytest.raises(OutOfMemory, match=f"{function.__name__} of 50 x 50 distances"):
        function(random_graph(50, 90), max_bytes=2500)
    with pytest.raises(DomainMismatch, match=r"graphla\.Graph"):
        function(random_graph(3, 3).A)


def test_bad_sources_and_batches_are_refused():
    with pytest.raises(InvalidIndex, match="n=3"):
        gl.all_pairs_shortest_paths(random_graph(3, 3), [3])
    for function in FUNCTIONS[:2]:
        with pytest.raises(InvalidValue, match="batch=0"):
            function(random_graph(3, 3), batch=0)


def test_johnson_takes_the_weights_that_all_pairs_takes():
    n = 200  # each step down by 2^52: made non-negative, the last edge has a weight of 2^59
    src, dst = np.append(np.arange(n - 1), 0), np.append(np.arange(1, n), n - 1)
    G = edges(src, dst, np.append(np.full(n - 1, -(2**52)), 0), n=n)
    assert gl.johnson(G).isequal(gl.all_pairs_shortest_paths(G), check_dtype=True)


@each
def test_unsigned_weights_that_int64_does_not_hold_are_refused(function):
    with pytest.raises(InvalidValue, match="18446744073709551615"):
        function(edges([0, 1], [1, 2], np.array([2**64 - 1, 5], np.uint64), n=3))
