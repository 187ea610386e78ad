"""The count of triangles: exact on small graphs, by a sample on large ones."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphla import verify
from tests.graphs import edges, random_graph
from tests.oracles import (
    assert_rejected,
    triangles_of,
)
from tests.strategies import graphs

pytestmark = pytest.mark.usefixtures("small_blocks")


def undirected(weights):
    return graphs(kind="undirected", weights=weights)


@given(st.data(), graphs(kind="undirected"))
def test_triangle_count_is_exact_on_small_graphs(data, G):
    count = triangles_of(G)
    verify.triangle_count(G, count)
    off = data.draw(st.integers(-3, 3).filter(bool))
    assert_rejected(verify.triangle_count, G, count + off, match=f"the graph has {count}")


def test_triangle_count_by_a_sample(monkeypatch):
    monkeypatch.setattr("graphla.verify.PRODUCTS", 0)
    monkeypatch.setattr("graphla.verify.PAIRS", 100_000)
    G = random_graph(300, 9000, kind="undirected", seed=5)
    count = triangles_of(G)
    for seed in range(5):
        verify.triangle_count(G, count, seed=seed)
        for wrong in (int(count * 1.1), int(count * 0.9), 0, -count, 100 * count):
            assert_rejected(verify.triangle_count, G, wrong, seed=seed, match="drawn are closed")


def test_sampled_triangles_of_a_tree_and_of_a_bipartite_graph(monkeypatch):
    monkeypatch.setattr("graphla.verify.PRODUCTS", 0)
    verify.triangle_count(edges(range(9), range(1, 10), n=10, kind="undirected"), 0)
    src, dst = np.nonzero(np.ones((30, 30)))
    verify.triangle_count(edges(src, dst + 30, n=60, kind="undirected"), 0)
    assert_rejected(verify.triangle_count, edges(src, dst + 30, n=60, kind="undirected"), 500)
