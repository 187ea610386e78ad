"""The native search against the algebra and against verify, and its races."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.errors import InvalidIndex
from graphla.native.cpu.bfs import SHARED
from tests.every_graph import on_atlas, on_edge_cases
from tests.graphs import edges, random_graph
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


def test_more_vertices_than_16_bits_count():
    check(gl.generate.star(70_000), 1)


@compiled
@pytest.mark.parametrize("n", COUNTS)
def test_threads_share_many_narrow_levels(n):
    path = gl.generate.path(20_000)
    for G, source in ((gl.generate.grid(60, 300), 7), (path, 0), (path, 10_000)):
        level = gl.native.bfs(G, source).level
        assert level.reduce("max").new().value == max(level.get(0), level.get(G.n - 1))
        with threads(n):
            for _ in range(RUNS // 10):
                r = gl.native.bfs(G, source)
                assert r.level.isequal(level)
                gl.verify.bfs(G, source, r.level, r.parent)


@compiled
@pytest.mark.parametrize("n", COUNTS)
def test_threads_join_and_leave(n):
    """Levels of one vertex alternate with levels above and below the size that threads share."""
    src, dst, end = [], [], 0
    for width in (3, SHARED + 1, SHARED // 2 + 1, 5, 2 * SHARED, SHARED // 2 - 1):
        middle = range(end + 1, end + 1 + width)
        src += [end] * width + [*middle]
        dst += [*middle] + [end + 1 + width] * width
        end += 1 + width
    G = edges(src, dst, n=end + 1)
    level = gl.bfs_levels(G, 0)
    with threads(n):
        for _ in range(RUNS // 10):
            r = gl.native.bfs(G, 0)
            assert r.level.isequal(level)
            gl.verify.bfs(G, 0, r.level, r.parent)


def check_races(search, kind, n):
    """Repeated searches from 0 with wide frontiers on n threads return the same levels.

    ``search(G)`` returns a function that repeats the search.
    """
    G = random_graph(20000, 120000, kind=kind)
    level, repeat = gl.bfs(G, 0).level, search(G)
    with threads(n):
        for _ in range(RUNS):
            r = repeat()
            assert r.level.isequal(level)
            gl.verify.bfs(G, 0, r.level, r.parent)


@pytest.mark.thorough
@compiled
@pytest.mark.parametrize("kind", ["directed", "undirected"])
@pytest.mark.parametrize("n", COUNTS)
def test_races(kind, n):
    check_races(lambda G: partial(gl.native.bfs, G, 0), kind, n)


def test_a_source_that_is_no_vertex():
    with pytest.raises(InvalidIndex):
        gl.native.bfs(random_graph(3, 3), 3)
