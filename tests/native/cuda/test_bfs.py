"""The native search of engine "cuda" against the algebra of engine "cpu" and against verify."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.cuda import to_graphblas
from graphla.cuda.runtime import kernel_text
from graphla.cuda.runtime.device import device
from graphla.errors import EngineMismatch, InvalidIndex
from graphla.native.cuda import bfs as module
from graphla.native.cuda import bfs_cluster
from graphla.native.cuda.renumbered.by_degree import degree_ordered
from tests.cuda.warp_simulator import WarpSimulator
from tests.every_graph import on_atlas, on_edge_cases
from tests.graphs import random_graph
from tests.native.cuda.simulated_devices import InterleavedBlocks
from tests.strategies import examples, graphs

drawn = examples(30)


def check(G, *sources):
    H = G.to("cuda")
    for source in sources or range(min(G.n, 4)):
        r = gl.native.bfs(H, source)
        level, parent = (to_graphblas(v) for v in r)
        assert level.isequal(gl.bfs(G, source).level, check_dtype=True)
        gl.verify.bfs(G, source, level, parent)


test_edge_cases = on_edge_cases(check)


@on_atlas(empty=False)
def test_atlas(G):
    check(G, 0)


@drawn
@given(graphs(max_n=40, max_m=90), st.data())
def test_random_graphs(G, data):
    check(G, data.draw(st.integers(0, G.n - 1)))


class Blocks(WarpSimulator):
    """Runs blocks of eight warps each."""

    blocks, threads = 3, 256


class BlocksInTurn(Blocks):
    in_turn = True


DEVICES = {"lanes": Blocks, "in turn": BlocksInTurn, "interleaved": InterleavedBlocks}


SMALL = {"ALPHA": 3, "BETA": 4, "ONE_BLOCK_EDGES": 12, "UNQUEUED_EDGES": 60, "HUB_WORDS": 2}
SMALL |= {"FINAL_THREADS": 32, "FINAL_EDGES": 100}


@pytest.fixture(
    params=[
        "one thread",
        "lanes",
        pytest.param("in turn", marks=pytest.mark.thorough),
        "interleaved",
    ]
)
def small(request, monkeypatch):
    """Make the search of a small graph reach all branches of the kernel."""
    for name, value in SMALL.items():
        monkeypatch.setattr(module, name, value)
    if request.param in DEVICES:
        if device.name == "cuda" and not hasattr(device.active, "limit"):
            pytest.skip("tests the simulator, which a GPU replaces")
        monkeypatch.setattr(device, "active", DEVICES[request.param]())


def shapes():
    rng = np.random.default_rng(5)
    tail = np.arange(300)
    kron = gl.generate.kronecker(scale=9, edgefactor=12, seed=3)
    rows, columns, _ = kron.A.to_coo()
    both = (
        np.concatenate([rows, tail + 512]).astype(int),
        np.concatenate([columns, tail + 513]).astype(int),
    )
    yield "kronecker and a path", gl.Graph.from_edges(*both, kind="undirected", n=900)
    yield "uniform", random_graph(700, 6000, kind="undirected")
    yield "directed", random_graph(500, 3000, kind="directed")
    yield "grid", gl.generate.grid(25)
    yield "star", gl.generate.star(5000)
    leaves = np.arange(2000)
    ends = rng.integers(2000, 2003, 2000)
    yield (
        "a directed hub",
        gl.Graph.from_edges(
            np.concatenate([leaves, leaves[:1000], [2000, 2001]]),
            np.concatenate([ends, leaves[1000:], [2001, 2002]]),
            n=2010,
        ),
    )


@pytest.mark.parametrize("G", [pytest.param(G, id=name) for name, G in shapes()])
def test_shapes(small, G):
    check(G, 0, 7, G.n // 2, G.n - 1)


def test_more_vertices_than_16_bits_count():
    """A pull finds the 65,536 other leaves of a star, and a later level one vertex more."""
    leaves = np.arange(1, 65538)
    src, dst = np.append(np.zeros_like(leaves), 65537), np.append(leaves, 65538)
    check(gl.Graph.from_edges(src, dst, n=65539, kind="undirected"), 1)


@pytest.fixture(params=[60, 1200, 1 << 16])
def narrow(request, small, monkeypatch):
    """Let a cluster of three blocks begin each search, and go on for some levels or for all."""
    monkeypatch.setattr(bfs_cluster, "SIZES", (3,))
    monkeypatch.setattr(bfs_cluster, "EDGES", request.param)
    monkeypatch.setattr(bfs_cluster, "MEAN", 100)
    monkeypatch.setattr(bfs_cluster, "HUB", 1 << 20)


@pytest.mark.thorough
@pytest.mark.parametrize("G", [pytest.param(G, id=name) for name, G in shapes()])
def test_shapes_that_a_cluster_begins(narrow, G):
    H = G.to("cuda")
    assert module.get_runner(H).cluster_search
    check(G, 0, 7, G.n // 2, G.n - 1)


@pytest.mark.thorough
@drawn
@given(graphs(max_n=60, max_m=200), st.data())
def test_small_graphs_that_a_cluster_begins(narrow, G, data):
    check(G, data.draw(st.integers(0, G.n - 1)))


@drawn
@given(graphs(max_n=60, max_m=200), st.data())
def test_small_graphs_in_all_parts(small, G, data):
    check(G, data.draw(st.integers(0, G.n - 1)))


def test_levels_beyond_the_bits_of_a_word(monkeypatch):
    """With 31 bits for a parent the one that is left holds no level but 0."""
    H = gl.generate.path(700).to("cuda")
    runner = module.get_runner(H)
    *rest, shift = runner.arguments
    assert shift == (700).bit_length()
    runner.arguments, runner.shift = (*rest, 31), 31
    if runner.cluster_search:
        runner.cluster_arguments = (*runner.cluster_arguments[:-1], 31)
    level = gl.native.bfs(H, 0).level.to_dense()
    assert device.to_host(level).tolist() == list(range(700))


@pytest.mark.parametrize("kind", ["directed", "undirected"])
def test_offsets_of_64_bits(kind):
    G = random_graph(100, 400, kind=kind)
    H = G.to("cuda")
    H.A._store.indptr = H.A._store.indptr.astype(np.int64)  # as of 2^31 edges
    level, parent = (to_graphblas(v) for v in gl.native.bfs(H, 3))
    gl.verify.bfs(G, 3, level, parent)


@pytest.mark.parametrize("cut", [True, False])
def test_a_graph_in_order_needs_no_other_numbers(small, cut):
    """Isolated vertices come last; what is not reached lies among the others."""
    G = random_graph(120, 90, kind="undirected")
    H = gl.transform.by_degree(G, cut=cut).graph
    assert len(module.get_runner(H.to("cuda")).numbering) == 1
    assert len(module.get_runner(G.to("cuda")).numbering) == 2
    check(H, 0, 5, H.n - 1)


def test_numbers_by_degree():
    G = gl.Graph.from_edges([4, 4, 4, 1, 6], [1, 2, 6, 2, 6], kind="undirected", n=8)
    graph = degree_ordered(G.to("cuda"))
    order, rank = (device.to_host(x) for x in (graph.order, graph.rank))
    assert order[0] == 4
    assert sorted(order.tolist()) == [1, 2, 4, 6]
    assert rank[order].tolist() == [0, 1, 2, 3]
    assert (rank == -1).sum() == 4
    ends, rows = (device.to_host(x) for x in graph.out[:2])
    degree = np.diff(ends)
    assert (np.diff(degree) <= 0).all()
    assert degree.sum() == G.A.nvals
    for row in np.split(rows.astype(int), ends[1:-1]):
        assert (np.diff(row) > 0).all()


def test_results_are_the_callers_own():
    H = gl.generate.path(5).to("cuda")
    one, two = gl.native.bfs(H, 0), gl.native.bfs(H, 4)
    one.level[0] = 7
    del one.parent[1]
    assert two.level.to_dense().tolist() == [4, 3, 2, 1, 0]
    assert (one.level.nvals, one.parent.nvals) == (5, 4)
    assert gl.native.bfs(H, 0).parent.nvals == 5


def test_refusals():
    H = random_graph(3, 3).to("cuda")
    with pytest.raises(InvalidIndex):
        gl.native.bfs(H, 3)
    with pytest.raises(EngineMismatch, match="'cuda'"):
        gl.native.bfs_compressed(gl.transform.compress(H), 0)


@pytest.mark.thorough
@pytest.mark.parametrize("offset", ["i32", "i64"])
@pytest.mark.parametrize("far", [0, 1])
def test_compiles(offset, far):
    from graphla.native.cuda.runtime import KERNELS
    from tests.cuda import nvrtc

    for begun in (0, 1 - far):
        text = module.definitions(offset, far, begun)
        nvrtc.compile(kernel_text.source("bfs", text, KERNELS))
    for few in (4, 8):
        for blocks in bfs_cluster.SIZES:
            narrow = text + bfs_cluster.definitions(6000, blocks, few)
            nvrtc.compile(kernel_text.source("bfs_cluster", narrow, KERNELS), "sm_90")
    for level, parent in (("i32", "i32"), ("i64", "i32"), ("i64", "i64")):
        text = f"typedef {level} Level;\ntypedef {parent} Parent;\n"
        nvrtc.compile(kernel_text.source("bfs_results", text, KERNELS))
    nvrtc.compile(kernel_text.source("relabel_by_degree", f"typedef {offset} Offset;\n", KERNELS))
