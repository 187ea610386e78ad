"""The functions of the backend against NetworkX's own on small graphs of every kind."""

from __future__ import annotations

import random

import pytest

nx = pytest.importorskip("networkx", "3.4")
if "graphla" not in nx.utils.backends.backends:
    pytest.skip("entry points are not installed: pip install -e .", allow_module_level=True)
from graphla.interop.networkx.version import BEFORE_3_5  # noqa: E402
from tests.interop.networkx_answers import KINDS, plain, same  # noqa: E402

nx.config.warnings_to_ignore.add("cache")

LABELS = "ponmlkjihgfedcba"


def draw(kind, seed, *, loops=True, integers=True):
    """Return a graph of 16 nodes in descending order, two isolated, some weights missing."""
    rng = random.Random(seed)
    G = KINDS[kind]()
    G.add_nodes_from((node, {"community": ord(node) % 3}) for node in LABELS)
    for _ in range(rng.choice([12, 30])):
        u, v = rng.choice(LABELS[:-2]), rng.choice(LABELS[:-2])
        if u != v or loops:
            weight = rng.randint(1, 9) if integers else rng.random()
            G.add_edge(u, v, **({"weight": weight} if rng.random() < 0.8 else {}))
    return G


def outcome(name, G, arguments, backend):
    try:
        found = getattr(nx, name)(G, **arguments, backend=backend)
        as_before = BEFORE_3_5 and name == "single_target_shortest_path_length"
        return plain(dict(found) if as_before else found)
    except NotImplementedError:
        pytest.skip("one of the backends refuses this call: NotImplementedError")
    except (AttributeError, nx.NetworkXException, ZeroDivisionError, ValueError, KeyError) as error:
        return type(error)


