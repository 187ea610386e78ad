"""Betweenness by weights, of vertices and edges, against NetworkX."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.errors import DomainMismatch, InvalidIndex, InvalidValue
from tests.algorithms.centrality.edge_scores import assert_edge_scores
from tests.every_graph import on_atlas
from tests.exact_betweenness import exact_betweenness, tracks
from tests.graphs import DTYPES, assert_vertex_values, edge_cases, edges, random_graph, to_networkx
from tests.strategies import FEW, examples, graphs

FUNCTIONS = [gl.betweenness_centrality_weighted, gl.edge_betweenness_centrality_weighted]


def check(G, sources, **options):
    H = to_networkx(G).to_directed()
    arguments = (H, sources, list(H))
    by = {"normalized": False, "weight": "weight"}

    expected = nx.betweenness_centrality_subset(*arguments, **by)
    found = gl.betweenness_centrality_weighted(G, sources, **options)
    assert_vertex_values(found, [expected[v] for v in range(G.n)], rtol=1e-12)

    scores = nx.edge_betweenness_centrality_subset(*arguments, **by)
    assert_edge_scores(gl.edge_betweenness_centrality_weighted(G, sources, **options), scores)


@pytest.mark.parametrize("kind", ["directed", "undirected"])
@pytest.mark.parametrize("name", [k for k in edge_cases() if k != "zero weights"])
def test_edge_cases(name, kind):
    G = edge_cases(kind)[name]
    check(G, range(G.n), batch=3)


@on_atlas(step=10)
def test_a_tenth_of_the_atlas(G):
    check(G, range(G.n))


@given(graphs(max_n=14, max_m=50, weights=st.integers(1, 4)), st.data())
@FEW
def test_random_graphs_sources_and_batches(G, data):
    vertex = st.integers(0, G.n - 1)
    check(G, data.draw(st.sets(vertex, max_size=6)), batch=data.draw(st.integers(1, 7)))


@given(graphs(max_n=10, max_m=30, weights=st.sampled_from([0.5, 1.0, 1.5, 2.0])))
@FEW
def test_weights_of_floats(G):
    check(G, range(0, G.n, 2))


@pytest.mark.parametrize("dtype", DTYPES)
def test_weights_of_every_dtype(dtype):
    check(random_graph(40, 160, dtype=dtype, high=6), [3, 7, 11])


def test_hundreds():
    check(random_graph(300, 1500, kind="undirected", dtype="int8", high=4), [1, 2, 3, 100])


def test_without_weights_it_is_the_unweighted_one():
    G = random_graph(60, 200, seed=3)
    expected = gl.betweenness_centrality(G, range(9)).to_dense()
    found = gl.betweenness_centrality_weighted(G, range(9)).to_dense()
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


def test_a_source_given_twice_counts_twice():
    G = random_graph(30, 90, dtype="int32", seed=2)
    once, twice = (gl.betweenness_centrality_weighted(G, s).to_dense() for s in ([4], [4, 4]))
    assert once.any()
    np.testing.assert_allclose(twice, 2 * once, rtol=1e-14)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_refused(function):
    for weights in ([1, 0], [1.0, -2.0]):
        with pytest.raises(InvalidValue, match=f"{function.__name__} needs weights > 0"):
            function(edges([0, 1], [1, 2], weights, n=3), [0])
    with pytest.raises(InvalidValue, match="NaN"):
        function(edges([0], [1], [np.nan], n=2), [0])
    with pytest.raises(InvalidIndex, match="n=3"):
        function(random_graph(3, 3), [3])
    with pytest.raises(InvalidValue, match="batch=0"):
        function(random_graph(3, 3), [0], batch=0)
    with pytest.raises(DomainMismatch, match="sources"):
        function(random_graph(3, 3), None)
    with pytest.raises(DomainMismatch, match=r"graphla\.Graph"):
        function(random_graph(3, 3).A, [0])


def check_large_counts(G, sources, atol=1e-250):
    expected, scores = exact_betweenness(G, sources)
    found = gl.betweenness_centrality_weighted(G, sources)
    assert_vertex_values(found, expected, rtol=1e-12, atol=atol)
    found = gl.edge_betweenness_centrality_weighted(G, sources)
    assert_edge_scores(found, scores, atol=atol)


def by_steps_of_two(count):
    """Return 2k -> 2k+1 -> 2k+2 with weights of 1, and 2k -> 2k+2 with weights of 2."""
    k = 2 * np.arange(count)
    src, dst = np.concatenate([k, k + 1, k]), np.concatenate([k + 1, k + 2, k + 2])
    return edges(src, dst, np.repeat([1, 1, 2], count), n=2 * count + 1)


@pytest.mark.thorough
def test_more_paths_than_fp64_counts():
    """The two paths of a step have one edge and two: the levels of tight edges are no distances."""
    check_large_counts(by_steps_of_two(1800), [0, 1, 1001])


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["directed", "undirected"])
def test_path_counts_of_different_growth(kind):
    """Up to 16^450 paths, beside one."""
    check_large_counts(tracks(450, [1, 16], 20, kind=kind, weights=[0.5], seed=6), [0, 1])


@given(st.data(), st.sampled_from(["directed", "undirected"]), st.integers(0, 2**32))
@examples(4)
def test_several_bands(narrow_bands, data, kind, seed):
    """Edges of weight 2 are on few shortest paths; those that shorten a path end many."""
    widths = [*data.draw(st.lists(st.sampled_from([1, 2, 8]), max_size=2)), 16]
    weights = data.draw(st.sampled_from([[1], [1] * 30 + [2], [2] * 300 + [1]]))
    crossings = data.draw(st.integers(0, 60))
    G = tracks(45, widths, crossings, kind=kind, weights=weights, seed=seed)
    check_large_counts(G, [0, *data.draw(st.sets(st.integers(0, G.n - 1), max_size=2))], atol=1e-12)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_edges_that_rounding_makes_a_cycle_are_refused(function):
    G = edges([0, 1], [1, 2], [1e20, 1.0], n=3, kind="undirected")  # 1e20 + 1 is 1e20
    with pytest.raises(InvalidValue, match=f"{function.__name__}: distances are too large"):
        function(G, range(3))
