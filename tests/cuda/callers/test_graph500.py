"""The benchmark on the device: the same edges, the same graph, the same checks."""

import numpy as np
import pytest

import graphla as gl
from graphla.comparison import algorithms, implementations
from graphla.core.engines import on_host
from graphla.cuda.runtime.device import device
from graphla.cuda.storage import vector_formats
from graphla.errors import InvalidValue, OutOfDeviceMemory, VerificationError
from graphla.graph500 import (
    EdgeList,
    edges,
    edges_on_ranks,
    kronecker,
    validate_bfs,
    validate_sssp,
)
from graphla.graph500 import device_edges as cuda_edges
from graphla.ranks import in_process


@pytest.mark.parametrize("scale", [1, 6, 9])
@pytest.mark.parametrize("chunk", [1 << 10, 1 << 24])
def test_the_same_edges(monkeypatch, scale, chunk):
    monkeypatch.setitem(edges.CHUNK, "cuda", chunk)
    monkeypatch.setitem(edges.BLOCK, "cuda", chunk)
    here, there = (kronecker(scale, weighted=True, engine=e) for e in ("cpu", "cuda"))
    for name in ("src", "dst", "weight", "ends", "loops"):
        found = getattr(there, name)
        assert device.is_array(found)
        np.testing.assert_array_equal(device.to_host(found), getattr(here, name))
    assert there.search_keys(20, 7) == here.search_keys(20, 7)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("scale", [1, 5, 8])
def test_the_same_graph(scale, weighted):
    here, there = (
        kronecker(scale, seed=4, weighted=weighted, engine=e).graph() for e in ("cpu", "cuda")
    )
    assert (there.engine, there.kind) == ("cuda", "undirected")
    back = there.to("cpu")
    assert back.dtype == here.dtype
    assert back.A.isequal(here.A, check_dtype=True)
    assert gl.Graph(there.A).is_symmetric


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("part", [1, 100, 1000])
def test_the_same_graph_in_parts(weighted, part, monkeypatch):
    for scale in (1, 7):
        drawn = kronecker(scale, weighted=weighted, engine="cuda")
        whole = drawn.graph()
        with monkeypatch.context() as patch:
            patch.setattr(cuda_edges, "PART", part)
            parts = drawn.graph()
        assert parts.dtype == whole.dtype
        assert parts.A.isequal(whole.A, check_dtype=True)


@pytest.mark.parametrize("weighted", [False, True])
def test_the_same_graph_with_unsigned_vertices_on_ranks(monkeypatch, weighted):
    """Labels and columns are unsigned from scale 31 on; the vertices of one rank are few."""
    monkeypatch.setitem(edges_on_ranks.PIECE, "cuda", 100)
    expected = kronecker(7, edgefactor=5, weighted=weighted).graph()
    monkeypatch.setattr(vector_formats, "MAX_INT32_SIZE", 60)
    assert edges.EdgeSource("cuda", 7, 1, weighted).label.dtype == np.uint32

    def run(member):
        G = edges_on_ranks.kronecker_graph(member, 7, 5, weighted=weighted)
        assert G.A.local(0)._csr().indices.dtype == np.uint32
        drawn = edges_on_ranks.EdgesOnRanks(member, 7, 5, 1)
        return on_host(G.A.gathered()), drawn.search_keys(4, 1)

    keys = kronecker(7, edgefactor=5).search_keys(4, 1)
    for A, found in in_process(3, run, engine="cuda"):
        assert A.isequal(expected.A, check_dtype=True)
        assert found == keys


def test_parts_bound_what_sorting_needs():
    m = 1 << 30  # of scale 26
    for weighted, beside in ((False, 12 * m), (True, 20 * m)):
        assert cuda_edges.needed_bytes(m, weighted) + beside < 141 * 10**9
        half, whole = (cuda_edges.needed_bytes(k * cuda_edges.PART, weighted) for k in (1, 2))
        assert whole < 2 * half


