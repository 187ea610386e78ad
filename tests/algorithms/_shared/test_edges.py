"""Selections and patterns of edges."""

from __future__ import annotations

import graphblas as gb
import numpy as np
from graphblas import binary, unary
from graphblas.dtypes import FP64
from hypothesis import given
from hypothesis import strategies as st

from graphla.algorithms._shared.edges import (
    add_transpose,
    count_successors,
    make_pattern,
    remove_self_loops,
    select_edges_within,
)
from tests.graphs import random_graph, to_scipy
from tests.strategies import graphs, small_weights


@given(graphs(weights=small_weights))
def test_loops_go_and_weights_stay(G):
    dense = to_scipy(G).todense()
    np.fill_diagonal(dense, 0)
    A = remove_self_loops(G)
    np.testing.assert_array_equal(A.to_dense(fill_value=0), dense)
    assert A.dtype == G.dtype
    assert A.nvals == G.A.nvals - G.nself_edges


def test_the_matrix_itself_without_loops():
    G = random_graph(3, 0)
    assert remove_self_loops(G) is G.A


@given(graphs(weights=small_weights))
def test_both_directions_count_edges(G):
    rows, cols, _ = G.A.to_coo()
    dense = np.zeros((G.n, G.n), np.int64)
    dense[rows, cols] = 1
    np.fill_diagonal(dense, 0)
    S = add_transpose(G)
    np.testing.assert_array_equal(S.to_dense(fill_value=0), dense + dense.T)
    assert S.dtype == "INT64"


def test_a_pattern_has_the_edges_and_one_value():
    G = random_graph(9, 20)
    pattern = make_pattern(G, FP64, 2.0)
    assert pattern.dtype == "FP64"
    assert pattern.isequal(G.A.apply(unary.one).new(FP64).apply(binary.times, right=2.0).new())


@given(graphs(weights=small_weights), st.data())
def test_edges_within_groups(G, data):
    labels = data.draw(st.lists(st.integers(0, 2), min_size=G.n, max_size=G.n))
    rows, cols, _ = G.A.to_coo()
    E = select_edges_within(G.A, gb.Vector.from_dense(np.array(labels, np.int64)))
    expected = [(i, j) for i, j in zip(rows, cols, strict=True) if labels[i] == labels[j]]
    assert list(zip(*E.to_coo(values=False)[:2], strict=True)) == expected
    assert E.dtype == "BOOL"


def test_successors_are_counted_in_the_dtype_of_a_vector():
    G = random_graph(9, 20)
    degree = count_successors(G.A, gb.Vector.from_dense(np.arange(G.n, dtype=np.int32)))
    assert degree.dtype == "INT32"
    assert degree.to_dense().tolist() == G.out_degree.to_dense().tolist()
