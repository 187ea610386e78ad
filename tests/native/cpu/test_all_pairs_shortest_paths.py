"""Native distances from many vertices against SciPy and the algebra, and its races."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse.csgraph import dijkstra

import graphla as gl
from graphla.errors import DomainMismatch, InvalidIndex, InvalidValue, NegativeWeight, OutOfMemory
from graphla.native.cpu import sssp
from tests.every_graph import on_edge_cases
from tests.graphs import DTYPES, edges, random_graph, to_scipy
from tests.native.threads import COUNTS, RUNS, compiled, threads
from tests.strategies import float_weights, graphs, small_weights


def check(G, sources=None, **options):
    ours = gl.native.all_pairs_shortest_paths(G, sources, **options)
    assert ours.isequal(gl.all_pairs_shortest_paths(G, sources), check_dtype=True)


@on_edge_cases
def test_edge_cases(G):
    check(G)
    check(G, [])
    check(G.astype("BOOL"))


@pytest.mark.parametrize(
    "weights", [small_weights, pytest.param(float_weights, marks=pytest.mark.thorough)]
)
@given(data=st.data())
def test_random_graphs(weights, data):
    """Sources may repeat, and be fewer than threads."""
    G = data.draw(graphs(max_n=25, max_m=70, weights=weights))
    sources = data.draw(st.lists(st.integers(0, G.n - 1), max_size=9))
    check(G, sources, batch=data.draw(st.integers(1, 9)))
    check(G.astype("BOOL"), sources)


@pytest.mark.thorough
@pytest.mark.parametrize("dtype", [None, *DTYPES])
def test_dtypes(dtype):
    check(random_graph(60, 200, dtype=dtype), [5, 5, 4, 3, 2, 1])


@pytest.mark.parametrize("kind", ["directed", "undirected"])
@pytest.mark.parametrize(
    "dtype",
    [None, "int64", *(pytest.param(x, marks=pytest.mark.thorough) for x in ("int32", "float64"))],
)
def test_by_scipy(kind, dtype):
    """Many edges, so that searches without weights run bottom-up too."""
    G = random_graph(300, 5000, kind=kind, dtype=dtype)
    found = gl.native.all_pairs_shortest_paths(G).to_dense(fill_value=np.inf, dtype=float)
    np.testing.assert_allclose(found, dijkstra(to_scipy(G)), rtol=1e-13)


def test_calls_of_one_source(monkeypatch):
    monkeypatch.setattr(sssp, "WORK_PER_CALL", 1)
    G = random_graph(50, 90, dtype="float32")
    with threads(3):
        check(G, [*range(10), 3])
        check(gl.Graph.from_edges([], [], np.empty(0), n=4), [0, 1, 2, 3])


def test_bad_input():
    G, function = random_graph(50, 90, dtype="float64"), gl.native.all_pairs_shortest_paths
    with pytest.raises(InvalidIndex, match="n=50"):
        function(G, [0, 50])
    with pytest.raises(DomainMismatch, match="sources"):
        function(G, 3)
    with pytest.raises(InvalidValue, match="batch=0"):
        function(G, batch=0)
    with pytest.raises(OutOfMemory, match="all_pairs_shortest_paths of 50 x 50 distances"):
        function(G, max_bytes=50 * 50 * 9 - 1)
    assert function(G, max_bytes=50 * 50 * 9).shape == (50, 50)
    with pytest.raises(InvalidValue, match="all_pairs_shortest_paths: a weight is NaN"):
        function(edges([0], [1], [np.nan], n=2))
    with pytest.raises(InvalidValue, match="all_pairs_shortest_paths"):
        function(edges([0], [1], [2**62], n=2))
    with pytest.raises(NegativeWeight, match=r"gl\.all_pairs_shortest_paths takes them"):
        function(edges([0], [1], [-1], n=2))


@pytest.mark.thorough
@compiled
@pytest.mark.parametrize("dtype", [None, "int32"])
@pytest.mark.parametrize("n", COUNTS)
def test_races(n, dtype):
    """Fewer sources than threads, and more."""
    G = random_graph(3000, 40000, kind="undirected", dtype=dtype)
    expected = gl.all_pairs_shortest_paths(G, range(20))
    with threads(n):
        for _ in range(RUNS):
            for count in (1, 3, 20):
                ours = gl.native.all_pairs_shortest_paths(G, range(count))
                assert ours.isequal(expected[:count, :].new(), check_dtype=True)
