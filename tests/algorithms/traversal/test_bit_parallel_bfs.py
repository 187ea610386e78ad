"""Sixty-four searches in a word against single ones."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.algorithms._shared.bit_words import WORD_BITS
from graphla.algorithms.traversal.bit_parallel_bfs import make_edge_words, search_by_level
from tests.graphs import random_graph
from tests.strategies import graphs, small_weights


def check(G, sources):
    """Every search sees each vertex at its level, and once."""
    level = np.full((len(sources), G.n), -1)
    level[range(len(sources)), sources] = 0
    for depth, words in enumerate(search_by_level(G, make_edge_words(G), sources), start=1):
        assert words.nvals
        for v, word in zip(*(x.tolist() for x in words.to_coo()), strict=True):
            assert 0 < word < 1 << len(sources)
            for s in range(len(sources)):
                if word >> s & 1:
                    assert level[s, v] == -1
                    level[s, v] = depth
    for s, source in enumerate(sources):
        expected = gl.bfs_levels(G, source).to_dense(fill_value=-1)
        np.testing.assert_array_equal(level[s], expected)


@given(graphs(max_n=12, max_m=40, weights=small_weights), st.data())
def test_random_graphs(G, data):
    check(G, data.draw(st.lists(st.integers(0, G.n - 1), min_size=1, max_size=9)))


@pytest.mark.parametrize("kind", ["directed", "undirected"])
def test_all_bits_of_a_word(kind):
    G = random_graph(100, 150, kind=kind, seed=1)
    check(G, list(range(10, 10 + WORD_BITS)))
