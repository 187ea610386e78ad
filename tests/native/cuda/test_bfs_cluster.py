"""Searches that one cluster of blocks begins: for which graphs, and on which devices."""

from __future__ import annotations

import pytest

import graphla as gl
from graphla.cuda import to_graphblas
from graphla.cuda.runtime.device import device
from graphla.native.cuda import bfs as module
from graphla.native.cuda import bfs_cluster
from tests.cuda.simulator import Simulator
from tests.graphs import random_graph


def test_graphs_for_a_cluster():
    """Those of few edges a vertex and no hubs."""
    for G, few in ((gl.generate.grid(20, 20), 4), (gl.generate.grid(8, 5, 10), 8)):
        assert module.get_cluster_search(G.to("cuda")).firsts.shape == (400, few)
    dense = random_graph(100, 2000, kind="undirected")
    for G in (gl.generate.star(500), dense, gl.Graph.from_edges([], [], n=3)):
        assert module.get_cluster_search(G.to("cuda")) is None


def test_a_device_without_clusters(monkeypatch):
    G = gl.generate.path(9).to("cuda")
    monkeypatch.setattr(bfs_cluster, "CLUSTERS", int(device.arch) + 1)
    assert module.get_runner(G).cluster_search is None
    assert gl.native.bfs(G, 0).level.to_dense().tolist() == list(range(9))


def test_first_neighbours_that_do_not_fit_are_done_without(monkeypatch):
    G = gl.generate.path(9).to("cuda")

    def full(rows, few):
        raise device.out_of_memory()

    monkeypatch.setattr(bfs_cluster, "first_neighbours", full)
    assert module.get_runner(G).cluster_search is None
    assert gl.native.bfs(G, 0).level.to_dense().tolist() == list(range(9))


class Refusing(Simulator):
    """Runs clusters of so many blocks at most, and has no room for more edges in each."""

    def __init__(self, most, room=1 << 14):
        super().__init__()
        self.most, self.shared_per_block, self.asked, self.launched = most, 16 * room, [], []

    def max_active_clusters(self, run, threads, block, shared):
        assert not self.launched
        self.asked.append((threads // block, shared))
        return int(threads // block <= self.most)

    def compile(self, source, name, cooperative):
        run = super().compile(source, name, cooperative)

        def noted(*args):
            if name.startswith("bfs"):
                self.launched.append(name)
            run(*args)

        return noted


@pytest.mark.parametrize(
    ("most", "room", "asked", "edges"),
    [
        (16, 1 << 14, [(16, 1 << 16)], 1 << 16),
        (15, 1 << 14, [(16, 1 << 16), (8, 1 << 17)], 1 << 16),
        (8, 6000, [(16, 1 << 16), (8, 96000)], 48000),
        (7, 6000, [(16, 1 << 16), (8, 96000)], None),
    ],
)
def test_a_device_that_refuses_clusters(monkeypatch, most, room, asked, edges):
    """The device is queried once for a graph; the next smaller cluster that it runs is used."""
    if device.name == "cuda" and not hasattr(device.active, "limit"):
        pytest.skip("tests the simulator, which a GPU replaces")
    here = Refusing(most, room)
    monkeypatch.setattr(device, "active", here)
    G = gl.generate.grid(30, 30)
    H = G.to("cuda")
    module.prepare(H)
    search = module.get_runner(H).cluster_search
    assert here.asked == asked
    assert not here.launched
    assert (search and search.blocks * search.room) == edges
    for source in (0, 465, 899):
        level, parent = (to_graphblas(v) for v in gl.native.bfs(H, source))
        assert level.isequal(gl.bfs(G, source).level, check_dtype=True)
        gl.verify.bfs(G, source, level, parent)
    assert here.asked == asked
    assert ("bfs_cluster" in here.launched) == (edges is not None)
    assert "bfs" in here.launched


def test_another_error_of_the_question_is_raised(monkeypatch):
    if device.name == "cuda" and not hasattr(device.active, "limit"):
        pytest.skip("tests the simulator, which a GPU replaces")

    class Failing(Simulator):
        def max_active_clusters(self, *args):
            raise RuntimeError("the driver")

    monkeypatch.setattr(device, "active", Failing())
    H = gl.generate.path(9).to("cuda")
    with pytest.raises(RuntimeError, match="the driver"):
        gl.native.bfs(H, 0)
    assert gl.native.bfs(gl.generate.star(500).to("cuda"), 0).level.nvals == 500
