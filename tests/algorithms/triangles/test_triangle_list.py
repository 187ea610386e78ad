"""Lists of triangles against those of all sets of three vertices, in one batch and many."""

from __future__ import annotations

from itertools import combinations

import networkx as nx
import pytest
from hypothesis import given

import graphla as gl
from graphla.algorithms.triangles import triangle_count
from graphla.algorithms.triangles import triangle_list as module
from graphla.errors import SymmetricStructureRequired
from tests.every_graph import on_atlas, on_edge_cases
from tests.graphs import DTYPES, edges, from_networkx, random_graph, to_networkx
from tests.strategies import FEW, graphs, small_weights


def check(G):
    found = gl.triangle_list(G)
    assert all(x.dtype == "INT32" and x.nvals == x.size for x in found)
    listed = list(zip(*(x.to_dense().tolist() for x in found), strict=True))
    H = to_networkx(G)
    closed = (t for t in combinations(H, 3) if all(H.has_edge(*e) for e in combinations(t, 2)))
    assert sorted(map(sorted, listed)) == [list(t) for t in closed]


@pytest.fixture(params=[(0, 1), (8, 2**22), (10**9, 7)], ids=["renumbered", "default", "batches"])
def variant(request, monkeypatch):
    monkeypatch.setattr(triangle_count, "SKEWED", request.param[0])
    monkeypatch.setattr(module, "BATCH", request.param[1])


@on_edge_cases(kind="undirected")
def test_edge_cases(G, variant):
    check(G)


@on_atlas(step=7)
def test_atlas(G, variant):
    check(G)


@given(graphs(kind="undirected", max_n=12, max_m=50, weights=small_weights))
@FEW
def test_random_graphs_with_loops(G):
    check(G)


@pytest.mark.parametrize("dtype", DTYPES)
def test_weights_of_every_dtype(dtype, variant):
    check(random_graph(20, 80, dtype=dtype, kind="undirected"))


def test_skewed_degrees(variant):
    check(from_networkx(nx.barabasi_albert_graph(70, 4, seed=2)))


def test_as_many_as_are_counted():
    G = gl.generate.kronecker(8, seed=1)
    assert gl.triangle_list(G).u.size == gl.triangle_count(G) > 1000


def test_directed_graphs_are_refused():
    with pytest.raises(SymmetricStructureRequired, match="triangle_list"):
        gl.triangle_list(edges([0, 1, 2], [1, 2, 0], n=3))


def test_result_reads_well():
    G = edges([0, 1, 2], [1, 2, 0], n=3, kind="undirected")
    assert repr(gl.triangle_list(G)).startswith("Triangles(u=[INT32 1, 1 entries], v=")
