"""Checks of arguments: what passes unchanged and what is refused, and how."""

from __future__ import annotations

import numpy as np
import pytest

import graphla as gl
from graphla.core import validation
from graphla.errors import (
    DimensionMismatch,
    DomainMismatch,
    InvalidIndex,
    InvalidValue,
    NegativeWeight,
    OutOfMemory,
    SymmetricStructureRequired,
)
from tests.graphs import edges

G = edges([0, 1], [1, 2], [3.0, 4.0], n=3)


@pytest.mark.parametrize("v", [0, 2, np.int8(1), np.uint64(2), np.array(1)])
def test_vertex(v):
    found = validation.check_vertex(G, v)
    assert type(found) is int
    assert found == v


@pytest.mark.parametrize("v", [-1, 3, 2**70, np.int8(-3)])
def test_vertex_outside_the_graph(v):
    with pytest.raises(InvalidIndex, match=f"root={int(v)} is not a vertex: the graph has n=3"):
        validation.check_vertex(G, v, "root")


@pytest.mark.parametrize("v", [1.0, "1", None, [1], np.array([0, 1])])
def test_vertex_of_another_type(v):
    with pytest.raises(DomainMismatch, match="source must be an integer, not"):
        validation.check_vertex(G, v)


def test_vertices():
    for vs in ([2, 0, 2], (2, 0, 2), np.array([2, 0, 2], "uint8"), iter([2, 0, 2])):
        assert validation.check_vertices(G, vs) == [2, 0, 2]
    assert validation.check_vertices(G, []) == []
    with pytest.raises(InvalidIndex, match="sources=3"):
        validation.check_vertices(G, [0, 3])
    with pytest.raises(DomainMismatch, match="pivots must be an integer, not float"):
        validation.check_vertices(G, [0, 1.5], "pivots")
    with pytest.raises(DomainMismatch, match="sources must be a sequence"):
        validation.check_vertices(G, 1)


def test_symmetric():
    validation.require_symmetric(edges([0], [1], n=3, kind="undirected"), "f")
    validation.require_symmetric(edges([0, 1], [1, 0], n=3), "f")
    with pytest.raises(SymmetricStructureRequired, match=r"f is defined on .* directed .* 3 vert"):
        validation.require_symmetric(G, "f")


def test_no_nan():
    validation.refuse_nan(G, "f")
    validation.refuse_nan(edges([0], [1], n=2), "f")
    with pytest.raises(InvalidValue, match="f: a weight is NaN"):
        validation.refuse_nan(edges([0, 1], [1, 0], [1.0, np.nan], n=2), "f")


def test_nonnegative():
    for weight in (None, [0, 1], [0.0, np.inf]):
        validation.require_nonnegative(edges([0, 1], [1, 0], weight, n=2), "f", "g")
    validation.require_nonnegative(edges([], [], [], n=2), "f", "g")
    with pytest.raises(NegativeWeight, match=r"f needs weights >= 0; the smallest is -2. g takes"):
        validation.require_nonnegative(edges([0, 1], [1, 0], [3, -2], n=2), "f", "g")


def test_between():
    assert validation.check_between(0.85, 0, 1, "damping") == 0.85
    assert validation.check_between(1, 0, 1, "damping") == 1
    for value in (-0.1, 1.1, np.nan, np.inf):
        with pytest.raises(InvalidValue, match=r"damping=.* is not in \[0, 1\]"):
            validation.check_between(value, 0, 1, "damping")
    for value in ("0.5", None, 1j, [0.5]):
        with pytest.raises(DomainMismatch, match="damping must be a real number, not"):
            validation.check_between(value, 0, 1, "damping")


def test_fraction():
    assert validation.check_fraction(0, "damping") == 0
    assert validation.check_fraction(np.float32(0.5), "damping") == 0.5
    for value in (-0.1, 1, np.nan):
        with pytest.raises(InvalidValue, match=r"damping=.* is not in \[0, 1\)"):
            validation.check_fraction(value, "damping")
    with pytest.raises(DomainMismatch, match="damping must be a real number, not str"):
        validation.check_fraction("0.5", "damping")


def test_positive():
    assert validation.check_positive(1e-300, "tol") == 1e-300
    for value in (0, -1, np.nan, np.inf):
        with pytest.raises(InvalidValue, match=r"tol=.* is not a positive number"):
            validation.check_positive(value, "tol")
    with pytest.raises(DomainMismatch, match="tol must be a real number, not NoneType"):
        validation.check_positive(None, "tol")


def test_pairs():
    assert validation.check_pairs(G, [0, 1], np.array([2, 2])) == ([0, 1], [2, 2])
    with pytest.raises(DimensionMismatch, match="src has 2 vertices and dst 1"):
        validation.check_pairs(G, [0, 1], [2])
    with pytest.raises(InvalidIndex, match="dst=3"):
        validation.check_pairs(G, [0], [3])


