"""Native kernels against the algebra and against verify, and their races."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.errors import DomainMismatch, InvalidIndex
from tests.graphs import atlas, edge_cases, random_graph
from tests.strategies import graphs


def check(G, source=0):
    labels = gl.native.connected_components(G)
    assert labels.isequal(gl.connected_components(G), check_dtype=True)
    if G.n:
        r = gl.native.bfs(G, source)
        assert r.level.isequal(gl.bfs(G, source).level, check_dtype=True)
        gl.verify.bfs(G, source, r.level, r.parent)


@pytest.mark.parametrize("kind", ["directed", "undirected"])
def test_edge_cases(kind):
    for G in edge_cases(kind).values():
        check(G)


@pytest.mark.slow
def test_atlas():
    for _, G in atlas():
        check(G)


@given(graphs(max_n=40, max_m=90), st.data())
def test_random_graphs(G, data):
    check(G, data.draw(st.integers(0, G.n - 1)))


@pytest.mark.parametrize("kind", ["directed", "undirected"])
@pytest.mark.parametrize("threads", [1, 2])
def test_races(kind, threads):
    """Wide frontiers, all threads at once, again and again: levels and labels never differ."""
    before = numba.get_num_threads()
    numba.set_num_threads(min(threads, numba.config.NUMBA_NUM_THREADS))
    try:
        for seed in range(3):
            G = random_graph(20000, 120000, kind=kind, seed=seed)
            level, labels = gl.bfs(G, seed).level, gl.connected_components(G)
            for _ in range(10):
                r = gl.native.bfs(G, seed)
                assert r.level.isequal(level)
                gl.verify.bfs(G, seed, r.level, r.parent)
                assert gl.native.connected_components(G).isequal(labels)
    finally:
        numba.set_num_threads(before)


def test_bad_input():
    G = random_graph(3, 3)
    with pytest.raises(InvalidIndex):
        gl.native.bfs(G, 3)
    with pytest.raises(DomainMismatch):
        gl.native.connected_components(np.eye(2))


def test_the_transpose_in_arrays():
    G = random_graph(30, 90)
    expected = gl.Graph(G.AT).csr
    assert all((a == b).all() for a, b in zip(G.csr_transposed[:2], expected[:2], strict=True))
    U = random_graph(30, 90, kind="undirected").cache("is_symmetric")
    assert U.csr_transposed is U.csr
