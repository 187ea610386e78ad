"""Graphs without their self-loops."""

from __future__ import annotations

import numpy as np
from hypothesis import given

from graphla.algorithms.triangles.simple_edges import both_directions, simple_edges
from tests.graphs import random_graph, to_scipy
from tests.strategies import graphs, small_weights


@given(graphs(weights=small_weights))
def test_loops_go_and_weights_stay(G):
    dense = to_scipy(G).todense()
    np.fill_diagonal(dense, 0)
    A = simple_edges(G)
    np.testing.assert_array_equal(A.to_dense(fill_value=0), dense)
    assert A.dtype == G.dtype
    assert A.nvals == G.A.nvals - G.nself_edges


def test_the_matrix_itself_without_loops():
    G = random_graph(3, 0)
    assert simple_edges(G) is G.A


@given(graphs(weights=small_weights))
def test_both_directions_count_edges(G):
    rows, cols, _ = G.A.to_coo()
    dense = np.zeros((G.n, G.n), np.int64)
    dense[rows, cols] = 1
    np.fill_diagonal(dense, 0)
    S = both_directions(G)
    np.testing.assert_array_equal(S.to_dense(fill_value=0), dense + dense.T)
    assert S.dtype == "INT64"
