"""compare_levels: counts and times agree with the searches."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.comparison.levels import inspected_edges, split_into_levels
from graphla.core.tracing import Step, Trace
from graphla.errors import InvalidIndex, InvalidValue
from graphla.native.cpu import bfs as native
from tests.every_graph import on_edge_cases
from tests.graphs import random_graph
from tests.strategies import graphs


def counted(G, source, direction):
    """Search in plain Python in the given directions, counting every inspected edge."""
    out, into = G.csr, G.csr_transposed
    visited, frontier, edges = {source}, [source], []
    for step in direction:
        inspected, reached = 0, set()
        if step == "push":
            for u in frontier:
                for v in out.indices[out.indptr[u] : out.indptr[u + 1]].tolist():
                    inspected += 1
                    reached |= {v} - visited
        else:
            for v in set(range(G.n)) - visited:
                for u in into.indices[into.indptr[v] : into.indptr[v + 1]].tolist():
                    inspected += 1
                    if u in frontier:
                        reached.add(v)
                        break
        edges.append(inspected)
        visited |= reached
        frontier = sorted(reached)
    return edges


def levels_of(G, source):
    return gl.bfs(G, source).level.to_dense(fill_value=-1)


@given(graphs(max_n=30, max_m=90), st.data())
def test_inspected_edges_against_a_search_that_counts(G, data):
    source = data.draw(st.integers(0, G.n - 1))
    level = levels_of(G, source)
    depth = int(level.max()) + 1
    direction = data.draw(
        st.lists(st.sampled_from(["push", "pull"]), min_size=depth, max_size=depth)
    )
    assert inspected_edges(G, level, direction) == counted(G, source, direction)


@on_edge_cases(empty=False)
def test_edge_cases(G):
    check(gl.compare_levels(G, 0, trials=1), G, 0)


def check(view, G, source):
    assert view.frontier == np.bincount(levels_of(G, source)[levels_of(G, source) >= 0]).tolist()
    for side in view[1:]:
        assert len(side.direction) == len(side.edges) == len(side.seconds) == len(view.frontier)
        assert side.edges == counted(G, source, side.direction)
        assert min(side.seconds) > 0
        assert side.whole > 0


def test_directions_are_those_of_the_searches(push_and_pull):
    G, view = push_and_pull
    check(view, G, 0)
    assert {*view.algebraic.direction} == {*view.native.direction} == {"push", "pull"}
    with gl.trace() as steps:
        gl.bfs(G, 0)
    assert [s.direction for s in steps if s.mask and s.direction] == view.algebraic.direction


def test_a_trace_is_split_into_levels():
    def step(operation, mask, seconds):
        direction = {"vxm": "push", "mxv": "pull"}.get(operation, "")
        return Step(operation, "", direction, mask, (), 0, seconds)

    steps = Trace([
        step("vxm", "~S", 1), step("apply", "", 2), step("apply", "", 3),
        step("vxm", "", 10), step("mxv", "~S", 20), step("apply", "", 30), step("apply", "", 40),
        step("vxm", "~S", 100), step("apply", "", 200), step("apply", "", 300),
    ])  # fmt: skip
    assert split_into_levels(steps) == (["push", "pull", "push"], [6, 100, 600])


def test_levels_contain_all_steps_of_a_search(push_and_pull):
    with gl.trace() as steps:
        gl.bfs(push_and_pull[0], 0)
    directions, seconds = split_into_levels(steps)
    assert len(directions) == len(seconds) == len(push_and_pull[1].frontier)
    products = [s.seconds for s in steps if s.direction]
    assert sum(products) < sum(seconds) == pytest.approx(steps.seconds)


def test_native_search_run_level_by_level(push_and_pull):
    G, view = push_and_pull
    out, into = G.csr, G.csr_transposed
    buffers = native.new_buffers(G.n, out.indices.dtype)
    search = native.start_search(0, out.indptr, 2, buffers)
    depth = 0
    while search.state[native.SIZE]:
        assert search.state[native.SIZE] == view.frontier[depth]
        native.run_level(out.indptr, out.indices, into.indptr, into.indices, search, 2)
        depth += 1
        assert search.state[native.DEPTH] == depth
    assert np.array_equal(search.level[levels_of(G, 0) >= 0], levels_of(G, 0)[levels_of(G, 0) >= 0])


def test_bad_input():
    G = random_graph(3, 3)
    with pytest.raises(InvalidIndex):
        gl.compare_levels(G, 3)
    with pytest.raises(InvalidValue):
        gl.compare_levels(G, 0, trials=0)
