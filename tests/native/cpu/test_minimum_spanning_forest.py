"""The native forest against the algebra, its rows sorted by weight, and its races."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla import Graph
from graphla.errors import InvalidValue, SymmetricStructureRequired
from tests.every_graph import on_atlas
from tests.graphs import DTYPES, edge_cases, random_graph
from tests.native.threads import COUNTS, RUNS, compiled, threads
from tests.strategies import float_weights, graphs, signed_weights


def same(forest, expected):
    for got, want in zip(forest.edges, expected.edges, strict=True):
        assert got.isequal(want, check_dtype=True)
    assert forest.weight == expected.weight
    assert type(forest.weight) is type(expected.weight)
    assert forest.component.isequal(expected.component, check_dtype=True)


def check(G):
    forest = gl.native.minimum_spanning_forest(G)
    same(forest, gl.minimum_spanning_forest(G))
    gl.verify.minimum_spanning_forest(G, forest)


@pytest.mark.parametrize("name", edge_cases())
def test_edge_cases(name):
    check(edge_cases("undirected")[name])


@on_atlas
def test_atlas(G):
    check(G)
    i, j, _ = G.A.to_coo()
    if (up := i < j).any():
        weight = np.random.default_rng(G.A.nvals).integers(-3, 4, up.sum())
        check(Graph.from_edges(i[up], j[up], weight, n=G.n, kind="undirected"))


@given(graphs(kind="undirected", weights=signed_weights, max_n=30, max_m=90))
def test_integers(G):
    check(G)


@pytest.mark.thorough
@given(graphs(kind="undirected", weights=float_weights))
def test_floats(G):
    check(G)


@given(graphs(kind="undirected", max_n=30, max_m=60))
def test_unweighted(G):
    check(G)


@pytest.mark.thorough
@pytest.mark.parametrize("share", [0.0, 0.5, 2.0])
@given(G=graphs(kind="undirected", weights=st.integers(0, 9), max_n=30, max_m=60))
def test_trees_that_defer_joining(share, G):
    from graphla.native.cpu import minimum_spanning_forest as module

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "SHARE", share)
        check(G)


@pytest.mark.thorough
@pytest.mark.parametrize("dtype", [None, *DTYPES])
@pytest.mark.parametrize("m", [60, 600])
def test_dtypes(dtype, m):
    check(random_graph(50, m, kind="undirected", dtype=dtype))


@pytest.mark.thorough
@pytest.mark.parametrize("weight", [[0.0, -0.0, 0.0], [-np.inf, np.inf, 2.0], [2**24, 1, 1]])
def test_special_floats(weight):
    check(Graph.from_edges([0, 1, 0], [1, 2, 2], np.float32(weight), kind="undirected"))


@pytest.mark.thorough
def test_indices_of_64_bits():
    from graphla.native.cpu.minimum_spanning_forest import span
    from graphla.transform.sort_rows import csr_by_weight

    G = random_graph(40, 200, kind="undirected", dtype="int32")
    rows = csr_by_weight(G)
    wide = rows._replace(indptr=rows.indptr.astype(np.int64), indices=rows.indices.astype(np.int64))
    for got, want in zip(span(wide), span(rows), strict=True):
        assert np.array_equal(got, want)


@pytest.mark.thorough
@compiled
@pytest.mark.parametrize("m", [15000, 120000], ids=["many components", "one giant"])
@pytest.mark.parametrize("n", COUNTS)
def test_races(n, m):
    """Few distinct weights: many trees of all sizes merge in the same round."""
    G = random_graph(20000, m, kind="undirected", dtype="int16", high=9)
    expected = gl.minimum_spanning_forest(G)
    with threads(n):
        for _ in range(RUNS):
            same(gl.native.minimum_spanning_forest(G), expected)


def test_refused():
    with pytest.raises(SymmetricStructureRequired, match="minimum_spanning_forest"):
        gl.native.minimum_spanning_forest(Graph([[0, 1], [0, 0]]))
    nan = Graph.from_edges([0, 1], [1, 2], [1.0, np.nan], kind="undirected")
    with pytest.raises(InvalidValue, match="NaN"):
        gl.native.minimum_spanning_forest(nan)
    huge = Graph.from_edges([0, 1], [1, 2], [2**62, 2**62], kind="undirected")
    with pytest.raises(InvalidValue, match="2 edges of weight up to"):
        gl.native.minimum_spanning_forest(huge)
