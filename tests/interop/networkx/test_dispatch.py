"""Which calls run here: by size, by kind of search, or not at all."""

from __future__ import annotations

import inspect

import pytest

from graphla.interop.networkx import backend, dispatch, info
from graphla.interop.networkx.convert import from_networkx
from tests.interop.networkx.installed import nx

EMPTY = inspect.Parameter.empty


def test_small_graphs_stay_with_networkx():
    G, big = nx.path_graph(5), nx.gnm_random_graph(3000, 40000, seed=1)
    assert "small" in dispatch.should_run("pagerank", (G,), {})
    assert dispatch.should_run("pagerank", (big,), {}) is True
    assert "not converted: about 4" in dispatch.should_run("bfs_edges", (big, 0), {})
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
        assert "matrix product per level" in dispatch.should_run(name, (deep,), {})
    assert "cycle" in dispatch.should_run("find_negative_cycle", (deep, 0), {})
    wide = nx.gnm_random_graph(3000, 60_000, seed=1)
    assert "small" in dispatch.should_run("generalized_degree", (wide,), {})


def test_only_bidirectional_searches_stay_with_networkx():
    G = nx.gnm_random_graph(3000, 60_000, seed=1)
    nx.number_connected_components(G, backend="graphla")
    for name in ("dijkstra_path", "dijkstra_path_length", "bellman_ford_path"):
        assert dispatch.should_run(name, (G, 0, 1), {"weight": None}) is True
    for name in ("has_path", "bidirectional_dijkstra"):
        assert "both ends" in dispatch.should_run(name, (G, 0, 1), {})
    assert "another function" in dispatch.should_run("shortest_path", (G, 0, 1), {})
    assert dispatch.should_run("shortest_path", (G, 0), {"weight": None}) is True


def test_one_pair_of_nodes_is_not_a_reason_to_convert():
    G = nx.gnm_random_graph(3000, 60_000, seed=1)
    for name in ("dijkstra_path", "dijkstra_path_length", "bellman_ford_path"):
        assert "longer than one call" in dispatch.should_run(name, (G, 0, 1), {})
    nx.number_connected_components(G, backend="graphla")
    reason = dispatch.should_run("dijkstra_path", (G, 0, 1), {"weight": "length"})
    assert "attributes" in reason
    assert dispatch.should_run("dijkstra_path", (G, 0, 1), {"weight": None}) is True


def test_conversions_without_the_attributes_of_a_call_do_not_count():
    G = nx.gnm_random_graph(3000, 60_000, seed=1)
    arguments = {
        "single_source_dijkstra": {"source": 0},
        "minimum_spanning_tree": {},
        "minimum_spanning_edges": {},
    }
    nx.number_connected_components(G, backend="graphla")
    for name, named in arguments.items():
        assert "attributes of this call" in dispatch.should_run(name, (G,), named), name
    plain = dispatch.should_run("minimum_spanning_edges", (G,), {"data": False, "weight": None})
    assert plain is True
    nx.k_core(G, 2, backend="graphla")
    for name, named in arguments.items():
        assert dispatch.should_run(name, (G,), named) is True, name


def test_failed_conversions_do_not_count():
    G = nx.gnm_random_graph(3000, 60_000, seed=1)
    G.add_edge(0, 1, weight="heavy")
    with pytest.raises(NotImplementedError):
        nx.single_source_dijkstra_path_length(G, 0, backend="graphla")
    assert "not converted:" in dispatch.should_run("bfs_edges", (G, 0), {})


@pytest.mark.parametrize("is_converted", [False, True])
def test_no_decision_counts_the_edges(monkeypatch, is_converted):
    G = nx.gnm_random_graph(3000, 60_000, seed=1)
    if is_converted:
        nx.number_connected_components(G, backend="graphla")

    def refuse(*args, **kwargs):
        raise AssertionError("counted")

    for name in ("size", "number_of_edges", "number_of_nodes", "degree", "edges"):
        monkeypatch.setattr(nx.Graph, name, refuse)
    for name in info.FUNCTIONS:
        required = [p for p, default in dispatch._parameters(name).items() if default is EMPTY]
        arguments = dict.fromkeys(required[1:], 0)
        assert backend.can_run(name, (G,), arguments) is True
        decision = dispatch.should_run(name, (G,), arguments)
        assert (
            decision is True
            or "converted" in decision
            or "small" in decision
            or (decision == dispatch.FASTER_IN_NETWORKX[name])
        )


def test_calls_with_a_seed_run_in_networkx_if_there_is_no_random_order_here():
    G = from_networkx(nx.gnm_random_graph(9_000, 90_000, seed=1))
    for name in dispatch.RANDOM_ORDER:
        assert dispatch.should_run(name, (G,), {}) is True
        assert "random order" in dispatch.should_run(name, (G,), {"seed": 1})
        assert dispatch.refusal(name, (G,), {"seed": 1}) is None  # backend="graphla" may be named


@pytest.mark.parametrize("seed", [{}, {"seed": None}, {"seed": 1}])
def test_networkx_passes_a_generator_where_a_call_has_no_seed(seed, chosen):
    nx.community.louvain_communities(nx.gnm_random_graph(9_000, 90_000, seed=1), **seed)
    assert chosen == ({} if seed.get("seed") else {"louvain_communities": 1})
