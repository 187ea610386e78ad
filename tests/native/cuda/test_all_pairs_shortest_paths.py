"""The native distances from many sources on engine "cuda" against the algebra of engine "cpu"."""

from __future__ import annotations

from importlib import import_module
from itertools import product

import numpy as np
import pytest
from hypothesis import given

import graphla as gl
from graphla.cuda import to_graphblas
from graphla.cuda.runtime import kernel_text
from graphla.cuda.runtime.device import Device, device
from graphla.cuda.runtime.kernel import launched
from graphla.errors import NegativeWeight, OutOfDeviceMemory, OutOfMemory
from graphla.native.cuda import sssp
from graphla.native.cuda.renumbered.by_weight import end_of_long_rows
from tests.graphs import DTYPES, edge_cases, edges, random_graph
from tests.native.cuda.simulated_devices import MACHINES, use_machine
from tests.strategies import examples, float_weights, graphs, small_weights

module = import_module("graphla.native.cuda.all_pairs_shortest_paths")
drawn = examples(15)
PARTS = {"short rows": {}, "long rows": {"LONG": 6}}


@pytest.fixture(params=product(PARTS, MACHINES), ids=" ".join)
def parts(request, monkeypatch):
    """Make a small graph use tables and reach all branches of the kernel."""
    part, machine = request.param
    monkeypatch.setattr(sssp, "MIN_DEGREE", 0)
    monkeypatch.setattr(module, "FEWEST", 1)
    for name, value in PARTS[part].items():
        monkeypatch.setattr(module, name, value)
    use_machine(machine, monkeypatch)


def check(G, sources):
    found = to_graphblas(gl.native.all_pairs_shortest_paths(G.to("cuda"), sources))
    expected = G.matrix(found.dtype, len(sources), G.n)
    for row, source in enumerate(sources):
        distance = gl.sssp_distances(G, source)
        assert distance.dtype == found.dtype
        expected[row, :] << distance
    assert found.isequal(expected)


@drawn
@given(graphs(max_n=40, max_m=200, weights=small_weights | float_weights))
def test_random_graphs(parts, G):
    check(G, [*range(min(G.n, 9)), 0])


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["directed", "undirected"])
@pytest.mark.parametrize("dtype", ["int32", "float32", "float64"])
def test_larger_graphs(parts, kind, dtype):
    check(random_graph(120, 900, kind=kind, dtype=dtype), [7, 7, *range(31)])


@pytest.mark.thorough
@pytest.mark.parametrize("machine", MACHINES)
def test_too_many_sweeps(monkeypatch, machine):
    monkeypatch.setattr(module, "FEWEST", 1)
    use_machine(machine, monkeypatch)
    G = random_graph(60, 600, dtype="int32")
    for sweeps in (1, 2, 64):
        monkeypatch.setattr(module, "SWEEPS", sweeps)
        check(G, [5, 3])
        assert launches(G, [5, 3])[2:] == ["sssp_multi_source"] + ["sssp"] * 2 * (sweeps < 64)


@pytest.mark.thorough
@pytest.mark.parametrize("dtype", DTYPES)
def test_dtypes(monkeypatch, dtype):
    monkeypatch.setattr(sssp, "MIN_DEGREE", 0)
    monkeypatch.setattr(module, "FEWEST", 1)
    check(random_graph(60, 300, dtype=dtype), [5, 4, 3])


@pytest.mark.parametrize("kind", ["directed", "undirected"])
def test_edge_cases(monkeypatch, kind):
    monkeypatch.setattr(sssp, "MIN_DEGREE", 0)
    monkeypatch.setattr(module, "FEWEST", 1)
    for G in edge_cases(kind).values():
        check(G, list(range(min(G.n, 3))))


def test_bounds_by_a_hub_are_no_less_than_rounded_sums(monkeypatch):
    """Each of these sums is rounded otherwise from the other side of the hub."""
    monkeypatch.setattr(sssp, "MIN_DEGREE", 0)
    monkeypatch.setattr(module, "FEWEST", 1)
    weight = np.random.default_rng(1).random(198).astype(np.float32)
    path = edges(np.arange(198), np.arange(1, 199), weight, n=199, kind="undirected")
    check(path, [0, 50, 198])


def launches(G, sources, **options):
    names = []
    token = launched.set(names)
    try:
        gl.native.all_pairs_shortest_paths(G.to("cuda"), sources, **options)
    finally:
        launched.reset(token)
    return [name for name in names if name in ("sssp_multi_source", "sssp")]


