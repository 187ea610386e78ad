"""A frontier reaches all ranks: sent by kernels, gathered, or gathered for being too large."""

from __future__ import annotations

from collections import defaultdict
from itertools import groupby
from threading import get_ident

import numpy as np
import pytest

import graphla as gl
from graphla.core.engines import on_host
from graphla.cuda.fused.traversal import LevelsRun, Peers, PullTraversal, PushTraversal
from graphla.cuda.runtime.kernel import HostResult
from graphla.errors import KernelFailure
from graphla.ranks import in_process
from graphla.ranks.blocks import fused_traversal, shared_frontier
from graphla.ranks.blocks.fused_traversal import BlockTraversal
from graphla.ranks.blocks.shared_frontier import GatheredFrontier, PeerFrontier
from graphla.ranks.communicators.in_process import InProcessCommunicator
from tests.graphs import random_graph


@pytest.fixture(params=["sent by kernels", "segments overflow", "gathered"], autouse=True)
def exchange(request, monkeypatch):
    """How the frontier reaches other ranks."""
    shared_arrays = InProcessCommunicator.shared_arrays

    def with_other_bits(self, use, nbytes):
        arrays = shared_arrays(self, use, nbytes)
        arrays[self.rank].fill(255 if self.rank else 0)
        return arrays

    monkeypatch.setattr(InProcessCommunicator, "shared_arrays", with_other_bits)
    if request.param == "gathered":
        monkeypatch.setattr(InProcessCommunicator, "shared_arrays", lambda self, use, nbytes: None)
    elif request.param == "segments overflow":
        monkeypatch.setattr(shared_frontier, "MIN_CAPACITY", 2)
    return GatheredFrontier if request.param == "gathered" else PeerFrontier


def star_with_tail(n, tail):
    """Return a star around vertex 0, and a path from vertex 0 through the last `tail` vertices."""
    leaves, path = np.arange(1, n - tail), np.concatenate(([0], np.arange(n - tail, n)))
    src = np.concatenate((np.zeros_like(leaves), path[:-1]))
    return gl.Graph.from_edges(src, np.concatenate((leaves, path[1:])), n=n, kind="undirected")


def assert_searched(G, source, level, parent):
    assert level.isequal(gl.bfs_levels(G, source))
    gl.verify.bfs(G, source, level, parent)


def test_push_pull_and_push_again(exchange, monkeypatch):
    G, used, run_levels = star_with_tail(3000, 40), [], exchange.run_levels

    def recorded(self, kernel, *args):
        used.append(type(kernel))
        return run_levels(self, kernel, *args)

    monkeypatch.setattr(exchange, "run_levels", recorded)

    def search(member):
        return [on_host(x.gathered()) for x in gl.bfs(member.distribute(G), 5)]

    for level, parent in in_process(2, search, engine="cuda"):
        assert_searched(G, 5, level, parent)
    assert [kind for kind, _ in groupby(used)] == [PushTraversal, PullTraversal, PushTraversal]


def test_searches_of_several_graphs():
    """The ranks keep the memory of a frontier for the next one, which may have another size."""
    graphs = [random_graph(300, 2000), random_graph(700, 900), random_graph(300, 2000)]
    sources = (0, 7, 250)

    def search(member):
        handles = [member.distribute(G) for G in graphs]
        return [on_host(gl.bfs_levels(H, s).gathered()) for s in sources for H in handles]

    expected = [gl.bfs_levels(G, s) for s in sources for G in graphs]
    for found in in_process(3, search, engine="cuda"):
        assert all(x.isequal(y) for x, y in zip(found, expected, strict=True))


@pytest.mark.parametrize("exchange", ["sent by kernels"], indirect=True)
def test_a_launch_waits_for_lists_that_are_sent(monkeypatch):
    """A rank agrees to a launch when its list has arrived on all ranks."""
    G, events = gl.generate.path(100), defaultdict(list)
    gather_words = InProcessCommunicator.gather_words

    class Arrival(HostResult):
        def __init__(self):
            super().__init__()
            events[get_ident()].append("sent")

        def wait(self):
            events[get_ident()].append("arrived")
            return super().wait()

    def recorded(self, call, *words):
        if call == "level":
            events[get_ident()].append("agreed")
        return gather_words(self, call, *words)

    monkeypatch.setattr(shared_frontier, "HostResult", Arrival)
    monkeypatch.setattr(InProcessCommunicator, "gather_words", recorded)
    in_process(2, lambda member: gl.bfs_levels(member.distribute(G), 50), engine="cuda")
    assert len(events) == 2
    for found in events.values():
        assert found[:3] == ["sent", "arrived", "agreed"]


