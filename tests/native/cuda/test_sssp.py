"""The native shortest paths of engine "cuda" against the algebra of engine "cpu" and verify."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.cuda import to_graphblas
from graphla.cuda.runtime import kernel_text
from graphla.errors import InvalidIndex, InvalidValue, NegativeWeight
from graphla.native.cuda import sssp as module
from graphla.native.cuda.renumbered import by_weight
from tests.every_graph import on_edge_cases
from tests.graphs import DTYPES, edges, random_graph
from tests.native.cuda.simulated_devices import MACHINES, use_machine
from tests.strategies import examples, float_weights, graphs, small_weights

drawn = examples(15)


def check(G, *sources, delta=None):
    H = G.to("cuda")
    for source in sources or range(min(G.n, 3)):
        expected = gl.sssp_distances(G, source)
        distance, parent = (to_graphblas(v) for v in gl.native.sssp(H, source, delta=delta))
        assert distance.isequal(expected, check_dtype=True)
        gl.verify.sssp(G, source, distance, parent)
        alone = gl.native.sssp_distances(H, source, delta=delta)
        assert to_graphblas(alone).isequal(expected, check_dtype=True)


test_edge_cases = on_edge_cases(check)


@pytest.mark.thorough
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("m", [300, 1500])
def test_dtypes(dtype, m):
    check(random_graph(60, m, dtype=dtype))
    check(random_graph(12, 30, dtype=dtype, high=9), 0)


PARTS = {
    "look back": {"MIN_DEGREE": 0, "HUB": 0},
    "push": {"MIN_DEGREE": 10**9},
    "small parts": {
        "MIN_DEGREE": 0,
        "HUB": 0,
        "PIECE": 4,
        "MIN_LIGHT_ITEMS": 3,
        "SPARSE_ITEMS": 2,
        "LONG": 6,
        "PART": 9,
    },
    "a queue that overflows": {"MIN_DEGREE": 10**9, "QUEUE_MARGIN": 0, "PIECE": 4},
}


@pytest.fixture(params=product(PARTS, MACHINES), ids=" ".join)
def parts(request, monkeypatch):
    """Make the search of a small graph reach all branches of the kernel."""
    part, machine = request.param
    for name, value in PARTS[part].items():
        monkeypatch.setattr(by_weight if name in ("LONG", "PART") else module, name, value)
    use_machine(machine, monkeypatch)


@drawn
@given(graphs(max_n=40, max_m=200, weights=small_weights | float_weights), st.data())
def test_random_graphs(parts, G, data):
    source = data.draw(st.integers(0, G.n - 1))
    check(G, source, delta=data.draw(st.sampled_from([None, 1e-3, 1.0, 7.5, 1e9])))


def weighted(G, dtype):
    i, j, _ = G.A.to_coo()
    up = i < j
    weight = np.random.default_rng(4).integers(1, 256, up.sum()).astype(dtype)
    return gl.Graph.from_edges(i[up], j[up], weight, n=G.n, kind="undirected")


@pytest.mark.parametrize("dtype", ["int32", "float32"])
def test_shapes(parts, dtype):
    check(weighted(gl.generate.kronecker(scale=7, edgefactor=12, seed=3), dtype), 7)
    check(weighted(gl.generate.star(300), dtype), 5, delta=1e9)
    check(random_graph(40, 900, dtype=dtype), 1, delta=1e9)
    check(weighted(gl.generate.path(60), dtype), 30)


@pytest.mark.parametrize("dtype", ["int32", "float64"])
def test_edges_that_add_nothing_close_no_cycle(parts, dtype):
    """All weights 0, and weights that vanish beside the distance: parents still form a tree."""
    G = random_graph(100, 400, dtype=dtype, kind="undirected")
    src, dst, _ = G.A.to_coo()
    check(edges(src, dst, np.zeros(src.size, dtype), n=G.n), 0)
    if dtype == "float64":
        src, dst = np.append(src, G.n), np.append(dst, 0)
        weight = np.append(np.full(src.size - 1, 1e-9), 1e20)
        check(edges(src, dst, weight, n=G.n + 1), G.n)


def test_the_largest_distances_that_fit():
    top = (2**31 - 2) // 5
    check(edges([0, 1], [1, 2], np.array([top, top], np.int32), n=3), delta=1e9)
    top = (2**63 - 2) // 5
    check(edges([0, 1], [1, 2], np.array([top, top]), n=3), delta=1e300)
    check(edges([0, 1], [1, 2], np.array([top, top], np.uint64), n=3))
    check(edges([0, 1], [1, 2], np.float32([1e37, 1e37]), n=3), delta=1e300)


@pytest.mark.parametrize(("top", "bits"), [(2**29, 32), (2**30, 64)])
def test_distances_take_as_many_bits_as_they_need(top, bits):
    G = edges([0, 1], [1, 2], np.array([top, top]), n=3)
    check(G)
    H = G.to("cuda")
    gl.native.sssp(H, 0)
    assert module.get_runner(H).work_dtype == f"uint{bits}"


def test_results_are_the_callers_own():
    H = edges([0, 1], [1, 2], [2, 3], n=3).to("cuda")
    one, two = gl.native.sssp(H, 0), gl.native.sssp(H, 1)
    one.distance[1] = 9
    del one.parent[2]
    assert two.distance.to_dense(fill_value=-1).tolist() == [-1, 0, 3]
    assert gl.native.sssp(H, 0).parent.nvals == 3


def test_bad_input():
    H = edges([0, 1], [1, 2], [1.0, np.nan], n=3).to("cuda")
    with pytest.raises(InvalidValue, match="NaN"):
        gl.native.sssp(H, 0)
    with pytest.raises(InvalidValue, match="delta"):
        gl.native.sssp_distances(H, 0, delta=0)
    with pytest.raises(InvalidIndex):
        gl.native.sssp(H, 3)
    with pytest.raises(NegativeWeight):
        gl.native.sssp(edges([0], [1], [-1], n=2).to("cuda"), 0)


@pytest.mark.thorough
@pytest.mark.parametrize("offset", ["i32", "i64"])
@pytest.mark.parametrize("distance", ["u32", "f64"])
def test_compiles(offset, distance):
    from graphla.native.cuda.runtime import KERNELS
    from tests.cuda import nvrtc

    text = module.definitions(offset, distance)
    nvrtc.compile(kernel_text.source("sssp", text, KERNELS))
    for parent in ("i32", "i64"):
        types = text + f"typedef i8 Out;\ntypedef {parent} Parent;\n"
        nvrtc.compile(kernel_text.source("sssp_results", types, KERNELS))
