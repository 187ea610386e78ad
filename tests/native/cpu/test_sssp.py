"""Native shortest paths against the algebra and verify, and their races."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.errors import InvalidValue, NegativeWeight
from graphla.native.cpu import sssp
from tests.every_graph import on_atlas, on_edge_cases
from tests.graphs import DTYPES, edges, random_graph
from tests.native.threads import COUNTS, RUNS, compiled, threads
from tests.strategies import float_weights, graphs, small_weights


def check(G, source=0, delta=None):
    r = gl.native.sssp(G, source, delta=delta)
    distance = gl.sssp_distances(G, source)
    assert r.distance.isequal(distance, check_dtype=True)
    assert gl.native.sssp_distances(G, source, delta=delta).isequal(distance, check_dtype=True)
    gl.verify.sssp(G, source, r.distance, r.parent)


test_edge_cases = on_edge_cases(check, empty=False)


test_atlas = on_atlas(check, empty=False)


@pytest.mark.thorough
@pytest.mark.parametrize("dtype", DTYPES)
def test_dtypes(dtype):
    check(random_graph(60, 300, dtype=dtype))
    check(random_graph(12, 30, dtype=dtype, high=9))  # narrow distances of narrow weights


@given(graphs(max_n=30, max_m=90, weights=small_weights | float_weights), st.data())
def test_random_graphs(G, data):
    source = data.draw(st.integers(0, G.n - 1))
    check(G, source, data.draw(st.sampled_from([None, 1e-3, 1.0, 7.5, 1e9])))


@pytest.mark.parametrize("dtype", ["int32", "float64"])
def test_edges_that_add_nothing_close_no_cycle(dtype):
    """All weights 0, and weights that vanish beside the distance: parents still form a tree."""
    G = random_graph(200, 800, dtype=dtype, kind="undirected")
    csr = G.csr
    src = np.repeat(np.arange(G.n), np.diff(csr.indptr))
    check(edges(src, csr.indices, np.zeros(src.size, dtype), n=G.n))
    if dtype == "float64":
        src, dst = np.append(src, G.n), np.append(csr.indices, 0)
        weight = np.append(np.full(src.size - 1, 1e-9), 1e20)
        check(edges(src, dst, weight, n=G.n + 1), source=G.n)


@pytest.mark.parametrize("dtype", ["int32", "float64"])
@pytest.mark.parametrize("reached", [1, 2, 9, 40, 700, 900])
def test_parents_where_few_vertices_are_reached(reached, dtype):
    """Also along edges of weight 0: the tree is a list, in one chunk or more, or an array."""
    G = random_graph(reached, 3 * reached, dtype=dtype, kind="undirected", seed=reached)
    rows, cols, values = G.A.to_coo()
    for weights in (values, np.where(values % 2 < 1, 0, values).astype(dtype)):
        H = edges(rows + 7, cols + 7, weights, n=20 * reached)
        for source in (7, 0, 20 * reached - 1):
            check(H, source)
            assert gl.native.sssp(H, source).parent.dtype == H.index_dtype


@pytest.mark.thorough
def test_the_largest_distances_that_fit():
    top = (2**31 - 2) // 5
    check(edges([0, 1], [1, 2], np.array([top, top], np.int32), n=3), delta=1e9)
    top = (2**63 - 2) // 5
    check(edges([0, 1], [1, 2], np.array([top, top]), n=3), delta=1e300)
    check(edges([0, 1], [1, 2], np.array([top, top], np.uint64), n=3))


def test_bad_input():
    G = edges([0, 1], [1, 2], [1.0, np.nan], n=3)
    with pytest.raises(InvalidValue, match="NaN"):
        gl.native.sssp(G, 0)
    with pytest.raises(NegativeWeight):
        gl.native.sssp(edges([0], [1], [-1], n=2), 0)
    with pytest.raises(InvalidValue, match="delta"):
        gl.native.sssp(G, 0, delta=0)


@pytest.mark.thorough
@compiled
@pytest.mark.parametrize("high", [2, 256], ids=["one weight", "many"])
@pytest.mark.parametrize("n", COUNTS)
def test_races(n, high):
    """Repeated searches in which all threads lower the same distances return the same distances."""
    G = random_graph(8000, 120000, dtype="int32", high=high, kind="undirected")
    distance = gl.sssp_distances(G, 0)
    with threads(n):
        for k in range(RUNS):
            r = gl.native.sssp(G, 0, delta=(1.0, 40.0, 1e9)[k % 3])
            assert r.distance.isequal(distance)
            gl.verify.sssp(G, 0, r.distance, r.parent)


def test_the_default_delta_grows_with_the_threads_where_there_are_no_hubs(monkeypatch):
    widths = []
    monkeypatch.setattr(sssp, "get_num_threads", lambda: 64)
    monkeypatch.setattr(sssp, "lower_to_shortest", lambda *args: widths.append(1 / args[4]))
    grid = gl.generate.grid(9, 9, seed=1, weights=(1, 9))
    star = gl.Graph.from_edges([0] * 80, range(1, 81), [1.0] * 80, kind="undirected")
    for G in (grid, star):
        search = sssp.DistanceSearch(G)
        for count in (1, 4, 8, 16, 64):
            search.from_one(0, count)
    np.testing.assert_allclose(np.array(widths[:5]) / widths[0], [1, 1, 2, 4, 4])
    np.testing.assert_allclose(np.array(widths[5:]) / widths[5], 1)