@pytest.mark.parametrize("failing", [2, 3, 4, 7])
@pytest.mark.parametrize("has_run", [False, True])
def test_search_after_a_failed_one(exchange, failing, has_run, monkeypatch):
    """After an error on one rank the bits of the ranks may differ; the next search is right."""
    G, calls = gl.generate.kronecker(9, seed=1), []
    run = exchange._run

    def failing_once(self, *args):
        calls.append(self.communicator.rank)
        fails = self.communicator.rank == 1 and calls.count(1) == failing
        if fails and not has_run:
            raise RuntimeError("injected")
        found = run(self, *args)
        if fails:
            raise RuntimeError("injected")
        return found

    monkeypatch.setattr(exchange, "_run", failing_once)
    source = int(np.argmax(G.out_degree.to_dense(fill_value=0)))

    def search(member):
        H, errors = member.distribute(G), 0
        for _ in range(3):
            try:
                result = [on_host(x.gathered()) for x in gl.bfs(H, source)]
            except RuntimeError:
                errors += 1
        return errors, result

    for errors, (level, parent) in in_process(2, search, engine="cuda"):
        assert errors == 1
        assert_searched(G, source, level, parent)


@pytest.mark.parametrize("make", [lambda: star_with_tail(3000, 40), lambda: gl.generate.path(300)])
def test_several_levels_in_one_launch(make, exchange, monkeypatch):
    """A rank with a device of its own waits in the kernel for the others; here it is alone."""
    G, launches, run_levels = make(), [], exchange.run_levels
    begin = InProcessCommunicator.__init__

    def with_own_device(self, *args, **options):
        begin(self, *args, **options)
        self.has_own_devices = True

    def counted(self, *args):
        found = run_levels(self, *args)
        launches.append(found.levels)
        assert found.state.previous_size == found.size == self.total
        return found

    monkeypatch.setattr(InProcessCommunicator, "__init__", with_own_device)
    monkeypatch.setattr(exchange, "run_levels", counted)

    def search(member):
        H = member.distribute(G)
        return [[on_host(x.gathered()) for x in gl.bfs(H, source)] for source in (5, 0, 299)]

    ((*found,),) = in_process(1, search, engine="cuda")
    for source, (level, parent) in zip((5, 0, 299), found, strict=True):
        assert_searched(G, source, level, parent)
    assert max(launches) > 1 or exchange is GatheredFrontier or shared_frontier.MIN_CAPACITY == 2


@pytest.mark.parametrize("exchange", ["sent by kernels"], indirect=True)
def test_buffers_of_the_other_direction_are_allocated_while_a_kernel_runs(exchange, monkeypatch):
    """A launch of several levels takes them; a search that goes back to push allocates no more."""
    G, begin, events = star_with_tail(3000, 40), InProcessCommunicator.__init__, []
    source = 2963  # in the path
    allocate, run = PullTraversal.output_for_peers, PeerFrontier._run

    def with_own_device(self, *args, **options):
        begin(self, *args, **options)
        self.has_own_devices = True

    def allocated(self, *args):
        events.append("pull's buffers")
        return allocate(self, *args)

    def launched(self, kernel, *args):
        events.append("push" if isinstance(kernel, PushTraversal) else "pull")
        found = run(self, kernel, *args)
        events.append("end")
        return found

    monkeypatch.setattr(InProcessCommunicator, "__init__", with_own_device)
    monkeypatch.setattr(PullTraversal, "output_for_peers", allocated)
    monkeypatch.setattr(PeerFrontier, "_run", launched)

    def search(member):
        H = member.distribute(G)
        gl.bfs_levels(H, source)
        events.clear()
        return on_host(gl.bfs_levels(H, source).gathered())

    (levels,) = in_process(1, search, engine="cuda")
    assert levels.isequal(gl.bfs_levels(G, source))
    assert events == ["push", "pull's buffers", "end", "pull", "end", "push", "end"]


@pytest.mark.parametrize("max_levels", [1, 2, 3])
def test_a_bound_of_levels(max_levels, exchange, monkeypatch):
    """A launch for one level leaves the decision to the hosts, also where devices wait."""
    G, begin = gl.generate.kronecker(8, seed=1), InProcessCommunicator.__init__

    def with_own_device(self, *args, **options):
        begin(self, *args, **options)
        self.has_own_devices = self.size == 1

    monkeypatch.setattr(InProcessCommunicator, "__init__", with_own_device)
    run_levels = BlockTraversal.run_levels

    def bounded(self, push, state, depth, most, opposite):
        return run_levels(self, push, state, depth, min(most, max_levels), opposite)

    monkeypatch.setattr(BlockTraversal, "run_levels", bounded)
    source = int(np.argmax(G.out_degree.to_dense(fill_value=0)))

    def search(member):
        return [on_host(x.gathered()) for x in gl.bfs(member.distribute(G), source)]

    for ranks in (1, 2):
        for level, parent in in_process(ranks, search, engine="cuda"):
            assert_searched(G, source, level, parent)


