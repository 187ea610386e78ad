"""Every algorithm on engine "cuda" against engine "cpu" and its invariants.

The result is made of the device's objects, and the graph is as it was.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla import cuda, verify
from graphla.algorithms._shared import path_counts
from graphla.algorithms.centrality import (
    betweenness_centrality,
    betweenness_centrality_weighted,
)
from graphla.cuda import to_graphblas
from graphla.errors import GraphlaError
from graphla.execution import push_pull
from tests.exact_betweenness import tracks
from tests.graphs import DTYPES, edge_cases, random_graph
from tests.strategies import examples, float_weights, graphs, small_weights

EXAMPLES = examples(25)
SOURCES = {"bfs", "bfs_levels", "sssp", "sssp_distances", "bellman_ford", "bellman_ford_distances"}
SYMMETRIC = {"minimum_spanning_forest", "triangle_count"}
ALGORITHMS = [
    *sorted(SOURCES | SYMMETRIC),
    *("connected_components", "strongly_connected_components", "pagerank", "pagerank_gap"),
    *("transitive_closure", "transitive_closure_squaring", "transitive_closure_linear"),
    "transitive_closure_doubling",
    *("transitive_closure_condensed", "transitive_closure_warshall", "betweenness_centrality"),
]
PARENTS = ("parent", "edges")  # any valid tree is right: verify checks it
FLOATS = ("pagerank", "pagerank_gap", "betweenness_centrality")


def call(name, G, source=0):
    """Run an algorithm; a graph that it refuses gives the type of the error."""
    arguments = (source,) if name in SOURCES else ()
    if name == "betweenness_centrality":
        arguments = (sorted({source, 0, G.n - 1}),)
    function = gl.strongly_connected_components if name.startswith("strong") else getattr(gl, name)
    try:
        return function(G, *arguments)
    except GraphlaError as error:
        return type(error)


def fetched(x):
    """Copy a result to the host; raise if a field is neither a number nor on the device."""
    if isinstance(x, tuple):
        return type(x)(*map(fetched, x))
    if isinstance(x, (int, float, type)):
        return x
    assert isinstance(x, (cuda.Vector, cuda.Matrix)), f"{type(x)} is not on the device"
    return to_graphblas(x)


def equal(x, y, rtol):
    """Compare results of the two engines."""
    if isinstance(x, tuple):
        for field, a, b in zip(x._fields, x, y, strict=True):
            if field not in PARENTS:
                equal(a, b, rtol)
            elif field == "parent":
                assert a.dtype == b.dtype
                np.testing.assert_array_equal(a.to_coo()[0], b.to_coo()[0])
    elif isinstance(x, float):  # a residual: a sum of differences
        assert x == pytest.approx(y, rel=rtol, abs=rtol)
    elif isinstance(x, (int, type)):
        assert x == y
    else:
        assert x.dtype == y.dtype
        *places, a = x.to_coo()
        *where, b = y.to_coo()
        for i, j in zip(places, where, strict=True):
            np.testing.assert_array_equal(i, j)
        np.testing.assert_allclose(a, b, rtol, 1e-9) if rtol else np.testing.assert_array_equal(
            a, b
        )


def check(name, G, source=0):
    """The same on both engines, valid, on the device, and the graph unchanged."""
    H = G.to("cuda")
    before = to_graphblas(H.A)
    result = fetched(call(name, H, source))
    expected = call(name, G, source)
    sums = name in FLOATS or G.dtype.np_type.kind == "f"
    equal(result, expected, (1e-5 if name == "pagerank_gap" else 1e-6) if sums else 0)
    after = to_graphblas(H.A)
    assert after.isequal(before, check_dtype=True) or H.has_nan
    if isinstance(expected, type):
        return
    if name in ("bfs", "minimum_spanning_forest"):
        getattr(verify, name)(G, *((source, *result) if name == "bfs" else (result,)))
    elif name in ("sssp", "bellman_ford"):
        verify.sssp(G, source, *result)


@pytest.mark.parametrize("name", ALGORITHMS)
@pytest.mark.parametrize("kind", ["directed", "undirected"])
def test_edge_cases(kind, name):
    for G in edge_cases(kind).values():
        if G.n or name not in SOURCES:
            check(name, G, G.n - 1 if G.n else 0)


@pytest.mark.thorough
@pytest.mark.parametrize("name", ALGORITHMS)
@given(data=st.data())
@EXAMPLES
def test_drawn_graphs(name, data):
    kind = "undirected" if name in SYMMETRIC else None
    weights = data.draw(st.sampled_from([None, small_weights, float_weights]))
    G = data.draw(graphs(kind=kind, weights=weights, max_n=20, max_m=80))
    check(name, G, data.draw(st.integers(0, G.n - 1)))


@pytest.mark.thorough
@pytest.mark.parametrize("name", ALGORITHMS)
def test_hundreds(name):
    """Graphs of hundreds of vertices: compressed rows, pull levels and push levels."""
    for G in (
        random_graph(300, 2500, kind="undirected", dtype="int32", seed=1),
        random_graph(300, 500, kind="undirected", dtype="int32", seed=2),
    ):
        check(name, G, 7)


EVERY_DAY = ("int8", "uint64", "float32")
ALL = [
    pytest.param(t, marks=() if t in EVERY_DAY else (pytest.mark.thorough, pytest.mark.gpu))
    for t in DTYPES
]


@pytest.mark.parametrize("dtype", ALL)
@pytest.mark.parametrize("name", ["sssp", "bellman_ford", "minimum_spanning_forest", "bfs"])
def test_dtypes_of_weights(name, dtype):
    check(name, random_graph(90, 400, kind="undirected", dtype=dtype, high=100, seed=3), 5)


@pytest.mark.parametrize("name", ["bellman_ford", "bellman_ford_distances"])
def test_negative_weights(name):
    ends = np.arange(9)
    G = gl.Graph.from_edges(ends, ends + 1, np.array([3, -2] * 4 + [1]), n=12)
    check(name, G)
    loop = gl.Graph.from_edges([0, 1, 2], [1, 2, 0], [1, -3, 1], n=4)
    check(name, loop)


def test_parents_of_a_source_without_edges_take_no_kernel_on_the_graph():
    H = gl.Graph.from_edges([0, 1], [1, 2], [3, 4], n=5).to("cuda")
    gl.sssp(H, 4)  # caches properties of the graph
    with gl.trace() as steps:
        distance, parent = gl.sssp(H, 4)
    with gl.trace() as of_distances:
        gl.sssp_distances(H, 4)
    assert len(steps) == len(of_distances)
    assert [x.tolist() for x in to_graphblas(parent).to_coo()] == [[4], [4]]
    assert [x.tolist() for x in to_graphblas(distance).to_coo()] == [[4], [0]]


@pytest.mark.parametrize("dtype", ["UINT8", "INT32", "FP32", "FP64"])
def test_the_last_bucket_of_sssp_has_no_end(monkeypatch, dtype):
    """After the peak the last bucket is unbounded: distances are unchanged, weights are cast."""
    past = []
    passed_peak = property(lambda d: past[-1], lambda d, value: past.append(value))
    monkeypatch.setattr(push_pull.RelaxationDirection, "passed_peak", passed_peak, raising=False)
    G = gl.generate.kronecker(7, seed=3, weights=(1, 255)).astype(dtype)
    H = G.to("cuda")
    source = int(G.out_degree.to_dense(fill_value=0).argmax())
    for delta in (None, 40, 10**6):
        want = gl.sssp(G, source, delta=delta)
        got = gl.sssp(H, source, delta=delta)
        assert got.distance.dtype == want.distance.dtype
        assert to_graphblas(got.distance).isequal(want.distance)
        verify.sssp(G, source, to_graphblas(got.distance), to_graphblas(got.parent))
    assert any(past)


LINKS = (
    "common_neighbors",
    "jaccard_coefficient",
    "adamic_adar_index",
    "resource_allocation_index",
    "preferential_attachment",
)
PAIRS = {"src": [0, 5, 2, 5, 1], "dst": [1, 4, 3, 4, 2]}
CASES = {  # name -> (whether the graph has to be symmetric, arguments)
    "triangles": (True, {}),
    "clustering_coefficient": (False, {}),
    "clustering_coefficient_weighted": (False, {}),
    "transitivity": (False, {}),
    "square_clustering": (True, {"batch": 20}),
    "core_number": (False, {}),
    "k_core": (False, {"k": 3}),
    "k_truss": (True, {"k": 3}),
    "closeness_centrality": (False, {}),
    "closeness_centrality_weighted": (False, {"batch": 20}),
    "harmonic_centrality": (False, {"sources": [3, 1]}),
    "harmonic_centrality_weighted": (False, {"batch": 20}),
    "degree_centrality": (False, {}),
    "eigenvector_centrality": (False, {"tol": 1e-2}),
    "katz_centrality": (False, {"alpha": 1e-4}),
    "hits": (False, {"max_iter": 500}),
    "shortest_path_trees": (False, {"batch": 9}),
    "pagerank_weighted": (False, {}),
    "louvain": (False, {}),
    "triangle_list": (True, {}),
    "all_pairs_shortest_paths": (False, {"batch": 30}),
    "johnson": (False, {"batch": 30}),
    "floyd_warshall": (False, {}),
    "edge_betweenness_centrality": (False, {"sources": [3, 1, 5]}),
    "betweenness_centrality_weighted": (False, {"sources": [3, 1, 5]}),
    "edge_betweenness_centrality_weighted": (False, {"sources": [3, 1, 5]}),
    "greedy_color": (True, {}),
    "label_propagation": (True, {}),
    "reciprocity": (False, {}),
    "vertex_reciprocity": (False, {}),
    "global_efficiency": (False, {}),
    "local_efficiency": (True, {"batch": 70}),
    **dict.fromkeys(LINKS, (True, PAIRS)),
}


def host_arrays(x):
    """Copy a result to the host; raise if a field is neither a number nor on the device."""
    if isinstance(x, tuple):
        return tuple(map(host_arrays, x))
    if isinstance(x, (int, float)):
        return [x]
    assert isinstance(x, (cuda.Vector, cuda.Matrix)), f"{type(x)} is not on the device"
    return to_graphblas(x).to_coo()


def compare(x, y):
    if isinstance(x, tuple):
        for a, b in zip(x, y, strict=True):
            compare(a, b)
    else:
        np.testing.assert_allclose(x, y, rtol=1e-6, atol=1e-9)


def on_host(x):
    if isinstance(x, tuple):
        return tuple(map(on_host, x))
    return [x] if isinstance(x, (int, float)) else x.to_coo()


@pytest.mark.parametrize("name", CASES)
def test_the_engines_agree(name):
    symmetric, options = CASES[name]
    kinds = ("undirected",) if symmetric else ("directed", "undirected")
    for kind in kinds:
        for G in (
            random_graph(40, 150, kind=kind, dtype="int64", seed=1),
            random_graph(6, 9, kind=kind, seed=2),
        ):
            function = getattr(gl, name)
            compare(host_arrays(function(G.to("cuda"), **options)), on_host(function(G, **options)))


@pytest.mark.parametrize(
    "name", [name for name in CASES if "betweenness" in name] + ["betweenness_centrality"]
)
def test_path_counts_of_several_bands(name, monkeypatch):
    for module in (betweenness_centrality, betweenness_centrality_weighted):
        monkeypatch.setattr(module, "FIRST", 2.0**-50)
        monkeypatch.setattr(module, "PEAK", 2.0**50)
    monkeypatch.setattr(path_counts, "PEAK", 2.0**50)
    monkeypatch.setattr(path_counts, "STEP_UP", 2.0**-60)
    G = tracks(40, [1, 2, 16], 10, weights=[2], seed=1)
    function, sources = getattr(gl, name), [0, 5]
    expected = function(G, sources).to_coo()[-1]
    found = to_graphblas(function(G.to("cuda"), sources)).to_coo()[-1]
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)
