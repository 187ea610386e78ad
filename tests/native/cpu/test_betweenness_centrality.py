"""Native betweenness against the algebra, and its races."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.errors import InvalidIndex, InvalidValue
from graphla.native.cpu import betweenness_centrality as module
from graphla.native.cpu.brandes import path_counts
from tests.every_graph import on_atlas, on_edge_cases
from tests.exact_betweenness import beside_a_path, diamonds, exact_betweenness, tracks
from tests.graphs import edges, random_graph
from tests.native.threads import COUNTS, RUNS, compiled, threads
from tests.strategies import graphs

FORMS = {"batches": 0, "a source for each thread": 1e9}


def check(G, sources, batch=8):
    theirs = gl.betweenness_centrality(G, sources)
    for dense in FORMS.values():
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(module, "DENSE", dense)
            ours = gl.native.betweenness_centrality(G, sources, batch=batch)
        assert ours.dtype == theirs.dtype
        assert ours.nvals == G.n
        np.testing.assert_allclose(ours.to_dense(), theirs.to_dense(), rtol=1e-12, atol=1e-12)


@on_edge_cases
def test_edge_cases(G):
    check(G, range(G.n))
    check(G, [])


@on_atlas
def test_atlas(G):
    check(G, range(G.n), batch=3)


@pytest.mark.parametrize(
    "batch", [7, *(pytest.param(b, marks=pytest.mark.thorough) for b in (1, 2, 16, 33, 1000))]
)
@given(graphs(max_n=25, max_m=70), st.data())
def test_random_graphs(batch, G, data):
    """Sources may repeat, and be fewer than a batch; visited marks have the width of a batch."""
    check(G, data.draw(st.lists(st.integers(0, G.n - 1), max_size=40)), batch)


def test_more_vertices_than_16_bits_count():
    """Of a star: from a leaf, all paths to other leaves pass through the centre."""
    n = 33_000
    G = edges(np.zeros(n - 1, int), np.arange(1, n), n=n, kind="undirected")
    centrality = gl.native.betweenness_centrality(G, [1]).to_dense()
    assert centrality[0] == n - 2
    assert not centrality[1:].any()


def check_large_counts(G, sources):
    expected, _ = exact_betweenness(G, sources)
    for dense in FORMS.values():
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(module, "DENSE", dense)
            found = gl.native.betweenness_centrality(G, sources).to_dense()
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-250)


def test_counts_beyond_the_range_of_floats():
    """2^2500 paths lead along a chain of diamonds, 2^1100 from its middle, which FP64 counts."""
    G = edges(*diamonds(2500), n=7501, kind="undirected")
    check_large_counts(G, [0, 4200])
    check_large_counts(G, [4200])
    check_large_counts(beside_a_path(2200), [0, 3, 6600])


@pytest.mark.parametrize(
    "kind", [pytest.param("directed", marks=pytest.mark.thorough), "undirected"]
)
def test_path_counts_of_different_growth(kind):
    """Up to 16^450 paths, beside 2^450 and one; paths cross between these parts of the graph."""
    check_large_counts(tracks(450, [1, 2, 16], 30, kind=kind, seed=4), [0, 1, 4])


def test_small_counts_whose_bound_is_large_are_not_scaled():
    """Vertex 1 of a long path has 1000 in-neighbours that the search does not reach."""
    path, others = np.arange(3000), np.arange(3001, 4001)
    src, dst = np.append(path, others), np.append(path + 1, np.ones_like(others))
    found = gl.native.betweenness_centrality(edges(src, dst, n=4001), [0]).to_dense(fill_value=0)
    np.testing.assert_array_equal(found[1:3001], np.arange(3000)[::-1])


def test_the_last_level_may_be_the_first_whose_counts_are_checked():
    """The bound of the counts doubles at each level, also at the last one, which is empty."""
    largest = int(np.log2(path_counts.PEAK) - np.log2(path_counts.FIRST))
    for n in range(largest, largest + 4):
        path = np.arange(n - 1)
        G = edges([*path, 0], [*path + 1, 2], n=n)  # two edges lead to vertex 2
        behind = np.arange(n)[::-1]
        centrality = gl.native.betweenness_centrality(G, [0]).to_dense()
        np.testing.assert_array_equal(centrality, [0, 0, *behind[2:]])


def test_bad_input():
    G = random_graph(4, 6)
    with pytest.raises(InvalidIndex):
        gl.native.betweenness_centrality(G, [0, 4])
    with pytest.raises(InvalidValue):
        gl.native.betweenness_centrality(G, [0], batch=0)


@pytest.mark.thorough
@compiled
@pytest.mark.parametrize("dense", FORMS.values(), ids=FORMS.keys())
@pytest.mark.parametrize("n", COUNTS)
def test_races(n, dense, monkeypatch):
    """Every edge is pushed, then every edge pulled, by all threads: the sums never differ."""
    monkeypatch.setattr(module, "DENSE", dense)
    G = random_graph(20000, 200000, kind="undirected")
    expected = gl.betweenness_centrality(G, [0, 1, 2, 3, 4]).to_dense()
    with threads(n):
        for _ in range(RUNS):
            ours = gl.native.betweenness_centrality(G, [0, 1, 2, 3, 4]).to_dense()
            np.testing.assert_allclose(ours, expected, rtol=1e-12, atol=1e-12)
