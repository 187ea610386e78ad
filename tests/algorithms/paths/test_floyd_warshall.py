"""Floyd and Warshall's algorithm in blocks of every size; the rest: all-pairs shortest paths."""

from __future__ import annotations

import numpy as np
import pytest

import graphla as gl
from graphla.algorithms.paths import floyd_warshall as module
from graphla.errors import NegativeCycle, OutOfMemory
from tests.graphs import edges, random_graph


@pytest.mark.parametrize("block", [1, 2, 7, 40, 100])
def test_blocks(block, monkeypatch):
    G = random_graph(40, 150, dtype="int32", seed=1)
    expected = gl.all_pairs_shortest_paths(G)
    monkeypatch.setattr(module, "BLOCK", block)
    assert gl.floyd_warshall(G).isequal(expected, check_dtype=True)


@pytest.mark.parametrize("block", [1, 2, 7, 40])
def test_a_negative_cycle_through_all_blocks(block, monkeypatch):
    monkeypatch.setattr(module, "BLOCK", block)
    weights = np.ones(30, np.int64)
    weights[7] = -30
    with pytest.raises(NegativeCycle):
        gl.floyd_warshall(edges(np.arange(30), (np.arange(30) + 1) % 30, weights, n=30))


def test_what_it_works_on_is_within_the_available_memory(monkeypatch):
    G = random_graph(40, 150, dtype="int64", seed=1)
    monkeypatch.setattr(module, "available", lambda engine: 42 * 40**2)
    gl.floyd_warshall(G)
    monkeypatch.setattr(module, "available", lambda engine: 42 * 40**2 - 42)
    with pytest.raises(OutOfMemory, match="floyd_warshall"):
        gl.floyd_warshall(G)
