"""Statements in a sequence where device memory ends, and how much they keep."""

from __future__ import annotations

import pytest

from graphla.cuda.fused import list_chain as sequences
from graphla.cuda.runtime.device import device
from graphla.errors import OutOfDeviceMemory
from graphla.execution import hints
from tests.cuda.distance_search import Search, graph, same


def test_memory_that_ends_leaves_the_outputs(monkeypatch):
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


@pytest.mark.parametrize("rooms", range(1, 7))
def test_memory_that_ends_between_steps_leaves_whole_steps(monkeypatch, rooms):
    """What a step has written in place goes with the lists that it made."""
    if device.name == "cuda" and not hasattr(device.active, "limit"):
        pytest.skip("the memory of a real device is not limited here")
    G = graph("INT32")
    both = [Search(H, "INT32", 40) for H in (G.to("cuda"), G)]
    run, plain = (hints.fuse(*x.statements) for x in both)
    run(1, 0)
    plain(1, 0)
    room, left = sequences.Sparse.allocate, [rooms]

    def fail(*arguments):
        left[0] -= 1
        if left[0] < 0:
            raise device.out_of_memory("out of memory")
        return room(*arguments)

    monkeypatch.setattr(sequences.Sparse, "allocate", fail)
    with pytest.raises(OutOfDeviceMemory):
        run(4, 0)
    plain(rooms // 2, 0)  # there are two lists in a step
    assert same(*both)


def test_plans_are_few():
    """Those of matrices that were replaced hold their rows."""
    x, plans = Search(graph("INT32").to("cuda"), "INT32", 40), set()
    run = hints.fuse(*x.statements)
    for _ in range(20):
        x.far.resize(60)
        run(1, 0)
        plans.add(len(run.plans))
    assert max(plans) <= 8
