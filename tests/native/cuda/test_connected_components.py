"""Native components of engine "cuda" against the algebra of engine "cpu"."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse.csgraph
from hypothesis import given

import graphla as gl
from graphla.cuda import to_graphblas
from graphla.cuda.runtime import kernel_text
from graphla.cuda.runtime.device import device
from graphla.native.cuda import connected_components as module
from tests.every_graph import on_atlas, on_edge_cases
from tests.graphs import random_graph, to_scipy
from tests.native.cuda.simulated_devices import use_native_blocks
from tests.strategies import examples, graphs

drawn = examples(40)


@pytest.fixture(params=["one thread", "lanes"])
def threads(request, monkeypatch):
    """Run kernels in one thread, or in several concurrent blocks."""
    if request.param == "lanes":
        use_native_blocks(monkeypatch)


def check(G):
    """The graph in its own order, and sorted by degree."""
    H, expected = G.to("cuda"), gl.connected_components(G)
    assert to_graphblas(gl.native.connected_components(H)).isequal(expected, check_dtype=True)
    module.prepare(H)
    assert to_graphblas(gl.native.connected_components(H)).isequal(expected, check_dtype=True)


@on_edge_cases
def test_edge_cases(G, threads):
    check(G)


test_atlas = on_atlas(check)


@drawn
@given(graphs(max_n=40, max_m=60))
def test_random_graphs(threads, G):
    check(G)


def shapes():
    rng = np.random.default_rng(3)
    yield "kronecker", gl.generate.kronecker(scale=9, edgefactor=8, seed=3)
    yield "many parts", random_graph(900, 500, kind="undirected")
    yield "directed", random_graph(600, 700, kind="directed")
    yield "grid", gl.generate.grid(20)
    order = rng.permutation(700)
    path = gl.Graph.from_edges(order[1:], order[:-1], n=700, kind="undirected")
    yield "a path of shuffled numbers", path
    leaves = np.arange(2, 800)
    yield (  # both hubs have rows of more than a thread takes, one of them outside
        "two stars",
        gl.Graph.from_edges(leaves, leaves % 3 // 2, n=800, kind="undirected"),
    )
    yield "into two hubs", gl.Graph.from_edges(leaves, leaves % 3 // 2, n=800)


@pytest.mark.parametrize("G", [pytest.param(G, id=name) for name, G in shapes()])
def test_shapes(threads, G):
    check(G)
    labels = device.to_host(gl.native.connected_components(G.to("cuda")).to_dense())
    count, _ = scipy.sparse.csgraph.connected_components(to_scipy(G), directed=False)
    assert (np.flatnonzero(labels == np.arange(G.n)).size, np.unique(labels).size) == (count, count)


def test_hubs_of_several_components(threads):
    """Trees whose smallest vertex is not their hub; the second hub's is larger than the first's."""
    leaves = np.arange(3, 400)
    hubs = np.where(leaves < 250, 399, 1)
    check(gl.Graph.from_edges(hubs, leaves, n=420, kind="undirected"))
    check(gl.Graph.from_edges(leaves, hubs, n=420))


def test_the_last_edge_of_a_long_row_joins_the_giant(threads):
    """The giant is a path and vertex 400; the row of hub 200 alone links the two, by its end."""
    path, leaves = np.arange(200), np.arange(201, 300)
    src = np.concatenate([path[1:], [400, 400, 400], np.full(99, 200)])
    dst = np.concatenate([path[:-1], [0, 1, 200], leaves])
    check(gl.Graph.from_edges(src, dst, n=401, kind="undirected"))


def test_a_directed_graph_that_is_symmetric():
    G = gl.generate.grid(6)
    check(gl.Graph(G.A))


def test_results_are_the_callers_own():
    H = random_graph(30, 20, kind="undirected").to("cuda")
    one = gl.native.connected_components(H)
    before = device.to_host(one.to_dense()).tolist()
    one[:] = 7
    assert device.to_host(gl.native.connected_components(H).to_dense()).tolist() == before


@pytest.mark.thorough
@pytest.mark.parametrize("offset", ["i32", "i64"])
@pytest.mark.parametrize("index", ["i32", "i64"])
@pytest.mark.parametrize("label", ["i32", "i64"])
def test_compiles(offset, index, label):
    from graphla.native.cuda.runtime import KERNELS
    from tests.cuda import nvrtc

    text = module.definitions(offset, index, label)
    nvrtc.compile(kernel_text.source("connected_components", text, KERNELS))
    if index == "i32":
        nvrtc.compile(kernel_text.source("components_by_degree", text, KERNELS))
