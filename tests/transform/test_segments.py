"""Edges in blocks: each block joins two segments, and decoding returns the graph."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla import transform
from tests.every_graph import on_edge_cases
from tests.transform.orders_and_forms import (
    EVERY,
    equal_matrices,
    host,
)


def check_blocks(G, size):
    form = transform.block_edges(G, size)
    src, dst, starts = host(form.src), host(form.dst), host(form.starts)
    segments = -(-G.n // size)
    assert starts.size == segments**2 + 1
    for b in range(segments**2):
        part = slice(starts[b], starts[b + 1])
        assert (dst[part] // size == b // segments).all()
        assert (src[part] // size == b % segments).all()
        keys = src[part].astype(np.int64) * G.n + dst[part]
        assert (np.diff(keys) > 0).all()
    assert src.size == G.nedges == starts[-1]
    H = form.decode()
    assert H.kind == G.kind
    equal_matrices(H.A, G.A)


@given(EVERY, st.integers(1, 80))
def test_blocked_edges(G, size):
    check_blocks(G, size)


@on_edge_cases
def test_blocks_of_edge_cases(G):
    check_blocks(G, 2)


def test_one_segment_may_be_larger_than_the_type_of_a_vertex():
    G = gl.generate.path(3)
    form = transform.block_edges(G, 1 << 40)
    assert form.starts.tolist() == [0, G.nedges]
    assert form.decode().A.isequal(G.A)