def test_sums_of_weights():
    validation.require_summable(G, "f")
    validation.require_summable(edges([0], [1], [2**62], n=2), "f")
    for weight in (np.inf, 1e300):
        with pytest.raises(InvalidValue, match=r"f: sums of weights up to .* may be infinite"):
            validation.require_summable(edges([0], [1], [weight], n=2), "f")


@pytest.mark.parametrize(
    ("weight", "dtype", "expected", "infinity"),
    [
        (5, "int8", "INT8", 16),  # 4 * 5 is less than 127; 3 edges and one more
        (50, "int8", "INT64", 151),
        (2**60, "uint64", "UINT64", 3 * 2**60 + 1),
        (1e3, "float32", "FP32", np.inf),
        (-(2**30), "int32", "INT64", 3 * 2**30 + 1),
    ],
)
def test_dtype_of_distances(weight, dtype, expected, infinity):
    H = edges([0], [1], np.array([weight], dtype), n=2)
    assert validation.distance_dtype(H, "f") == (expected, infinity)


def test_distances_that_no_dtype_holds():
    for weight in (np.array([2**62]), np.array([1e38], "float32"), np.array([-np.inf])):
        with pytest.raises(InvalidValue, match="f: paths over n=2 vertices with weights up to"):
            validation.distance_dtype(edges([0], [1], weight, n=2), "f")


def test_total_weight():
    for dtype, name in (("int8", "int64"), ("uint32", "uint64"), ("float32", "float64")):
        assert validation.total_weight_dtype(edges([0], [1], np.ones(1, dtype), n=2), "f") == name
    limit = np.array([2**62])
    assert validation.total_weight_dtype(edges([0], [1], limit, n=2), "f") == "int64"
    with pytest.raises(InvalidValue, match=r"f: 2 edges of weight up to .* may leave int64"):
        validation.total_weight_dtype(edges([0], [1], limit, n=3), "f")


def test_finite_and_not_negative():
    assert validation.check_finite(-2, "alpha") == -2.0
    assert validation.check_not_negative(0, "alpha") == 0.0
    for value in (np.inf, -np.inf, np.nan, 10**400):
        with pytest.raises(InvalidValue, match=r"alpha=.* is not finite"):
            validation.check_finite(value, "alpha")
    with pytest.raises(InvalidValue, match="alpha=-1 is negative"):
        validation.check_not_negative(-1, "alpha")


def test_vectors_and_communities():
    x = G.vector(int)
    assert validation.check_vector(G, x, "start") is x
    for thing in (np.zeros(3), [0, 0, 0], G.A):
        with pytest.raises(DomainMismatch, match="start must be a Vector, not"):
            validation.check_vector(G, thing, "start")
    with pytest.raises(DimensionMismatch, match="start is of length 4, not n=3"):
        validation.check_vector(G, edges([], [], n=4).vector(int), "start")
    x[:] << 0
    assert validation.check_communities(G, x) is x
    with pytest.raises(DomainMismatch, match="community must be of integers, not FP64"):
        validation.check_communities(G, x.dup(dtype=float))
    del x[1]
    with pytest.raises(DimensionMismatch, match="community has 2 entries of 3"):
        validation.check_communities(G, x)


def test_count():
    assert validation.check_count(np.uint8(3), "batch") == 3
    for value in (0, -2):
        with pytest.raises(InvalidValue, match=f"batch={value} is not at least 1"):
            validation.check_count(value, "batch")
    with pytest.raises(DomainMismatch, match="batch must be an integer, not float"):
        validation.check_count(1.0, "batch")


def test_one_of():
    assert validation.check_choice("FP32", ("FP32", "FP64"), "dtype") == "FP32"
    with pytest.raises(InvalidValue, match=r"dtype='INT8' is not one of \('FP32', 'FP64'\)"):
        validation.check_choice("INT8", ("FP32", "FP64"), "dtype")


@pytest.mark.parametrize("thing", [np.eye(3), None, "graph", G.A], ids=lambda x: type(x).__name__)
def test_what_is_no_graph_is_refused(thing):
    for run in (lambda x: gl.bfs(x, 0), gl.pagerank, gl.triangle_count, gl.transitive_closure):
        with pytest.raises(DomainMismatch, match=r"expected a graphla\.Graph"):
            run(thing)


@pytest.mark.parametrize(
    "run",
    [
        lambda G: gl.bfs(G, 0),
        lambda G: gl.bfs_levels(G, 0),
        lambda G: gl.sssp(G, 0),
        lambda G: gl.bellman_ford(G, 0),
        gl.connected_components,
        gl.strongly_connected_components,
        gl.pagerank,
        gl.triangle_count,
        gl.minimum_spanning_forest,
        lambda G: gl.betweenness_centrality(G, [0]),
    ],
)
def test_more_vertices_than_memory_holds_are_refused_before_any_work(run):
    G = gl.Graph.from_edges([0], [1], n=10**15)
    with pytest.raises(OutOfMemory, match=r"n=1,000,000,000,000,000"):
        run(G)
