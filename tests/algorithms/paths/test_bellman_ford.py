"""Bellman-Ford against SciPy, negative cycles against NetworkX."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.algorithms.paths import bellman_ford as module
from graphla.errors import InvalidIndex, InvalidValue, NegativeCycle
from graphla.execution import push_pull
from tests.algorithms.paths.shortest_paths import check, weighted
from tests.every_graph import on_edge_cases
from tests.graphs import DTYPES, atlas, edges, random_graph, to_networkx
from tests.strategies import graphs, signed_weights, small_weights


def check_both(G, source):
    distance, parent = gl.bellman_ford(G, source)
    check(G, source, distance, parent)
    assert gl.bellman_ford_distances(G, source).isequal(distance, check_dtype=True)


def reaches_negative_cycle(G, source):
    """Whether NetworkX's Bellman-Ford finds one."""
    try:
        nx.single_source_bellman_ford_path_length(to_networkx(G), source)
    except nx.NetworkXUnbounded:
        return True
    return False


def check_signed(G, source):
    if reaches_negative_cycle(G, source):
        for algorithm in (gl.bellman_ford, gl.bellman_ford_distances):
            with pytest.raises(NegativeCycle, match=f"source={source}"):
                algorithm(G, source)
        return
    distance, parent = gl.bellman_ford(G, source)
    found = nx.single_source_bellman_ford_path_length(to_networkx(G), source)
    expected = [found.get(v, np.inf) for v in range(G.n)]
    check(G, source, distance, parent, expected)


def potentials(G, seed):
    """Return a directed graph with weights of both signs and no negative cycle, and tight ones."""
    rng = np.random.default_rng(seed)
    rows, cols, _ = G.A.to_coo()
    rows, cols = rows.astype(np.int64), cols.astype(np.int64)
    p = rng.integers(-50, 50, G.n)
    slack = rng.integers(0, 4, rows.size)
    return gl.Graph.from_edges(rows, cols, slack + p[cols] - p[rows], n=G.n, dup="min")


@on_edge_cases
def test_edge_cases(G):
    for source in range(G.n):
        check_both(G, source)


@pytest.mark.thorough
def test_atlas():
    for i, (_, G) in enumerate(atlas()[1:]):
        check_both(weighted(G, 0, 5, seed=i), i % G.n)
        check_both(potentials(G, i), i % G.n)


@given(graphs(kind="directed", weights=signed_weights), st.data())
def test_signed_weights(G, data):
    check_signed(G, data.draw(st.integers(0, G.n - 1)))


@given(graphs(kind="directed", weights=signed_weights, max_n=6), st.sampled_from([1, 2, 3]))
def test_signed_weights_with_an_early_look(G, look):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "FIRST_CYCLE_CHECK", look)
        check_signed(G, 0)


@given(graphs(weights=small_weights))
def test_agrees_with_delta_stepping(G):
    assert gl.bellman_ford_distances(G, 0).isequal(gl.sssp_distances(G, 0), check_dtype=True)


@pytest.mark.parametrize("seed", range(5))
def test_both_signs_without_a_negative_cycle(seed):
    check_both(potentials(random_graph(200, 900, seed=seed), seed), seed)


@pytest.mark.parametrize("dtype", DTYPES)
def test_dtypes(dtype):
    G = random_graph(60, 200, dtype=dtype, high=100)
    check_both(G, 3)
    narrow = dtype in ("bool", "int8", "uint8")
    assert gl.bellman_ford(G, 3).distance.dtype == ("INT64" if narrow else np.dtype(dtype))


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64", "float32", "float64"])
def test_negative_weights_of_every_signed_dtype(dtype):
    G = edges([0, 1, 0, 2], [1, 2, 2, 3], np.array([5, -4, 2, -9], dtype), n=5)
    assert gl.bellman_ford_distances(G, 0).to_dense(fill_value=99).tolist() == [0, 5, 1, -8, 99]
    check_both(G, 0)


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32"])
@pytest.mark.parametrize("sign", ["min", "max"])
def test_widest_weights_never_overflow(dtype, sign):
    weight, n = getattr(np.iinfo(dtype), sign), 40
    G = edges(range(n - 1), range(1, n), np.full(n - 1, weight, dtype), n=n)
    check_both(G, 0)
    assert gl.bellman_ford_distances(G, 0)[n - 1].new().value == (n - 1) * int(weight)


