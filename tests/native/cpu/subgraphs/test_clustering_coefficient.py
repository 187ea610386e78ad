"""Native clustering coefficients and triangles of vertices, against the algebra and NetworkX."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

import graphla as gl
from graphla.errors import SymmetricStructureRequired
from graphla.native.cpu.subgraphs import triangle_count as module
from tests.every_graph import on_atlas, on_dtypes, on_edge_cases
from tests.graphs import (
    assert_vertex_values,
    edges,
    from_networkx,
    of_networkx,
    random_graph,
    to_networkx,
)
from tests.native.threads import COUNTS, RUNS, compiled, threads
from tests.strategies import float_weights, graphs

FORMS = (0, 32, 10**9)  # largest degree up to which lists are merged and not packed


def check(G):
    H = to_networkx(G)
    expected = of_networkx(nx.clustering, H)
    for short in FORMS:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(module, "SHORT", short)
            found = gl.native.clustering_coefficient(G)
            assert found.isequal(gl.clustering_coefficient(G), check_dtype=True)
            assert_vertex_values(found, expected, rtol=1e-14)
            if G.kind == "undirected":
                count = gl.native.triangles(G)
                assert count.isequal(gl.triangles(G), check_dtype=True)
                np.testing.assert_array_equal(count.to_dense(), of_networkx(nx.triangles, H))


test_edge_cases = on_edge_cases(check)


test_atlas = on_atlas(check)


@given(graphs(max_n=16, max_m=80, weights=float_weights))
def test_random_graphs_with_loops(G):
    check(G)


@given(graphs(max_n=150, max_m=300))
def test_random_graphs_of_several_words(G):
    check(G)


test_weights_of_every_dtype = on_dtypes(check, n=40, m=200)


def test_skewed_degrees():
    check(from_networkx(nx.barabasi_albert_graph(200, 5, seed=1)))


@pytest.mark.parametrize("kind", ["directed", "undirected"])
def test_hundreds(kind):
    G = random_graph(300, 9000, kind=kind)
    assert gl.native.clustering_coefficient(G).isequal(gl.clustering_coefficient(G))


@pytest.mark.parametrize("n", [3, 63, 64, 65, 130])
def test_a_complete_graph(n):
    G = from_networkx(nx.complete_graph(n))
    assert gl.native.triangles(G).to_dense().tolist() == [(n - 1) * (n - 2) // 2] * n
    assert gl.native.clustering_coefficient(G).to_dense().tolist() == [1.0] * n


def test_a_path_has_no_triangle():
    G = gl.generate.path(10**5)
    assert not gl.native.clustering_coefficient(G).to_dense().any()


def test_symmetric_edges_are_pairs_of_neighbours_in_either_kind():
    i, j = np.nonzero(~np.eye(5, dtype=bool))
    D = edges(i, j, n=5)
    assert gl.native.triangles(D).isequal(gl.triangles(D))
    assert gl.native.clustering_coefficient(D).to_dense().tolist() == [1.0] * 5


def test_triangles_of_a_directed_graph_are_refused():
    with pytest.raises(SymmetricStructureRequired, match="triangles"):
        gl.native.triangles(edges([0, 1, 2], [1, 2, 0], n=3))


@pytest.mark.thorough
@compiled
@pytest.mark.parametrize("short", FORMS)
@pytest.mark.parametrize("kind", ["directed", "undirected"])
@pytest.mark.parametrize("n", COUNTS)
def test_races(n, kind, short, monkeypatch):
    monkeypatch.setattr(module, "SHORT", short)
    G = random_graph(2000, 30_000, kind=kind, seed=1)
    expected = gl.clustering_coefficient(G)
    with threads(n):
        for _ in range(RUNS):
            assert gl.native.clustering_coefficient(G).isequal(expected)
