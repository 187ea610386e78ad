"""Triangles, clustering coefficients, cores and trusses: right ones pass, all wrong ones fail."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from graphblas import Matrix
from hypothesis import given
from hypothesis import strategies as st

from graphla import verify
from graphla.errors import DomainMismatch, InvalidValue, SymmetricStructureRequired
from tests.graphs import atlas, edge_cases, edges, random_graph, simple_networkx, to_networkx
from tests.oracles import assert_rejected, corrupted, vector
from tests.strategies import graphs

UNDIRECTED = [*edge_cases("undirected").values(), *(G for _, G in atlas()[1::60])]


def triangles_by_vertex(G):
    return nx.triangles(simple_networkx(G))


def coefficients(G):
    return {v: float(c) for v, c in nx.clustering(simple_networkx(G)).items()}


def cores(G):
    """Return core numbers; NetworkX's degrees of directed graphs count both directions, too."""
    return nx.core_number(simple_networkx(G))


def truss_of(G, k):
    """Return the k-truss as a dict from (i, j) to the number of triangles on that edge."""
    H = nx.k_truss(simple_networkx(G), k)
    pairs = [pair for u, v in H.edges for pair in ((u, v), (v, u))]
    return {(u, v): len(set(H[u]) & set(H[v])) for u, v in pairs}


def as_truss(entries, n):
    rows, columns = np.array(sorted(entries), np.int64).reshape(-1, 2).T
    values = np.array([entries[pair] for pair in sorted(entries)], np.int64)
    return Matrix.from_coo(rows, columns, values, nrows=n, ncols=n)


@given(st.data(), graphs(kind="undirected", max_n=9, max_m=50))
def test_any_wrong_number_of_triangles_is_found(data, G):
    count = triangles_by_vertex(G)
    verify.triangles(G, vector(count, G.n))
    wrong = data.draw(corrupted(count, G.n, st.integers(-1, 40)))
    assert_rejected(verify.triangles, G, vector(wrong, G.n), match="count")


@given(st.data(), graphs(max_n=9, max_m=50))
def test_any_wrong_coefficient_is_found(data, G):
    right = coefficients(G)
    verify.clustering_coefficient(G, vector(right, G.n, float))
    values = st.sampled_from([0.0, 1e-6, 0.5, 1.0, 2.0, np.nan, *right.values()])
    wrong = data.draw(corrupted(right, G.n, values))
    assert_rejected(verify.clustering_coefficient, G, vector(wrong, G.n, float), match="coeffic")


@given(st.data(), graphs(max_n=12, max_m=60))
def test_any_wrong_core_number_is_found(data, G):
    core = cores(G)
    verify.core_number(G, vector(core, G.n))
    wrong = data.draw(corrupted(core, G.n, st.integers(-1, 20)))
    assert_rejected(verify.core_number, G, vector(wrong, G.n), match="core")
    shift = data.draw(st.integers(-3, 3).filter(bool))
    all_wrong = {v: c + shift for v, c in core.items()}
    assert_rejected(verify.core_number, G, vector(all_wrong, G.n), match="core")
    fractions = {v: c + shift / 4 for v, c in core.items()}
    assert_rejected(verify.core_number, G, vector(fractions, G.n, float), match="core")


def test_core_numbers_of_whole_cores_that_are_too_small_or_too_large():
    cycle = edges(range(6), [1, 2, 3, 4, 5, 0], n=6, kind="undirected")
    verify.core_number(cycle, vector(dict.fromkeys(range(6), 2), 6))
    verify.core_number(cycle, vector(dict.fromkeys(range(6), 2.0), 6, float))
    ones, threes = (vector(dict.fromkeys(range(6), k), 6) for k in (1, 3))
    assert_rejected(
        verify.core_number, cycle, ones, match=r"core\[0\] is 1.* in a core of a higher number"
    )
    assert_rejected(verify.core_number, cycle, threes, match=r"core\[0\] is 3; only 2 neighb")
    long = edges(range(10**5 - 1), range(1, 10**5), n=10**5, kind="undirected")
    verify.core_number(long, vector(dict.fromkeys(range(10**5), 1), 10**5))


@given(st.data(), graphs(kind="undirected", max_n=9, max_m=60), st.integers(1, 6))
def test_any_wrong_truss_is_found(data, G, k):
    right = truss_of(G, k)
    verify.k_truss(G, k, as_truss(right, G.n))
    i, j = (data.draw(st.integers(0, G.n - 1)) for _ in "ij")
    value = data.draw(
        st.one_of(st.none(), st.integers(0, 9)).filter(lambda x: x != right.get((i, j)))
    )
    wrong = {pair: x for pair, x in {**right, (i, j): value}.items() if x is not None}
    assert_rejected(verify.k_truss, G, k, as_truss(wrong, G.n), match="edge|truss")


def test_trusses_that_are_not_the_largest_or_lack_support():
    G = random_graph(40, 200, kind="undirected")
    right = {k: truss_of(G, k) for k in (3, 4, 5)}
    assert len(right[3]) > len(right[4]) > len(right[5])
    assert_rejected(verify.k_truss, G, 3, as_truss(right[4], G.n), match="the truss lacks the edge")
    assert_rejected(verify.k_truss, G, 4, as_truss(right[3], G.n), match="should not be in it")
    assert_rejected(verify.k_truss, G, 3, Matrix(int, 3, 3), match="of shape")


@pytest.mark.parametrize("G", UNDIRECTED, ids=str)
def test_edge_cases(G):
    verify.triangles(G, vector(triangles_by_vertex(G), G.n))
    for H in (G, edges(*G.A.to_coo()[:2], n=G.n)):
        verify.clustering_coefficient(H, vector(coefficients(H), G.n, float))
        verify.core_number(H, vector(cores(H), G.n))
    for k in (1, 3, 10**12):
        verify.k_truss(G, k, as_truss(truss_of(G, min(k, 99)), G.n))


def test_bad_arguments():
    G = edges([0, 1], [1, 2], n=3)
    zeros = vector(dict.fromkeys(range(3), 0), 3)
    for check in (verify.triangles, lambda G, x: verify.k_truss(G, 3, G.A)):
        with pytest.raises(SymmetricStructureRequired):
            check(G, zeros)
    H = edges([0, 1], [1, 2], n=3, kind="undirected")
    with pytest.raises(InvalidValue, match="k="):
        verify.k_truss(H, 0, H.A)
    with pytest.raises(DomainMismatch):
        verify.core_number(H, [1, 1, 1])
    assert to_networkx(H).number_of_edges() == 2
    assert_rejected(verify.core_number, H, vector({0: 1, 2: 1}, 3), match=r"core\[1\] has no entry")
