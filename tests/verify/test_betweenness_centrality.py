"""Any wrong score is rejected, and more paths than can be counted are refused."""

from __future__ import annotations

import numpy as np
import pytest
from graphblas import Vector
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla import verify
from graphla.errors import (
    InvalidValue,
)
from graphla.verify import path_passes
from tests.graphs import edges
from tests.oracles import (
    assert_rejected,
    corrupted,
    scores_of,
    vector,
)
from tests.strategies import graphs

pytestmark = pytest.mark.usefixtures("small_blocks")


@given(st.data(), graphs())
def test_betweenness_finds_any_wrong_score(data, G):
    sources = data.draw(st.lists(st.integers(0, G.n - 1), unique=True))
    score = scores_of(G, sources)
    verify.betweenness_centrality(G, sources, vector(score, G.n, np.float64))
    wrong = data.draw(corrupted(score, G.n, st.sampled_from([-1.0, 0.0, 0.5, 1.01, 7.0, np.nan])))
    if any(abs(wrong.get(v, -9) - score[v]) > 1e-6 or wrong[v] != wrong[v] for v in score):
        assert_rejected(verify.betweenness_centrality, G, sources, vector(wrong, G.n, np.float64))


def test_betweenness_counts_a_source_as_often_as_it_is_given():
    G = edges(range(4), range(1, 5), n=5)
    once = scores_of(G, [0])
    twice = {v: 2 * x for v, x in once.items()}
    verify.betweenness_centrality(G, [0, 0], vector(twice, 5, np.float64))
    assert_rejected(
        verify.betweenness_centrality, G, [0], vector(twice, 5, np.float64), match=r"score\[1\]"
    )


def test_betweenness_sum_finds_what_each_score_hides():
    """Each score is within its tolerance, but their sum is not."""
    n = 1000
    G = edges([0] * (n - 1), range(1, n), n=n)
    tiny = np.r_[0.0, np.full(n - 1, 9e-7)]
    assert_rejected(verify.betweenness_centrality, G, [0], Vector.from_dense(tiny), match="sum to")


def diamonds(k):
    """Diamonds in a row: 2^k shortest paths."""
    first = 3 * np.arange(k)
    src = np.concatenate([first, first, first + 1, first + 2])
    dst = np.concatenate([first + 1, first + 2, first + 3, first + 3])
    return edges(src, dst, n=3 * k + 1)


def test_betweenness_of_more_paths_than_a_double_holds():
    G = diamonds(1100)
    scores = gl.betweenness_centrality(G, [0])
    verify.betweenness_centrality(G, [0], scores)
    scores[1] = 0.0
    assert_rejected(verify.betweenness_centrality, G, [0], scores, match=r"score\[1\]")


def test_betweenness_refuses_more_paths_than_it_can_count(monkeypatch):
    monkeypatch.setattr(path_passes, "PATH_COUNT", np.float64)
    k = 1100
    G = diamonds(k)
    with pytest.raises(InvalidValue, match="too many shortest paths from 0"):
        verify.betweenness_centrality(G, [0], Vector.from_dense(np.zeros(G.n)))
    far = 3 * (k - 2)
    depth = dict.fromkeys(range(G.n), 0.0) | {far + 1: 2.0, far + 2: 2.0, far + 3: 3.0}
    depth |= {far + 4: 0.5, far + 5: 0.5}
    verify.betweenness_centrality(G, [far], vector(depth, G.n, np.float64))