def test_a_table_is_for_many_sources_of_graphs_with_many_edges():
    dense, sparse = (random_graph(60, m, dtype="int32", kind="undirected") for m in (600, 90))
    assert dense.A.nvals >= 8 * dense.n
    assert launches(dense, list(range(16))) == ["sssp", "sssp_multi_source"]
    assert launches(dense, [*range(60), *range(20)]) == ["sssp"] + ["sssp_multi_source"] * 2
    assert launches(dense, [1, 2, 3]) == ["sssp"] * 3
    assert (
        launches(dense, list(range(40)), batch=40) == ["sssp", "sssp_multi_source"] + ["sssp"] * 8
    )
    assert launches(dense, list(range(16)), batch=31) == ["sssp"] * 16
    assert launches(sparse, list(range(16))) == ["sssp"] * 16
    assert launches(dense, []) == []


def test_unweighted_graphs():
    """Rows of bits of any length, many or fewer than one to a word."""
    for n in (3, 31, 32, 33, 60, 64, 100):
        check(random_graph(n, 2 * n, dtype=None), [*range(min(n, 9)), 0, 1, 2])


def test_a_table_takes_what_memory_is_left(monkeypatch):
    if isinstance(device.active, Device):
        pytest.skip("bytes are counted exactly in the simulator")
    G = random_graph(60, 600, dtype="int32", kind="undirected")
    expected, H = launches(G, [0] * 48), G.to("cuda")
    assert expected == ["sssp", "sssp_multi_source"]
    result = 48 * (60 * 4 + 4 * 2) + 4 * 90
    for columns, tables in ((64, 1), (32, 2), (0, 0)):
        free = result + (columns + 3) * 60 * 4
        monkeypatch.setattr(device.active, "free", lambda free=free: free)
        assert launches(H, [0] * 48).count("sssp_multi_source") == tables
    monkeypatch.setattr(device.active, "free", lambda: result - 1)
    with pytest.raises(OutOfDeviceMemory, match=f"48 sources over n=60 vertices takes {result:,}"):
        gl.native.all_pairs_shortest_paths(H, [0] * 48, max_bytes=1 << 20)


def test_results_are_matrices_like_others():
    G = random_graph(60, 600, dtype="int32", kind="undirected")
    D = gl.native.all_pairs_shortest_paths(G.to("cuda"))
    expected = gl.all_pairs_shortest_paths(G)
    assert to_graphblas(D[3, :].new()).isequal(expected[3, :].new())
    before = to_graphblas(gl.native.all_pairs_shortest_paths(G.to("cuda"), [0]))
    D[1, 2] = 9
    del D[1, 3]
    expected[1, 2] = 9
    del expected[1, 3]
    assert to_graphblas(D).isequal(expected)
    assert to_graphblas(D.mxm(G.to("cuda").A, "min_plus").new()).isequal(
        expected.mxm(G.A, "min_plus").new()
    )
    assert to_graphblas(gl.native.all_pairs_shortest_paths(G.to("cuda"), [0])).isequal(before)


def test_long_rows_may_lie_behind_short_ones():
    """Vertices of a digraph are numbered by all of their edges, not by those into them."""
    ends = np.cumsum([0, 1, 9, 2, 6, 5, 0])
    assert [end_of_long_rows(ends, k) for k in (10, 9, 7, 6, 5, 1, 0)] == [
        0,
        2,
        2,
        4,
        5,
        5,
        6,
    ]
    assert end_of_long_rows(ends[:1], 1) == 0


def test_refused():
    H = random_graph(60, 600, dtype="float64").to("cuda")
    with pytest.raises(OutOfMemory, match="all_pairs_shortest_paths of 2 x 60 distances"):
        gl.native.all_pairs_shortest_paths(H, [0, 1], max_bytes=2 * 60 * 9 - 1)
    with pytest.raises(NegativeWeight, match=r"gl\.all_pairs_shortest_paths takes them"):
        gl.native.all_pairs_shortest_paths(edges([0], [1], [-1.0], n=2).to("cuda"), [0])


@pytest.mark.thorough
@pytest.mark.parametrize("offset", ["i32", "i64"])
@pytest.mark.parametrize(("distance", "columns"), [("u32", 64), ("f64", 32)])
def test_compiles(offset, distance, columns):
    from graphla.native.cuda.runtime import KERNELS
    from tests.cuda import nvrtc

    text = sssp.definitions(offset, distance) + f"enum {{ COLUMNS = {columns} }};\n"
    nvrtc.compile(kernel_text.source("sssp_multi_source", text, KERNELS))
    nvrtc.compile(
        kernel_text.source("sssp_multi_source_results", text + "typedef i8 Out;\n", KERNELS)
    )
    nvrtc.compile(kernel_text.source("flatten_bits", "", KERNELS))
