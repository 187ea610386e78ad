"""Fused chains of statements: few kernels, and the results of running them one by one."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from graphblas import binary, select, semiring, unary

import graphla as gl
from graphla.cuda import Vector, to_graphblas
from graphla.cuda.fused import list_chain as sequences
from graphla.cuda.runtime.device import device
from graphla.errors import DimensionMismatch, DomainMismatch, OutOfDeviceMemory
from graphla.execution import hints
from tests.cuda.distance_search import Search, graph, same
from tests.cuda.launching import launches
from tests.graphs import random_graph
from tests.native.cuda.simulated_devices import use_machine

MACHINES = ["one thread", "blocks", "interleaved"]
TYPES = ["INT32", "UINT32", "INT64", "FP32", "FP64", "INT8"]


@pytest.mark.parametrize(
    ("machine", "T"),
    [*product(["one thread"], TYPES), *product(MACHINES[1:], ["UINT32", "FP64"])],
)
def test_step_by_step(monkeypatch, machine, T):
    use_machine(machine, monkeypatch)
    G = graph(T)
    ours, theirs = Search(G.to("cuda"), T, 15), Search(G, T, 15)
    run, plain = (hints.fuse(*x.statements) for x in (ours, theirs))
    for times in (1, 1, 2, 0, 1, 3):
        run(times, 0)
        plain(times, 0)
        assert same(ours, theirs)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("T", ["INT32", "FP64"])
@pytest.mark.parametrize("most", [1, 5, 60])
def test_it_goes_on_while_there_are_few(monkeypatch, machine, T, most):
    use_machine(machine, monkeypatch)
    G = graph(T)
    ours, theirs = Search(G.to("cuda"), T, 40), Search(G, T, 40)
    run, plain = (hints.fuse(*x.statements) for x in (ours, theirs))
    run(1, 0)
    plain(1, 0)
    while size := ours.near.nvals:
        assert size == theirs.near.nvals
        kernels = launches(lambda: run(1, most))
        assert kernels[-1] == ("fused_list_loop" if size <= most else "fused_list")
        plain(1, 0)
        while size <= most and 1 <= theirs.near.nvals <= most:
            plain(1, 0)
        assert same(ours, theirs)
    assert theirs.near.nvals == 0


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("times", [2, 5, 40])
def test_it_continues_while_the_list_is_short(monkeypatch, machine, times):
    """After `times` steps it continues while the list has 1 to `most` entries."""
    use_machine(machine, monkeypatch)
    G = graph("INT32")
    for most in (1, 3, 99):
        ours, theirs = Search(G.to("cuda"), "INT32", 12), Search(G, "INT32", 12)
        run, plain = (hints.fuse(*x.statements) for x in (ours, theirs))
        run(1, 0)
        plain(1, 0)
        hints.set_storage_hint(ours.near, theirs.near, form="sparse")
        assert ours.near.nvals == theirs.near.nvals <= 3
        run(times, most)
        plain(times, 0)
        while times < 40 and 1 <= theirs.near.nvals <= most:
            plain(1, 0)
        assert same(ours, theirs)


def test_it_stops_after_some_steps(monkeypatch):
    """One launch runs at most MAX_STEPS steps, so that Python can be interrupted."""
    monkeypatch.setattr(sequences, "MAX_STEPS", 3)
    G = gl.generate.path(30, weights=(1, 3))
    ours, theirs = Search(G.to("cuda"), "INT32", 99), Search(G, "INT32", 99)
    run, plain = (hints.fuse(*x.statements) for x in (ours, theirs))
    run(1, 0)
    plain(1, 0)
    for _ in range(4):
        assert ours.near.nvals == 1
        run(2, 9)
        plain(3, 0)
        assert same(ours, theirs)


def test_long_rows_are_pushed_before(monkeypatch):
    """A star and a path behind it: units of the long row, then the statements."""
    leaves = np.arange(1, 400)
    G = gl.Graph.from_edges(
        np.append(np.zeros(399, int), leaves[:-1]), np.append(leaves, leaves[1:]),
        np.append(np.full(399, 7, np.int32), np.ones(398, np.int32)),
    )  # fmt: skip
    ours, theirs = Search(G.to("cuda"), "INT32", 99, 1), Search(G, "INT32", 99, 1)
    for x in (ours, theirs):
        x.near[0] = 0
    run, plain = (hints.fuse(*x.statements) for x in (ours, theirs))
    for times in (1, 2):
        assert "fused_list_loop" not in launches(lambda times=times: run(times, 10**6))
        plain(times, 0)
        assert same(ours, theirs)


def variants(x, T):
    """Return statements after a product, of other kinds."""
    r, d = x.r, x.d
    less, kept = (x.better, r.ewise_mult(d, binary.lt[T])), r.select(select.valuegt[T], 3)
    yield [(x.better, d.ewise_mult(r, binary.gt[T])), (x.near(~x.better.V, replace=True), kept)]
    yield [less, (x.far(x.better.S, replace=True), kept), (x.near, kept)]
    yield [(x.far, r.apply(binary.plus[T], right=2)), (d(binary.max[T]), x.far.apply(unary.abs[T]))]
    yield [(x.far, r.apply(binary.minus[T], left=50)), (x.near(~x.far.S, replace=True), kept)]
    near, more = x.near(x.better.V, replace=True), d(x.better.V, binary.times[T])
    yield [(d(binary.plus[T]), r.ewise_mult(d, binary.min[T])), less, (near, kept), (more, kept)]
    yield [(x.near(d.S, replace=True), kept), (x.far, r.ewise_mult(d, binary.first[T]))]
    yield [(x.near(~d.V, replace=True), kept), (d(d.V, binary.second[T]), kept)]


@pytest.mark.parametrize("machine", MACHINES[:2])
@pytest.mark.parametrize("k", range(7))
def test_statements_of_all_kinds(monkeypatch, machine, k):
    use_machine(machine, monkeypatch)
    G, T = graph("INT32"), "INT32"
    both = [Search(H, T, 15) for H in (G.to("cuda"), G)]
    runs = []
    for x in both:
        x.near[3] = x.near[17] = x.d[20] = 5
        runs.append(hints.fuse(x.statements[0], *list(variants(x, T))[k]))
    for times in (1, 1, 2, 1, 5):
        kernels = launches(lambda times=times: runs[0](times, 0))
        runs[1](times, 0)
        assert same(*both)
        assert times == 1 or {"fused_list", "fused_list_loop"} & set(kernels)


def test_a_bitmap_may_gain_entries():
    G, T = graph("INT32"), "INT32"
    both = [Search(H, T, 15) for H in (G.to("cuda"), G)]
    for x in both:
        hints.set_storage_hint(x.far, form="bitmap")
        x.far[7] = 3
        run = hints.fuse(*x.statements, (x.far(binary.plus[T]), x.r.apply(unary.ainv[T])))
        for _ in range(4):
            run(1, 0)
    assert same(*both)


def refused(x, G, T):
    """Return what is done statement by statement."""
    first, less, near, lower = x.statements
    yield [first, less]
    yield [first, less, near, (x.d, x.d.apply(unary.identity[T]))]
    yield [first, less, (x.r, x.r.select(select.valuele[T], 9)), lower]
    yield [first, less, near, (x.d(binary.min[T]), x.near.apply(unary.identity[T]))]
    yield [first, less, (x.far, x.r.ewise_add(x.d, binary.min[T]))]
    yield [(x.r(x.better.S), first[1]), less, near, lower]
    yield [(x.far, G.A.mxv(x.d, semiring.min_plus[T])), less, near, lower]
    yield [first, less, (x.better, x.r.apply(unary.one[T])), lower]


@pytest.mark.parametrize("k", range(8))
def test_other_statements_run_one_by_one(k):
    G, T = graph("INT32"), "INT32"
    both = []
    for H in (G.to("cuda"), G):
        x = Search(H, T, 15)
        run = hints.fuse(*list(refused(x, H, T))[k])
        for _ in range(3):
            kernels = launches(lambda run=run: run(1, 99))
        both.append(x)
        if H.engine == "cuda":
            assert not {"fused_list", "fused_list_loop"} & set(kernels)
    assert same(*both)


def test_forms_and_rows_may_change():
    G, other, T = graph("INT32"), random_graph(60, 200, dtype="int32", high=5, seed=4), "INT32"
    both = [Search(H, T, 30) for H in (G.to("cuda"), G)]
    graphs = [G.to("cuda"), G], [other.to("cuda"), other]
    matrices = [H.A.dup() for H in graphs[0]]
    runs = []
    for x, A in zip(both, matrices, strict=True):
        product = x.near.vxm(A, semiring.min_plus[T])
        runs.append(hints.fuse((x.r, product), *x.statements[1:]))
    for form in ("sparse", "bitmap", "sparse", "sparse"):
        for x, run in zip(both, runs, strict=True):
            hints.set_storage_hint(x.near, x.r, x.better, form=form)
            run(2, 0)
        assert same(*both)
    for A, H in zip(matrices, graphs[1], strict=True):
        A << H.A
    for x, run in zip(both, runs, strict=True):
        x.near[0] = 0
        run(3, 0)
    assert same(*both)


def test_scalars_and_vectors_may_be_assigned():
    """Statements of a chain may assign a Vector or a scalar, without an operation."""
    G, T = graph("INT32"), "INT32"
    both = [Search(H, T, 15) for H in (G.to("cuda"), G)]
    for x in both:
        hints.set_storage_hint(x.far, form="bitmap")
        hints.fuse(x.statements[0], (x.far(x.r.S), 5), (x.near, x.r))(2, 0)
    assert same(*both)
    for x, H in zip(both, (G.to("cuda"), G), strict=True):
        pair = x.better, x.near.vxm(H.A, semiring.any_pair["BOOL"])
        hints.fuse(pair, (x.far(x.better.S), 4))(2, 0)
    assert same(*both)


def test_wrong_statements_are_refused():
    H = graph("INT32").to("cuda")
    x = Search(H, "INT32", 15)
    with pytest.raises(DomainMismatch):
        hints.fuse(*x.statements[:2], (x.near(mask=x.r), x.r.select("==", 1)))
    with pytest.raises(DimensionMismatch):
        hints.fuse((Vector("INT32", 5), x.statements[0][1]), *x.statements[1:])(1, 0)


def test_traces_record_each_statement():
    x = Search(graph("INT32").to("cuda"), "INT32", 40)
    run = hints.fuse(*x.statements)
    run(2, 0)
    with gl.trace() as steps:
        run(1, 99)
    assert [step.operation for step in steps] == ["vxm", "eWiseMult", "select", "apply"]


def test_one_kernel_for_all_steps_of_a_bucket():
    """On a grid one kernel runs all steps of a bucket."""
    G = gl.generate.grid(20, 20, weights=(1, 9))
    H = G.to("cuda")
    kernels = launches(lambda: gl.sssp_distances(H, 0))
    assert kernels.count("fused_list_loop") == 1
    assert kernels.count("spmspv") <= 4
    assert to_graphblas(gl.sssp_distances(H, 0)).isequal(gl.sssp_distances(G, 0))


def test_no_times_are_none():
    both = [Search(H, "INT32", 15) for H in (graph("INT32").to("cuda"), graph("INT32"))]
    for x in both:
        hints.fuse(*x.statements)(0, 9)
    assert same(*both)


def test_out_of_memory_leaves_the_outputs(monkeypatch):
    if device.name == "cuda" and not hasattr(device.active, "limit"):
        pytest.skip("the memory of a real device is not limited here")
    x = Search(graph("INT32").to("cuda"), "INT32", 40)
    run = hints.fuse(*x.statements)
    run(2, 0)
    stores = [v._store for v in x.vectors()]

    def fail(*arguments):
        raise device.out_of_memory("out of memory")

    monkeypatch.setattr(sequences.Sparse, "allocate", fail)
    with pytest.raises(OutOfDeviceMemory):
        run(1, 0)
    assert [v._store for v in x.vectors()] == stores


@pytest.mark.parametrize("allocations", range(1, 7))
def test_out_of_memory_between_steps_leaves_whole_steps(monkeypatch, allocations):
    """A step's in-place writes and its new lists take effect together."""
    if device.name == "cuda" and not hasattr(device.active, "limit"):
        pytest.skip("the memory of a real device is not limited here")
    G = graph("INT32")
    both = [Search(H, "INT32", 40) for H in (G.to("cuda"), G)]
    run, plain = (hints.fuse(*x.statements) for x in both)
    run(1, 0)
    plain(1, 0)
    allocate, left = sequences.Sparse.allocate, [allocations]

    def fail(*arguments):
        left[0] -= 1
        if left[0] < 0:
            raise device.out_of_memory("out of memory")
        return allocate(*arguments)

    monkeypatch.setattr(sequences.Sparse, "allocate", fail)
    with pytest.raises(OutOfDeviceMemory):
        run(4, 0)
    plain(allocations // 2, 0)  # each step allocates two lists
    assert same(*both)


def test_plans_are_bounded():
    """Plans are bounded: each keeps the rows of its matrix in memory, replaced ones too."""
    x, plans = Search(graph("INT32").to("cuda"), "INT32", 40), set()
    run = hints.fuse(*x.statements)
    for _ in range(20):
        x.far.resize(60)
        run(1, 0)
        plans.add(len(run.plans))
    assert max(plans) <= 8
