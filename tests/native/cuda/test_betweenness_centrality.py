"""Native betweenness of engine "cuda" against the algebra of engine "cpu"."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.cuda import to_graphblas
from graphla.cuda.runtime import kernel_text
from graphla.cuda.runtime.device import device
from graphla.errors import InvalidIndex, InvalidValue, OutOfDeviceMemory
from graphla.native.cuda import betweenness_centrality as module
from graphla.native.cuda.runtime import KERNELS
from tests.cuda import nvrtc
from tests.cuda.simulator import Simulator
from tests.every_graph import on_atlas, on_edge_cases
from tests.graphs import DTYPES, edge_cases, edges, random_graph
from tests.native.cuda.simulated_devices import use_native_blocks
from tests.strategies import examples, graphs

drawn = examples(30)
PARTS = {"whole": {}, "pushed": {"ALPHA": 1e-9, "PIECE": 3}, "pulled": {"ALPHA": 1e9, "PIECE": 3}}


@pytest.fixture(params=PARTS)
def parts(request, monkeypatch):
    """Cut rows into small pieces; push every level, or pull all but the first."""
    for name, value in PARTS[request.param].items():
        monkeypatch.setattr(module, name, value)


def check(G, sources, batch=16):
    expected = gl.betweenness_centrality(G, sources).to_dense()
    found = to_graphblas(gl.native.betweenness_centrality(G.to("cuda"), sources, batch=batch))
    assert (found.dtype, found.nvals) == ("FP64", G.n)
    np.testing.assert_allclose(found.to_dense(), expected, rtol=1e-12, atol=1e-12)


@on_edge_cases
def test_edge_cases(G, parts):
    check(G, range(G.n))
    check(G, [])


@on_atlas
def test_atlas(G, parts):
    check(G, range(G.n), batch=3)


@drawn
@given(graphs(max_n=25, max_m=70), st.data())
def test_random_graphs(parts, G, data):
    """Sources may repeat, and the batches be of any width."""
    sources = data.draw(st.lists(st.integers(0, G.n - 1), max_size=80))
    check(G, sources, data.draw(st.sampled_from([1, 2, 7, 16, 33, 1000])))


@pytest.mark.parametrize("kind", ["directed", "undirected"])
def test_skewed_degrees(parts, kind):
    check(gl.generate.kronecker(scale=8, edgefactor=8, seed=3), range(70), batch=64)
    rng = np.random.default_rng(2)
    src, dst = rng.integers(0, 600, (2, 4000))
    check(edges(src**3 % 7, dst, n=700, kind=kind), range(0, 700, 17))


@pytest.mark.parametrize(
    "batch", [4, *(pytest.param(b, marks=pytest.mark.thorough) for b in (1, 2, 16, 32, 64))]
)
@pytest.mark.parametrize(
    ("pulled", "piece"),
    [
        (1e-9, 5),
        (1e9, 512),
        pytest.param(1e-9, 512, marks=pytest.mark.thorough),
        pytest.param(1e9, 5, marks=pytest.mark.thorough),
    ],
)
def test_by_blocks_at_once(monkeypatch, batch, pulled, piece):
    """Teams of 1 to 32 lanes, with rows in pieces and whole."""
    use_native_blocks(monkeypatch)
    monkeypatch.setattr(module, "ALPHA", pulled)
    monkeypatch.setattr(module, "PIECE", piece)
    check(random_graph(150, 700), range(batch + 3), batch)
    check(random_graph(130, 900, kind="undirected"), range(2 * batch), batch)
    check(edge_cases()["isolated ends"], range(6), batch)


def diamonds(count):
    k = np.arange(count) * 3
    return np.concatenate([k, k, k + 1, k + 2]), np.concatenate([k + 1, k + 2, k + 3, k + 3])


@pytest.mark.thorough
def test_counts_beyond_the_range_of_floats(parts):
    """A chain of diamonds doubles the number of paths 1100 times."""
    G = edges(*diamonds(1100), n=3 * 1100 + 1, kind="undirected")
    check(G, [0, 5, 1000])


def test_counts_that_differ_too_much():
    """At equal distance, one vertex has 2^2000 shortest paths to it and another has one."""
    src, dst = diamonds(2000)
    line = np.arange(6000, 10001)
    src = np.concatenate([src, [0], line[1:-1]])
    dst = np.concatenate([dst, line[1:2], line[2:]])
    G = edges(src, dst, n=10001).to("cuda")
    with pytest.raises(InvalidValue, match="differ by more than 2"):
        gl.native.betweenness_centrality(G, [0])


@pytest.mark.parametrize("dtype", DTYPES)
def test_weights_of_every_dtype_are_ignored(dtype):
    check(random_graph(30, 90, dtype=dtype), range(5))


def test_the_graph_is_left_alone_and_serves_again():
    G = random_graph(40, 200).to("cuda")
    before = G.A.dup()
    for batch in (3, 40):
        first, again = (gl.native.betweenness_centrality(G, range(9), batch=batch) for _ in "12")
        np.testing.assert_allclose(
            to_graphblas(first).to_dense(), to_graphblas(again).to_dense(), rtol=1e-12
        )
    assert G.A.isequal(before)


def test_bad_input():
    G = random_graph(4, 6).to("cuda")
    with pytest.raises(InvalidIndex, match="4"):
        gl.native.betweenness_centrality(G, [0, 4])
    with pytest.raises(InvalidValue, match="batch"):
        gl.native.betweenness_centrality(G, [0], batch=0)


def test_out_of_memory(monkeypatch):
    """A device's pool may already hold enough memory."""
    monkeypatch.setattr(device, "active", Simulator())
    G = random_graph(3000, 9000).to("cuda")
    module.prepare(G)
    device.limit_memory(200_000)
    with pytest.raises(OutOfDeviceMemory, match="paths from 64 sources"):
        gl.native.betweenness_centrality(G, range(64), batch=64)


def test_the_allocation_includes_the_levels(monkeypatch):
    """Along a path two sources are far apart: a vertex is in a level of each."""
    requested, allocation = [], device.active.allocation
    monkeypatch.setattr(
        device.active,
        "allocation",
        lambda needed, what: requested.append(needed) or allocation(needed, what),
    )
    i = np.arange(29)
    G = edges(i, i + 1, n=30).to("cuda")
    gl.native.betweenness_centrality(G, [0, 4], batch=2)
    entries = 29 + 25  # vertices after each source
    assert requested[-1] - requested[-30] == (4 + 4) * entries


@pytest.mark.thorough
@pytest.mark.parametrize("offset", ["i32", "i64"])
@pytest.mark.parametrize("width", [1, 2, 16, 32, 64])
def test_compiles(offset, width):
    text = module.definitions(offset, width)
    nvrtc.compile(kernel_text.source("betweenness_centrality", text, KERNELS))
