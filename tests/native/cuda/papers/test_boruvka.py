"""Boruvka's steps, with each preprocessing, against the algebra of engine "cpu"."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

import graphla as gl
from graphla import Graph
from graphla.cuda.runtime import kernel_text
from graphla.errors import EngineMismatch, InvalidValue, SymmetricStructureRequired
from graphla.native.cuda import forest_variants
from graphla.native.cuda.papers import boruvka_variants as module
from tests.every_graph import on_edge_cases
from tests.graphs import DTYPES, random_graph
from tests.native.cuda.simulated_devices import use_native_blocks
from tests.native.cuda.test_minimum_spanning_forest import compare
from tests.strategies import examples, float_weights, graphs, signed_weights

NAMES = sorted(forest_variants)


def check(name, G):
    compare(forest_variants[name](G.to("cuda")), G)


def test_there_are_five():
    assert len(NAMES) == 5


@pytest.mark.parametrize("name", NAMES)
@on_edge_cases(kind="undirected")
def test_edge_cases(name, G):
    check(name, G)


@pytest.mark.parametrize("name", NAMES)
@examples(15)
@given(graphs(kind="undirected", weights=signed_weights | float_weights, max_n=40, max_m=160))
def test_random_graphs(name, G):
    check(name, G)


@pytest.mark.parametrize("name", NAMES)
def test_larger_graphs(name):
    for m, dtype in ((900, None), (3000, "int16"), (3000, "float32"), (150, "uint64")):
        check(name, random_graph(200, m, kind="undirected", dtype=dtype, high=9))
    check(name, gl.generate.ssca2(10, weights=(1, 255)))
    check(name, gl.generate.path(700))


@pytest.mark.thorough
@pytest.mark.parametrize("dtype", [None, *DTYPES])
def test_dtypes(dtype):
    check("weights", random_graph(50, 300, kind="undirected", dtype=dtype))


def test_a_list_has_near_neighbours_and_far_ones():
    G = random_graph(5000, 9000, kind="undirected", dtype="int32")
    check("byte ids", G)
    lists = module._near_and_far(module.ranked_graph(G.to("cuda")))
    assert lists.ids.bytes.size == lists.near_costs.size > 0
    assert lists.ids.far.size == lists.far_costs.size > 0


@pytest.mark.parametrize("name", NAMES)
def test_warps(name, monkeypatch):
    use_native_blocks(monkeypatch)
    check(name, random_graph(90, 1500, kind="undirected", dtype="int8", high=9))
    check(name, gl.generate.star(300, weights=(1, 9)))


def test_bad_input():
    run = forest_variants["sorted"]
    with pytest.raises(EngineMismatch, match="'cpu'"):
        run(random_graph(3, 3, kind="undirected"))
    with pytest.raises(SymmetricStructureRequired, match="minimum_spanning_forest"):
        run(Graph([[0, 1], [0, 0]]).to("cuda"))
    with pytest.raises(InvalidValue, match="NaN"):
        run(Graph.from_edges([0], [1], [np.nan], kind="undirected").to("cuda"))


@pytest.mark.thorough
@pytest.mark.parametrize(("cost", "offset"), [("i32", "i32"), ("f64", "i64"), ("u8", "i32")])
def test_compiles(cost, offset):
    from graphla.native.cuda.runtime import KERNELS
    from tests.cuda import nvrtc

    text = f"typedef {offset} Offset;\ntypedef {cost} Cost;\n"
    for file in ("boruvka", "boruvka_sorted", "boruvka_unsorted", "boruvka_bytes"):
        nvrtc.compile(kernel_text.source(file, text, KERNELS))
