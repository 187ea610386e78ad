"""Breadth-first search against SciPy, and its tree by its own invariants."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from graphblas.unary import one
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse.csgraph import shortest_path

import graphla as gl
from graphla.errors import DomainMismatch, InvalidIndex
from graphla.execution import push_pull
from tests.every_graph import on_atlas, on_edge_cases
from tests.graphs import DTYPES, from_networkx, random_graph, to_scipy
from tests.strategies import graphs


def levels_by_scipy(G, source):
    found = shortest_path(to_scipy(G) != 0, unweighted=True, indices=source)
    return np.where(np.isinf(found), -1, found).astype(np.int64)


def check(G, source):
    """Levels equal SciPy's; every parent is a neighbour one level nearer to the source."""
    # a stored zero is an edge, which SciPy would drop
    pattern = gl.Graph(G.A.apply(one).new(), kind=G.kind)
    expected = levels_by_scipy(pattern, source)
    level, parent = gl.bfs(G, source)
    dense = level.to_dense(fill_value=-1)
    np.testing.assert_array_equal(dense, expected)
    np.testing.assert_array_equal(gl.bfs_levels(G, source).to_dense(fill_value=-1), expected)
    reached, parents = parent.to_coo()
    np.testing.assert_array_equal(reached, np.flatnonzero(expected >= 0))
    assert parents[reached == source] == [source]
    inner = reached != source
    assert (dense[parents[inner]] + 1 == dense[reached[inner]]).all()
    rows, cols, _ = G.A.to_coo()
    arcs = set(zip(rows.tolist(), cols.tolist(), strict=True))
    assert arcs.issuperset(zip(parents[inner].tolist(), reached[inner].tolist(), strict=True))
    assert level.dtype == parent.dtype == "INT32"


@on_edge_cases
def test_edge_cases(G):
    for source in range(G.n):
        check(G, source)


@on_atlas
def test_atlas_from_every_vertex(G):
    for source in range(G.n):
        check(G, source)


@on_atlas(empty=False)
def test_atlas_from_the_first_vertex(G):
    check(G, 0)


@given(graphs(max_n=20, max_m=60), st.data())
def test_random_graphs(G, data):
    check(G, data.draw(st.integers(0, G.n - 1)))


@pytest.mark.parametrize("dtype", DTYPES)
def test_weights_of_every_dtype_are_ignored(dtype):
    check(random_graph(40, 120, dtype=dtype, kind="undirected"), 3)


@pytest.mark.parametrize("kind", ["directed", "undirected"])
@pytest.mark.parametrize("seed", range(3))
def test_both_directions_are_taken_and_agree(kind, seed, monkeypatch):
    """Force early pulls and returns to push: the answer must not depend on the policy."""
    taken = set()
    advance = push_pull.DirectionOptimizer.advance

    def spy(self, size):
        push = advance(self, size)
        taken.add(push)
        return push

    monkeypatch.setattr(push_pull.DirectionOptimizer, "advance", spy)
    for costs in [(8.0, 8.0, 512.0), (1000.0, 1000.0, 2.0), (2.0, 2.0, 4.0)]:
        monkeypatch.setitem(push_pull.COSTS, "cpu", push_pull.Costs(*costs))
        check(random_graph(2000, 12000, kind=kind, seed=seed), seed)
    assert taken == {True, False}


def test_a_long_path_is_right_at_every_level():
    G = from_networkx(nx.path_graph(3000))
    assert gl.bfs(G, 0).level.to_dense().tolist() == list(range(3000))


@pytest.mark.parametrize("source", [-1, 3, 2**40])
def test_a_source_outside_is_refused(source):
    with pytest.raises(InvalidIndex, match="n=3"):
        gl.bfs(random_graph(3, 3), source)


@pytest.mark.parametrize("source", [0.0, "0", None, [0]])
def test_a_source_of_another_type_is_refused(source):
    with pytest.raises(DomainMismatch, match="source"):
        gl.bfs_levels(random_graph(3, 3), source)


def test_result_reads_well():
    r = gl.bfs(random_graph(5, 9), np.int32(0))
    assert repr(r).startswith("BFS(level=[INT32 5, ")
    assert "<caption>BFS</caption>" in r._repr_html_()


def test_the_steps_that_a_frontier_can_take():
    assert push_pull.unchecked_steps(10, 4, limit=10 * 4**3, max_steps=8) == 3
    assert push_pull.unchecked_steps(10, 4, limit=10 * 4**3 - 1, max_steps=8) == 2
    assert push_pull.unchecked_steps(10, 1, limit=10, max_steps=8) == 8
    assert push_pull.unchecked_steps(10, 4, limit=0, max_steps=8) == 1
