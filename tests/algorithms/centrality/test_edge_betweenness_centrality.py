"""Betweenness of edges against NetworkX."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.errors import DomainMismatch, InvalidIndex, InvalidValue
from graphla.execution import push_pull
from tests.algorithms.centrality.edge_scores import assert_edge_scores
from tests.every_graph import on_atlas, on_edge_cases
from tests.exact_betweenness import beside_a_path, diamonds, exact_betweenness, tracks
from tests.graphs import edges, from_networkx, random_graph, to_networkx
from tests.strategies import FEW, examples, graphs, signed_weights


def check(G, sources, **options):
    H = to_networkx(G).to_directed()
    scores = nx.edge_betweenness_centrality_subset(H, sources, list(H), normalized=False)
    assert_edge_scores(gl.edge_betweenness_centrality(G, sources, **options), scores)


@on_edge_cases
def test_edge_cases(G):
    check(G, range(G.n), batch=3)


@on_atlas(step=10)
def test_a_tenth_of_the_atlas(G):
    check(G, range(G.n))


@given(graphs(max_n=15, max_m=50, weights=signed_weights), st.data())
@FEW
def test_random_graphs_sources_and_batches(G, data):
    vertex = st.integers(0, G.n - 1)
    check(G, data.draw(st.sets(vertex, max_size=6)), batch=data.draw(st.integers(1, 7)))


@pytest.mark.parametrize("dense", [1e-9, 1e9])
@pytest.mark.parametrize("kind", ["directed", "undirected"])
def test_sparse_and_dense_products(kind, dense, monkeypatch):
    costs = push_pull.COSTS["cpu"]._replace(dense_batch=dense)
    monkeypatch.setitem(push_pull.COSTS, "cpu", costs)
    check(random_graph(200, 1000, kind=kind, seed=1), [1, 2, 3, 100])
    check(from_networkx(nx.barabasi_albert_graph(200, 2, seed=1)), [0, 7, 199])


def test_both_ways_of_an_undirected_path():
    C = gl.edge_betweenness_centrality(from_networkx(nx.path_graph(4)), range(4))
    assert C.to_dense(fill_value=0).tolist() == [
        [0, 3, 0, 0],
        [3, 0, 4, 0],
        [0, 4, 0, 3],
        [0, 0, 3, 0],
    ]


def check_large_counts(G, sources, atol=1e-250):
    _, expected = exact_betweenness(G, sources)
    assert_edge_scores(gl.edge_betweenness_centrality(G, sources), expected, atol=atol)


@given(st.data(), st.sampled_from(["directed", "undirected"]), st.integers(0, 2**32))
@examples(4)
def test_several_bands(narrow_bands, data, kind, seed):
    widths = [*data.draw(st.lists(st.sampled_from([1, 2, 8]), max_size=3)), 16]
    G = tracks(45, widths, data.draw(st.integers(0, 60)), kind=kind, seed=seed)
    check_large_counts(G, [0, data.draw(st.integers(0, G.n - 1))], atol=1e-12)


@pytest.mark.thorough
def test_more_paths_than_fp64_counts():
    """Up to 16^450 paths, beside 2^450 and one; paths cross between these parts of the graph."""
    check_large_counts(tracks(450, [1, 2, 16], 30, kind="undirected", seed=5), [0, 4])


@pytest.mark.thorough
def test_more_paths_than_fp64_counts_on_many_levels():
    check_large_counts(edges(*diamonds(2500), n=7501), [0, 3000])
    check_large_counts(beside_a_path(2200), [0, 3, 6600])


def test_bad_arguments_are_refused():
    G = random_graph(3, 3)
    with pytest.raises(InvalidIndex, match="n=3"):
        gl.edge_betweenness_centrality(G, [0, 3])
    with pytest.raises(DomainMismatch, match="sources"):
        gl.edge_betweenness_centrality(G, None)
    with pytest.raises(InvalidValue, match="batch=0"):
        gl.edge_betweenness_centrality(G, [0], batch=0)
