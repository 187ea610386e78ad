"""Scores of pairs by communities against NetworkX."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.errors import (
    DimensionMismatch,
    DomainMismatch,
    InvalidIndex,
    InvalidValue,
    SymmetricStructureRequired,
)
from tests.graphs import DTYPES, edges, random_graph, simple_networkx
from tests.strategies import FEW, graphs, small_weights

NAMES = {
    "common_neighbors_by_community": nx.cn_soundarajan_hopcroft,
    "resource_allocation_by_community": nx.ra_index_soundarajan_hopcroft,
    "within_inter_cluster": nx.within_inter_cluster,
}


def labels(G, values):
    community = G.vector("INT64")
    community.build(range(G.n), values)
    return community


def check(name, G, values, **options):
    H = simple_networkx(G)
    nx.set_node_attributes(H, dict(enumerate(values)), "community")
    pairs = [(u, v) for u in range(G.n) for v in range(G.n) if u != v]
    src, dst = ([pair[i] for pair in pairs] for i in (0, 1))
    found = getattr(gl, name)(G, src, dst, labels(G, values), **options)
    assert found.nvals == len(pairs)
    expected = [score for *_, score in NAMES[name](H, pairs, **options)]
    np.testing.assert_allclose(found.to_dense(), expected, rtol=1e-13)


@st.composite
def graphs_and_labels(draw, weights=None):
    G = draw(graphs(kind="undirected", max_n=9, max_m=40, weights=weights))
    return G, draw(st.lists(st.integers(-2, 2), min_size=G.n, max_size=G.n))


@pytest.mark.parametrize("name", NAMES)
@given(drawn=graphs_and_labels())
@FEW
def test_random_graphs_with_loops(name, drawn):
    check(name, *drawn)


@pytest.mark.parametrize("name", NAMES)
@given(drawn=graphs_and_labels(weights=small_weights))
@FEW
def test_weights_are_ignored(name, drawn):
    check(name, *drawn)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_weights_of_every_dtype(name, dtype):
    G = random_graph(30, 150, dtype=dtype, kind="undirected")
    check(name, G, [v % 4 for v in range(G.n)])


def test_delta():
    G = random_graph(20, 100, kind="undirected", seed=3)
    check("within_inter_cluster", G, [v % 2 for v in range(G.n)], delta=0.25)
    for bad in (0, -1, np.inf):
        with pytest.raises(InvalidValue, match="delta"):
            gl.within_inter_cluster(G, [0], [1], labels(G, [0] * G.n), delta=bad)


@pytest.mark.parametrize("name", NAMES)
def test_refused(name):
    function, G = getattr(gl, name), random_graph(5, 9, kind="undirected")
    one = labels(G, [0] * 5)
    with pytest.raises(SymmetricStructureRequired, match=name):
        function(edges([0, 1], [1, 2], n=3), [0], [1], one)
    with pytest.raises(InvalidIndex, match="n=5"):
        function(G, [0], [5], one)
    with pytest.raises(DimensionMismatch, match="src has 2"):
        function(G, [0, 1], [1], one)
    for bad in ([0] * 5, one.dup("FP64")):
        with pytest.raises(DomainMismatch, match="community"):
            function(G, [0], [1], bad)
    few = G.vector("INT64")
    few[0] = 1
    with pytest.raises(DimensionMismatch, match="1 entries of 5"):
        function(G, [0], [1], few)
    assert function(G, [], [], one).size == 0
