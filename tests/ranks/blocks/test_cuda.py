"""The same statements and algorithms on blocks of the CUDA engine, as on python-graphblas's."""

from __future__ import annotations

import graphblas as gb
import numpy as np
import pytest
from graphblas import semiring
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.cuda import to_graphblas
from graphla.cuda.device_arrays import vector_from_list
from graphla.cuda.runtime.device import device
from graphla.errors import OutOfDeviceMemory
from graphla.ranks import Matrix
from graphla.ranks.blocks.cuda import CUDABlocks
from graphla.ranks.collectives.gather import gather_vector
from tests.algorithm_calls import algorithms, tiny
from tests.ranks.distributed_objects import layout_of
from tests.ranks.test_every_algorithm import MANY_STATEMENTS, check
from tests.ranks.test_every_update import OPERATIONS, check_repeated, check_update
from tests.strategies import examples

QUICK_OPERATIONS = ("apply right", "select row", "mxv", "vxm", "mxm pair", "extract", "reduce rows")
QUICK_ALGORITHMS = ("bfs", "pagerank", "sssp_distances", "connected_components", "triangle_count")


@pytest.mark.parametrize("name", QUICK_OPERATIONS)
@examples(2)
@given(data=st.data())
def test_update(name, data):
    check_update(name, data, "cuda")


@pytest.mark.parametrize("name", ["apply right", "ewise_mult"])
@examples(3)
@given(data=st.data())
def test_an_expression_is_evaluated_again(name, data):
    check_repeated(name, data, "cuda")


@pytest.mark.thorough
@pytest.mark.parametrize("name", OPERATIONS)
@examples(20)
@given(data=st.data())
def test_many_updates(name, data):
    check_update(name, data, "cuda")


@pytest.mark.parametrize("name", QUICK_ALGORITHMS)
def test_two_ranks(name):
    check(name, tiny("undirected"), 2, "cuda")


def test_rows_of_much_work_are_shared():
    """The rows of the product stay where they were computed: two exchanges, for its operands."""
    G = gl.generate.kronecker(8, seed=1)

    def run(member):
        H = member.distribute(G)
        with gl.trace() as steps:
            found = gl.triangle_count(H)
        return found, [s.kernel for s in steps if s.operation == "alltoall"]

    # of each the lengths of the rows, and their entries
    moved = ["extract"] * 2 + ["redistribute"] * 2
    expected = gl.triangle_count(G), moved
    assert gl.ranks.in_process(3, run, engine="cuda", check_calls=True) == [expected] * 3


@pytest.mark.parametrize("has_room", [True, False])
def test_pushes_over_a_symmetric_matrix(has_room, monkeypatch):
    """Where there is memory for both blocks, the frontier is gathered; else results are sent."""
    G = gl.generate.kronecker(9, seed=1, weights=(1, 255))
    source = int(G.out_degree.apply("one").new().to_coo()[0][0])

    def run(member):
        A = member.distribute(G).A
        member.communicator.sum("wait", 1)  # until all have distributed the graph
        if not has_room:
            monkeypatch.setattr(CUDABlocks, "available_memory", lambda _: 0)
        w = gl.ranks.Vector(A.layout, A.dtype, G.n)
        w[source] = 1
        with gl.trace() as steps:
            for _ in range(2):
                w << w.vxm(A, semiring.min_plus)
        kinds = {s.operation for s in steps if s.operation.startswith("all")}
        return to_graphblas(w.gathered()), kinds

    expected = gb.Vector(G.dtype, G.n)
    expected[source] = 1
    for _ in range(2):
        expected << expected.vxm(G.A, semiring.min_plus)
    for found, kinds in gl.ranks.in_process(3, run, engine="cuda", check_calls=True):
        assert found.isequal(expected)
        assert kinds == {"allgather" if has_room else "alltoall"}


def test_the_second_block_is_released_if_one_rank_has_no_memory(monkeypatch):
    G = gl.generate.kronecker(8, seed=1)

    original = Matrix.local_if_it_fits
    monkeypatch.setattr(
        Matrix,
        "local_if_it_fits",
        lambda A, axis: None if A.layout.communicator.rank else original(A, axis),
    )

    def both(member):
        A = member.distribute(G).A
        found = A._make_both_blocks(), [block is None for block in A._blocks]
        made = member.distribute(G).A
        made.local(1)
        return found, made._make_both_blocks()

    assert gl.ranks.in_process(2, both, engine="cuda") == [((False, [False, True]), True)] * 2


def test_lists_in_any_order_are_gathered():
    """A list stays as the device has it; if that of one rank does not ascend, none claims to."""
    n = 4000

    def run(member):
        first, last = member.communicator.rank * n // 2, (member.communicator.rank + 1) * n // 2
        v = gl.ranks.Vector(layout_of(member), "INT64", n)
        keys = np.array([0, 7, last - 1 - first] if member.rank else [7, 0, last - 1 - first])
        v.block = vector_from_list(
            device.xp.asarray(keys.astype(np.int32)), device.xp.asarray(keys), v.dtype, n // 2,
            ascending=bool(member.rank),
        )  # fmt: skip
        found = gather_vector(v, "gather")
        return to_graphblas(found), found._store.sorted

    expected = gb.Vector.from_coo([0, 7, 1999, 2000, 2007, 3999], [0, 7, 1999] * 2, size=n)
    for found, is_sorted in gl.ranks.in_process(2, run, engine="cuda"):
        assert found.isequal(expected)
        assert not is_sorted


@pytest.mark.parametrize("error", [None, OutOfDeviceMemory("a block", needed=160, free=7)])
def test_no_memory_on_one_rank(error):
    """All ranks raise OutOfDeviceMemory, once, from calls within calls; the next one works."""

    def fail():
        raise error or device.out_of_memory()

    def run(member):
        communicator = member.communicator

        def inner():
            communicator.guarded("inner", fail if member.rank == 1 else lambda: None)
            communicator.sum("nvals", 1)

        with pytest.raises(OutOfDeviceMemory) as caught:
            communicator.guarded("outer", inner)
        assert error is None or str(caught.value) == str(error)
        return communicator.sum("nvals", 1)

    assert gl.ranks.in_process(3, run, engine="cuda") == [3] * 3


def test_a_symmetric_matrix_is_stored_twice():
    """The block of columns is that of rows, transposed; each is the other's cached transpose."""
    G = gl.generate.kronecker(8, seed=1)

    def run(member):
        A = member.distribute(G).A
        rows, columns = A.local(0)._store, A.local(1)._store
        return rows.transposed() is columns and columns.transposed() is rows

    assert gl.ranks.in_process(2, run, engine="cuda") == [True] * 2


def test_components_of_short_paths():
    """Partial results of a push go to their owners as lists in any order, and are added there."""
    hub, far = np.arange(1, 600), np.random.default_rng(1).permutation(np.arange(600, 9000))
    paths = far[:60].reshape(12, 5)  # of vertices that different ranks own
    sources = np.concatenate([hub * 0, paths[:, :-1].ravel()])
    targets = np.concatenate([hub, paths[:, 1:].ravel()])
    G = gl.Graph.from_edges(sources, targets, n=9000, kind="undirected")
    check("connected_components", G, 3, "cuda")


@pytest.mark.thorough
@pytest.mark.parametrize("ranks", [1, 2, 3])
@pytest.mark.parametrize("kind", ["directed", "undirected"])
@pytest.mark.parametrize("name", sorted(set(algorithms()) - MANY_STATEMENTS))
def test_every_algorithm(name, kind, ranks):
    check(name, tiny(kind), ranks, "cuda")
