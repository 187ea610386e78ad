"""Native triangles against the algebra and NetworkX, packed and merged; races."""

from __future__ import annotations

from math import comb

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.errors import SymmetricStructureRequired
from graphla.native.cpu.subgraphs import triangle_count as module
from graphla.numba_support.bits import lowest, popcount
from tests.every_graph import on_atlas, on_dtypes, on_edge_cases
from tests.graphs import edges, from_networkx, to_networkx
from tests.native.threads import COUNTS, RUNS, compiled, threads
from tests.strategies import float_weights, graphs

FORMS = {"always packed": 0, "default": 32, "always merged": 10**9}


@pytest.fixture(params=FORMS.values(), ids=FORMS.keys())
def form(request, monkeypatch):
    monkeypatch.setattr(module, "SHORT", request.param)


def check(G):
    expected = sum(nx.triangles(to_networkx(G)).values()) // 3
    for form in FORMS.values():
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(module, "SHORT", form)
            count = gl.native.triangle_count(G)
        assert type(count) is int
        assert count == expected == gl.triangle_count(G)


test_edge_cases = on_edge_cases(check, kind="undirected")


test_atlas = on_atlas(check)


@given(graphs(kind="undirected", max_n=16, max_m=80))
def test_random_graphs_with_loops(G):
    check(G)


@given(graphs(kind="undirected", max_n=150, max_m=300))
def test_random_graphs_of_several_words(G):
    check(G)


@given(graphs(kind="undirected", max_n=12, max_m=40, weights=float_weights))
def test_weights_are_ignored_and_a_stored_zero_is_an_edge(G):
    check(G)


test_weights_of_every_dtype = on_dtypes(check, n=40, m=200, kind="undirected")


@pytest.mark.parametrize("seed", range(3))
def test_skewed_degrees(seed):
    G = from_networkx(nx.barabasi_albert_graph(200, 5, seed=seed))
    assert G.max_out_degree * G.n > 3 * G.A.nvals
    check(G)


@pytest.mark.parametrize("n", [3, 63, 64, 65, 130])
def test_a_complete_graph(n, form):
    G = from_networkx(nx.complete_graph(n))
    assert gl.native.triangle_count(G) == comb(n, 3)


@compiled
@pytest.mark.parametrize("n", [363, 364])
def test_counts_of_16_bits_are_large_enough(n, monkeypatch):
    """At a vertex of degree 362 there are at most 65,341 triangles, of degree 363 65,703."""
    monkeypatch.setattr(module, "SHORT", 10**9)
    G = gl.generate.complete(n)
    assert (gl.native.triangles(G).to_dense() == comb(n - 1, 2)).all()


@pytest.mark.thorough
@compiled
@pytest.mark.parametrize("make", [gl.generate.kronecker, gl.generate.uniform])
@pytest.mark.parametrize("n", COUNTS)
def test_races(n, make, form):
    G = make(11, seed=1)
    expected = gl.triangle_count(G)
    with threads(n):
        for _ in range(RUNS):
            assert gl.native.triangle_count(G) == expected


@compiled
def test_a_large_star():
    """One long list, and one triangle."""
    n = 70000
    G = edges([*[0] * (n - 1), 1], [*range(1, n), 2], n=n, kind="undirected")
    assert gl.native.triangle_count(G) == 1


def test_a_directed_graph_that_is_symmetric_is_taken(form):
    src, dst = np.nonzero(~np.eye(5, dtype=bool))
    assert gl.native.triangle_count(edges(src, dst, n=5)) == 10


def test_a_directed_graph_is_refused():
    with pytest.raises(SymmetricStructureRequired, match="3 vertices"):
        gl.native.triangle_count(edges([0, 1, 2], [1, 2, 0], n=3))


@given(st.integers(1, 2**64 - 1))
def test_bits(word):
    assert popcount(np.uint64(word)) == bin(word).count("1")
    assert lowest(np.uint64(word)) == len(bin(word)) - bin(word).rindex("1") - 1
