"""Forests with any wrong value, or not of least weight, are rejected."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from graphblas import Vector
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla import verify
from graphla.core.results import Edges, Forest
from graphla.errors import VerificationError
from tests.graphs import edges, random_graph
from tests.oracles import (
    as_forest,
    assert_rejected,
    corrupted,
    forest_of,
    vector,
)
from tests.strategies import graphs, signed_weights, small_weights

pytestmark = pytest.mark.usefixtures("small_blocks")


def undirected(weights):
    return graphs(kind="undirected", weights=weights)


@given(st.data(), st.one_of(undirected(st.integers(0, 3)), undirected(signed_weights)))
def test_forest_accepts_minimum_spanning_forests_only(data, G):
    """Replace, add or drop an edge: valid only if spanning, acyclic and of equal weight."""
    rows, component = forest_of(G)
    verify.minimum_spanning_forest(G, as_forest(rows, component, G.n))
    least, size = sum(row[2] for row in rows), len(rows)
    src, dst, w = G.A.to_coo()
    kept = src < dst
    every = list(zip(src[kept].tolist(), dst[kept].tolist(), w[kept].tolist(), strict=True))
    if not every:
        return
    if rows and data.draw(st.booleans()):
        rows = data.draw(st.permutations(rows))[1:]
    if data.draw(st.booleans()):
        rows = [*rows, data.draw(st.sampled_from(every))]
    H = nx.Graph()
    H.add_nodes_from(range(G.n))
    H.add_edges_from(row[:2] for row in rows)
    spans = nx.number_connected_components(H) == G.n - size
    if len(rows) == size and spans and sum(row[2] for row in rows) == least:
        verify.minimum_spanning_forest(G, as_forest(rows, component, G.n))
    else:
        assert_rejected(verify.minimum_spanning_forest, G, as_forest(rows, component, G.n))


@given(st.data(), undirected(small_weights))
def test_forest_finds_any_wrong_value(data, G):
    rows, component = forest_of(G)
    check = verify.minimum_spanning_forest
    off = data.draw(st.integers(-3, 3).filter(bool))
    total = sum(row[2] for row in rows)
    assert_rejected(check, G, as_forest(rows, component, G.n, total + off), match="weight is")
    wrong = data.draw(corrupted(component, G.n, st.integers(-1, G.n)))
    assert_rejected(check, G, as_forest(rows, wrong, G.n), match="component")
    if rows:
        i = data.draw(st.integers(0, len(rows) - 1))
        u, v, w = rows[i]
        for row in [(u, v, w + off), (v, u, w), (u, G.n, w), (-1, v, w), (u, u, w)]:
            assert_rejected(check, G, as_forest([*rows[:i], row, *rows[i + 1 :]], component, G.n))


def test_forest_names_the_offender():
    G = edges([0, 1, 2, 0], [1, 2, 3, 3], [1, 2, 3, 4], n=5, kind="undirected")
    label = {0: 0, 1: 0, 2: 0, 3: 0, 4: 4}
    right = [(0, 1, 1), (1, 2, 2), (2, 3, 3)]

    def check(rows, match, component=label):
        assert_rejected(
            verify.minimum_spanning_forest, G, as_forest(rows, component, 5), match=match
        )

    heavy = [(0, 1, 1), (1, 2, 2), (0, 3, 4)]
    check(heavy, "edge 2 -- 3 of weight 3 is lighter than one of weight 4")
    check([*right, (0, 3, 4)], "tree of vertex 0 has a cycle")
    check(right[:2], "does not connect edge 0 -- 3")
    check([*right[:2], (1, 3, 3)], "no edge 1 -- 3 of weight 3")
    check([*right[:2], (2, 3, 4)], "no edge 2 -- 3 of weight 4")
    check(right, r"component\[3\] is 1", {**label, 3: 1})
    columns = Edges(*(Vector.from_dense(np.array(x)) for x in ([0], [1, 2], [1])))
    short = Forest(columns, 1, vector(label, 5))
    assert_rejected(verify.minimum_spanning_forest, G, short, match="shapes")


@pytest.mark.parametrize("n", [2, 9, 64, 300])
def test_forest_on_long_paths_and_stars(n):
    """Many rounds: a path, and a star with its centre last, whose roots hook slowest."""
    rng = np.random.default_rng(n)
    for src, dst in [(range(n - 1), range(1, n)), ([n - 1] * (n - 1), range(n - 1))]:
        for weight in (np.arange(n - 1), np.arange(n - 1)[::-1], rng.permutation(n - 1)):
            G = edges(src, dst, weight, n=n, kind="undirected")
            verify.minimum_spanning_forest(G, as_forest(*forest_of(G), n))


def test_forest_of_floats_and_of_large_integers():
    G = random_graph(60, 300, kind="undirected", dtype="float32")
    rows, component = forest_of(G)
    total = sum(row[2] for row in rows)
    verify.minimum_spanning_forest(G, as_forest(rows, component, 60, total * (1 + 1e-8)))
    assert_rejected(
        verify.minimum_spanning_forest, G, as_forest(rows, component, 60, total * 1.001)
    )
    big = 2**62
    G = edges([0, 1, 2], [1, 2, 3], [big, big + 1, big + 2], n=4, kind="undirected")
    rows, component = forest_of(G)
    verify.minimum_spanning_forest(G, as_forest(rows, component, 4))
    for wrong in (3 * big + 4, 3 * big + 3 - 2**64):
        assert_rejected(verify.minimum_spanning_forest, G, as_forest(rows, component, 4, wrong))


@pytest.mark.parametrize("column", ["src", "dst", "weight"])
def test_forest_columns_are_whole(column):
    G = edges([0, 1], [1, 2], [1, 2], n=3, kind="undirected")
    forest = gl.minimum_spanning_forest(G)
    part = getattr(forest.edges, column).dup()
    del part[0]
    with pytest.raises(VerificationError, match=f"{column} has 1 of 2 entries"):
        verify.minimum_spanning_forest(
            G, forest._replace(edges=forest.edges._replace(**{column: part}))
        )


def test_forest_vertices_are_integers():
    G = edges([0, 1], [1, 2], [1, 2], n=3, kind="undirected")
    forest = gl.minimum_spanning_forest(G)
    src = G.vector("FP64", 2)
    src.build([0, 1], [0.4, 1.0])
    with pytest.raises(VerificationError, match=r"0\.4 -- 1.*: not integers"):
        verify.minimum_spanning_forest(G, forest._replace(edges=forest.edges._replace(src=src)))
