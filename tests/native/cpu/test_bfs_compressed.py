"""The search in compressed lists against the search in the graph."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla import transform
from graphla.errors import DomainMismatch, InvalidIndex
from tests.every_graph import on_edge_cases
from tests.graphs import random_graph
from tests.native.cpu.test_bfs import check_races
from tests.native.threads import COUNTS, compiled
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
    check_races(lambda G: partial(gl.native.bfs_compressed, transform.compress(G), 0), kind, n)


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
