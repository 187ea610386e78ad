"""The trace of engine cuda: each update once, with its kernels and its direction."""

import re
import threading

import numpy as np
import pytest
from graphblas import monoid, semiring

import graphla as gl
from graphla.cuda import Matrix, Vector
from graphla.cuda.runtime.device import device
from tests.core.test_tracing import trace_updates
from tests.graphs import random_graph


def test_masks_operands_and_scalars():
    steps = trace_updates(Vector)
    assert [s.operation for s in steps] == ["assign", "apply", "eWiseMult", "reduce"]
    assert [s.nnz_in for s in steps] == [(), (3,), (3, 5), (3,)]
    assert [s.kernel.split()[0] for s in steps[2:]] == ["times[INT64]", "plus[INT64]"]
    assert steps[3].kernel == "plus[INT64] reduce"
    assert all(s.seconds > 0 and s.direction == "" for s in steps)


def test_direction_is_what_was_chosen():
    A = Matrix.from_coo([0, 1], [1, 2], [True, True], nrows=3, ncols=3)
    q, full = Vector.from_coo([0], [True], size=3), Vector.from_dense(np.ones(3, bool))
    op = semiring.any_pair[bool]
    with gl.trace() as steps:
        q.vxm(A, op).new(mask=~q.S)
        A.mxv(full, op).new()
        A.mxm(A, op).new()
    assert [(s.operation, s.direction, s.mask) for s in steps[:2]] == [
        ("vxm", "push", "~S"),
        ("mxv", "pull", ""),
    ]
    assert [s.nnz_in for s in steps] == [(2, 1), (2, 3), (2, 2)]
    assert re.match(r"any_pair\[BOOL\] .*\bspmspv\b", steps[0].kernel)
    assert re.match(r"any_pair\[BOOL\] .*\bspmv_pull\b", steps[1].kernel)


def test_a_search_is_recorded_level_by_level_as_on_the_cpu():
    G = random_graph(300, 2000, kind="undirected", seed=1)
    traces = {}
    for H in (G, G.to("cuda")):
        H.cache("AT", "out_degree", "max_out_degree")
        with gl.trace() as traces[H.engine]:
            gl.bfs_levels(H, 0)
    products = [
        [(s.operation, s.direction, s.mask, s.nnz_out) for s in traces[e] if s.mask == "~S"]
        for e in ("cpu", "cuda")
    ]
    assert products[0] == products[1]


def test_assignment_and_reductions_of_rows():
    v, A = Vector.from_coo([0], [1.0], size=4), Matrix.from_dense(np.ones((2, 4)))
    with gl.trace() as steps:
        v[1:3] << 5
        v[1:3](v[1:3].new().S) << 6
        A.reduce_rowwise(monoid.plus).new()
        v[[0, 2]].new()
    assert [s.operation for s in steps] == ["assign", "extract", "subassign", "reduce", "extract"]
    assert [s.nnz_out for s in steps] == [3, 2, 3, 2, 2]


def test_copies_and_single_elements_are_not_recorded():
    v = Vector.from_coo([0, 1], [1, 2], size=5)
    w = Vector(int, 5)
    with gl.trace() as steps:
        v.dup()
        w << v
        v[0] = 5
        assert v[0].new().value == 5
    assert steps == []


def test_nothing_is_waited_for_without_a_trace(monkeypatch):
    waits = []
    monkeypatch.setattr(device.active, "synchronise", lambda: waits.append(1), raising=False)
    v = Vector.from_coo([0, 1], [1, 2], size=5)
    v.apply("abs").new()
    assert not waits
    with gl.trace():
        v.apply("abs").new()
    assert len(waits) == 2


def test_traces_nest_end_and_survive_errors():
    v = Vector.from_coo([0], [1], size=2)
    with gl.trace() as outer:
        v.apply("abs").new()
        with gl.trace() as inner:
            v.apply("abs").new()
        with pytest.raises(ValueError):
            v << Vector(int, 3)
    v.apply("abs").new()
    assert (len(outer), len(inner)) == (2, 1)
    assert inner[0] == outer[1]


def test_another_thread_is_not_recorded():
    v = Vector.from_coo([0], [1], size=2)
    with gl.trace() as steps:
        thread = threading.Thread(target=lambda: v.apply("abs").new())
        thread.start()
        thread.join()
    assert steps == []