@pytest.mark.parametrize("full", [1e-9, 1e9])
def test_push_and_pull_agree(monkeypatch, full):
    monkeypatch.setitem(push_pull.COSTS, "cpu", push_pull.COSTS["cpu"]._replace(full_pull=full))
    for seed in range(5):
        # most vertices are never reached, and pulling reads their edges of both signs too
        G = potentials(random_graph(300, 320, seed=seed), seed)
        with gl.trace() as steps:
            check_both(G, int(np.argmax(G.out_degree.to_dense())))
        products = {s.direction for s in steps if s.kernel.startswith("min_plus")} - {""}
        assert ("pull" in products) == (full > 1)


def test_a_negative_cycle_out_of_reach_does_no_harm():
    G = edges([0, 2, 3, 3], [1, 3, 2, 1], [4, -2, 1, -7], n=4)
    r = gl.bellman_ford(G, 0)
    assert r.distance.to_coo()[1].tolist() == [0, 4]
    with pytest.raises(NegativeCycle):
        gl.bellman_ford(G, 2)


@pytest.mark.parametrize(
    ("src", "dst", "weight"),
    [
        ([0], [0], [-1]),  # a loop at the source
        ([0, 1], [1, 1], [5, -1]),
        ([0, 1, 2], [1, 2, 0], [1, 1, -3]),  # through the source
        ([0, 1, 2, 3], [1, 2, 3, 1], [0, 1, 1, -3]),
    ],
)
def test_negative_cycles(src, dst, weight):
    with pytest.raises(NegativeCycle, match="source=0"):
        gl.bellman_ford(edges(src, dst, weight, n=4), 0)


def test_an_undirected_negative_edge_is_a_cycle():
    with pytest.raises(NegativeCycle):
        gl.bellman_ford(edges([0, 1], [1, 2], [3, -1], n=3, kind="undirected"), 0)


def test_a_negative_cycle_is_seen_long_before_n_rounds():
    n = 100_000
    G = edges([*range(n - 1), 3], [*range(1, n), 1], [1] * (n - 1) + [-5], n=n)
    with gl.trace() as steps, pytest.raises(NegativeCycle):
        gl.bellman_ford(G, 0)
    assert sum(s.direction == "push" for s in steps) < 200


def test_a_cycle_of_weight_zero_is_not_negative():
    G = edges([0, 1, 2, 3], [1, 2, 3, 1], [2, 5, -3, -2], n=4)
    check_both(G, 0)


def test_rounding_that_leaves_no_tree_is_refused():
    # at 1e16 the floats are 2 apart: 1 - 1 comes back lower than it set out
    top = 1e16 + 2
    G = edges([0, 1, 2], [1, 2, 1], [top, -1.0, 1.0], n=3)
    with pytest.raises(NegativeCycle):
        gl.bellman_ford(G, 0)


def test_bad_input():
    G = edges([0], [1], [1.5], n=2)
    with pytest.raises(InvalidIndex, match="n=2"):
        gl.bellman_ford(G, 2)
    with pytest.raises(InvalidValue, match="NaN"):
        gl.bellman_ford(edges([0], [1], [np.nan], n=2), 0)
    for weight in (np.inf, -np.inf):
        with pytest.raises(InvalidValue, match=r"inf.*FP64"):
            gl.bellman_ford(edges([0], [1], [weight], n=2), 0)
    with pytest.raises(InvalidValue, match="INT64"):
        gl.bellman_ford(edges([0], [1], [-(2**62)], n=2), 0)
