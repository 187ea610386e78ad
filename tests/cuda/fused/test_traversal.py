"""Statements of a search computed together: the results are those of one after the other."""

from __future__ import annotations

import graphblas as gb
import numpy as np
import pytest
from graphblas import binary, semiring, unary
from graphblas.dtypes import BOOL, FP32, INT8, INT32, INT64

import graphla as gl
from graphla import errors
from graphla.algorithms.traversal.hub_component import find_reached
from graphla.cuda import Matrix, Vector, to_graphblas
from graphla.cuda.fused import traversal
from graphla.cuda.fused.traversal import PushTraversal
from graphla.cuda.memory import buffer_pool
from graphla.cuda.runtime.device import device
from graphla.cuda.runtime.kernel import PENDING, launched
from graphla.cuda.storage.csr import CSR
from graphla.errors import InvalidValue, OutOfDeviceMemory
from graphla.execution import push_pull
from graphla.execution.hints import fuse, set_storage_hint
from graphla.execution.push_pull import DirectionOptimizer
from tests.cuda.simulator import Simulator
from tests.cuda.warp_simulator import WarpSimulator
from tests.graphs import edge_cases, random_graph
from tests.native.cuda.simulated_devices import (
    CooperativeBlocks,
    CooperativeBlocksInTurn,
    InterleavedBlocks,
)

N = 70


def full_and_sparse_words():
    """Return a graph in whose rows all vertices have edges, then one in five, one in three, few."""
    core = gl.generate.kronecker(11, edgefactor=8, seed=4)
    src, dst, _ = core.A.to_coo()
    leaves, tail = np.arange(4096, 8192, 5), np.array([0, *range(12_000, 15_000, 400)])
    leaves = np.append(leaves, np.arange(8192, 12_000, 3))
    ends = [*src, *(leaves % core.n), *tail[:-1]], [*dst, *leaves, *tail[1:]]
    return gl.Graph.from_edges(*np.array(ends, int), n=15_000, kind="undirected")


def chains_beside_a_complete_graph():
    """Return chains of 4 vertices from vertex 0; with the other edges they are pulled."""
    starts = np.arange(40, 1000, 40)
    src = np.concatenate([np.zeros_like(starts), *(starts + k for k in range(3))])
    dst = np.concatenate([starts + k for k in range(4)])
    i, j = np.triu_indices(66, 1)
    ends = np.append(src, i + 1000), np.append(dst, j + 1000)
    return gl.Graph.from_edges(*ends, n=1066, kind="undirected")


GRAPHS = {
    "random": random_graph(300, 1500, seed=1),
    "undirected": random_graph(200, 900, kind="undirected", seed=2),
    "hubs": gl.generate.kronecker(8, edgefactor=24, seed=3),
    "star": gl.generate.star(400),
    "path": gl.generate.path(40),
    "complete": gl.generate.complete(150),
    "loops": edge_cases("directed")["loops"],
    "full and sparse words": full_and_sparse_words(),
    "chains": chains_beside_a_complete_graph(),
}
POLICIES = {
    "as it is": {},
    "push": {"alpha": 1e-9},
    "pull": {"alpha": 1e9, "beta1": 1e9, "beta2": 1e9},
}


@pytest.fixture(
    params=[
        *(pytest.param(m, id=m.__name__) for m in (Simulator, WarpSimulator, CooperativeBlocks)),
        *(
            pytest.param(m, id=m.__name__, marks=pytest.mark.thorough)
            for m in (InterleavedBlocks, CooperativeBlocksInTurn)
        ),
    ],
)
def machine(monkeypatch, request):
    found = request.param()
    monkeypatch.setattr(device, "active", found)
    return found


@pytest.fixture
def simulator(monkeypatch):
    found = Simulator()
    monkeypatch.setattr(device, "active", found)
    return found


@pytest.fixture
def launches():
    names = []
    token = launched.set(names)
    yield names
    launched.reset(token)


def dense(x):
    return device.to_host(x.to_dense(fill_value=-1))


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(
    "name",
    [
        *("random", "hubs", "star", "path", "full and sparse words", "chains"),
        *(pytest.param(k, marks=pytest.mark.thorough) for k in ("undirected", "complete", "loops")),
    ],
)
def test_searches(machine, monkeypatch, name, policy):
    G = GRAPHS[name]
    costs = push_pull.COSTS["cuda"]._replace(**POLICIES[policy])
    monkeypatch.setitem(push_pull.COSTS, "cuda", costs)
    H = G.to("cuda")
    for source in (0, G.n - 1):
        want = gl.bfs_levels(G, source).to_dense(fill_value=-1)
        found = gl.bfs(H, source)
        np.testing.assert_array_equal(dense(found.level), want)
        np.testing.assert_array_equal(dense(gl.bfs_levels(H, source)), want)
        gl.verify.bfs(G, source, *map(to_graphblas, found))
        seen = find_reached(H, source, G.n + 1)
        np.testing.assert_array_equal(dense(seen) == 1, want >= 0)


