"""Distances from many sources against SciPy."""

from __future__ import annotations

import gc

import graphblas as gb
import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.algorithms.paths import many_distances
from graphla.algorithms.paths.many_distances import find_distances_in_batches
from graphla.errors import InvalidValue, NegativeCycle
from tests.graphs import DTYPES, edges, random_graph, to_networkx
from tests.strategies import FEW, float_weights, graphs, signed_weights


def check(G, sources, batch):
    H = to_networkx(G).to_directed()
    batches = list(find_distances_in_batches(G, sources, batch, "test", False))
    parts = [D for _, D in batches]
    assert [x for rows, _ in batches for x in sources[rows]] == list(sources)
    assert [D.nrows for D in parts[:-1]] == [batch] * (len(parts) - 1)
    rows = np.concatenate([D.to_dense(fill_value=-99) for D in parts])
    for row, source in zip(rows, sources, strict=True):
        expected = np.full(G.n, -99.0)
        for v, d in nx.single_source_bellman_ford_path_length(H, source).items():
            expected[v] = d
        np.testing.assert_allclose(row, expected, rtol=1e-6)


@given(graphs(max_n=12, max_m=40, weights=float_weights), st.data())
@FEW
def test_random_graphs_sources_and_batches(G, data):
    sources = data.draw(st.lists(st.integers(0, G.n - 1), min_size=1, max_size=7))
    check(G, sources, data.draw(st.integers(1, 8)))


@given(graphs(max_n=10, max_m=20, weights=signed_weights, kind="directed"))
@FEW
def test_negative_weights_and_cycles(G):
    sources = range(G.n)
    try:
        check(G, sources, 4)
    except nx.NetworkXUnbounded:  # the oracle's word for it: our turn came first
        pytest.fail("a negative cycle was not seen")
    except NegativeCycle:
        assert nx.negative_edge_cycle(to_networkx(G))


@pytest.mark.parametrize("dtype", DTYPES)
def test_weights_of_every_dtype(dtype):
    check(random_graph(60, 200, dtype=dtype), [3, 9, 3], 2)


def test_a_stored_zero_and_a_far_vertex():
    G = edges([0, 1], [1, 2], np.array([0, 127], np.int8), n=4)
    check(G, [0, 1, 3], 3)


def test_refused_before_work():
    with pytest.raises(InvalidValue, match="batch=0"):
        find_distances_in_batches(random_graph(3, 3), [0], 0, "test", False)
    with pytest.raises(InvalidValue, match="test: a weight is NaN"):
        find_distances_in_batches(edges([0], [1], [np.nan], n=2), [0], 1, "test", False)


@pytest.mark.thorough
def test_large_batches_do_not_pile_up(monkeypatch):
    """Objects of python-graphblas are in reference cycles: each batch is collected."""
    monkeypatch.setattr(many_distances, "COLLECTED_SIZE", 0)
    G, counts = random_graph(20, 60, dtype="int32", seed=1), []
    gc.collect()
    gc.disable()
    try:
        for _ in find_distances_in_batches(G, range(20), 1, "test", False):
            counts.append(sum(type(x) is gb.Matrix for x in gc.get_objects()))
    finally:
        gc.enable()
    assert counts[-1] <= counts[1]


def test_all_vertices_may_improve_in_each_round():
    """Of a complete graph all distances fall, until the rounds are over."""
    src, dst = np.nonzero(np.ones((40, 40)))
    G = edges(src, dst, -1 - np.arange(src.size) / 1e4, n=40)
    for function in (gl.all_pairs_shortest_paths, gl.shortest_path_trees):
        with pytest.raises(NegativeCycle):
            function(G)
    cycle = gl.negative_cycle(G, 0)
    assert cycle[0] == cycle[-1]


def test_all_vertices_of_a_rank_may_improve_at_once():
    n = 2000
    weights = np.random.default_rng(0).random(n - 1)
    G = edges(np.zeros(n - 1, int), np.arange(1, n), weights, n=n, kind="undirected")
    expected = gl.shortest_path_trees(G, [0])

    def run(member):
        return gl.shortest_path_trees(member.distribute(G), [0]).distance.gathered()

    for found in gl.ranks.in_process(2, run):
        assert found.isequal(expected.distance)
