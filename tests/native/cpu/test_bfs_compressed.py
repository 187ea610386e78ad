"""The search in compressed lists against the search in the graph."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla import transform
from graphla.errors import DomainMismatch, InvalidIndex
from tests.every_graph import on_edge_cases
from tests.graphs import random_graph
from tests.native.threads import COUNTS, RUNS, compiled, threads
from tests.strategies import graphs

FORMS = (transform.compress, lambda G: transform.compress(transform.rows_by_degree(G)))


def check(G, source=0):
    level = gl.bfs(G, source).level
    for form in FORMS:
        r = gl.native.bfs_compressed(form(G), source)
        assert r.level.isequal(level, check_dtype=True)
        gl.verify.bfs(G, source, r.level, r.parent)


test_edge_cases = on_edge_cases(check, empty=False)


@given(graphs(max_n=150, max_m=300), st.data())
def test_random_graphs(G, data):
    check(G, data.draw(st.integers(0, G.n - 1)))


@pytest.mark.thorough
@compiled
@pytest.mark.parametrize("kind", ["directed", "undirected"])
@pytest.mark.parametrize("n", COUNTS)
def test_races(kind, n):
    """Repeated searches with wide frontiers on all threads return the same levels."""
    G = random_graph(20000, 120000, kind=kind)
    level, lists = gl.bfs(G, 0).level, transform.compress(G)
    with threads(n):
        for _ in range(RUNS):
            r = gl.native.bfs_compressed(lists, 0)
            assert r.level.isequal(level)
            gl.verify.bfs(G, 0, r.level, r.parent)


def test_both_directions():
    """A search that switches to bottom-up and back."""
    G = transform.by_degree(gl.generate.kronecker(13, seed=1)).graph
    check(G)
    check(G, G.n - 1)


def test_refused():
    G = random_graph(3, 3)
    with pytest.raises(InvalidIndex):
        gl.native.bfs_compressed(transform.compress(G), 3)
    with pytest.raises(DomainMismatch, match="compress"):
        gl.native.bfs_compressed(G, 0)