@pytest.mark.parametrize("exchange", ["sent by kernels"], indirect=True)
@pytest.mark.parametrize("arrived", ["in time", "with an old number", "never"])
def test_waiting_for_another_device(arrived, exchange, monkeypatch):
    """The kernel of rank 0 runs two levels; rank 1, which has no edges, publishes their ends."""
    G = gl.Graph.from_edges(np.zeros(63, int), np.arange(1, 64), n=640, kind="undirected")
    begin, run = InProcessCommunicator.__init__, PeerFrontier._run

    def with_own_device(self, *args, **options):
        begin(self, *args, **options)
        self.has_own_devices = True

    def run_on_rank_0(self, kernel, allocated, state, depth, max_levels, peers, while_running):
        if self.communicator.rank:
            depth.value += 2
            return LevelsRun(0, 2, state, True), False
        for level, buffer in ((1, 1 - self._buffer), (2, self._buffer)):
            arrival = self._arrivals[buffer].reshape(2, 3)[1]
            arrival.fill(0)
            if arrived != "never":
                arrival[0] = peers.first_level + level - (arrived != "in time")
        return run(self, kernel, allocated, state, depth, max_levels, peers, while_running)

    monkeypatch.setattr(InProcessCommunicator, "__init__", with_own_device)
    monkeypatch.setattr(PeerFrontier, "_run", run_on_rank_0)
    monkeypatch.setattr(shared_frontier, "MIN_CAPACITY", 64)

    def search(member):
        H = member.distribute(G)
        assert H.A.layout.piece(G.n)[1] >= 64
        if arrived == "in time":
            return on_host(gl.bfs_levels(H, 0).gathered())
        with pytest.raises(KernelFailure, match="another device"):
            gl.bfs_levels(H, 0)
        return gl.bfs_levels(G, 0)

    for levels in in_process(2, search, engine="cuda"):
        assert levels.isequal(gl.bfs_levels(G, 0))


@pytest.fixture
def waiting_kernels(exchange, monkeypatch):
    """Let ranks run several levels in one launch, as those do whose kernels wait for each other.

    The kernels of the simulator run one after the other: a launch runs one level after the other,
    and the ranks exchange after each what kernels that wait publish. Returns the numbers of levels
    of the launches, and whether the list was cut off.
    """
    begin, run_one = InProcessCommunicator.__init__, PeerFrontier._run
    launches = []

    def with_own_device(self, *args, **options):
        begin(self, *args, **options)
        self.has_own_devices = True

    def run_several(self, kernel, allocated, state, depth, max_levels, peers, while_running):
        if max_levels == 1:
            return run_one(self, kernel, allocated, state, depth, 1, peers, while_running)
        push, size, words, levels = type(kernel) is PushTraversal, self.total, peers.words, 0
        push_next, is_cut_off = push, False
        while levels < max_levels and push_next == push and not is_cut_off:
            buffers = kernel.allocate_for_peers(size, 1)
            self.communicator.gather_words("allocated", 0)
            level_peers = Peers(words, 0, False)
            run, _ = run_one(self, kernel, buffers, state, depth, 1, level_peers, while_running)
            edges = state.unexplored_edges - run.state.unexplored_edges
            found = self.communicator.gather_words("arrival", run.size, edges)
            size, levels = sum(found.first.tolist()), levels + 1
            state, push_next = state.advance(push, size, lambda e=found.second: sum(e.tolist()))
            is_cut_off = push and bool(found.first.max() > self.capacity)
            if not size:
                break
            words = self._peers[(self._buffer + levels) % 2, push]
        kernel.frontier._store._nvals = None  # the host knows the size of all ranks only
        launches.append((levels, is_cut_off))
        return LevelsRun(size, levels, state, push_next), is_cut_off

    if exchange is PeerFrontier:
        monkeypatch.setattr(InProcessCommunicator, "__init__", with_own_device)
        monkeypatch.setattr(PeerFrontier, "_run", run_several)
    return launches


