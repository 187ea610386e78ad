"""Trees and forests against NetworkX."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given

import graphla as gl
from graphla.errors import InvalidGraph
from tests.every_graph import on_atlas
from tests.graphs import edge_cases, edges, to_networkx
from tests.strategies import graphs

UNDIRECTED = ["is_forest", "is_tree"]
NAMES = [*UNDIRECTED, "is_branching", "is_arborescence"]


def check(G):
    H = to_networkx(G)
    for name in NAMES if G.kind == "directed" else UNDIRECTED:
        found = getattr(gl, name)(G)
        assert type(found) is bool
        assert found == getattr(nx, name)(H), name


@pytest.mark.parametrize("kind", ["directed", "undirected"])
@pytest.mark.parametrize("name", [k for k in edge_cases() if k != "empty"])
def test_edge_cases(name, kind):
    check(edge_cases(kind)[name])


test_atlas = on_atlas(check, step=5, empty=False)


@given(graphs(max_n=6, max_m=7))
def test_random_graphs(G):
    check(G)


@pytest.mark.parametrize("seed", range(5))
def test_random_trees_and_what_one_edge_more_or_less_makes_of_them(seed):
    H = nx.random_labeled_tree(30, seed=seed)
    pairs = list(nx.bfs_edges(H, 0))
    for more, some in ((0, pairs), (0, pairs[1:]), (1, [*pairs, pairs[-1][::-1]])):
        for kind in ("directed", "undirected"):
            G = edges([u for u, _ in some], [v for _, v in some], n=30, kind=kind)
            check(G)
            assert gl.is_forest(G) == (not more or kind == "undirected")


@pytest.mark.parametrize("name", NAMES)
def test_no_vertices(name):
    with pytest.raises(InvalidGraph, match="the graph has no vertex"):
        getattr(gl, name)(edges([], [], n=0))


@pytest.mark.parametrize("name", ["is_branching", "is_arborescence"])
def test_undirected_graphs_have_no_arcs(name):
    with pytest.raises(InvalidGraph, match=f"{name}: the graph is undirected"):
        getattr(gl, name)(edges([0], [1], n=2, kind="undirected"))
