"""The native k-truss against the algebra and NetworkX: counted anew, peeled by edges; races."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.errors import DomainMismatch, InvalidValue, SymmetricStructureRequired
from graphla.native.cpu.subgraphs import k_truss as module
from tests.every_graph import on_atlas, on_dtypes, on_edge_cases
from tests.graphs import edges, from_networkx, random_graph, simple_networkx
from tests.native.threads import COUNTS, RUNS, compiled, threads
from tests.strategies import float_weights, graphs

FORMS = {"always peeled": 1, "default": 8, "always counted": 10**9}


def expected_truss(G, k):
    truss = nx.k_truss(simple_networkx(G), k)
    return {(u, v): len(truss[u].keys() & truss[v]) for u, v in truss.to_directed().edges()}


def check(G, k):
    expected = expected_truss(G, k)
    for few in FORMS.values():
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(module, "FEW", few)
            found = gl.native.k_truss(G, k)
        assert found.isequal(gl.k_truss(G, k), check_dtype=True)
        rows, cols, count = (x.tolist() for x in found.to_coo())
        assert dict(zip(zip(rows, cols, strict=True), count, strict=True)) == expected


@on_edge_cases(kind="undirected")
def test_edge_cases(G):
    for k in (1, 2, 3, 4, 7):
        check(G, k)


@on_atlas
def test_atlas(G):
    for k in (3, 4, 5):
        check(G, k)


@given(graphs(kind="undirected", max_n=14, max_m=80, weights=float_weights), st.integers(1, 8))
def test_random_graphs_with_loops(G, k):
    check(G, k)


@given(graphs(kind="undirected", max_n=80, max_m=600), st.integers(3, 6))
def test_random_graphs_of_several_words(G, k):
    check(G, k)


test_weights_of_every_dtype = on_dtypes(lambda G: check(G, 4), n=40, m=200, kind="undirected")


@pytest.mark.parametrize("k", [5, 20, 24, 30])
def test_hundreds(k):
    check(random_graph(150, 4000, kind="undirected"), k)


def test_skewed_degrees():
    check(from_networkx(nx.barabasi_albert_graph(200, 5, seed=1)), 4)


def strip(n):
    """Return a strip of triangles: its 4-truss is empty, and its edges go one after the other."""
    i = np.arange(n - 2)
    src = np.concatenate([i, i, [n - 2]])
    dst = np.concatenate([i + 1, i + 2, [n - 1]])
    return edges(src, dst, n=n, kind="undirected")


def test_edges_that_go_one_after_the_other():
    check(strip(300), 3)
    check(strip(300), 4)


@compiled
def test_a_strip_of_many_triangles():
    G = strip(10**5)
    assert gl.native.k_truss(G, 3).nvals == G.A.nvals
    assert gl.native.k_truss(G, 4).nvals == 0


@pytest.mark.parametrize("n", [3, 64, 65])
def test_a_complete_graph(n):
    G = from_networkx(nx.complete_graph(n))
    truss = gl.native.k_truss(G, n)
    assert truss.nvals == n * (n - 1)
    assert set(truss.to_coo()[2].tolist()) == {n - 2}
    assert gl.native.k_truss(G, n + 1).nvals == 0


def test_a_directed_graph_that_is_symmetric_is_taken():
    src, dst = np.nonzero(~np.eye(5, dtype=bool))
    G = edges(src, dst, n=5)
    assert gl.native.k_truss(G, 5).isequal(gl.k_truss(G, 5))


def test_a_directed_graph_is_refused():
    with pytest.raises(SymmetricStructureRequired, match="k_truss"):
        gl.native.k_truss(edges([0, 1, 2], [1, 2, 0], n=3), 3)


def test_bad_k_is_refused():
    with pytest.raises(InvalidValue, match="k=0"):
        gl.native.k_truss(random_graph(3, 3, kind="undirected"), 0)
    with pytest.raises(DomainMismatch, match="k"):
        gl.native.k_truss(random_graph(3, 3, kind="undirected"), 2.5)


def test_no_truss_of_any_k():
    assert gl.native.k_truss(random_graph(3, 3, kind="undirected"), 2**70).nvals == 0


@pytest.mark.thorough
@compiled
@pytest.mark.parametrize("few", FORMS.values(), ids=FORMS.keys())
@pytest.mark.parametrize("n", COUNTS)
def test_races(n, few, monkeypatch):
    monkeypatch.setattr(module, "FEW", few)
    G, k = gl.generate.kronecker(11, seed=1), 7  # rounds of some thousand edges
    expected = gl.k_truss(G, k)
    assert 0 < expected.nvals < G.A.nvals
    with threads(n):
        for _ in range(RUNS):
            assert gl.native.k_truss(G, k).isequal(expected)
