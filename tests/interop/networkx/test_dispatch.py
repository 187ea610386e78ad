"""Which calls run here: by size, by kind of search, or not at all."""

from __future__ import annotations

import pytest

from graphla.interop.networkx import backend, dispatch
from graphla.interop.networkx.convert import from_networkx
from tests.interop.networkx.installed import nx


def test_small_graphs_stay_with_networkx():
    G, big = nx.path_graph(5), nx.gnm_random_graph(3000, 40000, seed=1)
    assert "small" in dispatch.should_run("pagerank", (G,), {})
    assert dispatch.should_run("pagerank", (big,), {}) is True
    assert "converted" in dispatch.should_run("bfs_edges", (big, 0), {})
    nx.number_connected_components(big, backend="graphla")
    assert dispatch.should_run("bfs_edges", (big, 0), {}) is True


@pytest.fixture
def chosen():
    """Let NetworkX choose graphla by itself."""
    before = nx.config.backend_priority.algos
    nx.config.backend_priority.algos = ["graphla"]
    backend.calls.clear()
    yield backend.calls
    nx.config.backend_priority.algos = before


def test_networkx_chooses_by_size(chosen):
    small, big = nx.path_graph(5), nx.gnm_random_graph(3000, 40000, seed=1)
    assert nx.transitivity(small) == 0
    assert not chosen
    assert nx.transitivity(big) == pytest.approx(nx.transitivity(big, backend="networkx"))
    assert chosen == {"transitivity": 1}


def test_refused_calls_run_in_networkx(chosen):
    G = nx.gnm_random_graph(3000, 40000, seed=1)
    nx.pagerank(G)
    G.add_edge(0, 1, weight=-1)
    found = nx.hits(G)
    assert chosen == {"pagerank": 1, "hits": 1}
    theirs = nx.hits(G, backend="networkx")
    assert found[0] == pytest.approx(theirs[0], rel=1e-9)


def test_deep_and_small_graphs_stay_with_networkx():
    deep = nx.path_graph(20_000, nx.DiGraph)
    from_networkx(deep)
    for name in ("topological_sort", "topological_generations", "is_directed_acyclic_graph"):
        assert "small" in dispatch.should_run(name, (deep,), {})
    assert "small" in dispatch.should_run("find_negative_cycle", (deep, 0), {})
    wide = nx.gnm_random_graph(3000, 60_000, seed=1)
    assert "small" in dispatch.should_run("generalized_degree", (wide,), {})


def test_only_bidirectional_searches_stay_with_networkx():
    G = nx.gnm_random_graph(3000, 60_000, seed=1)
    nx.number_connected_components(G, backend="graphla")
    for name in ("dijkstra_path", "dijkstra_path_length", "bellman_ford_path"):
        assert dispatch.should_run(name, (G, 0, 1), {}) is True
    for name in ("has_path", "shortest_path", "bidirectional_dijkstra"):
        assert dispatch.should_run(name, (G, 0, 1), {}) is not True
