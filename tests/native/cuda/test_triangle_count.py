"""Native triangles of engine "cuda" against NetworkX and the algebra of engine "cpu"."""

from __future__ import annotations

from math import comb

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

import graphla as gl
from graphla.cuda.runtime import kernel_text
from graphla.errors import SymmetricStructureRequired
from graphla.native.cuda import triangle_count as module
from tests.every_graph import on_atlas, on_dtypes, on_edge_cases
from tests.graphs import edges, from_networkx
from tests.native.cuda.simulated_devices import use_native_blocks
from tests.strategies import examples, float_weights, graphs

drawn = examples(40)
SMALL = {"EXACT": 64, "EXACT_OF_WARP": 32, "GROUP": 4, "LIGHT": 5}


@pytest.fixture(params=["one thread", "one thread, small parts", "lanes", "lanes, small parts"])
def parts(request, monkeypatch):
    """Run kernels by one thread or by warps; make small sets reach all branches of them."""
    if "small" in request.param:
        for name, value in SMALL.items():
            monkeypatch.setattr(module, name, value)
    if "lanes" in request.param:
        use_native_blocks(monkeypatch)


def check(G, expected=None):
    count = gl.native.triangle_count(G.to("cuda"))
    assert type(count) is int
    assert count == (gl.triangle_count(G) if expected is None else expected)


@on_edge_cases(kind="undirected")
def test_edge_cases(G, parts):
    check(G)


test_atlas = on_atlas(check)


@drawn
@given(graphs(kind="undirected", max_n=16, max_m=80))
def test_random_graphs_with_loops(G):
    check(G)


@drawn
@given(graphs(kind="undirected", max_n=150, max_m=300))
def test_random_graphs_of_several_words(parts, G):
    check(G)


@drawn
@given(graphs(kind="undirected", max_n=12, max_m=40, weights=float_weights))
def test_weights_are_ignored_and_a_stored_zero_is_an_edge(G):
    check(G)


test_weights_of_every_dtype = on_dtypes(check, n=40, m=200, kind="undirected")


@pytest.mark.parametrize("n", [3, 33, 64, 65, 130])
def test_a_complete_graph(parts, n):
    check(from_networkx(nx.complete_graph(n)), comb(n, 3))


def test_a_vertex_with_more_paths_than_16_bits_count():
    n = 370  # the vertex in the middle is that of 184 * 185 paths
    check(from_networkx(nx.complete_graph(n)), comb(n, 3))


def test_skewed_degrees(parts):
    for seed in range(2):
        G = from_networkx(nx.barabasi_albert_graph(200, 5, seed=seed))
        check(G, sum(nx.triangles(nx.barabasi_albert_graph(200, 5, seed=seed)).values()) // 3)
    check(gl.generate.kronecker(scale=9, edgefactor=12, seed=3))


def test_narrow_and_wide_numbers(parts):
    """Paths of few and of many, through vertices below and beyond those that have marks."""
    check(gl.generate.kronecker(scale=11, edgefactor=3, seed=1))


def test_marks_that_are_shared(parts, monkeypatch):
    """More vertices than there are marks."""
    for name, value in SMALL.items():
        monkeypatch.setattr(module, name, value)
    n = 2500
    rng = np.random.default_rng(1)
    ring = np.arange(n)
    G = edges(
        np.concatenate([ring, ring, rng.integers(0, n, 2000)]),
        np.concatenate([(ring + 1) % n, (ring + 2) % n, rng.integers(0, n, 2000)]),
        n=n,
        kind="undirected",
    )
    check(G)


def test_a_directed_graph_that_is_symmetric_is_taken(parts):
    src, dst = np.nonzero(~np.eye(5, dtype=bool))
    check(edges(src, dst, n=5), 10)


def test_a_directed_graph_is_refused():
    with pytest.raises(SymmetricStructureRequired, match="3 vertices"):
        gl.native.triangle_count(edges([0, 1, 2], [1, 2, 0], n=3).to("cuda"))


@pytest.mark.thorough
@pytest.mark.parametrize("offset", ["i32", "i64"])
@pytest.mark.parametrize("place", ["u16", "u32"])
def test_compiles(offset, place):
    from graphla.native.cuda.runtime import KERNELS
    from tests.cuda import nvrtc

    for file in ("triangle_count", "triangle_setup"):
        nvrtc.compile(kernel_text.source(file, module.definitions(offset, place), KERNELS))