@pytest.mark.thorough
@pytest.mark.parametrize("kernel", ["algebraic", "graphla-cuda"])
def test_run(kernel):
    result = gl.graph500.run(
        6, engine="cuda", kernel=kernel, algorithms=("bfs", "sssp"), searches=3, energy_s=0.01
    )
    assert result.engine == "cuda"
    there = gl.graph500.run(6, algorithms=("bfs", "sssp"), searches=3)
    assert (result.roots, result.nedge) == (there.roots, there.nedge)
    for k in result.kernels:
        assert k.family == "algebraic"
        assert (k.energy is None) == (k.no_energy is not None)


def test_native_kernels_of_the_device_are_implementations(monkeypatch):
    """A module in `native/cuda` makes one; what its calls share is prepared ahead."""
    shared = []
    monkeypatch.setattr("graphla.native.cuda.bfs.prepare", shared.append)
    found = [i for i in implementations._graphla_entries.__wrapped__() if i.name == "native-cuda"]
    (bfs,) = (i for i in found if i.algorithm == "bfs")
    assert (bfs.family, bfs.engine) == ("native", "cuda")
    G = gl.generate.path(5).to("cuda")
    H = bfs.prepare(G)
    assert shared == [H]
    assert (H.engine, H is G) == ("cuda", False)


def test_implementations_of_the_other_engine_are_none():
    with pytest.raises(InvalidValue, match=r"kernel 'scipy' matches 0 .* 'cuda', .*: graphla-cuda"):
        gl.graph500.run(4, engine="cuda", kernel="scipy")


def test_a_graph_that_does_not_fit():
    old = gl.cuda.memory().limit
    gl.cuda.set_memory_limit(1 << 24)
    try:
        with pytest.raises(OutOfDeviceMemory, match="the graph of 1,048,576 edges"):
            gl.graph500.run(16, engine="cuda")
    finally:
        gl.cuda.set_memory_limit(old)


def test_each_check_on_the_device():
    """The corrupted trees of tests/graph500/test_validation.py, one for each check."""
    xp = device.xp
    src, dst = (xp.asarray(np.array(x, np.int32)) for x in ([0, 1, 2, 3, 3], [1, 2, 3, 0, 4]))
    weight = xp.asarray(np.array([1, 1, 1, 1, 0.5], np.float32))
    some = EdgeList(src, dst, weight, 5, "cuda")
    level, parent, distance = [0, 1, 2, 1, 2], [0, 0, 1, 0, 3], [0, 1, 2, 1, 1.5]

    def check(parents, levels=None, distances=None):
        p = xp.asarray(np.array(parent, np.int32))
        x = xp.asarray(np.array(level, np.int32) if distances is None else np.array(distance))
        for at, value in parents.items():
            p[at] = value
        for at, value in (distances or levels or {}).items():
            x[at] = value
        (validate_bfs if distances is None else validate_sssp)(some, 0, p, x)

    check({})
    check({}, distances={4: 1.5})
    for number, corrupted in (
        (1, ({2: 4, 4: 2},)),
        (2, ({}, {4: 3})),
        (3, ({1: 2, 2: 3}, {1: 3})),
        (4, ({4: -1}, {4: -1})),
        (5, ({4: 1},)),
        (1, ({2: 4, 4: 2}, None, {4: 1.5})),
        (2, ({}, None, {4: 1.25})),
        (3, ({}, None, {4: 1.75})),
        (4, ({4: -1}, None, {4: np.inf})),
        (5, ({4: 1}, None, {4: 1.5})),
    ):
        with pytest.raises(VerificationError, match=f"^check {number}:"):
            check(*corrupted)


def test_nothing_but_answers_comes_to_the_host(monkeypatch):
    """Neither edges nor results are copied from the device."""
    monkeypatch.setattr(type(device.active), "to_host", None)
    some = kronecker(7, engine="cuda")
    G, root = some.graph(), some.search_keys(1, 1)[0]
    level, parent = algorithms.ALGORITHMS["bfs"](G, root)
    parent = parent.to_dense(fill_value=-1)
    validate_bfs(some, root, parent, level.to_dense(fill_value=-1))
    assert some.edges_within(parent >= 0) > 0
