"""Betweenness against NetworkX, and against integers where path counts leave FP64."""

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
from tests.exact_betweenness import beside_a_path, diamonds, exact_betweenness, tracks
from tests.graphs import (
    DTYPES,
    assert_vertex_values,
    edges,
    from_networkx,
    random_graph,
    to_networkx,
)
from tests.strategies import examples, graphs, signed_weights


def by_networkx(G, sources):
    ordered_pairs = 2 if G.kind == "undirected" else 1
    found = nx.betweenness_centrality_subset(to_networkx(G), sources, range(G.n))
    return np.array([found[v] * ordered_pairs for v in range(G.n)])


def check(G, sources, **options):
    centrality = gl.betweenness_centrality(G, sources, **options)
    expected = by_networkx(G, sources)
    assert_vertex_values(centrality, expected, rtol=1e-12)
    assert (centrality.to_dense()[expected == 0] == 0).all()


DENSE_BATCH_AND_MASKED_SHARE = {
    "sparse": (1e-9, 0.0),
    "mixed": (4.0, 0.5),
    "default": (32.0, 0.25),
    "dense": (1e9, 0.0),
    "masked": (1e9, 2.0),
}


@pytest.fixture(params=DENSE_BATCH_AND_MASKED_SHARE)
def cost(request, monkeypatch):
    """Costs that force sparse, dense or masked products, and two mixtures."""
    dense_batch, masked_share = DENSE_BATCH_AND_MASKED_SHARE[request.param]
    costs = push_pull.COSTS["cpu"]._replace(dense_batch=dense_batch, masked_share=masked_share)
    monkeypatch.setitem(push_pull.COSTS, "cpu", costs)


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


def check_large_counts(G, sources, **options):
    expected, _ = exact_betweenness(G, sources)
    assert_vertex_values(
        gl.betweenness_centrality(G, sources, **options), expected, rtol=1e-12, atol=1e-250
    )


@pytest.mark.parametrize(
    "kind", [pytest.param("directed", marks=pytest.mark.thorough), "undirected"]
)
def test_more_paths_than_fp64_counts(kind):
    """Up to 16^450 paths, beside 2^450 and one; paths cross between these parts of the graph."""
    check_large_counts(tracks(450, [1, 2, 16], 30, kind=kind, seed=4), [0, 1, 4], batch=3)


@pytest.mark.thorough
def test_more_paths_than_fp64_counts_on_many_levels(cost):
    check_large_counts(edges(*diamonds(2500), n=7501, kind="undirected"), [0, 3000])
    check_large_counts(beside_a_path(2200), [0, 3, 6600])


@given(st.data(), st.sampled_from(["directed", "undirected"]), st.integers(0, 2**32))
@examples(5)
def test_several_bands(narrow_bands, data, kind, seed):
    widths = [*data.draw(st.lists(st.sampled_from([1, 2, 8]), max_size=3)), 16]
    G = tracks(50, widths, data.draw(st.integers(0, 60)), kind=kind, seed=seed)
    sources = data.draw(st.lists(st.integers(0, G.n - 1), min_size=1, max_size=4))
    expected, _ = exact_betweenness(G, [0, *sources])
    found = gl.betweenness_centrality(G, [0, *sources])
    assert_vertex_values(found, expected, rtol=1e-12, atol=1e-12)


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
