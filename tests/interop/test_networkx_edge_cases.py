"""Edge cases of the NetworkX backend, compared with NetworkX."""

from __future__ import annotations

import itertools

import pytest

nx = pytest.importorskip("networkx", "3.4")

from graphla.interop.networkx import dispatch  # noqa: E402
from graphla.interop.networkx.convert import from_networkx  # noqa: E402
from graphla.interop.networkx.version import BEFORE_3_5  # noqa: E402

if "graphla" not in nx.utils.backends.backends:
    pytest.skip("entry points are not installed: pip install -e .", allow_module_level=True)
nx.config.warnings_to_ignore.add("cache")


def both(name, G, *args, **arguments):
    return [getattr(nx, name)(G, *args, **arguments, backend=b) for b in ("networkx", "graphla")]


def communities():
    G = nx.gnm_random_graph(12, 26, seed=1)
    nx.set_node_attributes(G, {v: v % 2 for v in G}, "community")
    return G


@pytest.mark.parametrize(("threshold", "least"), [(0, 1), (1e-7, -1)])
def test_refused_communities_are_computed_by_networkx(threshold, least):
    G = nx.gnm_random_graph(400, 20_000, seed=1)
    G.add_edge(0, 1, weight=least)
    theirs = nx.community.louvain_communities(G, threshold=threshold, seed=1)
    with nx.config.backend_priority(algos=["graphla"]):
        assert nx.community.louvain_communities(G, threshold=threshold, seed=1) == theirs
        assert list(nx.community.louvain_partitions(G, threshold=threshold, seed=1))[-1] == theirs
    with pytest.raises(NotImplementedError):
        nx.community.louvain_partitions(G, threshold=threshold, backend="graphla")


@pytest.mark.parametrize("name", ["all_pairs_dijkstra", "all_pairs_bellman_ford_path_length"])
def test_generator_functions_refuse_in_the_call(name):
    G = nx.path_graph(3)
    G.add_edge(0, 1, weight=float("nan"))
    with pytest.raises(NotImplementedError):
        getattr(nx, name)(G, backend="graphla")


def test_louvain_partitions_are_distinct():
    found = list(nx.community.louvain_partitions(nx.karate_club_graph(), backend="graphla"))
    assert all(len(a) > len(b) for a, b in itertools.pairwise(found))
    alone = nx.empty_graph(3)
    alone.add_edges_from([(0, 0), (1, 1)])
    assert list(nx.community.louvain_partitions(alone, backend="graphla")) == [[{0}, {1}, {2}]]


COMMUNITY = ["cn_soundarajan_hopcroft", "ra_index_soundarajan_hopcroft", "within_inter_cluster"]


@pytest.mark.parametrize("name", [*COMMUNITY, "jaccard_coefficient", "common_neighbor_centrality"])
def test_empty_list_of_pairs(name):
    assert list(getattr(nx, name)(communities(), [], backend="graphla")) == []


@pytest.mark.parametrize("name", COMMUNITY)
def test_default_pairs_are_those_without_an_edge(name):
    theirs, ours = (
        {frozenset(pair): score for *pair, score in found} for found in both(name, communities())
    )
    assert ours == pytest.approx(theirs)


@pytest.mark.parametrize("name", COMMUNITY)
def test_none_is_a_community(name):
    G = communities()
    nx.set_node_attributes(G, {v: None for v in G if v % 2}, "community")
    pairs = [(u, v) for u in G for v in G]
    theirs, ours = map(list, both(name, G, pairs))
    assert [x for *_, x in ours] == pytest.approx([x for *_, x in theirs])


@pytest.mark.parametrize("name", COMMUNITY)
def test_communities_of_a_graph_converted_by_hand(name):
    G = communities()
    theirs = list(getattr(nx, name)(G, [(0, 5)], backend="networkx"))
    assert list(getattr(nx, name)(from_networkx(G, nodes_too=True), [(0, 5)])) == theirs
    with pytest.raises(nx.NetworkXAlgorithmError):
        list(getattr(nx, name)(from_networkx(G), [(0, 5)]))


