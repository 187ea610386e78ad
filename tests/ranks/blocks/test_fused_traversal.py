"""Searches on blocks of the CUDA engine run as one kernel a level, and find what one rank finds."""

from __future__ import annotations

import numpy as np
import pytest
from graphblas import binary, semiring
from graphblas.dtypes import BOOL, INT32

import graphla as gl
from graphla.core.engines import host_array, on_host
from graphla.cuda.fused.traversal import PullTraversal, PushTraversal
from graphla.cuda.storage.csr import CSR
from graphla.errors import OutOfDeviceMemory
from graphla.execution.hints import fuse, set_storage_hint
from graphla.execution.push_pull import DirectionOptimizer
from graphla.ranks import in_process
from graphla.ranks.blocks.fused_traversal import BlockTraversal
from graphla.ranks.blocks.shared_frontier import GatheredFrontier, PeerFrontier
from graphla.ranks.communicators.in_process import InProcessCommunicator
from graphla.ranks.matrix import Matrix
from tests.graphs import random_graph


def searched(G, ranks, monkeypatch, source=0):
    """Return levels, and levels and parents of a search, and the levels run by push and pull."""
    directions, run_levels = [], PeerFrontier.run_levels

    def counted(self, kernel, *args):
        directions.append(type(kernel))
        return run_levels(self, kernel, *args)

    monkeypatch.setattr(PeerFrontier, "run_levels", counted)

    def run(member):
        H = member.distribute(G)
        found = gl.bfs(H, source)
        return [on_host(x.gathered()) for x in (gl.bfs_levels(H, source), *found)]

    return in_process(ranks, run, engine="cuda"), directions


@pytest.mark.parametrize("ranks", [2, 3])
@pytest.mark.parametrize("kind", ["undirected", "directed"])
def test_levels_and_parents(ranks, kind, monkeypatch):
    if kind == "undirected":
        G = gl.generate.kronecker(9, seed=1)
    else:
        G = random_graph(500, 4000)
    source = int(np.argmax(host_array(G.out_degree.to_dense())))
    found, directions = searched(G, ranks, monkeypatch, source)
    expected = gl.bfs_levels(G, source)
    for levels, level, parent in found:
        assert levels.isequal(expected)
        assert level.isequal(expected)
        gl.verify.bfs(G, source, level, parent)
    assert {PushTraversal, PullTraversal} == set(directions)


def test_without_memory_for_a_second_block_push_runs_as_statements(monkeypatch):
    def fail(self):
        raise OutOfDeviceMemory("a transpose", needed=1, free=0)

    monkeypatch.setattr(CSR, "transposed", fail)
    core, tail = gl.generate.kronecker(9, seed=1), np.arange(512, 530)
    source, end = np.flatnonzero(core.out_degree.to_dense(fill_value=0) == 1)[:2].tolist()
    src, dst = (x.tolist() for x in core.A.to_coo()[:2])
    G = gl.Graph.from_edges([*src, end, *tail[:-1]], [*dst, *tail], kind="undirected")
    found, directions = searched(G, 2, monkeypatch, source)
    for levels, level, parent in found:
        assert levels.isequal(gl.bfs_levels(G, source))
        assert level.isequal(levels)
        gl.verify.bfs(G, source, level, parent)
        assert level.nvals > 400 + tail.size
    assert set(directions) == {PullTraversal}


