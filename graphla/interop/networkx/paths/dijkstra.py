"""NetworkX's Dijkstra functions: non-negative weights."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np

from graphla.algorithms.paths.sssp import sssp_distances
from graphla.core.engines import on_host
from graphla.interop.networkx.config import implementation
from graphla.interop.networkx.labelled_graph import LabelledGraph, check_nodes
from graphla.interop.networkx.paths.dijkstra_order import relaxed_edges, replay_search
from graphla.interop.networkx.paths.single_source import (
    all_paths,
    dijkstra_from_both_ends,
    dijkstra_search,
    distances_from,
    path_between,
    tree_of_search,
    with_super_source,
    within_cutoff,
)
from graphla.interop.networkx.traversal_order import build_paths, path_to


def single_source_dijkstra(
    G: LabelledGraph, source: Any, target: Any = None, cutoff: Any = None, weight: Any = "weight"
) -> tuple:
    check_nodes(G, source)
    if target is None:
        return all_paths(G, source, weight, cutoff=cutoff)
    if target == source:
        return 0, [target]
    return path_between(G, source, target, weight, negative=False, cutoff=cutoff)


def single_source_dijkstra_path(
    G: LabelledGraph, source: Any, cutoff: Any = None, weight: Any = "weight"
) -> dict:
    return single_source_dijkstra(G, source, cutoff=cutoff, weight=weight)[1]


def single_source_dijkstra_path_length(
    G: LabelledGraph, source: Any, cutoff: Any = None, weight: Any = "weight"
) -> dict:
    check_nodes(G, source)
    return distances_from(G, source, weight, cutoff=cutoff)


def dijkstra_path(G: LabelledGraph, source: Any, target: Any, weight: Any = "weight") -> list:
    return single_source_dijkstra(G, source, target=target, weight=weight)[1]


def dijkstra_path_length(G: LabelledGraph, source: Any, target: Any, weight: Any = "weight") -> Any:
    check_nodes(G, source)
    distance = distances_from(G, source, weight)
    if target not in distance:
        raise nx.NetworkXNoPath(f"Node {target} not reachable from {source}")
    return distance[target]


def bidirectional_dijkstra(
    G: LabelledGraph, source: Any, target: Any, weight: Any = "weight"
) -> tuple:
    check_nodes(G, source, message="Source {} is not in G")
    check_nodes(G, target, message="Target {} is not in G")
    if source == target:
        return 0, [source]
    return dijkstra_from_both_ends(G, source, target, weight)


def multi_source_dijkstra(
    G: LabelledGraph, sources: Any, target: Any = None, cutoff: Any = None, weight: Any = "weight"
) -> tuple:
    if not sources:
        raise ValueError("sources must not be empty")
    check_nodes(G, *sources)
    if target in sources:
        return 0, [target]
    vertices = list(dict.fromkeys(G.index[v] for v in sources))
    H, n = with_super_source(G, vertices, weight), len(G)
    distance = implementation(sssp_distances, H)(H, n)
    v, d = on_host(distance)[:n].new().to_coo()
    v, d = within_cutoff(v, d, cutoff)
    search = replay_search(relaxed_edges(G, weight), v, d, vertices, cutoff)
    distance, order, parent = tree_of_search(G, search)
    if target is None:
        return distance, build_paths(G.nodes, parent, order)
    if target not in distance:
        raise nx.NetworkXNoPath(f"No path to {target}.")
    return distance[target], [G.nodes[v] for v in path_to(parent, G.index[target])]


def multi_source_dijkstra_path(
    G: LabelledGraph, sources: Any, cutoff: Any = None, weight: Any = "weight"
) -> dict:
    return multi_source_dijkstra(G, sources, cutoff=cutoff, weight=weight)[1]


def multi_source_dijkstra_path_length(
    G: LabelledGraph, sources: Any, cutoff: Any = None, weight: Any = "weight"
) -> dict:
    return multi_source_dijkstra(G, sources, cutoff=cutoff, weight=weight)[0]


def dijkstra_predecessor_and_distance(
    G: LabelledGraph, source: Any, cutoff: Any = None, weight: Any = "weight"
) -> tuple[dict, dict]:
    check_nodes(G, source, message="Node {} is not found in the graph")
    search = dijkstra_search(G, source, weight, cutoff)
    edges, d, rank = relaxed_edges(G, weight), search.distance, search.rank
    src, dst, w = edges.src, edges.dst, edges.weight.astype(d.dtype, copy=False)
    # edges on shortest paths, by the order in which NetworkX visits their tails
    tight = np.flatnonzero((rank[src] >= 0) & (rank[dst] >= 0) & (d[src] + w == d[dst]))
    tight = tight[np.argsort(rank[src[tight]], kind="stable")]
    by_first_push = search.order[np.argsort(search.first[search.order])]
    predecessors: dict = {v: [] for v in G.nodes_of(by_first_push)}
    for u, v in zip(G.nodes_of(src[tight]), G.nodes_of(dst[tight]), strict=True):
        predecessors[v].append(u)
    return predecessors, tree_of_search(G, search)[0]
