"""The native forest of engine "cuda" against the algebra of engine "cpu"."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given

import graphla as gl
from graphla import Graph
from graphla.cuda import to_graphblas
from graphla.cuda.runtime import kernel_text
from graphla.cuda.runtime.device import device
from graphla.errors import InvalidValue, SymmetricStructureRequired
from graphla.native.cuda import minimum_spanning_forest as module
from graphla.native.cuda.renumbered import by_rank
from tests.every_graph import on_atlas
from tests.graphs import DTYPES, edge_cases, random_graph
from tests.native.cuda.simulated_devices import MACHINES, use_machine
from tests.strategies import examples, float_weights, graphs, signed_weights

drawn = examples(15)


def compare(forest, G):
    """The forest that engine "cuda" found is the algebra's."""
    expected = gl.minimum_spanning_forest(G)
    for got, want in zip(forest.edges, expected.edges, strict=True):
        assert to_graphblas(got).isequal(want, check_dtype=True)
    assert forest.weight == pytest.approx(expected.weight, rel=1e-12)
    assert type(forest.weight) is type(expected.weight)
    assert to_graphblas(forest.component).isequal(expected.component, check_dtype=True)


def check(G):
    compare(gl.native.minimum_spanning_forest(G.to("cuda")), G)


@pytest.mark.parametrize("name", edge_cases())
def test_edge_cases(name):
    check(edge_cases("undirected")[name])


test_atlas = on_atlas(check)


PARTS = {
    "as it is": {},
    "no light edges": {"LIGHT": 0, "HEAVY_SHARE": 1, "MIN_SAMPLED_EDGES": 0},
    "little room": {"LIGHT": 1, "HEAVY_SHARE": 10, "SAMPLE": 2, "MIN_SAMPLED_EDGES": 20},
}


@pytest.fixture(params=product(PARTS, [*MACHINES, "interleaved"]), ids=" ".join)
def parts(request, monkeypatch):
    """Make the forest of a small graph reach all branches of the kernel."""
    part, machine = request.param
    for name, value in PARTS[part].items():
        monkeypatch.setattr(module, name, value)
    use_machine(machine, monkeypatch)


@drawn
@given(graphs(kind="undirected", weights=signed_weights | float_weights, max_n=40, max_m=160))
def test_random_graphs(parts, G):
    check(G)


def test_larger_graphs(parts):
    for m, dtype in ((900, None), (3000, "int16"), (3000, "float32"), (150, "uint64")):
        check(random_graph(200, m, kind="undirected", dtype=dtype, high=9))
    check(gl.generate.grid(12))


def test_high_trees(parts):
    """Trees of equal size join in pairs: some path to a root is as long as there are rounds."""
    i = np.arange(1, 1 << 12)
    check(Graph.from_edges(i - 1, i, np.int32(i & -i), kind="undirected"))


@pytest.mark.thorough
@pytest.mark.parametrize("dtype", [None, *DTYPES])
@pytest.mark.parametrize("m", [60, 600])
def test_dtypes(dtype, m):
    check(random_graph(50, m, kind="undirected", dtype=dtype))


def test_ranks_of_eight_bytes(parts, monkeypatch):
    monkeypatch.setattr(module, "ranked_graph", lambda G: by_rank.ranked_graph(G).astype("INT64"))
    for m in (0, 150, 3000):
        check(random_graph(200, m, kind="undirected", dtype="int16"))


@pytest.mark.thorough
@pytest.mark.parametrize("weight", [[0.0, -0.0, 0.0], [-np.inf, np.inf, 2.0], [2**24, 1, 1]])
def test_special_floats(weight):
    check(Graph.from_edges([0, 1, 0], [1, 2, 2], np.float32(weight), kind="undirected"))


def test_a_directed_graph_that_is_symmetric():
    check(Graph.from_edges([0, 1, 1, 2], [1, 0, 2, 1], [3, 3, 1, 1]))


def test_results_are_the_callers_own():
    H = random_graph(20, 60, kind="undirected", dtype="int32").to("cuda")
    one, two = (gl.native.minimum_spanning_forest(H) for _ in range(2))
    before = to_graphblas(two.edges.src)
    one.edges.src[0], one.component[0] = 7, 9
    assert to_graphblas(two.edges.src).isequal(before)
    assert to_graphblas(gl.native.minimum_spanning_forest(H).edges.src).isequal(before)


def test_vertices_are_grouped_by_hub():
    """Two joined stars: each leaf follows its centre; an isolated vertex is left out."""
    G = Graph.from_edges([0, 0, 0, 0, 1, 1, 1], [2, 4, 6, 1, 3, 5, 7], n=9, kind="undirected")
    order = device.to_host(module.group_by_hub(G.to("cuda"))).tolist()
    assert order == [0, 1, 2, 4, 6, 3, 5, 7]


def test_refused():
    with pytest.raises(SymmetricStructureRequired, match="minimum_spanning_forest"):
        gl.native.minimum_spanning_forest(Graph([[0, 1], [0, 0]]).to("cuda"))
    nan = Graph.from_edges([0, 1], [1, 2], [1.0, np.nan], kind="undirected")
    with pytest.raises(InvalidValue, match="NaN"):
        gl.native.minimum_spanning_forest(nan.to("cuda"))
    huge = Graph.from_edges([0, 1], [1, 2], [2**62, 2**62], kind="undirected")
    with pytest.raises(InvalidValue, match="2 edges of weight up to"):
        gl.native.minimum_spanning_forest(huge.to("cuda"))


@pytest.mark.thorough
@pytest.mark.parametrize("offset", ["i32", "i64"])
@pytest.mark.parametrize("rank", ["u32", "u64"])
@pytest.mark.parametrize("index", ["i32", "i64"])
def test_compiles(offset, rank, index):
    from graphla.native.cuda.runtime import KERNELS
    from tests.cuda import nvrtc

    text = module.definitions(offset, rank, index)
    nvrtc.compile(kernel_text.source("minimum_spanning_forest", text, KERNELS))
    text = f"typedef {offset} Offset;\ntypedef {index} End;\ntypedef f32 Weight;\n"
    nvrtc.compile(kernel_text.source("forest_results", text, KERNELS))
    nvrtc.compile(kernel_text.source("hub_grouping", text, KERNELS))
