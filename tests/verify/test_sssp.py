"""The check of shortest paths rejects every wrong result."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphla import verify
from tests.graphs import edges
from tests.oracles import (
    assert_rejected,
    corrupted,
    digraph,
    sssp_of,
    vector,
)
from tests.strategies import float_weights, graphs, signed_weights, small_weights

pytestmark = pytest.mark.usefixtures("small_blocks")


def is_tight_tree(G, distance, parent):
    """Say whether parents are those of some shortest-path tree from 0, by walking each one."""
    H = digraph(G)
    if set(parent) != set(distance) or parent.get(0) != 0:
        return False
    for v, p in parent.items():
        if v and not (
            p in distance and H.has_edge(p, v) and distance[p] + H[p][v]["weight"] == distance[v]
        ):
            return False
    for v in parent:
        for _ in range(G.n):
            v = parent[v]
        if v:
            return False
    return True


def signed_case(G):
    try:
        return sssp_of(G, 0)
    except nx.NetworkXUnbounded:
        return None


@given(st.data(), st.one_of(graphs(weights=small_weights), graphs(weights=signed_weights)))
def test_sssp_finds_any_wrong_distance(data, G):
    right = signed_case(G)
    if right is None:  # a negative cycle: no distances are right
        claim = {0: 0, **data.draw(st.dictionaries(st.integers(1, 11), st.integers(-9, 9)))}
        claim = {v: x for v, x in claim.items() if v < G.n}
        assert_rejected(verify.sssp, G, 0, vector(claim, G.n))
        return
    distance, parent = right
    assert is_tight_tree(G, distance, parent)
    verify.sssp(G, 0, vector(distance, G.n))
    verify.sssp(G, 0, vector(distance, G.n), vector(parent, G.n))
    wrong = vector(data.draw(corrupted(distance, G.n, st.integers(-9, 40))), G.n)
    assert_rejected(verify.sssp, G, 0, wrong)
    assert_rejected(verify.sssp, G, 0, wrong, vector(parent, G.n))


@given(st.data(), graphs(weights=st.integers(0, 2)))
def test_sssp_finds_any_wrong_parent(data, G):
    distance, parent = sssp_of(G, 0)
    wrong = data.draw(corrupted(parent, G.n, st.integers(-1, G.n)))
    if is_tight_tree(G, distance, wrong):
        verify.sssp(G, 0, vector(distance, G.n), vector(wrong, G.n))
    else:
        assert_rejected(verify.sssp, G, 0, vector(distance, G.n), vector(wrong, G.n))


def test_sssp_is_not_fooled_by_a_cycle_of_weight_zero():
    G = edges([0, 1, 2, 3], [1, 2, 3, 2], [4, 1, 0, 0], n=4)
    verify.sssp(G, 0, vector({0: 0, 1: 4, 2: 5, 3: 5}, 4))
    assert_rejected(
        verify.sssp, G, 0, vector({0: 0, 1: 4, 2: 3, 3: 3}, 4), match="leads to vertex 2 at"
    )
    cycle = vector({0: 0, 1: 0, 2: 3, 3: 2}, 4)
    assert_rejected(
        verify.sssp, G, 0, vector({0: 0, 1: 4, 2: 5, 3: 5}, 4), cycle, match="do not lead"
    )


def test_sssp_names_the_offender():
    G = edges([0, 0, 1], [1, 2, 2], [1, 5, 1], n=4)
    right, parent = {0: 0, 1: 1, 2: 2}, {0: 0, 1: 0, 2: 1}

    def distances(change):
        return vector({**right, **change}, 4)

    assert_rejected(
        verify.sssp, G, 0, distances({2: 3}), match="1 -> 2 of weight 1 .* distance 1 to 3"
    )
    assert_rejected(verify.sssp, G, 0, distances({0: 1}), match="source 0 is not 0")
    assert_rejected(verify.sssp, G, 0, vector({0: 0, 1: 1}, 4), match="unreached vertex")
    assert_rejected(verify.sssp, G, 0, distances({3: 9}), match="vertex 3 at distance 9")
    bad = vector({**parent, 2: 0}, 4)
    assert_rejected(verify.sssp, G, 0, distances({}), bad, match="tree edge 0 -> 2 of weight 5")
    bad = vector({**parent, 3: 2}, 4)
    assert_rejected(
        verify.sssp, G, 0, distances({}), bad, match="vertex 3 has a parent or a distance"
    )
    assert_rejected(verify.sssp, G, 0, distances({3: 2}), bad, match="leads to vertex 3")


@pytest.mark.parametrize("dtype", ["int64", "uint64"])
def test_sssp_does_not_overflow(dtype):
    big = np.iinfo(dtype).max // 2
    G = edges([0, 1, 0], [1, 2, 2], np.array([big, big, 2 * big], dtype), n=3)
    verify.sssp(G, 0, vector({0: 0, 1: big, 2: 2 * big}, 3, dtype))
    assert_rejected(verify.sssp, G, 0, vector({0: 0, 1: big, 2: 2 * big - 1}, 3, dtype))
    wrapped = edges([0, 1], [1, 2], np.array([big, big + 9], dtype), n=3)
    sum_ = np.array([big]).astype(dtype) + np.array([big + 9]).astype(dtype)
    assert_rejected(verify.sssp, wrapped, 0, vector({0: 0, 1: big, 2: int(sum_[0])}, 3, dtype))


@given(graphs(weights=float_weights))
def test_sssp_of_floats_to_rtol(G):
    distance, parent = sssp_of(G, 0)
    single = vector(distance, G.n, np.float32)
    verify.sssp(G, 0, vector(distance, G.n, np.float64), vector(parent, G.n))
    verify.sssp(G, 0, single, vector(parent, G.n))
    last = max(distance, key=distance.get)
    if distance[last] > 1e-30:  # FP32 has no such neighbours below
        off = {**distance, last: distance[last] * (1 + 1e-4)}
        assert_rejected(verify.sssp, G, 0, vector(off, G.n, np.float64))
        assert_rejected(verify.sssp, G, 0, vector(off, G.n, np.float32))
        verify.sssp(G, 0, vector(off, G.n, np.float64), rtol=0.5)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_sssp_below_the_least_normal_number(dtype):
    """Subnormal FP32 numbers have few digits, or are 0 on a device; larger ones are exact."""
    tiny = float(np.float32(1.4e-45))
    for weight, wrong in ((tiny, 3e-38), (2e-38, 5e-38)):
        G = edges([0], [1], np.array([weight], dtype), n=2)
        verify.sssp(G, 0, vector({0: 0, 1: weight}, 2, np.float32))
        assert_rejected(verify.sssp, G, 0, vector({0: 0, 1: wrong}, 2, np.float32))
    G = edges([0], [1], np.array([1e-300]), n=2)
    assert_rejected(verify.sssp, G, 0, vector({0: 0, 1: 1.1e-300}, 2, np.float64))


def test_sssp_of_infinite_weights():
    G = edges([0, 1], [1, 2], [np.inf, 1.0], n=3)
    verify.sssp(G, 0, vector({0: 0, 1: np.inf, 2: np.inf}, 3, np.float64))
    assert_rejected(verify.sssp, G, 0, vector({0: 0, 1: 5, 2: 6}, 3, np.float64))
    assert_rejected(verify.sssp, G, 0, vector({0: 0, 1: np.inf, 2: np.nan}, 3, np.float64))
