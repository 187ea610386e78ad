"""The searches of textbooks and papers against the algebra of engine "cpu"."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.cuda import to_graphblas
from graphla.errors import EngineMismatch, InvalidIndex
from graphla.native.cuda import bfs_variants
from graphla.native.cuda.papers import variants
from graphla.native.cuda.papers.variants import pack
from tests.every_graph import on_edge_cases
from tests.graphs import random_graph
from tests.strategies import examples, graphs

NAMES = sorted(bfs_variants)


def check(name, G, *sources):
    H = G.to("cuda")
    for source in sources or range(min(G.n, 3)):
        level = to_graphblas(bfs_variants[name](H, source))
        assert level.isequal(gl.bfs_levels(G, source), check_dtype=True)


def test_there_are_ten():
    assert len(NAMES) == 10


@pytest.mark.parametrize("name", NAMES)
@on_edge_cases
def test_edge_cases(name, G):
    check(name, G)


@pytest.mark.parametrize("name", NAMES)
@examples(15)
@given(graphs(max_n=40, max_m=120), st.data())
def test_random_graphs(name, G, data):
    check(name, G, data.draw(st.integers(0, G.n - 1)))


@pytest.mark.parametrize("name", NAMES)
def test_more_levels_than_a_byte_holds(name):
    check(name, gl.generate.path(900), 0, 450)


@pytest.mark.parametrize("name", NAMES)
def test_wide_frontiers(name, monkeypatch):
    monkeypatch.setattr(variants, "ROOM", 8)
    monkeypatch.setattr(variants, "SEGMENT", 64)
    check(name, gl.generate.star(6000), 0, 5)
    check(name, random_graph(800, 5000, kind="directed"), 1)


@pytest.mark.parametrize("share", [0, 0.4, 1])
def test_shares_of_interleaved_rows(share, monkeypatch):
    for wide in (1, 10**9):  # bottom-up when all are on the frontier, or at once
        monkeypatch.setattr(variants, "PULL_FROM", wide)
        for G in (random_graph(300, 900, kind="directed"), gl.generate.star(100)):
            level = variants.interleaved(G.to("cuda"), 5, share)
            found = to_graphblas(pack(level, G.index_dtype))
            assert found.isequal(gl.bfs_levels(G, 5), check_dtype=True)


def test_a_source_that_is_no_vertex():
    with pytest.raises(InvalidIndex):
        bfs_variants["push"](random_graph(3, 3).to("cuda"), 3)


def test_a_graph_on_the_other_engine():
    with pytest.raises(EngineMismatch, match="'cpu'"):
        bfs_variants["push"](random_graph(3, 3), 0)


@pytest.mark.thorough
@pytest.mark.parametrize("offset", ["i32", "i64"])
def test_compiles(offset):
    from graphla.cuda.runtime import kernel_text
    from graphla.native.cuda.runtime import KERNELS
    from tests.cuda import nvrtc

    text = f"typedef {offset} Offset;\n"
    sizes = f"enum {{ MEDIUM = {variants.MEDIUM}, LARGE = {variants.LARGE} }};\n"
    for level in ("i32", "i64"):
        nvrtc.compile(kernel_text.source("pack_levels", f"typedef {level} Level;\n", KERNELS))
    nvrtc.compile(kernel_text.source("levels_interleaved", text, KERNELS))
    nvrtc.compile(kernel_text.source("levels_buckets", text + sizes, KERNELS))