S, T = {"source": "p"}, {"target": "k"}
PAIRS = {"ebunch": [(u, v) for u in LABELS for v in LABELS]}
COUNT = {node: 1 + i for i, node in enumerate(LABELS)}
EXACT = {
    "generic_bfs_edges": [S, S | {"depth_limit": 2}],
    "bfs_edges": [S, S | {"depth_limit": 1}],
    "bfs_predecessors": [S],
    "bfs_successors": [S],
    "bfs_layers": [{"sources": "p"}],
    "bfs_tree": [S],
    "descendants_at_distance": [S | {"distance": 2}],
    "descendants": [S],
    "ancestors": [S],
    "has_path": [S | T],
    "single_source_shortest_path_length": [S, S | {"cutoff": 1}],
    "single_target_shortest_path_length": [T],
    "single_source_shortest_path": [S, S | {"cutoff": 2}],
    "all_pairs_shortest_path_length": [{}, {"cutoff": 2}],
    "predecessor": [S, S | T, S | {"cutoff": 2}, S | {"return_seen": True}],
    "single_source_dijkstra_path_length": [S, S | {"cutoff": 5}],
    "multi_source_dijkstra_path_length": [{"sources": ["p", "c"]}],
    "dijkstra_path_length": [S | T],
    "bellman_ford_path_length": [S | T],
    "single_source_bellman_ford_path_length": [S],
    "all_pairs_dijkstra_path_length": [{}, {"cutoff": 6}],
    "all_pairs_bellman_ford_path_length": [{}],
    "floyd_warshall": [{}],
    "shortest_path_length": [{}, S, T, S | T, S | {"weight": "weight"}, T | {"weight": "weight"}],
    "average_shortest_path_length": [{}],
    "negative_edge_cycle": [{}],
    "connected_components": [{}],
    "number_connected_components": [{}],
    "is_connected": [{}],
    "node_connected_component": [{"n": "p"}],
    "weakly_connected_components": [{}],
    "number_weakly_connected_components": [{}],
    "number_strongly_connected_components": [{}],
    "is_strongly_connected": [{}],
    "isolates": [{}],
    "is_forest": [{}],
    "is_tree": [{}],
    "is_branching": [{}],
    "is_arborescence": [{}],
    "number_of_selfloops": [{}],
    "number_of_isolates": [{}],
    "is_isolate": [{"n": "a"}],
    "pagerank": [
        {}, {"weight": None}, {"personalization": {"p": 1, "c": 2}}, {"dangling": {"p": 1}},
    ],
    "eigenvector_centrality": [{"max_iter": 1000}, {"max_iter": 1000, "nstart": COUNT}],
    "eigenvector_centrality_numpy": [{}, {"weight": "weight"}],
    "katz_centrality": [
        {"alpha": 0.02}, {"alpha": 0.01, "normalized": False, "weight": "weight"},
        {"alpha": 0.02, "beta": COUNT}, {"alpha": 0.02, "nstart": COUNT},
    ],
    "katz_centrality_numpy": [{"alpha": 0.02}, {"alpha": 0.02, "beta": COUNT}, {"alpha": 0.9}],
    "betweenness_centrality": [
        {}, {"normalized": False}, {"endpoints": True}, {"k": 5, "seed": 2}, {"weight": "weight"},
        {"k": 5, "seed": 2, "endpoints": True, "normalized": False},
    ],
    "edge_betweenness_centrality": [
        {}, {"k": 4, "seed": 1}, {"normalized": False}, {"weight": "weight"},
    ],
    "closeness_centrality": [{}, {"wf_improved": False}, {"u": "p"}, {"distance": "weight"}],
    "harmonic_centrality": [{}, {"sources": ["p", "c"]}, {"nbunch": ["k"]}, {"distance": "weight"}],
    "degree_centrality": [{}],
    "in_degree_centrality": [{}],
    "out_degree_centrality": [{}],
    "efficiency": [{"u": "p", "v": "k"}],
    "global_efficiency": [{}],
    "local_efficiency": [{}],
    "reciprocity": [{}, {"nodes": ["p", "a"]}, {"nodes": "p"}],
    "overall_reciprocity": [{}],
    "triangles": [{}, {"nodes": ["p"]}, {"nodes": "p"}],
    "clustering": [{}, {"weight": "weight"}, {"nodes": ["p", "k"]}],
    "average_clustering": [{}, {"count_zeros": False}],
    "transitivity": [{}],
    "square_clustering": [{}],
    "core_number": [{}],
    "k_core": [{}, {"k": 2}],
    "k_shell": [{}],
    "k_crust": [{}],
    "k_corona": [{"k": 2}],
    "k_truss": [{"k": 3}],
    "transitive_closure": [{}, {"reflexive": None}, {"reflexive": True}],
    "transitive_closure_dag": [{}],
    "is_directed_acyclic_graph": [{}],
    "topological_sort": [{}],
    "topological_generations": [{}],
    "generalized_degree": [{}, {"nodes": ["p", "k"]}, {"nodes": "p"}],
    "cn_soundarajan_hopcroft": [PAIRS],
    "ra_index_soundarajan_hopcroft": [PAIRS],
    "within_inter_cluster": [PAIRS, PAIRS | {"delta": 0.5}],
    "minimum_spanning_edges": [{}],
    "minimum_spanning_tree": [{}],
    "maximum_spanning_tree": [{}],
}  # fmt: skip
CALLS = [(name, arguments) for name, several in EXACT.items() for arguments in several]


def changed_since_3_4(name, arguments, kind):
    """Whether NetworkX 3.4 has another result: of samples and squares, and of cores that it
    finds in multigraphs. It sends no call for the number of self-loops.
    """
    cores = name.startswith("k_") and name != "k_truss" and kind.startswith("multi")
    others = name in ("square_clustering", "number_of_selfloops")
    return ("k" in arguments and "betweenness" in name) or others or cores


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("name", "arguments"), CALLS, ids=[f"{n}-{a}" for n, a in CALLS])
def test_same_as_networkx(name, arguments, kind):
    if BEFORE_3_5 and changed_since_3_4(name, arguments, kind):
        pytest.skip("graphla's result is that of later versions")
    for seed in range(4):
        G = draw(kind, seed, loops=seed % 2 == 0, integers=seed < 2)
        theirs = outcome(name, G, arguments, "networkx")
        ours = outcome(name, G, arguments, "graphla")
        assert same(theirs, ours), (seed, theirs, ours)
