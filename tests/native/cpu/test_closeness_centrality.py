"""Native closeness against the algebra, by searches from one vertex and from 64, and its races."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from hypothesis import given

import graphla as gl
from graphla.native.cpu import closeness_centrality as kernel
from tests.every_graph import on_atlas, on_edge_cases
from tests.graphs import hubs_and_isolated, random_graph
from tests.native.threads import COUNTS, compiled, threads
from tests.strategies import graphs

slow_uncompiled = pytest.mark.skipif(
    numba.config.DISABLE_JIT, reason="thousands of searches take minutes uncompiled"
)


def check(G):
    with pytest.MonkeyPatch.context() as patch:
        for mean_degree in (0, 1 << 40):  # 64 searches at once; one
            patch.setattr(kernel, "MIN_MEAN_DEGREE", mean_degree)
            for wf_improved in (True, False):
                found = gl.native.closeness_centrality(G, wf_improved=wf_improved)
                expected = gl.closeness_centrality(G, wf_improved=wf_improved)
                assert found.isequal(expected, check_dtype=True)


test_edge_cases = on_edge_cases(check)


test_atlas = on_atlas(check, step=40)


@given(graphs(max_n=20, max_m=60))
def test_random_graphs(G):
    check(G)


@pytest.mark.parametrize("kind", ["directed", "undirected"])
def test_several_words_of_searches(kind):
    check(random_graph(200, 700, kind=kind))


@slow_uncompiled
@pytest.mark.parametrize("kind", ["directed", "undirected"])
def test_hubs_and_isolated_vertices(kind):
    check(hubs_and_isolated(kind))


@slow_uncompiled
def test_a_path():
    n = 3000
    path = gl.native.closeness_centrality(gl.generate.path(n)).to_dense()
    v = np.arange(n)
    total = v * (v + 1) // 2 + (n - 1 - v) * (n - v) // 2
    np.testing.assert_allclose(path, (n - 1) / total, rtol=1e-12)


def test_the_choice_by_degree(monkeypatch):
    used = []
    for name in ("_search_from_each", "_search_in_words"):
        run = getattr(kernel, name)
        monkeypatch.setattr(
            kernel, name, lambda *args, name=name, run=run: used.append(name) or run(*args)
        )
    complete = gl.Graph(np.ones((20, 20)), kind="undirected")
    assert (gl.native.closeness_centrality(complete).to_dense() == 1).all()
    gl.native.closeness_centrality(gl.generate.path(20))
    assert used == ["_search_in_words", "_search_from_each"]


@pytest.mark.thorough
@compiled
@pytest.mark.parametrize("n", COUNTS)
def test_races(n):
    for G in (gl.generate.kronecker(9, seed=1), gl.generate.grid(30, 30)):
        expected = gl.closeness_centrality(G)
        with threads(n):
            for _ in range(20):
                assert gl.native.closeness_centrality(G).isequal(expected)