@pytest.mark.parametrize("has_peer_memory", [True, False])
@pytest.mark.parametrize("axis", [0, 1])
def test_one_rank_without_memory_for_a_block(axis, has_peer_memory, monkeypatch):
    """The ranks agree on the kernels; a block that is made later is used."""
    frontier, used, lacks = (PeerFrontier if has_peer_memory else GatheredFrontier), [], [True]
    if not has_peer_memory:
        monkeypatch.setattr(InProcessCommunicator, "shared_arrays", lambda self, use, nbytes: None)
    run_levels, local_if_it_fits = frontier.run_levels, Matrix.local_if_it_fits

    def with_limit(A, wanted):
        lacks_memory = lacks[0] and wanted == axis and A.layout.communicator.rank == 1
        return None if lacks_memory else local_if_it_fits(A, wanted)

    def recorded(self, kernel, *args):
        used.append(type(kernel))
        return run_levels(self, kernel, *args)

    monkeypatch.setattr(Matrix, "local_if_it_fits", with_limit)
    monkeypatch.setattr(frontier, "run_levels", recorded)
    G = gl.generate.kronecker(9, seed=1)
    source = int(np.argmax(host_array(G.out_degree.to_dense())))

    def search(member):
        H, found = member.distribute(G), []
        for _ in range(3):
            result = [on_host(x.gathered()) for x in gl.bfs(H, source)]
            found.append((*result, set(used)))
            member.communicator.all("recorded", True)
            if member.communicator.rank == 0:
                used.clear()
                lacks[0] = len(found) < 2
            member.communicator.all("cleared", True)
        return found

    missing = PushTraversal if axis else PullTraversal
    for found in in_process(3, search, engine="cuda", check_calls=True):
        for level, parent, _ in found:
            assert level.isequal(gl.bfs_levels(G, source))
            gl.verify.bfs(G, source, level, parent)
        assert [missing in kernels for *_, kernels in found] == [False, False, True]


@pytest.mark.parametrize("has_same_writes", [True, False])
def test_writes_of_each_direction(has_same_writes):
    """A direction writes what its own statements say, also after the other one has run."""
    G = gl.generate.kronecker(9, seed=1)
    degree = G.out_degree.to_dense(fill_value=0)
    source = int(np.flatnonzero(degree == degree[degree > 0].min())[0])

    def search(member):
        H = member.distribute(G)
        level, pulled, q = H.vector(INT32), H.vector(INT32), H.vector(BOOL)
        set_storage_hint(level, pulled, form="bitmap")
        level[source], q[source] = 0, True
        direction, depth = DirectionOptimizer(H, q), H.scalar(INT32)
        any_pair, second = semiring.any_pair[BOOL], binary.second[INT32]
        discover = q(~level.S, replace=True)
        writes = (level(second), q.apply(second, right=depth))
        others = () if has_same_writes else ((pulled(second), q.apply(second, right=depth)),)
        push = fuse((discover, q.vxm(H.A, any_pair)), writes)
        pull = fuse((discover, H.AT.mxv(q, any_pair)), writes, *others)
        assert type(push) is type(pull) is BlockTraversal
        direction.traverse(push, pull, depth, size=1)
        assert (push.writers is pull.writers) == has_same_writes
        return on_host(level.gathered()), on_host(pulled.gathered())

    expected = gl.bfs_levels(G, source)
    for level, pulled in in_process(2, search, engine="cuda"):
        assert level.isequal(expected)
        assert 0 < pulled.nvals < level.nvals or has_same_writes
        assert pulled.isequal(level.dup(mask=pulled.S))


@pytest.mark.parametrize(
    ("name", "is_fused"),
    [("any_pair", True), ("any_second", True), ("any_first", False), ("min_second", False)],
)
def test_products_that_need_the_pattern_of_the_frontier(name, is_fused):
    """A product q A that reads q, or does not take any value, runs as a statement."""
    G = random_graph(100, 400)

    def plan(member):
        H = member.distribute(G.astype(INT32))
        q, visited = H.vector(INT32), H.vector(INT32)
        set_storage_hint(visited, form="bitmap")
        op = getattr(semiring, name)[INT32]
        step = fuse((q(~visited.S, replace=True), q.vxm(H.A, op)), (visited(q.S), 1))
        return isinstance(step, BlockTraversal)

    assert in_process(2, plan, engine="cuda") == [is_fused] * 2


def test_long_path(monkeypatch):
    """Small frontiers are pushed, one level after the other, across the ranks."""
    n = 150
    G = gl.generate.path(n)
    found, directions = searched(G, 3, monkeypatch)
    for levels, level, parent in found:
        assert levels.to_dense().tolist() == list(range(n))
        assert level.isequal(levels)
        gl.verify.bfs(G, 0, level, parent)
    assert directions.count(PushTraversal) == 2 * 3 * n


def test_ranks_without_vertices(monkeypatch):
    G = gl.generate.cycle(40)
    found, _ = searched(G, 4, monkeypatch)
    for levels, level, _ in found:
        assert levels.isequal(gl.bfs_levels(G, 0))
        assert level.isequal(levels)
