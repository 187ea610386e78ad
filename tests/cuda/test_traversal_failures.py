"""Searches whose levels share a kernel: what they leave behind where something ends them."""

from __future__ import annotations

import numpy as np
import pytest
from graphblas import binary, semiring
from graphblas.dtypes import BOOL, INT8, INT64

import graphla as gl
from graphla.cuda.fused import traversal
from graphla.cuda.fused.traversal import PushTraversal
from graphla.cuda.memory import buffer_pool
from graphla.cuda.runtime.device import device
from graphla.cuda.runtime.kernel import PENDING
from graphla.cuda.storage.csr import CSR
from graphla.errors import InvalidValue, OutOfDeviceMemory
from graphla.execution.hints import fuse, set_storage_hint
from graphla.execution.push_pull import DirectionOptimizer
from tests.cuda.simulator import Simulator

any_pair = semiring.any_pair[BOOL]


@pytest.fixture
def simulator(monkeypatch):
    found = Simulator()
    monkeypatch.setattr(device, "active", found)
    return found


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


def test_no_place_is_lost_where_memory_ends(simulator):
    G = gl.generate.path(300).to("cuda")
    for way in (1, 0):
        direction, push, pull, level, depth = search(G, 0)
        step, other = (push, pull) if way else (pull, push)
        for _ in range(20):
            buffer_pool.clear()
            gl.cuda.clear_workspaces()
            simulator.limit = 0
            with pytest.raises(OutOfDeviceMemory):
                step.run_levels(bool(way), direction.state, depth, 10, other)
            simulator.limit = None
        assert (level.nvals, depth.value) == (1, 0)
        assert direction.traverse(push, pull, depth)
        assert level.nvals == 300
    assert all(slot.words[slot.first + 1] != PENDING for slot in simulator.free_slots)


def test_room_that_was_prepared_in_vain_is_given_up(simulator, monkeypatch):
    """A push that goes on as another has no room of a pull beside it."""
    H = gl.generate.path(60).to("cuda").cache("AT", "out_degree", "max_out_degree")
    direction, push, pull, _, depth = search(H, 0)
    monkeypatch.setattr(traversal, "MAX_LEVELS", 5)
    rooms, held = PushTraversal.allocate_buffers, []

    def watched(way):
        held.append([plan.run.prepared_buffers for plan in pull.plans.values()])
        return rooms(way)

    monkeypatch.setattr(PushTraversal, "allocate_buffers", watched)
    assert direction.traverse(push, pull, depth)
    assert len(held) == 12
    assert held[-1] == [None]


@pytest.mark.parametrize("way", [0, 1])
def test_memory_ends_while_a_search_is_planned(simulator, way):
    H = gl.generate.path(300).to("cuda").cache("AT", "out_degree", "max_out_degree")
    direction, push, pull, level, depth = search(H, 0)
    step, other = (push, pull) if way else (pull, push)
    simulator.limit = 0
    with pytest.raises(OutOfDeviceMemory, match=r"vxm|mxv"):
        step.run_levels(bool(way), direction.state, depth, 10, other)
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
    """Levels before it are written, as one by one."""
    H = gl.generate.path(300).to("cuda")
    direction, push, pull, level, depth = search(H, 0, INT8)
    with pytest.raises(InvalidValue, match="128"):
        direction.traverse(push, pull, depth, on_level=(lambda size: None) if single else None)
    assert depth.value == 127
    np.testing.assert_array_equal(device.to_host(level.to_coo()[1]), np.arange(128))


def test_steps_of_two_kinds(simulator):
    """A pull that is no step of a search: it is computed one by one."""
    G = gl.generate.kronecker(7, seed=1)
    for push_first in (True, False):
        direction, push, pull, level, depth = search(
            G.to("cuda"), 0, pulled=semiring.lor_land[BOOL]
        )
        direction.push = push_first
        assert direction.traverse(push, pull, depth)
        want = gl.bfs_levels(G, 0).to_dense(fill_value=-1)
        np.testing.assert_array_equal(device.to_host(level.to_dense(fill_value=-1)), want)
