"""Results of other libraries as graphla's, and graphs as edge columns."""

from __future__ import annotations

import numpy as np

from graphla.comparison import convert
from tests.graphs import edges

LARGEST = np.finfo(float).max
G = edges([0, 1, 1], [1, 2, 1], [5, 7, 2], n=4, kind="undirected")


def entries(v):
    return dict(zip(*(x.tolist() for x in v.to_coo()), strict=True))


def test_unreached_vertices_have_no_entry():
    for unreached in (np.inf, LARGEST):
        assert entries(convert.distances([0, 2.5, unreached])) == {0: 0.0, 1: 2.5}
        level = convert.levels([0, 2.0, unreached])
        assert (entries(level), level.dtype) == ({0: 0, 1: 2}, "INT64")
    matrix = convert.distance_matrix([[0, np.inf], [3, 0]])
    assert [x.tolist() for x in matrix.to_coo()] == [[0, 1, 1], [0, 0, 1], [0, 3, 0]]
    assert entries(convert.parents([-9, 0, -1], 0)) == {0: 0, 1: 0}
    assert entries(convert.vector_from_dict(G, {2: 1, 0: 4})) == {0: 4, 2: 1}


def test_components_are_named_by_their_smallest_vertex():
    assert convert.smallest_vertices(["b", "a", "b", "c"]).to_dense().tolist() == [0, 1, 0, 3]
    found = convert.components_from_sets(G, [{3, 1}, [2]])
    assert entries(found) == {1: 1, 2: 2, 3: 1}


def test_edges_of_undirected_graphs_are_listed_once():
    src, dst, weight = convert.columns(G)
    assert list(zip(src, dst, weight, strict=True)) == [
        (0, 1, 5), (1, 0, 5), (1, 1, 2), (1, 2, 7), (2, 1, 7),
    ]  # fmt: skip
    assert list(zip(*convert.edges(G), strict=True)) == [(0, 1, 5), (1, 1, 2), (1, 2, 7)]
    directed = edges([1], [0], n=2)
    assert [x if x is None else x.tolist() for x in convert.edges(directed)] == [[1], [0], None]


def test_weights_of_edges_in_either_direction():
    src, dst = np.array([2, 1, 0]), np.array([1, 1, 1])
    assert convert.weights_of(G, src, dst).tolist() == [7, 2, 5]
    assert convert.weights_of(G.astype("BOOL"), src, dst).tolist() == [1, 1, 1]


def test_forests_ranks_and_closures():
    forest = convert.forest([2, 0], [1, 1], [7, 5])
    assert [v.to_dense().tolist() for v in forest.edges] == [[1, 0], [2, 1], [7, 5]]
    assert (forest.weight, forest.component) == (None, None)
    assert convert.ranks([1, 0]).rank.dtype == "FP64"
    closure = convert.closure(G, [[1, 3], [], [2], []])
    assert [x.tolist() for x in closure.to_coo()[:2]] == [[0, 0, 2], [1, 3, 2]]
    assert convert.closure(G, [[]] * 4).nvals == 0


def test_communities_have_no_modularity():
    found = convert.communities([7, 5, 7, 5])
    assert (found.community.to_dense().tolist(), found.modularity) == ([0, 1, 0, 1], None)


def test_self_loops_are_removed():
    H = convert.without_self_edges(G)
    assert [x.tolist() for x in H.A.to_coo()] == [[0, 1, 1, 2], [1, 0, 2, 1], [5, 5, 7, 7]]
    assert (H.kind, G.nself_edges) == ("undirected", 1)
    assert convert.without_self_edges(H) is H
