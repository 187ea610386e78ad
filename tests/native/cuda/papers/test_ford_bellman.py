"""Sweeps over all edges against the algebra of engine "cpu"."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.cuda import to_graphblas
from graphla.errors import InvalidIndex, InvalidValue, NegativeWeight
from graphla.native.cuda import sssp_variants
from graphla.native.cuda.papers import ford_bellman
from tests.every_graph import on_edge_cases
from tests.graphs import DTYPES, edges, random_graph
from tests.strategies import examples, float_weights, graphs, small_weights

NAMES = sorted(sssp_variants)


def check(name, G, *sources):
    H = G.to("cuda")
    for source in sources or range(min(G.n, 2)):
        distance = to_graphblas(sssp_variants[name](H, source))
        assert distance.isequal(gl.sssp_distances(G, source), check_dtype=True)


def test_there_are_four():
    assert len(NAMES) == 4


@pytest.mark.parametrize("name", NAMES)
@on_edge_cases
def test_edge_cases(name, G):
    check(name, G)


@pytest.mark.parametrize("name", NAMES)
@examples(15)
@given(graphs(max_n=40, max_m=120, weights=small_weights | float_weights), st.data())
def test_random_graphs(name, G, data):
    check(name, G, data.draw(st.integers(0, G.n - 1)))


@pytest.mark.thorough
@pytest.mark.parametrize("dtype", [None, *DTYPES])
def test_dtypes(dtype):
    check("edges, blocked", random_graph(60, 300, dtype=dtype), 0)


@pytest.mark.parametrize("name", NAMES)
def test_segments(name, monkeypatch):
    monkeypatch.setattr(ford_bellman, "SEGMENT", 16)
    check(name, random_graph(300, 2000, dtype="int32", kind="undirected"), 3)


def test_bad_input():
    run = sssp_variants["edges"]
    with pytest.raises(InvalidValue, match="NaN"):
        run(edges([0, 1], [1, 2], [1.0, np.nan], n=3).to("cuda"), 0)
    with pytest.raises(NegativeWeight):
        run(edges([0], [1], [-1], n=2).to("cuda"), 0)
    with pytest.raises(InvalidIndex):
        run(random_graph(3, 3, dtype="int32").to("cuda"), 3)


@pytest.mark.thorough
@pytest.mark.parametrize("distance", ["u32", "f64"])
def test_compiles(distance):
    from graphla.cuda.runtime import kernel_text
    from graphla.native.cuda.runtime import KERNELS
    from tests.cuda import nvrtc

    text = f"typedef {distance} Distance;\ntypedef u{distance[1:]} Code;\ntypedef i64 Out;\n"
    nvrtc.compile(kernel_text.source("pack_distances", text, KERNELS))
    for flags in ("#define READ_ONLY 1\n#define BOTH 1\n", "#define READ_ONLY 0\n#define BOTH 0\n"):
        nvrtc.compile(kernel_text.source("ford_bellman", text + flags, KERNELS))
