"""NetworkX's Bellman-Ford functions: weights of any sign."""

from __future__ import annotations

from typing import Any

import networkx as nx

from graphla.algorithms.paths.bellman_ford import bellman_ford_distances
from graphla.algorithms.paths.negative_cycle import negative_cycle
from graphla.errors import NegativeCycle
from graphla.interop.networkx.labelled_graph import LabelledGraph, check_nodes
from graphla.interop.networkx.paths.single_source import (
    all_paths,
    distances_from,
    path_between,
    predecessors,
    shortest_path_tree,
    with_super_source,
)


def bellman_ford_path(G: LabelledGraph, source: Any, target: Any, weight: Any = "weight") -> list:
    return single_source_bellman_ford(G, source, target=target, weight=weight)[1]


def bellman_ford_path_length(
    G: LabelledGraph, source: Any, target: Any, weight: Any = "weight"
) -> Any:
    check_nodes(G, source)
    if source == target:
        return 0
    distance = distances_from(G, source, weight, negative=True)
    if target not in distance:
        raise nx.NetworkXNoPath(f"node {target} not reachable from {source}")
    return distance[target]


def single_source_bellman_ford(
    G: LabelledGraph, source: Any, target: Any = None, weight: Any = "weight"
) -> tuple:
    check_nodes(G, source, message="Source {} not in G")
    if target is None:
        return all_paths(G, source, weight, negative=True)
    if source == target:
        return 0, [source]
    return path_between(G, source, target, weight, negative=True)


def single_source_bellman_ford_path(G: LabelledGraph, source: Any, weight: Any = "weight") -> dict:
    return single_source_bellman_ford(G, source, weight=weight)[1]


def single_source_bellman_ford_path_length(
    G: LabelledGraph, source: Any, weight: Any = "weight"
) -> dict:
    check_nodes(G, source, message="Source {} not in G")
    return distances_from(G, source, weight, negative=True)


def bellman_ford_predecessor_and_distance(
    G: LabelledGraph,
    source: Any,
    target: Any = None,
    weight: Any = "weight",
    heuristic: bool = False,
) -> tuple[dict, dict]:
    check_nodes(G, source, message="Node {} is not found in the graph")
    _check_self_loops(G, weight)
    distance = distances_from(G, source, weight, negative=True)
    return predecessors(G, source, distance, weight), distance


def _check_self_loops(G: LabelledGraph, weight: Any) -> None:
    """Raise NetworkXUnbounded if any self-loop, reachable or not, has a negative weight."""
    w = G.edge_column(weight)
    if w is not None and (w[G.src == G.dst] < 0).any():
        raise nx.NetworkXUnbounded("Negative cycle detected.")


def goldberg_radzik(G: LabelledGraph, source: Any, weight: Any = "weight") -> tuple[dict, dict]:
    check_nodes(G, source, message="Node {} is not found in the graph")
    _check_self_loops(G, weight)
    distance, v, parent = shortest_path_tree(G, source, weight, negative=True)
    predecessor = dict(zip(G.nodes_of(v), G.nodes_of(parent[v]), strict=True))
    predecessor[source] = None
    return predecessor, distance


def negative_edge_cycle(G: LabelledGraph, weight: Any = "weight", heuristic: bool = True) -> bool:
    if not G.src.size:
        return False
    try:
        bellman_ford_distances(with_super_source(G, list(range(len(G))), weight), len(G))
    except NegativeCycle:
        return True
    return False


def find_negative_cycle(G: LabelledGraph, source: Any, weight: Any = "weight") -> list:
    check_nodes(G, source)
    cycle = negative_cycle(G.graph(weight), G.index[source])
    if not cycle:
        raise nx.NetworkXError("No negative cycles detected.")
    return [G.nodes[v] for v in cycle]
