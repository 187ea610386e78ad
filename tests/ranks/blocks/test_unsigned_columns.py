"""Blocks whose columns are uint32 while a rank has few vertices, whose numbers are int32."""

from __future__ import annotations

import numpy as np
import pytest

import graphla as gl
from graphla.core.engines import host_array, on_host
from graphla.cuda.fused.traversal import PullTraversal, PushTraversal
from graphla.cuda.storage import vector_formats
from graphla.ranks import in_process
from graphla.ranks.blocks.shared_frontier import GatheredFrontier, PeerFrontier
from graphla.ranks.communicators.in_process import InProcessCommunicator
from tests.graphs import random_graph

N, RANKS = 400, 3


@pytest.fixture(autouse=True)
def limit(monkeypatch):
    """Let the indices of all vertices be unsigned, those of one rank's vertices signed."""
    monkeypatch.setattr(vector_formats, "MAX_INT32_SIZE", N // 2)


def check_types(H):
    rows = H.A.local(0)._csr()
    assert rows.nrows < N // 2 < rows.ncols == N
    assert rows.indices.dtype == np.uint32


def on_ranks(G, work):
    """Return what ``work(H)`` returns on each rank, in host memory."""

    def run(member):
        H = member.distribute(G)
        check_types(H)
        return [on_host(x.gathered()) for x in work(H)]

    return in_process(RANKS, run, engine="cuda")


@pytest.mark.parametrize("form", [PeerFrontier, GatheredFrontier])
@pytest.mark.parametrize("kind", ["undirected", "directed"])
def test_searches(monkeypatch, kind, form):
    G = random_graph(N, 1500, kind=kind)
    source, directions = int(np.argmax(host_array(G.out_degree.to_dense()))), set()
    if form is GatheredFrontier:
        monkeypatch.setattr(InProcessCommunicator, "shared_arrays", lambda self, use, nbytes: None)
    run_levels = form.run_levels

    def counted(self, kernel, *args):
        directions.add(type(kernel))
        return run_levels(self, kernel, *args)

    monkeypatch.setattr(form, "run_levels", counted)

    def search(H):
        level, parent = gl.bfs(H, source)
        gl.verify.bfs(H, source, level, parent)
        return gl.bfs_levels(H, source), level, parent

    expected = gl.bfs_levels(G, source)
    for levels, level, parent in on_ranks(G, search):
        assert levels.isequal(expected)
        assert level.isequal(expected)
        gl.verify.bfs(G, source, level, parent)
    pushes = {PushTraversal} if form is PeerFrontier else set()  # others take one type of vertices
    assert directions == {PullTraversal} | pushes


def test_paths_of_weights():
    G = random_graph(N, 1500, dtype="float32")

    def search(H):
        return (gl.sssp_distances(H, 0),)

    for (distance,) in on_ranks(G, search):
        gl.verify.sssp(G, 0, distance)


def test_components_and_pagerank():
    G = random_graph(N, 300, kind="undirected")

    def work(H):
        component, rank = gl.connected_components(H), gl.pagerank(H).rank
        gl.verify.connected_components(H, component)
        gl.verify.pagerank(H, rank)
        return component, rank

    for component, rank in on_ranks(G, work):
        assert component.isequal(gl.connected_components(G))
        gl.verify.pagerank(G, rank)