def statements(A, q, seen, other, kind, accum=binary.plus):
    """Return a search's step and what is written: twice into `other`, or into `seen` alone."""
    op = semiring.any_pair[q.dtype]
    product = q.vxm(A, op) if kind == "push" else A.T.mxv(q, op)
    set_storage_hint(q, form="sparse" if kind == "push" else "bitmap")
    set_storage_hint(seen, other, form="bitmap")
    return (
        (q(~seen.S, replace=True), product),
        (other(accum[other.dtype]), q.apply(binary.times[q.dtype], right=3)),
        (seen(q.S), True),
    )


@pytest.mark.parametrize("kind", ["push", "pull"])
@pytest.mark.parametrize("dtype", [INT32, INT64, FP32])
@pytest.mark.parametrize(
    "sums", [INT32, FP32]
)  # an integer, as uninitialised memory is hardly ever a plausible float
@pytest.mark.parametrize("accum", [binary.plus, binary.second], ids=["plus", "second"])
def test_accumulators_and_types(machine, launches, kind, dtype, sums, accum):
    """Existing entries of the other bitmap accumulate; those without a new entry are unchanged."""
    rng = np.random.default_rng(4)
    i, j = np.unravel_index(rng.choice(N * N, 300, replace=False), (N, N))
    found = []
    for vector, matrix in ((gb.Vector, gb.Matrix), (Vector, Matrix)):
        A = matrix.from_coo(i, j, True, nrows=N, ncols=N)
        q = vector.from_coo([3, 9], [1, 1], dtype=dtype, size=N)
        seen = vector.from_coo([3, 5, 9], True, size=N)
        even = np.arange(0, N // 2, 2)  # behind them units of memory may be written whole
        other = vector.from_coo(even, even // 2, dtype=sums, size=N)
        step = fuse(*statements(A, q, seen, other, kind, accum))
        states = []
        for _ in range(3):
            step()
            states += [x.to_dense(fill_value=-1) for x in (q, seen, other)] + [q.nvals, seen.nvals]
        found.append([device.to_host(x) if hasattr(x, "shape") else x for x in states])
    assert f"traversal_{kind}" in launches
    for want, got in zip(*found, strict=True):
        np.testing.assert_array_equal(got, want)


def test_one_launch_of_all_levels(simulator, launches, monkeypatch):
    """One launch pushes all levels, up to MAX_LEVELS; the next launch continues."""
    H = gl.generate.path(60).to("cuda").cache("AT", "out_degree", "max_out_degree")
    for at_once, kernels in ((60, 1), (20, 3), (7, 9), (1, 60)):
        monkeypatch.setattr(traversal, "MAX_LEVELS", at_once)
        launches.clear()
        levels = gl.bfs(H, 0).level
        assert launches.count("traversal_push") == kernels
        assert len(launches) < kernels + 10
        np.testing.assert_array_equal(dense(levels), np.arange(60))


@pytest.mark.parametrize("most", [0, 40])
@pytest.mark.parametrize("name", ["random", "hubs", "full and sparse words"])
def test_searches_with_a_filter_of_the_first_frontier(machine, monkeypatch, name, most):
    """A filter of two words, whose bits stand for several vertices; of frontiers of up to 40."""
    G, filters, words = GRAPHS[name], [], traversal.PullTraversal._filter_words
    costs = push_pull.COSTS["cuda"]._replace(**POLICIES["pull"])
    monkeypatch.setitem(push_pull.COSTS, "cuda", costs)
    for constant, value in (("FILTER_WORDS", 2), ("MAX_FILTERED", most), ("MIN_FILTERED", 65)):
        monkeypatch.setattr(traversal, constant, value)

    def record(self, has_list, state):
        filters.append(words(self, has_list, state))
        return filters[-1]

    monkeypatch.setattr(traversal.PullTraversal, "_filter_words", record)
    H = G.to("cuda")
    for source in (0, G.n - 1, G.n // 2):
        want = gl.bfs_levels(G, source).to_dense(fill_value=-1)
        np.testing.assert_array_equal(dense(gl.bfs(H, source).level), want)
        np.testing.assert_array_equal(dense(gl.bfs_levels(H, source)), want)
    assert set(filters) == ({2} if most else {0})
    filters.clear()
    gl.bfs(H, 0, progress=True)  # level by level, from bitmaps
    assert set(filters) == {0}


def test_a_device_with_little_shared_memory_has_smaller_blocks_and_no_filter(monkeypatch):
    """Of 64 KiB, as of compute capability 7.5."""
    found = Simulator()
    found.shared_per_block = 63 << 10
    monkeypatch.setattr(device, "active", found)
    monkeypatch.setattr(traversal, "MIN_FILTERED", 1)
    H = GRAPHS["hubs"].to("cuda")
    kernels = []
    inspect = traversal.PullTraversal.inspect_rows
    monkeypatch.setattr(
        traversal.PullTraversal,
        "inspect_rows",
        lambda self, product: kernels.append(self) or inspect(self, product),
    )
    want = gl.bfs_levels(GRAPHS["hubs"], 0).to_dense(fill_value=-1)
    np.testing.assert_array_equal(dense(gl.bfs_levels(H, 0)), want)
    assert {(k.block, k.shared, k.has_filter) for k in kernels} == {(896, 896 * 72, False)}


@pytest.mark.parametrize("dtype", [INT32, INT8])
@pytest.mark.parametrize(
    ("op", "stored"),
    [
        (semiring.ss.any_secondi, lambda q, depth: q.apply(unary.identity)),
        (semiring.ss.any_secondi, lambda q, depth: q.apply(unary.identity[INT8])),
        (semiring.any_pair, lambda q, depth: q.apply(binary.second, right=depth)),
        (semiring.any_second, lambda q, depth: q.apply(binary.second, right=depth)),
    ],
    ids=["of the visited set", "cast", "constant", "of the frontier"],
)
def test_values_of_a_frontier_after_several_levels(
    machine, launches, monkeypatch, op, stored, dtype
):
    """Levels do not write values that can be recovered from the visited set or the semiring.

    The visited set has another type than the frontier, or the value is cast before it is stored.
    """
    costs = push_pull.COSTS["cuda"]._replace(**POLICIES["pull"])
    monkeypatch.setitem(push_pull.COSTS, "cuda", costs)
    H = GRAPHS["random"].to("cuda")
    q, visited, depth = H.vector(INT32), H.vector(dtype), H.scalar(INT32)
    set_storage_hint(visited, form="bitmap")
    q[0] = visited[0] = 7
    discover, write = q(~visited.S, replace=True), (visited(binary.second), stored(q, depth))
    push = fuse((discover, q.vxm(H.A, op[INT32])), write)
    pull = fuse((discover, H.AT.mxv(q, op[INT32])), write)
    assert not DirectionOptimizer(H, q).traverse(push, pull, depth, max_levels=3)
    assert launches.count("traversal_pull") == 1
    indices, values = (device.to_host(x) for x in q.to_coo())
    assert indices.size > 1
    if op is semiring.ss.any_secondi:
        src, dst, _ = GRAPHS["random"].A.to_coo()
        assert set(zip(values, indices, strict=True)) <= set(zip(src, dst, strict=True))
    else:
        assert set(values.tolist()) == {1 if op is semiring.any_pair else 7}


def test_a_search_that_is_given_up(machine, monkeypatch):
    H, n = gl.generate.path(40).to("cuda"), 40
    for at_once in (4096, 8):
        monkeypatch.setattr(traversal, "MAX_LEVELS", at_once)
        assert find_reached(H, 0, n).nvals == n
        assert find_reached(H, 0, n - 1).nvals == 0
        assert find_reached(H, 0, 1).nvals == 0


@pytest.mark.parametrize("name", GRAPHS)
def test_one_kernel_decides_as_level_by_level(machine, monkeypatch, name):
    """The kernels choose push or pull as single steps do that count the frontier's edges."""
    G, directions = GRAPHS[name], []
    plus_second, level, on = (
        semiring.plus_second[INT64],
        DirectionOptimizer._run_level,
        traversal.TraversalLevel.run_levels,
    )

    def edges(self, size):
        return self.frontier.inner(self.degree, plus_second).new().value

    def one(self, *args):
        directions.append(self.push)
        return level(self, *args)

    def many(self, push, *args):
        found = on(self, push, *args)
        directions.extend([push] * found.levels)
        return found

    monkeypatch.setattr(DirectionOptimizer, "_edges", edges)
    monkeypatch.setattr(DirectionOptimizer, "_run_level", one)
    monkeypatch.setattr(traversal.TraversalLevel, "run_levels", many)
    H = G.to("cuda").cache("AT", "out_degree", "max_out_degree", "is_symmetric")
    want = gl.bfs(H, 0, progress=True).level
    single = directions.copy()
    directions.clear()
    np.testing.assert_array_equal(dense(gl.bfs(H, 0).level), dense(want))
    assert directions == single


@pytest.mark.parametrize(
    "change",
    [
        lambda q, seen, other: set_storage_hint(other, form="full"),
        lambda q, seen, other: set_storage_hint(other, form="sparse"),
        lambda q, seen, other: set_storage_hint(q, form="full"),
        lambda q, seen, other: set_storage_hint(seen, other, form="sparse"),
    ],
)
def test_other_forms(simulator, change):
    """Operands in other storage formats are computed statement by statement."""
    found = []
    for vector, matrix in ((gb.Vector, gb.Matrix), (Vector, Matrix)):
        A = matrix.from_coo([0, 1, 2], [1, 2, 3], True, nrows=5, ncols=5)
        q, seen, other = (vector.from_coo([0], [1], dtype=INT64, size=5) for _ in range(3))
        other << 7
        step = fuse(*statements(A, q, seen, other, "push"))
        change(q, seen, other)
        for _ in range(2):
            step()
        found.append([device.to_host(x.to_dense(fill_value=-1)) for x in (q, seen, other)])
    np.testing.assert_array_equal(*found)


@pytest.mark.parametrize(
    "other",
    [
        lambda q, x: (x(), q.apply(unary.ainv)),
        lambda q, x: (x(q.S, replace=True), 1),
        lambda q, x: (x(~q.S), 1),
        lambda q, x: (x(), q.select("==", 1)),
        lambda q, x: (x(binary.plus), q.ewise_add(q, "plus")),
        lambda q, x: (x(q.V), 1),
    ],
)
def test_other_statements(simulator, other):
    found = []
    for vector, matrix in ((gb.Vector, gb.Matrix), (Vector, Matrix)):
        A = matrix.from_coo([0, 1, 2], [1, 2, 3], True, nrows=5, ncols=5)
        q, seen, x = (vector.from_coo([0], [1], dtype=INT64, size=5) for _ in range(3))
        first, *_, mark = statements(A, q, seen, x, "push")
        step = fuse(first, other(q, x), mark)
        for _ in range(2):
            step()
        found.append([device.to_host(y.to_dense(fill_value=-1)) for y in (q, seen, x)])
    np.testing.assert_array_equal(*found)


@pytest.mark.parametrize("kind", ["push", "pull"])
def test_out_of_memory_changes_nothing(simulator, kind):
    A = Matrix.from_coo(np.arange(N - 1), np.arange(1, N), True, nrows=N, ncols=N)
    q, seen, other = (Vector.from_coo([0], [1], dtype=INT64, size=N) for _ in range(3))
    step = fuse(*statements(A, q, seen, other, kind))
    step()
    before = [dense(x) for x in (q, seen, other)]
    simulator.limit = 0
    with pytest.raises(errors.OutOfDeviceMemory):
        step(), step(), step()
    simulator.limit = None
    after = [dense(x) for x in (q, seen, other)]
    assert all(map(np.array_equal, before, after)) or after[0].max() == 1
    step()
    assert seen.nvals == other.nvals == 1 + max(np.flatnonzero(dense(q) == 1))


def test_a_trace_names_direction_and_kernel(simulator):
    for G, direction in ((gl.generate.path(60), "push"), (gl.generate.complete(60), "pull")):
        H = G.to("cuda").cache("AT", "out_degree")
        with gl.trace() as steps:
            gl.bfs_levels(H, 0)
        found = [step for step in steps if step.direction]
        assert direction in [step.direction for step in found]
        assert all(f"traversal_{step.direction}" in step.kernel for step in found)


@pytest.mark.parametrize("dtype", [BOOL, INT32])
def test_a_list_of_few_entries(machine, dtype):
    """A bitmap becomes an unordered list; sorted output is still sorted."""
    n = 20_000
    where = np.flatnonzero(np.random.default_rng(5).random(n) < 0.005)
    v = Vector.from_coo(where, np.ones(where.size), dtype=dtype, size=n)
    set_storage_hint(v, form="bitmap")
    set_storage_hint(v, form="sparse")
    assert v.nvals == where.size
    np.testing.assert_array_equal(device.to_host(v.to_coo()[0]), where)


any_pair = semiring.any_pair[BOOL]


def search(G, source, dtype=INT64, pulled=any_pair):
    """Return what a search from a vertex is made of, before its first level."""
    level, q, depth = G.vector(dtype), G.vector(BOOL), G.scalar(dtype)
    set_storage_hint(level, form="bitmap")
    level[source] = 0
    q[source] = True
    direction, discover = DirectionOptimizer(G, q), q(~level.S, replace=True)
    second = binary.second[dtype]
    deeper = level(second), q.apply(second, right=depth)
    push = fuse((discover, q.vxm(G.A, any_pair)), deeper)
    pull = fuse((discover, G.AT.mxv(q, pulled)), deeper)
    return direction, push, pull, level, depth


def test_out_of_memory_loses_no_result_slot(simulator):
    G = gl.generate.path(300).to("cuda")
    for push_first in (True, False):
        direction, push, pull, level, depth = search(G, 0)
        step, other = (push, pull) if push_first else (pull, push)
        for _ in range(20):
            buffer_pool.clear()
            gl.cuda.clear_workspaces()
            simulator.limit = 0
            with pytest.raises(OutOfDeviceMemory):
                step.run_levels(push_first, direction.state, depth, 10, other)
            simulator.limit = None
        assert (level.nvals, depth.value) == (1, 0)
        assert direction.traverse(push, pull, depth)
        assert level.nvals == 300
    assert all(slot.words[slot.first + 1] != PENDING for slot in simulator.free_slots)


def test_buffers_that_were_prepared_for_a_pull_are_released(simulator, monkeypatch):
    """A push that continues in another launch holds no buffers of a pull."""
    H = gl.generate.path(60).to("cuda").cache("AT", "out_degree", "max_out_degree")
    direction, push, pull, _, depth = search(H, 0)
    monkeypatch.setattr(traversal, "MAX_LEVELS", 5)
    allocate, held = PushTraversal.allocate_buffers, []

    def watched(plan):
        held.append([cached.run.prepared_buffers for cached in pull.plans.values()])
        return allocate(plan)

    monkeypatch.setattr(PushTraversal, "allocate_buffers", watched)
    assert direction.traverse(push, pull, depth)
    assert len(held) == 12
    assert held[-1] == [None]


@pytest.mark.parametrize("push_first", [False, True])
def test_out_of_memory_while_a_search_is_planned(simulator, push_first):
    H = gl.generate.path(300).to("cuda").cache("AT", "out_degree", "max_out_degree")
    direction, push, pull, level, depth = search(H, 0)
    step, other = (push, pull) if push_first else (pull, push)
    simulator.limit = 0
    with pytest.raises(OutOfDeviceMemory, match=r"vxm|mxv"):
        step.run_levels(push_first, direction.state, depth, 10, other)
    simulator.limit = None
    assert direction.traverse(push, pull, depth)
    assert level.nvals == 300


@pytest.mark.parametrize("G", [gl.generate.star(400), gl.generate.path(50)])
def test_a_plan_made_beforehand_does_not_end_a_search(simulator, monkeypatch, G):
    H = G.to("cuda").cache("AT", "out_degree", "max_out_degree", "is_symmetric")
    direction, push, pull, level, depth = search(H, 0)
    monkeypatch.setattr(direction, "push", False)  # a pull first: the push is planned while it runs
    longest, calls = vars(CSR)["max_row_length"], []

    def ended(A):
        if not calls:
            calls.append(A)
            raise simulator.out_of_memory(1, 1)
        return longest.func(A)

    monkeypatch.setattr(CSR, "max_row_length", property(ended))
    direction.traverse(push, pull, depth)
    assert calls
    np.testing.assert_array_equal(device.to_host(level.to_dense()), gl.bfs_levels(G, 0).to_dense())


@pytest.mark.parametrize("single", [False, True])
def test_a_depth_that_its_type_does_not_hold(simulator, single):
    """The levels before it are written, as by single steps."""
    H = gl.generate.path(300).to("cuda")
    direction, push, pull, level, depth = search(H, 0, INT8)
    with pytest.raises(InvalidValue, match="128"):
        direction.traverse(push, pull, depth, on_level=(lambda size: None) if single else None)
    assert depth.value == 127
    np.testing.assert_array_equal(device.to_host(level.to_coo()[1]), np.arange(128))


def test_steps_of_two_kinds(simulator):
    """A pull that is not a traversal step is computed statement by statement."""
    G = gl.generate.kronecker(7, seed=1)
    for push_first in (True, False):
        direction, push, pull, level, depth = search(
            G.to("cuda"), 0, pulled=semiring.lor_land[BOOL]
        )
        direction.push = push_first
        assert direction.traverse(push, pull, depth)
        want = gl.bfs_levels(G, 0).to_dense(fill_value=-1)
        np.testing.assert_array_equal(device.to_host(level.to_dense(fill_value=-1)), want)
