"""Sizes of NetworkX graphs without a pass over them."""

from __future__ import annotations

import pytest

from graphla.interop.networkx.graph_size import SAMPLE, estimate_size
from tests.interop.networkx.installed import nx


def size(G):
    return G.number_of_nodes() + G.number_of_edges()


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph])
@pytest.mark.parametrize("n", [0, 1, 5, 2 * SAMPLE])
def test_small_graphs_are_counted(kind, n):
    assert estimate_size(G := nx.path_graph(n, kind)) == size(G)


@pytest.mark.parametrize("directed", [False, True])
def test_the_size_of_a_large_graph_is_estimated(directed):
    G = nx.gnm_random_graph(20_000, 80_000, seed=1, directed=directed)
    assert estimate_size(G) == pytest.approx(size(G), rel=0.1)
    assert estimate_size(nx.relabel_nodes(G, str)) == pytest.approx(size(G), rel=0.25)


@pytest.mark.parametrize("name", [int, str, lambda v: -v])
def test_a_few_nodes_of_large_degree_do_not_enlarge_the_estimate(name):
    for G in (nx.star_graph(5_000), nx.wheel_graph(5_000), nx.barabasi_albert_graph(5_000, 4, 1)):
        H = nx.relabel_nodes(G, name)
        assert size(G) / 2.5 < estimate_size(H) < 2.5 * size(G)


def test_a_hub_in_the_sample_does_not_enlarge_the_estimate():
    n = 4 * SAMPLE * 10
    G = nx.empty_graph(n)
    G.add_edges_from((10, v) for v in range(n) if v != 10)  # 10 is the first of the sample
    assert size(G) / 2 < estimate_size(G) < 2 * size(G)


def test_views_are_not_traversed():
    G = nx.gnm_random_graph(20_000, 80_000, seed=1)

    def refuse(*ends):
        raise AssertionError("the filter was called")

    assert estimate_size(nx.subgraph_view(G, filter_node=refuse)) == estimate_size(G)
    part = G.subgraph(range(1000))
    assert estimate_size(part) == pytest.approx(5000, rel=0.1)
    assert estimate_size(part.to_directed(as_view=True)) == pytest.approx(9000, rel=0.1)
    assert estimate_size(nx.reverse_view(nx.DiGraph([(0, 1)]))) == 3
