"""Ranks whose sum or residual is wrong are rejected."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from graphblas import Vector
from hypothesis import given
from hypothesis import strategies as st

from graphla import verify
from tests.graphs import edges
from tests.oracles import (
    assert_rejected,
    digraph,
    vector,
)
from tests.strategies import graphs

pytestmark = pytest.mark.usefixtures("small_blocks")


@given(st.data(), graphs())
def test_pagerank_finds_what_moves_the_sum_or_the_residual(data, G):
    rank = nx.pagerank(digraph(G), tol=1e-12, weight=None, max_iter=1000)
    verify.pagerank(G, vector(rank, G.n, np.float64), tol=1e-8)
    verify.pagerank(G, vector(rank, G.n, np.float32), tol=1e-8)
    v = data.draw(st.integers(0, G.n - 1))
    for change in (1e-3, -rank[v] - 1e-3, np.nan, np.inf):
        wrong = vector({**rank, v: rank[v] + change}, G.n, np.float64)
        assert_rejected(verify.pagerank, G, wrong)
    del rank[v]
    assert_rejected(
        verify.pagerank, G, vector(rank, G.n, np.float64), match=rf"rank\[{v}\] has no entry"
    )


def test_pagerank_of_another_damping_or_rule():
    G = edges([0, 1, 1, 2], [1, 2, 3, 0], n=4)  # 3 dangles
    rank = nx.pagerank(digraph(G), alpha=0.6, tol=1e-12)
    verify.pagerank(G, vector(rank, 4, np.float64), damping=0.6)
    assert_rejected(verify.pagerank, G, vector(rank, 4, np.float64), match=r"most rank\[")
    lost = np.full(4, 0.25)
    for _ in range(60):
        out = 0.85 * lost
        lost = 0.15 / 4 + np.array([out[2], out[0], out[1] / 2, out[1] / 2])
    verify.pagerank(G, Vector.from_dense(lost), dangling=False, tol=1e-3)
    assert_rejected(verify.pagerank, G, Vector.from_dense(lost))
    zeros = Vector.from_dense(np.zeros(4))
    assert_rejected(verify.pagerank, G, zeros, damping=1, match="sum to 0")