@pytest.mark.parametrize("name", ["cn_soundarajan_hopcroft", "within_inter_cluster"])
def test_self_loops_are_not_common_neighbours(name):
    G = communities()
    G.add_edges_from((v, v) for v in range(6))
    theirs, ours = map(list, both(name, G, [(u, v) for u in G for v in G]))
    assert ours == theirs


@pytest.mark.parametrize("beta", [-1.0, 1e-20, 0, {0: -1, 1: 3, 2: 1e-3, 3: -9, 4: 0}])
@pytest.mark.parametrize("normalized", [True, False])
@pytest.mark.filterwarnings("ignore:invalid value")  # of NetworkX, which divides by 0
def test_betas_of_any_sign_and_size(beta, normalized):
    G = nx.path_graph(5)
    theirs, ours = both("katz_centrality_numpy", G, beta=beta, normalized=normalized)
    assert ours == pytest.approx(theirs, nan_ok=True, rel=1e-9, abs=0)


@pytest.mark.parametrize("scale", [1e-20, 1e-15, 1e15])
def test_eigenvectors_of_weights_of_any_size(scale):
    G = nx.path_graph(4)
    for u, v in G.edges:
        G[u][v]["weight"] = scale * (1 + u)
    theirs, ours = both("eigenvector_centrality_numpy", G, weight="weight")
    assert ours == pytest.approx(theirs)


def test_eigenvector_that_the_power_method_misses_is_refused():
    G = nx.DiGraph()
    G.add_weighted_edges_from([(0, 1, 1), (1, 2, 1e-30), (2, 0, 1e-30)])
    with pytest.raises(NotImplementedError):
        nx.eigenvector_centrality_numpy(G, weight="weight", backend="graphla")


def test_arguments_of_arpack():
    G = nx.karate_club_graph()
    theirs = nx.eigenvector_centrality_numpy(G, backend="networkx")
    found = nx.eigenvector_centrality_numpy(G, tol=0.1, backend="graphla")
    assert found == pytest.approx(theirs, rel=1e-9)
    with pytest.raises(ValueError, match="maxiter must be positive"):
        nx.eigenvector_centrality_numpy(G, max_iter=0, backend="graphla")


def test_hits_does_not_depend_on_nstart():
    G = nx.disjoint_union(nx.complete_graph(6), nx.path_graph(4))
    theirs, ours = both("hits", G, nstart={v: float(v > 5) for v in G})
    assert ours[0] == pytest.approx(theirs[0], abs=1e-6)
    for start in ({0: 1.0}, dict.fromkeys(G, 0.0)):
        with pytest.raises(NotImplementedError):
            nx.hits(G, nstart=start, backend="graphla")


def test_hits_with_few_iterations_or_negative_weights_falls_back():
    G = nx.path_graph(300)
    with pytest.raises(NotImplementedError):
        nx.hits(G, max_iter=50, backend="graphla")
    G = nx.Graph([(0, 1, {"weight": -1}), (1, 2)])
    with pytest.raises(NotImplementedError):
        nx.hits(G, backend="graphla")


NBUNCH = ["triangles", "clustering", "square_clustering", "generalized_degree"]
NBUNCH += [] if BEFORE_3_5 else ["all_triangles"]


@pytest.mark.parametrize("bad", [99, [[1]], [0, [1]]])
@pytest.mark.parametrize("name", NBUNCH)
def test_absent_nodes_raise_the_errors_of_networkx(name, bad):
    G = nx.complete_graph(4)
    said = []
    for b in ("networkx", "graphla"):
        with pytest.raises(nx.NetworkXError) as error:
            list(getattr(nx, name)(G, bad, backend=b))
        said.append(str(error.value))
    assert BEFORE_3_5 or said[0] == said[1]


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
