"""The NetworkX backend on engine "cuda"."""

from __future__ import annotations

import pytest

nx = pytest.importorskip("networkx", "3.4")
if "graphla" not in nx.utils.backends.backends:
    pytest.skip("entry points are not installed: pip install -e .", allow_module_level=True)


def test_results_and_engine_of_the_conversion():
    G = nx.karate_club_graph()
    weights = {0: 1, 5: 2}
    with nx.config.backends.graphla(engine="cuda"):
        rank = nx.pagerank(G, personalization=weights, backend="graphla")
        components = list(nx.connected_components(G, backend="graphla"))
    assert rank == pytest.approx(nx.pagerank(G, personalization=weights), abs=1e-5)
    assert components == [set(G)]
    (converted,) = G.__networkx_cache__["backends"]["graphla"].values()
    assert converted.graph("weight").engine == "cpu"
    with nx.config.backends.graphla(engine="cuda"):
        assert converted.graph("weight").engine == "cuda"


def on_both(name, G, **arguments):
    """Return the result of a NetworkX function on engine "cuda" and on engine "cpu"."""
    found = []
    for engine in ("cuda", "cpu"):
        with nx.config.backends.graphla(engine=engine):
            result = getattr(nx, name)(G, **arguments, backend="graphla")
        found.append(list(result) if hasattr(result, "__next__") else result)
    return found


def test_functions_on_both_engines():
    G = nx.karate_club_graph()
    D = nx.gn_graph(30, seed=1)
    N = nx.DiGraph()
    N.add_weighted_edges_from([(0, 1, 2), (1, 2, 1), (2, 3, -4), (3, 1, 2)])
    count = {v: 1.0 + v for v in G}
    nx.set_node_attributes(G, {v: v % 2 for v in G}, "community")
    pairs = [(0, 33), (2, 9)]
    for name, H, arguments in (
        ("cn_soundarajan_hopcroft", G, {"ebunch": pairs}),
        ("ra_index_soundarajan_hopcroft", G, {"ebunch": pairs}),
        ("within_inter_cluster", G, {"ebunch": pairs}),
        ("find_negative_cycle", N, {"source": 0}),
        ("topological_sort", D, {}),
        ("is_branching", D, {}),
        ("is_forest", G, {}),
        ("generalized_degree", G, {}),
    ):
        ours, theirs = on_both(name, H, **arguments)
        assert ours == theirs, name
    for name, arguments in (
        ("eigenvector_centrality", {"nstart": count}),
        ("katz_centrality", {"alpha": 0.02, "beta": count, "nstart": count}),
        ("eigenvector_centrality_numpy", {"weight": "weight"}),
        ("katz_centrality_numpy", {"alpha": 0.02, "beta": count}),
    ):
        ours, theirs = on_both(name, G, **arguments)
        assert ours == pytest.approx(theirs, rel=1e-9)
    ours, theirs = on_both("all_triangles", G)
    assert sorted(map(sorted, ours)) == sorted(map(sorted, theirs))
