"""Betweenness against NetworkX, and against closed forms where path counts leave FP64."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.errors import DomainMismatch, InvalidIndex, InvalidValue
from graphla.execution import push_pull
from tests.every_graph import on_atlas, on_edge_cases
from tests.graphs import (
    DTYPES,
    assert_vertex_values,
    edges,
    from_networkx,
    random_graph,
    to_networkx,
)
from tests.strategies import graphs, signed_weights


def by_networkx(G, sources):
    ordered_pairs = 2 if G.kind == "undirected" else 1
    found = nx.betweenness_centrality_subset(to_networkx(G), sources, range(G.n))
    return np.array([found[v] * ordered_pairs for v in range(G.n)])


def check(G, sources, **options):
    centrality = gl.betweenness_centrality(G, sources, **options)
    expected = by_networkx(G, sources)
    assert_vertex_values(centrality, expected, rtol=1e-12)
    assert (centrality.to_dense()[expected == 0] == 0).all()


@pytest.fixture(params=[1e-9, 4.0, 32.0, 1e9], ids=lambda cost: f"dense {cost:g}")
def cost(request, monkeypatch):
    """From sparse products only to dense products only."""
    monkeypatch.setitem(
        push_pull.COSTS, "cpu", push_pull.COSTS["cpu"]._replace(dense_batch=request.param)
    )


@on_edge_cases
def test_edge_cases(G, cost):
    check(G, range(G.n), batch=3)


@on_atlas
def test_atlas(G, cost):
    check(G, range(G.n))


@given(graphs(max_n=15, max_m=50), st.data())
def test_random_graphs_sources_and_batches(G, data):
    vertex = st.integers(0, G.n - 1)
    check(G, data.draw(st.lists(vertex, max_size=6)), batch=data.draw(st.integers(1, 7)))


@given(graphs(max_n=12, max_m=40, weights=signed_weights))
def test_weights_are_ignored_and_a_stored_zero_is_an_edge(G):
    check(G, range(0, G.n, 2))


@pytest.mark.parametrize("dtype", DTYPES)
def test_weights_of_every_dtype(dtype):
    check(random_graph(40, 160, dtype=dtype), [3, 7, 11])


@pytest.mark.parametrize("kind", ["directed", "undirected"])
@pytest.mark.parametrize("seed", range(3))
def test_larger_graphs(kind, seed, cost):
    check(random_graph(300, 1500, kind=kind, seed=seed), [1, 2, 3, 100])


@pytest.mark.parametrize("seed", range(2))
def test_hubs_and_trees(seed, cost):
    check(from_networkx(nx.barabasi_albert_graph(300, 2, seed=seed)), [0, 7, 299])
    check(from_networkx(nx.full_rary_tree(6, 300)), [0, 150])


def test_all_sources_of_a_path_count_ordered_pairs():
    n = 9
    expected = [2.0 * v * (n - 1 - v) for v in range(n)]
    G = from_networkx(nx.path_graph(n))
    assert gl.betweenness_centrality(G, range(n)).to_dense().tolist() == expected


def test_a_source_given_twice_counts_twice():
    G = random_graph(30, 90, seed=2)
    once = gl.betweenness_centrality(G, [4]).to_dense()
    for batch in (1, 2):
        twice = gl.betweenness_centrality(G, [4, 4], batch=batch).to_dense()
        np.testing.assert_allclose(twice, 2 * once, rtol=1e-15)


def test_no_sources():
    assert gl.betweenness_centrality(random_graph(4, 5), []).to_dense().tolist() == [0] * 4


def diamonds(count):
    """Return the edges of a chain of diamonds: 3k -> 3k+1, 3k+2 -> 3k+3."""
    joint = 3 * np.arange(count)
    src = np.concatenate([joint, joint, joint + 1, joint + 2])
    dst = np.concatenate([joint + 1, joint + 2, joint + 3, joint + 3])
    return src, dst


@pytest.mark.parametrize("kind", ["directed", "undirected"])
def test_more_paths_than_fp64_counts(kind):
    """2^1100 shortest paths lead to the end of the chain; its centrality has a closed form."""
    count = 1100
    n = 3 * count + 1
    centrality = gl.betweenness_centrality(edges(*diamonds(count), n=n, kind=kind), [0]).to_dense()
    beyond = n - 1 - np.arange(n, dtype=np.float64)  # vertices behind a joint
    beyond[0] = 0
    side = np.arange(n) % 3 != 0
    behind = 3 * (np.arange(n) // 3) + 3  # half of the paths to the next joint and on
    beyond[side] = (n - behind[side]) / 2
    np.testing.assert_allclose(centrality, beyond, rtol=1e-11)


def test_path_counts_too_far_apart_are_refused():
    """A chain of diamonds beside a plain path of the same length: 2^2000 paths and 1."""
    count = 2000
    src, dst = diamonds(count)
    n = 3 * count + 1
    plain = np.arange(n, n + 2 * count)
    src = np.concatenate([src, [0], plain[:-1]])
    dst = np.concatenate([dst, [n], plain[1:]])
    G = edges(src, dst, n=n + 2 * count)
    with pytest.raises(InvalidValue, match="2\\^1440"):
        gl.betweenness_centrality(G, [0])


@pytest.mark.parametrize("source", [-1, 3, 2**40])
def test_a_source_outside_is_refused(source):
    with pytest.raises(InvalidIndex, match="n=3"):
        gl.betweenness_centrality(random_graph(3, 3), [0, source])


@pytest.mark.parametrize("sources", [0, [0.5], "01", None, [[0]]])
def test_sources_of_another_type_are_refused(sources):
    with pytest.raises(DomainMismatch, match="sources"):
        gl.betweenness_centrality(random_graph(3, 3), sources)


def test_a_batch_below_one_is_refused():
    with pytest.raises(InvalidValue, match="batch=0"):
        gl.betweenness_centrality(random_graph(3, 3), [0], batch=0)
    with pytest.raises(DomainMismatch, match="batch"):
        gl.betweenness_centrality(random_graph(3, 3), [0], batch=2.0)
