"""The trace records what ran, and leaves python-graphblas as it found it."""

from __future__ import annotations

import threading

import pytest
from graphblas import Vector, binary, semiring
from graphblas.core import base, matrix, vector

import graphla as gl
from tests.graphs import random_graph


def test_a_search_is_recorded_level_by_level():
    G = random_graph(2000, 12000, kind="undirected", seed=1)
    with gl.trace() as steps:
        level = gl.bfs_levels(G, 0)
    products = [s for s in steps if s.operation in ("vxm", "mxv") and s.mask]
    depth = int(level.reduce(binary.max.monoid).new().value)
    assert len(products) == depth + 1
    assert {(s.operation, s.direction) for s in products} == {("vxm", "push"), ("mxv", "pull")}
    assert all(s.mask == "~S" and s.kernel == "any_pair[BOOL]" for s in products)
    assert sum(s.nnz_out for s in products) == level.nvals - 1
    assert all(s.seconds > 0 for s in steps)
    assert steps.seconds == sum(s.seconds for s in steps)


def trace_updates(Vector):
    """Return the trace of two masked updates, a product and a sum, of Vectors of either engine."""
    v = Vector.from_coo([0, 1, 2], [1, 2, 3], size=5)
    w = Vector(int, 5)
    with gl.trace() as steps:
        w(~v.V) << 7
        w(v.S, binary.plus) << v
        v.ewise_mult(w, binary.times).new()
        total = v.reduce().new()
    assert total.value == 6
    assert [s.mask for s in steps] == ["~V", "S", "", ""]
    assert [s.nnz_out for s in steps] == [2, 5, 3, 1]
    return steps


def test_masks_operands_and_scalars():
    steps = trace_updates(Vector)
    assert [s.operation for s in steps] == ["assign", "assign", "eWiseMult", "reduce"]
    assert steps[2].nnz_in == (3, 5)


def test_traces_nest_and_end():
    v = Vector.from_coo([0], [1], size=2)
    original = base.call
    with gl.trace() as outer:
        v.dup() << v
        with gl.trace() as inner:
            v.dup() << v
    v.dup() << v
    assert (len(outer), len(inner)) == (2, 1)
    assert base.call is vector.call is matrix.call is original


def test_an_error_inside_is_passed_on_and_unhooks():
    original = base.call
    A = random_graph(3, 3).A
    with pytest.raises(Exception, match=r"ncols|nrows|imension"), gl.trace():
        Vector(int, 4).vxm(A, semiring.min_plus).new()
    assert base.call is original


def test_another_thread_is_not_recorded():
    v = Vector.from_coo([0], [1], size=2)
    with gl.trace() as steps:
        thread = threading.Thread(target=lambda: v.dup() << v)
        thread.start()
        thread.join()
    assert steps == []


def test_texts():
    with gl.trace() as steps:
        gl.bfs_levels(random_graph(9, 30), 0)
    text = repr(steps)
    assert text.startswith(f"<Trace: {len(steps)} operations")
    assert "pull ~S" in text  # a search of so small a graph only pulls
    html = steps._repr_html_()
    assert html.count("<tr>") == len(steps) + 1
    assert html.startswith(f"<table><caption>{len(steps)} operations, ")
    last = steps[-1]
    assert html.endswith(
        f"<td>{last.nnz_out}</td><td>{last.seconds * 1e6:,.1f}</td></tr></tbody></table>"
    )
