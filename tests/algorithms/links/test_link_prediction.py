"""Scores of pairs against NetworkX, in one batch and many."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.algorithms.links import link_prediction as module
from graphla.errors import (
    DimensionMismatch,
    DomainMismatch,
    InvalidIndex,
    SymmetricStructureRequired,
)
from tests.graphs import DTYPES, edges, from_networkx, random_graph, simple_networkx
from tests.strategies import FEW, graphs, small_weights

INDICES = [
    "jaccard_coefficient",
    "adamic_adar_index",
    "resource_allocation_index",
    "preferential_attachment",
]
NAMES = ["common_neighbors", *INDICES]


def expected(name, G, pairs):
    H = simple_networkx(G)
    if name == "common_neighbors":
        return [len(nx.common_neighbors(H, u, v)) for u, v in pairs]
    return [score for *_, score in getattr(nx, name)(H, pairs)]


def check(name, G, pairs):
    src, dst = ([pair[i] for pair in pairs] for i in (0, 1))
    found = getattr(gl, name)(G, src, dst)
    whole = name in ("common_neighbors", "preferential_attachment")
    assert found.dtype == ("INT64" if whole else "FP64")
    assert found.nvals == len(pairs)
    np.testing.assert_allclose(found.to_dense(), expected(name, G, pairs), rtol=1e-13)


@st.composite
def graphs_and_pairs(draw, weights=None):
    G = draw(graphs(kind="undirected", max_n=14, max_m=70, weights=weights))
    vertex = st.integers(0, G.n - 1)
    pair = st.tuples(vertex, vertex).filter(lambda p: p[0] != p[1])
    return G, draw(st.lists(pair, max_size=12)) if G.n > 1 else []


@pytest.fixture(params=[1, 5, 2**14], scope="module")
def batch(request):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "BATCH", request.param)
        yield


@pytest.mark.thorough
@pytest.mark.parametrize("name", NAMES)
@given(drawn=graphs_and_pairs())
@FEW
def test_random_graphs_with_loops_and_pairs(batch, name, drawn):
    check(name, *drawn)


@pytest.mark.parametrize("name", NAMES)
@given(drawn=graphs_and_pairs(weights=small_weights))
@FEW
def test_weights_are_ignored(name, drawn):
    check(name, *drawn)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_weights_of_every_dtype(name, dtype):
    G = random_graph(40, 200, dtype=dtype, kind="undirected")
    check(name, G, [(u, 7 * u % 40) for u in range(1, 40)])


@pytest.mark.parametrize("name", NAMES)
def test_all_pairs_as_arrays(name):
    G = from_networkx(nx.barabasi_albert_graph(60, 4, seed=1))
    src, dst = np.nonzero(~np.eye(60, dtype=bool))
    found = getattr(gl, name)(G, src, dst.astype(np.int32)).to_dense()
    pairs = list(zip(src.tolist(), dst.tolist(), strict=True))
    np.testing.assert_allclose(found, expected(name, G, pairs))


def test_a_vertex_with_itself_shares_all_its_neighbors():
    G = edges([0, 0, 1], [1, 2, 2], n=4, kind="undirected")
    assert gl.common_neighbors(G, range(4), range(4)).to_dense().tolist() == [2, 2, 2, 0]
    assert gl.jaccard_coefficient(G, range(4), range(4)).to_dense().tolist() == [1, 1, 1, 0]
    path = edges([0], [1], n=2, kind="undirected")
    assert gl.adamic_adar_index(path, [0], [0]).to_dense().tolist() == [np.inf]


@pytest.mark.parametrize("name", NAMES)
def test_refused(name):
    function, G = getattr(gl, name), random_graph(3, 3, kind="undirected")
    with pytest.raises(SymmetricStructureRequired, match=name):
        function(edges([0, 1], [1, 2], n=3), [0], [1])
    with pytest.raises(DimensionMismatch, match="src has 2 vertices and dst 1"):
        function(G, [0, 1], [2])
    for bad in ([3], [-1], np.array([3]), np.array([-1])):
        with pytest.raises(InvalidIndex, match="dst="):
            function(G, [0], bad)
    for bad in ([0.5], 1, np.array([0.5]), np.array([[0]])):
        with pytest.raises(DomainMismatch, match="src"):
            function(G, bad, [0])


def test_batches_hold_few_neighbors(monkeypatch):
    """Pairs of a hub, of which each has many neighbours, come a few at a time."""
    monkeypatch.setattr(module, "BATCH", 1000)
    star = edges(np.zeros(100, int), np.arange(1, 101), n=101, kind="undirected")
    with gl.trace() as steps:
        assert gl.common_neighbors(star, [0] * 50 + [1] * 50, [0] * 50 + [2] * 50).nvals == 100
    assert max(step.nnz_out for step in steps) <= 1000
