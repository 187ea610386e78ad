"""Results on ranks are checked by all ranks together, each for its vertices."""

from __future__ import annotations

import numpy as np
import pytest

import graphla as gl
from graphla.core.engines import host_array
from graphla.errors import GraphlaError, VerificationError
from graphla.ranks import in_process
from tests.cuda.conftest import cuda_device  # noqa: F401
from tests.graphs import random_graph

RANKS = 3


def graph(kind):
    """Return a graph of several components, with a vertex without edges."""
    G = random_graph(30, 45, kind=kind, seed=5)
    src, dst, _ = G.A.to_coo()
    return gl.Graph.from_edges(src, dst, n=33, kind=kind)


def checked(kind, engine, check):
    """Return what `check`, of a distributed graph and a function that distributes, raises."""
    G = graph(kind)

    def run(member):
        H = member.distribute(G)
        try:
            check(H)
        except GraphlaError as error:
            return error
        return None

    return in_process(RANKS, run, engine=engine)


@pytest.mark.parametrize("engine", ["cpu", "cuda"])
@pytest.mark.parametrize("kind", ["undirected", "directed"])
def test_right_results_pass(kind, engine):
    def check(H):
        source = int(host_array(H.out_degree.to_dense(fill_value=0)).argmax())
        level, parent = gl.bfs(H, source)
        gl.verify.bfs(H, source, level, parent)
        gl.verify.bfs(H, source, level)
        gl.verify.bfs(H, source, parent=parent)
        gl.verify.connected_components(H, gl.connected_components(H))
        gl.verify.pagerank(H, gl.pagerank(H).rank)

    assert checked(kind, engine, check) == [None] * RANKS


def changed(x, position, value):
    """Return a distributed Vector with another value at a position, or without the entry."""
    indices, values = (np.array(host_array(a)) for a in x.to_coo())
    if value is None:
        kept = indices != position
        return x.from_coo(indices[kept], values[kept], x.dtype, size=x.size)
    values[indices == position] = value
    return x.from_coo(indices, values, x.dtype, size=x.size)


@pytest.mark.parametrize("kind", ["undirected", "directed"])
def test_each_changed_level_is_found_on_all_ranks(kind):
    source = int(np.argmax(graph(kind).out_degree.to_dense(fill_value=0)))
    levels = gl.bfs_levels(graph(kind), source)
    for vertex, true in zip(*levels.to_coo(), strict=True):
        for value in (true + 1, None):

            def check(H, vertex=vertex, value=value):
                gl.verify.bfs(H, source, changed(gl.bfs_levels(H, source), vertex, value))

            errors = checked(kind, "cpu", check)
            assert {type(e) for e in errors} == {VerificationError}, (vertex, value)


@pytest.mark.parametrize("kind", ["undirected", "directed"])
def test_changed_parents_labels_and_scores(kind):
    G = graph(kind)
    source = int(np.argmax(G.out_degree.to_dense(fill_value=0)))
    expected = gl.bfs(G, source).parent
    far = int(expected.to_coo()[0][-1])
    stranger = next(v for v in range(G.n) if G.A.get(v, far) is None and v in expected)
    label = int(gl.connected_components(G).to_dense().max())

    def parents(H):
        gl.verify.bfs(H, source, parent=changed(gl.bfs(H, source).parent, far, stranger))

    def labels(H):
        gl.verify.connected_components(H, changed(gl.connected_components(H), label, 0))

    def scores(H):
        gl.verify.pagerank(H, changed(gl.pagerank(H).rank, far, 0.5))

    for check in (parents, labels, scores):
        assert {type(e) for e in checked(kind, "cpu", check)} == {VerificationError}, check
