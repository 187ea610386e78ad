"""Calls whose results differ from NetworkX's on a graph of any class."""

from __future__ import annotations

import random

from graphla.interop.networkx.version import BEFORE_3_5
from tests.interop.networkx.answers import KINDS, REFUSED, answer, same

S, BOTH, W = {"source": "a"}, {"source": "a", "target": "f"}, {"weight": "weight"}
CALLS = [
    ("descendants_at_distance", S | {"distance": 2}),
    ("bfs_layers", {"sources": "a"}),
    ("single_source_shortest_path_length", S),
    ("shortest_path_length", BOTH),
    ("shortest_path_length", BOTH | W),
    ("single_source_dijkstra_path_length", S),
    ("dijkstra_predecessor_and_distance", S),
    ("single_source_bellman_ford_path_length", S),
    ("all_pairs_dijkstra_path_length", {}),
    ("floyd_warshall", {}),
    ("all_shortest_paths", BOTH | W),
    ("minimum_spanning_tree", {}),
    ("minimum_spanning_edges", {"ignore_nan": True, "data": False}),
    ("transitive_closure", {}),
    ("topological_sort", {}),
    ("connected_components", {}),
    ("number_strongly_connected_components", {}),
    ("isolates", {}),
    ("number_of_selfloops", {}),
    ("is_forest", {}),
    ("pagerank", {}),
    ("katz_centrality", {"alpha": 0.02, "weight": "weight"}),
    ("betweenness_centrality", W),
    ("closeness_centrality", {"distance": "weight"}),
    ("harmonic_centrality", {"nbunch": ["nowhere"]}),
    ("degree_centrality", {}),
    ("reciprocity", {}),
    ("triangles", {}),
    ("clustering", W),
    ("generalized_degree", {}),
    ("core_number", {}),
    ("k_core", {"k": 2}),
    ("jaccard_coefficient", {}),
]


def draw(kind, weights, seed=0):
    rng = random.Random(seed)
    G = KINDS[kind](name="drawn")
    G.add_nodes_from("lkjihgfedcba", colour=1)
    for _ in range(30):
        u, v = rng.choice("abcdefghijk"), rng.choice("abcdefghijk")
        if u != v or rng.random() < 0.3:
            G.add_edge(u, v, **({"weight": rng.choice(weights)} if rng.random() < 0.8 else {}))
    return G


def differences(G, calls=CALLS):
    """Return the calls that the backend computes, and those with another result than NetworkX."""
    answered, wrong = set(), []
    for name, arguments in calls:
        if BEFORE_3_5 and name in ("number_of_selfloops", "k_core"):
            continue
        theirs, ours = (answer(name, G, arguments, b) for b in ("networkx", "graphla"))
        if ours != REFUSED and not same(theirs, ours):
            wrong.append((name, arguments, theirs, ours))
        if ours != REFUSED and not isinstance(ours, type):
            answered.add(name)
    return answered, wrong
