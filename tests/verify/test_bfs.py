"""Every wrong breadth-first search is rejected."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla import verify
from graphla.errors import (
    GraphlaError,
    VerificationError,
)
from tests.graphs import edges, random_graph
from tests.oracles import (
    assert_rejected,
    bfs_of,
    corrupted,
    digraph,
    vector,
)
from tests.strategies import graphs

pytestmark = pytest.mark.usefixtures("small_blocks")


def test_algorithm_of_this_package():
    G = random_graph(300, 900, seed=3)
    verify.bfs(G, 7, *gl.bfs(G, 7))
    verify.bfs(G, 7, gl.bfs_levels(G, 7))


@given(st.data(), graphs())
def test_bfs_finds_any_wrong_level(data, G):
    level, parent = bfs_of(G, 0)
    wrong = vector(data.draw(corrupted(level, G.n, st.integers(-2, G.n + 2))), G.n)
    assert_rejected(verify.bfs, G, 0, wrong)
    assert_rejected(verify.bfs, G, 0, wrong, vector(parent, G.n))


@given(st.data(), graphs())
def test_bfs_finds_any_wrong_parent(data, G):
    level, parent = bfs_of(G, 0)
    wrong = data.draw(corrupted(parent, G.n, st.integers(-2, G.n + 2)))
    arcs = set(digraph(G).edges())
    valid = set(wrong) == set(level) and all(
        (p, v) in arcs and level.get(p) == level[v] - 1 if v else p == 0 for v, p in wrong.items()
    )
    for levels in (None, vector(level, G.n)):
        if valid:
            verify.bfs(G, 0, levels, vector(wrong, G.n))
        else:
            assert_rejected(verify.bfs, G, 0, levels, vector(wrong, G.n))


def test_bfs_names_the_offender():
    G = edges([0, 1, 2, 0], [1, 2, 3, 3], n=5)
    right = {0: 0, 1: 1, 2: 2, 3: 1}
    up = {0: 0, 1: 0, 2: 1, 3: 2}

    def levels(**change):
        return vector({**right, **{int(k[1:]): x for k, x in change.items()}}, 5)

    assert_rejected(verify.bfs, G, 0, levels(v3=3), match=r"0 -> 3 leads from level 0 to level 3")
    assert_rejected(verify.bfs, G, 0, levels(v4=1), match=r"vertex 4 at level 1")
    assert_rejected(verify.bfs, G, 0, levels(v0=1), match="source 0 has level 1, not 0")
    assert_rejected(verify.bfs, G, 0, levels(v2=9), match=r"level\[2\] is 9: not in 0..n-1")
    missing = vector({0: 0, 1: 1, 3: 1}, 5)
    assert_rejected(verify.bfs, G, 0, missing, match=r"1 -> 2 leads to an unreached vertex")
    assert_rejected(
        verify.bfs, G, 0, None, vector(up, 5), match=r"0 -> 3 leads from level 0 to level 3"
    )
    assert_rejected(
        verify.bfs, G, 0, levels(v3=2), vector({**up, 3: 0}, 5), match=r"level\[3\] is 2"
    )
    cycle = vector({0: 0, 1: 2, 2: 1, 3: 0}, 5)
    assert_rejected(verify.bfs, G, 0, None, cycle, match=r"do not lead from vertex 1 to 0")
    assert_rejected(
        verify.bfs, G, 0, None, vector({1: 0}, 5), match=r"parent\[0\] of the source|vertex 1"
    )
    assert_rejected(verify.bfs, G, 0, None, vector({}, 5), match=r"parent\[0\] of the source")
    assert issubclass(VerificationError, GraphlaError)
    assert issubclass(VerificationError, AssertionError)


def test_values_must_be_vertices():
    G = edges([0, 1], [1, 2], n=3)
    verify.bfs(G, 0, vector({0: 0, 1: 1, 2: 2}, 3, np.float64))
    half = vector({0: 0, 1: 0.5, 2: 1}, 3, np.float64)
    assert_rejected(verify.bfs, G, 0, half, match="not an integer")
    assert_rejected(
        verify.bfs, G, 0, vector({0: 0, 1: 1, 2: np.nan}, 3, np.float64), match="not in 0..n-1"
    )
    assert_rejected(verify.bfs, G, 0, vector({0: 0, 1: 1, 2: 2}, 4), match=r"shape \(4,\)")
