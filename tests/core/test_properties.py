"""What a graph derives from its matrix is right, and computed once."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
import scipy.sparse as ss
from graphblas import Matrix, monoid
from graphblas.dtypes import FP32
from hypothesis import given
from hypothesis import strategies as st

from graphla import Graph
from graphla.core import properties
from graphla.core.graph import CACHEABLE
from graphla.core.properties import derive, is_derived
from graphla.errors import (
    DomainMismatch,
    InvalidGraph,
)
from tests.graphs import edge_cases, edges, random_graph, to_scipy
from tests.strategies import examples, float_weights, graphs, small_weights

KINDS = ["directed", "undirected"]


@given(graphs(weights=st.one_of(small_weights, float_weights)))
def test_derived_properties_against_scipy(G):
    S = Graph(G.A.apply("one").new()) if G.weighted else G
    pattern = to_scipy(S).toarray() != 0
    np.testing.assert_array_equal(G.out_degree.to_dense(), pattern.sum(axis=1))
    np.testing.assert_array_equal(G.in_degree.to_dense(), pattern.sum(axis=0))
    assert G.out_degree.dtype == G.in_degree.dtype == "INT64"
    assert G.max_out_degree == pattern.sum(axis=1).max()
    assert G.nself_edges == np.trace(pattern)
    D = to_scipy(G).toarray()
    assert G.is_symmetric == ((D == D.T).all() and (pattern == pattern.T).all())
    assert G.AT.isequal(G.A.T.new())
    assert G.nedges == (
        pattern.sum() if G.kind == "directed" else np.triu(pattern).sum()
    )  # an edge of an undirected graph counts once


@pytest.mark.parametrize("kind", KINDS)
def test_edge_cases(kind):
    for name, G in edge_cases(kind).items():
        G.cache(*(x for x in CACHEABLE if x != "ranks"))
        assert G.out_degree.nvals == G.in_degree.nvals == G.n, name
        assert G.csr.indptr[-1] == G.A.nvals, name
        assert G.AT.isequal(G.A.T.new()), name
        if not G.A.nvals:
            assert G.min_weight is G.max_weight is None
            assert not G.max_out_degree


@given(graphs(weights=float_weights))
@examples(30)
def test_csr_round_trip(G):
    csr = G.csr
    assert csr.indptr.dtype == csr.indices.dtype == np.int32
    assert csr.values.flags.c_contiguous
    assert csr.values.flags.writeable
    S = ss.csr_array((csr.values, csr.indices, csr.indptr), shape=(G.n, G.n))
    assert S.has_canonical_format
    assert Graph(S).A.isequal(G.A, check_dtype=True)


def test_csr_of_equal_weights_has_a_value_for_each_edge():
    G = edges([0, 1, 2], [1, 2, 0], n=3)
    assert G.csr.values is None
    A = Matrix.from_coo([0, 1], [1, 0], 7, nrows=2, ncols=2)
    assert A.ss.is_iso
    values = Graph(A).csr.values
    assert values.tolist() == [7, 7]
    values[0] = 1  # an array of its own
    assert Graph(A).csr.values.tolist() == [7, 7]


def test_csr_indices_are_wide_where_needed():
    A = Matrix.from_coo([0], [1 << 32], 1.5, nrows=2, ncols=(1 << 32) + 1)
    indptr, indices, values = properties.to_csr(A)
    assert (indptr.dtype, indices.dtype) == (np.int32, np.int64)
    assert (indptr.tolist(), indices.tolist(), values.tolist()) == ([0, 1, 1], [1 << 32], [1.5])


def test_weights():
    G = edges([0, 1, 2], [1, 2, 0], [np.nan, 3.0, -2.0], n=3)
    assert (G.min_weight, G.max_weight, G.has_nan) == (-2, 3, True)
    assert np.isnan(edges([0], [1], [np.nan], n=2).min_weight)
    G = edges([0, 1], [1, 2], [4, 250], n=3)
    assert (G.min_weight, G.max_weight, G.has_nan) == (4, 250, False)
    assert G.mean_weight == 127
    assert edges([], [], n=2).mean_weight is None
    assert G.weighted
    assert not edges([0], [1], n=2).weighted


@pytest.mark.parametrize("kind", ["directed", "undirected"])
def test_weights_of_another_dtype(kind):
    G = edges([0, 1], [1, 2], np.array([4, 250], np.uint8), n=3, kind=kind)
    H = G.astype(FP32)
    assert (H.dtype, H.kind, H.nedges) == ("FP32", kind, 2)
    assert H.A.isequal(G.A)
    assert G.astype(FP32) is H
    assert G.astype(G.dtype) is G
    assert "astype(FP32)" in G.cached
    assert G.astype(np.float32) is G.astype("FP32") is H


def test_weights_to_bool_are_dropped_and_floats_are_not_cut():
    G = edges([0, 1], [1, 2], [0.0, 2.5], n=3)
    assert G.astype(bool).A.reduce_scalar(monoid.land).new().value is True
    assert G.astype(bool).A.ss.is_iso
    with pytest.raises(DomainMismatch, match="cut to INT64"):
        G.astype("INT64")
    with pytest.raises(DomainMismatch, match="complex"):
        G.astype(complex)


def test_cache_keeps_what_it_computes():
    G = random_graph(10, 30, dtype="int64")
    assert G.cached == ()
    names = [name for name in CACHEABLE if name != "ranks"]
    assert G.cache(*names) is G
    assert set(G.cached) == set(names)
    for name in names:
        assert getattr(G, name) is getattr(G, name)
    with pytest.raises(InvalidGraph, match="nothing called 'rank' is cached"):
        G.cache("rank")


def count_edges(G, factor=1):
    return [factor * G.nedges]


def test_derived_data_are_computed_once_for_a_function_and_its_arguments():
    G = random_graph(10, 30)
    one, three = derive(G, count_edges), derive(G, count_edges, 3)
    assert (one, three) == ([G.nedges], [3 * G.nedges])
    assert derive(G, count_edges) is one
    assert derive(G, count_edges, 3) is three
    assert is_derived(G, count_edges, 3)
    assert not is_derived(G, count_edges, 2)
    assert set(G.cached) == {"count_edges", "count_edges(3)"}
    assert pickle.loads(pickle.dumps(G)).cached == ()


def test_functions_of_one_name_share_no_data():
    def twins():
        def count(G):
            return [G.n]

        return count

    G = random_graph(10, 30)
    first, second = twins(), twins()
    assert derive(G, first) is derive(G, first) is not derive(G, second)


def test_a_failed_computation_leaves_nothing():
    def fail(G):
        raise InvalidGraph("no")

    G = random_graph(10, 30)
    with pytest.raises(InvalidGraph):
        derive(G, fail)
    assert G.cached == ()


def test_a_symmetric_matrix_is_its_own_transpose():
    G = Graph([[0, 2], [2, 0]])
    before = G.AT
    assert before is not G.A
    assert G.is_symmetric
    assert G.AT is G.A
    assert G.in_degree is G.out_degree
    assert before.isequal(G.A)  # what was handed out stays as it was
    H = Graph([[0, 2], [2, 0]])
    assert H.is_symmetric
    assert H.AT is H.A


def test_reversed_shares_its_matrices_and_turns_every_edge_round():
    G = Graph([[0, 5, 0], [0, 0, 2], [0, 0, 0]])
    R = G.reversed()
    assert R.A is G.AT
    assert R.AT is G.A
    assert R.out_degree.to_dense().tolist() == [0, 1, 1] == G.in_degree.to_dense().tolist()
    assert R.in_degree.to_dense().tolist() == [1, 1, 0] == G.out_degree.to_dense().tolist()
    assert R.max_out_degree == 1
    H = Graph.from_edges([0], [1], n=2, kind="undirected")
    assert H.reversed() is H


def test_the_transpose_in_arrays():
    G = random_graph(30, 90)
    expected = Graph(G.AT).csr
    assert all((a == b).all() for a, b in zip(G.csr_transposed[:2], expected[:2], strict=True))
    U = random_graph(30, 90, kind="undirected").cache("is_symmetric")
    assert U.csr_transposed is U.csr
