"""Modularity against NetworkX, undirected and directed, with and without weights."""

from __future__ import annotations

import graphblas as gb
import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.errors import (
    DimensionMismatch,
    DomainMismatch,
    InvalidGraph,
    InvalidIndex,
    InvalidValue,
)
from tests.graphs import DTYPES, edges, random_graph, to_networkx
from tests.strategies import FEW, float_weights, graphs, small_weights


def vector(labels):
    return gb.Vector.from_dense(np.array(labels, np.int64))


def groups(labels):
    return [{v for v, y in enumerate(labels) if y == x} for x in set(labels)]


def check(G, labels, resolution=1.0):
    found = gl.modularity(G, vector(labels), resolution=resolution)
    assert type(found) is float
    H = to_networkx(G)
    expected = nx.community.modularity(H, groups(labels), resolution=resolution)
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-12)


def heavy(G):
    return bool(G.A.nvals) and (not G.weighted or G.max_weight > 1e-9)


def labels_of(data, G):
    return data.draw(st.lists(st.integers(0, G.n - 1), min_size=G.n, max_size=G.n))


@given(graphs(max_n=12, max_m=40).filter(heavy), st.data(), st.floats(0, 3))
@FEW
def test_random_graphs_with_loops(G, data, resolution):
    check(G, labels_of(data, G), resolution)


@given(graphs(max_n=12, max_m=40, weights=small_weights).filter(heavy), st.data())
@FEW
def test_weights(G, data):
    check(G, labels_of(data, G))


@given(graphs(max_n=12, max_m=40, weights=float_weights).filter(heavy), st.data())
@FEW
def test_weights_of_floats(G, data):
    check(G, labels_of(data, G))


@pytest.mark.parametrize("dtype", DTYPES)
def test_weights_of_every_dtype(dtype):
    check(random_graph(40, 160, dtype=dtype), [v % 5 for v in range(40)])


def test_refused():
    G = random_graph(3, 5, seed=1)
    with pytest.raises(DimensionMismatch, match="n=3"):
        gl.modularity(G, vector([0, 0]))
    with pytest.raises(DimensionMismatch, match="2 entries of 3"):
        gl.modularity(G, gb.Vector.from_coo([0, 2], [0, 0], size=3))
    for labels in ([0, 0, 3], [-1, 0, 0]):
        with pytest.raises(InvalidIndex, match="n=3"):
            gl.modularity(G, vector(labels))
    with pytest.raises(DomainMismatch, match="resolution"):
        gl.modularity(G, vector([0, 0, 0]), resolution="1")


@pytest.mark.parametrize("weights", [[-1, 2], [1.0, np.inf], [1.0, np.nan]], ids=str)
def test_bad_weights_are_refused(weights):
    with pytest.raises(InvalidValue, match="modularity"):
        gl.modularity(edges([0, 1], [1, 2], weights, n=3), vector([0, 0, 0]))


@pytest.mark.parametrize("G", [edges([], [], n=3), edges([0], [1], [0], n=3)], ids=str)
def test_no_weight_is_refused(G):
    with pytest.raises(InvalidGraph, match="without weight"):
        gl.modularity(G, vector([0, 0, 0]))


def test_what_is_no_vector_of_integers_or_number_is_refused():
    G = random_graph(3, 5, seed=1)
    for labels in ([0, 0, 0], np.zeros(3, int), gb.Vector.from_dense(np.full(3, 0.5))):
        with pytest.raises(DomainMismatch, match="community must be"):
            gl.modularity(G, labels)
    with pytest.raises(InvalidValue, match="resolution=nan"):
        gl.modularity(G, vector([0, 0, 0]), resolution=np.nan)


def test_weights_without_a_finite_sum_are_refused():
    with pytest.raises(InvalidValue, match="infinite sum"):
        gl.modularity(edges([0, 1], [1, 2], [1e308, 1e308], n=3), vector([0, 0, 0]))
