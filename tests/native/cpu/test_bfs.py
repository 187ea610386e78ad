"""The native search against the algebra and against verify, and its races."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.errors import InvalidIndex
from tests.every_graph import on_atlas, on_edge_cases
from tests.graphs import random_graph
from tests.native.threads import COUNTS, RUNS, compiled, threads
from tests.strategies import graphs


def check(G, source=0):
    r = gl.native.bfs(G, source)
    assert r.level.isequal(gl.bfs(G, source).level, check_dtype=True)
    gl.verify.bfs(G, source, r.level, r.parent)


test_edge_cases = on_edge_cases(check, empty=False)


test_atlas = on_atlas(check, empty=False)


@given(graphs(max_n=40, max_m=90), st.data())
def test_random_graphs(G, data):
    check(G, data.draw(st.integers(0, G.n - 1)))


@pytest.mark.thorough
@compiled
@pytest.mark.parametrize("kind", ["directed", "undirected"])
@pytest.mark.parametrize("n", COUNTS)
def test_races(kind, n):
    """Repeated searches with wide frontiers on all threads return the same levels."""
    G = random_graph(20000, 120000, kind=kind)
    level = gl.bfs(G, 0).level
    with threads(n):
        for _ in range(RUNS):
            r = gl.native.bfs(G, 0)
            assert r.level.isequal(level)
            gl.verify.bfs(G, 0, r.level, r.parent)


def test_a_source_that_is_no_vertex():
    with pytest.raises(InvalidIndex):
        gl.native.bfs(random_graph(3, 3), 3)