GRAPHS = {
    "hubs": lambda: gl.generate.kronecker(9, seed=1),
    "directed": lambda: random_graph(500, 3000),
    "star": lambda: star_with_tail(3000, 40),
    "path": lambda: gl.generate.path(300),
    "ranks without vertices": lambda: gl.generate.cycle(40),
}


@pytest.mark.parametrize("exchange", ["sent by kernels", "segments overflow"], indirect=True)
@pytest.mark.parametrize("ranks", [2, 4])
@pytest.mark.parametrize("name", GRAPHS)
def test_several_levels_on_several_ranks(name, ranks, waiting_kernels, monkeypatch):
    if shared_frontier.MIN_CAPACITY == 2:
        monkeypatch.setattr(shared_frontier, "VERTICES_PER_ENTRY", 1 << 30)
    G, run_levels = GRAPHS[name](), PeerFrontier.run_levels

    def with_checked_total(self, *args):
        found = run_levels(self, *args)
        assert self.total == found.size
        return found

    monkeypatch.setattr(PeerFrontier, "run_levels", with_checked_total)
    degree = G.out_degree.to_dense(fill_value=0)
    sources = int(np.argmax(degree)), int(np.flatnonzero(degree)[-1])

    def search(member):
        H = member.distribute(G)
        return [[on_host(x.gathered()) for x in gl.bfs(H, s)] for s in sources]

    for found in in_process(ranks, search, engine="cuda", check_calls=True):
        for source, (level, parent) in zip(sources, found, strict=True):
            assert_searched(G, source, level, parent)
    levels, cut_off = zip(*waiting_kernels, strict=True)
    has_large_frontiers = name not in ("path", "ranks without vertices")
    assert max(levels) > 1
    assert any(cut_off) or not (has_large_frontiers and shared_frontier.MIN_CAPACITY == 2)


@pytest.mark.parametrize("exchange", ["sent by kernels"], indirect=True)
@pytest.mark.parametrize("has_memory", [True, False])
def test_the_kernel_of_the_other_direction_is_made_while_one_runs(
    has_memory, waiting_kernels, monkeypatch
):
    """From the second search on; a rank that has no memory for it then makes it when it is used."""
    G, calls, pushing = gl.generate.kronecker(9, seed=1), [], set()
    make, launch = fused_traversal._pull_level, PeerFrontier._run

    def recorded(traversal, frontier, *args):
        rank = frontier.communicator.rank
        calls.append((rank, rank in pushing))
        if not has_memory and calls[-1] == (1, True):
            raise MemoryError
        return make(traversal, frontier, *args)

    def pushed(self, kernel, *args):
        if isinstance(kernel, PushTraversal):
            pushing.add(self.communicator.rank)
        found = launch(self, kernel, *args)
        pushing.discard(self.communicator.rank)
        return found

    monkeypatch.setattr(fused_traversal, "_pull_level", recorded)
    monkeypatch.setattr(PeerFrontier, "_run", pushed)
    source = int(np.argmax(G.out_degree.to_dense(fill_value=0)))

    def search(member):
        H = member.distribute(G)
        return [[on_host(x.gathered()) for x in gl.bfs(H, source)] for _ in range(2)]

    for found in in_process(2, search, engine="cuda"):
        for level, parent in found:
            assert_searched(G, source, level, parent)
    first, second = [(0, False), (1, False)], [(0, True), (1, True)]
    assert sorted(calls) == sorted(first + second + ([] if has_memory else [(1, False)]))


@pytest.mark.parametrize("exchange", ["sent by kernels"], indirect=True)
@pytest.mark.parametrize("max_levels", [2, 3])
def test_an_error_in_the_last_launch(max_levels, waiting_kernels, monkeypatch):
    """All ranks raise in the search whose last launch fails on one rank, also after its bound."""
    G, run, calls = gl.generate.path(300), PeerFrontier._run, []

    def failing_at_last(self, kernel, allocated, state, depth, most, *others):
        found = run(self, kernel, allocated, state, depth, most, *others)
        if self.communicator.rank == 1:
            raise RuntimeError("injected")
        return found

    monkeypatch.setattr(PeerFrontier, "_run", failing_at_last)
    run_levels = BlockTraversal.run_levels

    def once(self, push, state, depth, most, opposite):
        found = run_levels(self, push, state, depth, max_levels, opposite)
        calls.append("returned")
        return found

    monkeypatch.setattr(BlockTraversal, "run_levels", once)

    def search(member):
        with pytest.raises(RuntimeError, match="injected"):
            gl.bfs_levels(member.distribute(G), 0)

    in_process(3, search, engine="cuda")
    assert not calls
