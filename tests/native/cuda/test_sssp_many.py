"""The native distances from many sources against the algebra of engine "cpu"."""

from __future__ import annotations

from importlib import import_module
from itertools import product

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

import graphla as gl
from graphla import cuda
from graphla.cuda import compile, to_graphblas
from graphla.cuda.device import Device, device
from graphla.errors import (
    DomainMismatch,
    EngineMismatch,
    InvalidIndex,
    InvalidValue,
    NegativeWeight,
    OutOfDeviceMemory,
)
from graphla.native.cuda import sssp
from tests.graphs import DTYPES, edge_cases, edges, random_graph
from tests.native.cuda.machines import MACHINES, choose
from tests.strategies import float_weights, graphs, small_weights

module = import_module("graphla.native.cuda.sssp_many")
drawn = settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
PARTS = {"short rows": {}, "long rows": {"LONG": 6}}


@pytest.fixture(params=product(PARTS, MACHINES), ids=" ".join)
def parts(request, monkeypatch):
    """Let sources of a small graph come into tables, by all ways through the kernel."""
    part, machine = request.param
    monkeypatch.setattr(sssp, "MANY", 0)
    monkeypatch.setattr(module, "FEWEST", 1)
    for name, value in PARTS[part].items():
        monkeypatch.setattr(module, name, value)
    choose(machine, monkeypatch)


def check(G, sources):
    found = module.sssp_many(G.to("cuda"), sources)
    assert len(found) == len(sources)
    for source, distance in zip(sources, found, strict=True):
        expected = gl.sssp_distances(G, source)
        assert to_graphblas(distance).isequal(expected, check_dtype=True)


@drawn
@given(graphs(max_n=40, max_m=200, weights=small_weights | float_weights))
def test_random_graphs(parts, G):
    check(G, [*range(min(G.n, 9)), 0])


@pytest.mark.parametrize("kind", ["directed", "undirected"])
@pytest.mark.parametrize("dtype", ["int32", "float32", "float64"])
def test_larger_graphs(parts, kind, dtype):
    check(random_graph(120, 900, kind=kind, dtype=dtype), [7, 7, *range(31)])


@pytest.mark.parametrize("machine", MACHINES)
def test_too_many_sweeps(monkeypatch, machine):
    monkeypatch.setattr(module, "FEWEST", 1)
    choose(machine, monkeypatch)
    G = random_graph(60, 600, dtype="int32")
    for sweeps in (1, 2, 64):
        monkeypatch.setattr(module, "SWEEPS", sweeps)
        check(G, [5, 3])
        assert launches(G, [5, 3])[2:] == ["sssp_many"] + ["sssp"] * 2 * (sweeps < 64)


@pytest.mark.parametrize("dtype", DTYPES)
def test_dtypes(monkeypatch, dtype):
    monkeypatch.setattr(sssp, "MANY", 0)
    monkeypatch.setattr(module, "FEWEST", 1)
    check(random_graph(60, 300, dtype=dtype), [5, 4, 3])


@pytest.mark.parametrize("kind", ["directed", "undirected"])
def test_edge_cases(monkeypatch, kind):
    monkeypatch.setattr(sssp, "MANY", 0)
    monkeypatch.setattr(module, "FEWEST", 1)
    for G in edge_cases(kind).values():
        check(G, list(range(min(G.n, 3))))


def test_bounds_by_a_hub_are_no_less_than_rounded_sums(monkeypatch):
    """Each of these sums is rounded otherwise from the other side of the hub."""
    monkeypatch.setattr(sssp, "MANY", 0)
    monkeypatch.setattr(module, "FEWEST", 1)
    weight = np.random.default_rng(1).random(198).astype(np.float32)
    path = edges(np.arange(198), np.arange(1, 199), weight, n=199, kind="undirected")
    check(path, [0, 50, 198])


def launches(G, sources, **options):
    names = []
    token = compile.launched.set(names)
    try:
        module.sssp_many(G.to("cuda"), sources, **options)
    finally:
        compile.launched.reset(token)
    return [name for name in names if name in ("sssp_many", "sssp")]


def test_a_table_is_for_many_sources_of_graphs_with_many_edges():
    dense, sparse = (random_graph(60, m, dtype="int32", kind="undirected") for m in (600, 90))
    assert dense.A.nvals >= 8 * dense.n
    assert launches(dense, list(range(16))) == ["sssp", "sssp_many"]
    assert launches(dense, [*range(60), *range(20)]) == ["sssp", "sssp_many"] * 2
    assert launches(dense, [1, 2, 3]) == ["sssp"] * 3
    assert launches(sparse, list(range(16)), delta=3.0) == ["sssp"] * 16
    assert launches(dense, []) == []


def test_unweighted_graphs():
    G = random_graph(60, 600, kind="undirected", dtype=None)
    check(G, list(range(9)))


def test_a_table_takes_what_memory_is_left(monkeypatch):
    if isinstance(device.now, Device):
        pytest.skip("bytes are counted exactly in the simulator")
    G = random_graph(60, 600, dtype="int32", kind="undirected")
    expected, H = launches(G, [0] * 48), G.to("cuda")
    assert expected == ["sssp", "sssp_many"]
    result = 48 * (60 * 4 + 4 * 2)
    for columns, tables in ((64, 1), (32, 2), (0, 0)):
        free = result + (columns + 3) * 60 * 4
        monkeypatch.setattr(device.now, "free", lambda free=free: free)
        assert launches(H, [0] * 48).count("sssp_many") == tables
    monkeypatch.setattr(device.now, "free", lambda: result - 1)
    with pytest.raises(OutOfDeviceMemory, match=f"48 sources over n=60 vertices takes {result:,}"):
        module.sssp_many(H, [0] * 48)


def test_results_are_the_callers_own():
    H = random_graph(60, 600, dtype="int32", kind="undirected").to("cuda")
    one, two, *_ = module.sssp_many(H, [0] * 16)
    before = to_graphblas(two)
    one[1] = 9
    del one[2]
    assert to_graphblas(two).isequal(before)
    assert cuda.to_graphblas(module.sssp_many(H, [0])[0]).isequal(before)


def test_bad_input():
    G = random_graph(60, 600, dtype="float64")
    H = G.to("cuda")
    with pytest.raises(EngineMismatch):
        module.sssp_many(G, [0])
    with pytest.raises(InvalidIndex):
        module.sssp_many(H, [0, 60])
    with pytest.raises(DomainMismatch):
        module.sssp_many(H, 3)
    with pytest.raises(InvalidValue, match="delta"):
        module.sssp_many(H, [0], delta=0)
    for weight, error in ((np.nan, InvalidValue), (-1.0, NegativeWeight)):
        with pytest.raises(error):
            module.sssp_many(edges([0], [1], [weight], n=2).to("cuda"), [0])


@pytest.mark.parametrize("offset", ["i32", "i64"])
@pytest.mark.parametrize(("distance", "columns"), [("u32", 64), ("f64", 32)])
def test_compiles(offset, distance, columns):
    from graphla.native.cuda.by_degree import KERNELS
    from tests.cuda import nvrtc

    text = sssp.definitions(offset, distance) + f"enum {{ COLUMNS = {columns} }};\n"
    nvrtc.compile(compile.source("sssp_many", text, KERNELS))
    nvrtc.compile(compile.source("sssp_many_results", text + "typedef i8 Out;\n", KERNELS))
