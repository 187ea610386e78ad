"""Louvain's communities: their modularity, cliques, and how good NetworkX's are."""

from __future__ import annotations

import itertools

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphla as gl
from graphla.errors import DomainMismatch, InvalidValue
from tests.every_graph import on_dtypes, on_edge_cases
from tests.graphs import edges, from_networkx, random_graph, to_networkx
from tests.strategies import FEW, float_weights, graphs, small_weights


def groups(r):
    found = {}
    for v, x in enumerate(r.community.to_dense().tolist()):
        found.setdefault(x, set()).add(v)
    assert all(x == min(members) for x, members in found.items())
    return list(found.values())


def check(G, resolution=1.0):
    """Communities are connected, of the modularity given, and better than single vertices."""
    r = gl.louvain(G, resolution=resolution)
    assert r.community.dtype == "INT32"
    assert r.community.nvals == G.n
    parts, H = groups(r), to_networkx(G)
    if not G.A.nvals or (G.weighted and G.max_weight == 0):
        assert len(parts) == G.n
        assert r.modularity == 0
        return
    options = {"resolution": resolution, "weight": "weight"}
    found = nx.community.modularity(H, parts, **options)
    assert r.modularity == pytest.approx(found, rel=1e-9, abs=1e-9)
    single = nx.community.modularity(H, [{v} for v in H], **options)
    assert found >= single - 1e-9


test_edge_cases = on_edge_cases(check)


@given(graphs(max_n=14, max_m=40), st.floats(0.2, 3))
@FEW
def test_random_graphs_with_loops(G, resolution):
    check(G, resolution)


@given(graphs(max_n=12, max_m=40, weights=small_weights))
@FEW
def test_weights(G):
    check(G)


@given(
    graphs(max_n=12, max_m=40, weights=float_weights).filter(
        lambda G: not G.A.nvals or G.max_weight > 1e-9
    )
)
@FEW
def test_weights_of_floats(G):
    check(G)


test_weights_of_every_dtype = on_dtypes(check, n=60, m=200, kind="undirected")


def test_cliques_are_found():
    cliques = [{8 * c + i for i in range(8)} for c in range(12)]
    found = groups(gl.louvain(from_networkx(nx.connected_caveman_graph(12, 8))))
    assert sorted(map(sorted, found)) == sorted(map(sorted, cliques))


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["directed", "undirected"])
@pytest.mark.parametrize("weight", ["weight", None])
def test_as_good_as_networkx_on_the_whole(weight, kind):
    ours = theirs = 0.0
    for seed in range(10):
        dtype = "int32" if weight else None
        G = random_graph(100, 300, kind=kind, dtype=dtype, seed=seed)
        H = to_networkx(G)
        ours += gl.louvain(G).modularity
        parts = nx.community.louvain_communities(H, weight=weight, seed=1)
        theirs += nx.community.modularity(H, parts, weight=weight)
    assert ours > 0.98 * theirs


def test_a_higher_resolution_gives_smaller_communities():
    G = random_graph(200, 800, kind="undirected", seed=1)
    few, many = (len(groups(gl.louvain(G, resolution=x))) for x in (0.5, 3))
    assert few < many


def test_refused():
    G = random_graph(3, 3, kind="undirected")
    with pytest.raises(InvalidValue, match="tol=0"):
        gl.louvain(G, tol=0)
    with pytest.raises(InvalidValue, match="max_levels=0"):
        gl.louvain(G, max_levels=0)
    with pytest.raises(DomainMismatch, match="resolution"):
        gl.louvain(G, resolution=None)
    for weight in (-1.0, np.inf, np.nan):
        with pytest.raises(InvalidValue, match="louvain"):
            gl.louvain(edges([0, 1], [1, 2], [1.0, weight], n=3, kind="undirected"))


def test_result_reads_well():
    r = gl.louvain(random_graph(5, 9, kind="undirected"))
    assert repr(r).startswith("Communities(community=[INT32 5, 5 entries], modularity=")
    assert "<caption>Communities</caption>" in r._repr_html_()


@pytest.mark.parametrize("resolution", [np.nan, np.inf, -np.inf])
def test_a_resolution_that_is_not_finite_is_refused(resolution):
    with pytest.raises(InvalidValue, match="resolution"):  # these searched for ever
        gl.louvain(random_graph(3, 3, kind="undirected"), resolution=resolution)


def test_weights_without_a_finite_sum_are_refused():
    with pytest.raises(InvalidValue, match="infinite sum"):
        gl.louvain(edges([0, 1], [1, 2], [1e308, 1e308], n=3, kind="undirected"))


@pytest.mark.parametrize("kind", ["directed", "undirected"])
def test_levels_are_unions_and_raise_the_modularity(kind):
    G = random_graph(200, 500, kind=kind, seed=5)
    levels = list(gl.louvain_levels(G))
    assert len(levels) > 2
    sizes = [len(groups(level)) for level in levels]
    assert sizes == sorted(set(sizes), reverse=True)  # each of them merges some
    for finer, coarser in itertools.pairwise(levels):
        assert coarser.modularity >= finer.modularity - 1e-12
        assert all(any(a <= b for b in groups(coarser)) for a in groups(finer))
    for count, level in enumerate(levels, start=1):
        assert gl.louvain(G, max_levels=count).community.isequal(level.community)
    assert gl.louvain(G, max_levels=99).community.isequal(levels[-1].community)


def test_arguments_are_checked_before_the_first_level():
    with pytest.raises(InvalidValue, match="tol=0"):
        gl.louvain_levels(random_graph(3, 3), tol=0)


@pytest.mark.thorough
def test_directions_count():
    directed = regardless = 0.0
    for seed in range(10):
        G = random_graph(80, 200, seed=seed)
        H = edges(*G.A.to_coo(values=False)[:2], n=80, kind="undirected")
        directed += gl.louvain(G).modularity
        regardless += gl.modularity(G, gl.louvain(H).community)
    assert directed > regardless
