"""NetworkX's shortest-path functions with a `method` parameter."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx
from networkx.algorithms.shortest_paths.generic import _build_paths_from_predecessors

from graphla.interop.networkx.labelled_graph import LabelledGraph
from graphla.interop.networkx.paths import (
    all_pairs,
    bellman_ford,
    dijkstra,
    single_source,
    unweighted,
)
from graphla.interop.networkx.paths.batched import all_lengths, all_trees
from graphla.interop.networkx.reachability.components import is_connected, is_strongly_connected
from graphla.interop.networkx.version import BEFORE_3_5


def _method(weight: Any, method: str) -> str:
    if method not in ("dijkstra", "bellman-ford"):
        raise ValueError(f"method not supported: {method}")
    return "unweighted" if weight is None else method


def shortest_path(
    G: LabelledGraph,
    source: Any = None,
    target: Any = None,
    weight: Any = None,
    method: str = "dijkstra",
) -> Any:
    method = _method(weight, method)
    negative = method == "bellman-ford"
    if source is None and target is None:
        pairs = ((node, path) for node, _, path in all_trees(G, weight, negative=negative))
        return dict(pairs) if BEFORE_3_5 else pairs
    if source is None:
        if method == "unweighted":
            return unweighted.single_target_shortest_path(G, target)
        paths = single_source.all_paths(G.reversed(), target, weight, negative=negative)[1]
        return {node: path[::-1] for node, path in paths.items()}
    if target is None:
        if method == "unweighted":
            return unweighted.single_source_shortest_path(G, source)
        if negative:
            return bellman_ford.single_source_bellman_ford_path(G, source, weight)
        return dijkstra.single_source_dijkstra_path(G, source, weight=weight)
    if method == "unweighted":
        return unweighted.bidirectional_shortest_path(G, source, target)
    if negative:
        return bellman_ford.bellman_ford_path(G, source, target, weight)
    return dijkstra.bidirectional_dijkstra(G, source, target, weight)[1]


def shortest_path_length(
    G: LabelledGraph,
    source: Any = None,
    target: Any = None,
    weight: Any = None,
    method: str = "dijkstra",
) -> Any:
    method = _method(weight, method)
    negative = method == "bellman-ford"
    if source is None and target is None:
        if method == "dijkstra":
            return all_pairs.all_pairs_dijkstra_path_length(G, weight=weight)
        return all_lengths(G, weight)
    if source is None:
        if method == "unweighted":
            return unweighted.lengths_to(G, target)
        return single_source.distances_from(G.reversed(), target, weight, negative=negative)
    if target is None:
        if method == "unweighted":
            return unweighted.single_source_shortest_path_length(G, source)
        if negative:
            return bellman_ford.single_source_bellman_ford_path_length(G, source, weight)
        return dijkstra.single_source_dijkstra_path_length(G, source, weight=weight)
    if method == "unweighted":
        return unweighted.length_between(G, source, target)
    if negative:
        return bellman_ford.bellman_ford_path_length(G, source, target, weight)
    return dijkstra.dijkstra_path_length(G, source, target, weight)


def average_shortest_path_length(
    G: LabelledGraph, weight: Any = None, method: str | None = None
) -> float:
    known = ("unweighted", "dijkstra", "bellman-ford", "floyd-warshall", "floyd-warshall-numpy")
    method = method or ("unweighted" if weight is None else "dijkstra")
    if method not in known:
        raise ValueError(f"method not supported: {method}")
    n = len(G)
    if n == 0:
        raise nx.NetworkXPointlessConcept(
            "the null graph has no paths, thus there is no average shortest path length"
        )
    if n == 1:
        return 0
    if G.directed and not is_strongly_connected(G):
        raise nx.NetworkXError("Graph is not strongly connected.")
    if not G.directed and not is_connected(G):
        raise nx.NetworkXError("Graph is not connected.")
    if method.startswith("floyd-warshall"):
        total = float(all_pairs.floyd_warshall_numpy(G, weight=weight).sum())
    else:
        weight = None if method == "unweighted" else weight
        total = sum(sum(d.values()) for _, d in all_lengths(G, weight))
    return total / (n * (n - 1))


def _predecessors(G: LabelledGraph, source: Any, weight: Any, method: str) -> dict:
    method = _method(weight, method)
    if method == "unweighted":
        return unweighted.predecessor(G, source)
    if method == "dijkstra":
        return dijkstra.dijkstra_predecessor_and_distance(G, source, weight=weight)[0]
    return bellman_ford.bellman_ford_predecessor_and_distance(G, source, weight=weight)[0]


def all_shortest_paths(
    G: LabelledGraph, source: Any, target: Any, weight: Any = None, method: str = "dijkstra"
) -> Iterator:
    predecessors = _predecessors(G, source, weight, method)
    return _build_paths_from_predecessors({source}, target, predecessors)


def single_source_all_shortest_paths(
    G: LabelledGraph, source: Any, weight: Any = None, method: str = "dijkstra"
) -> Iterator:
    predecessors = _predecessors(G, source, weight, method)
    for node in predecessors:
        yield node, list(_build_paths_from_predecessors({source}, node, predecessors))


def all_pairs_all_shortest_paths(
    G: LabelledGraph, weight: Any = None, method: str = "dijkstra"
) -> Iterator:
    for node in G:
        yield node, dict(single_source_all_shortest_paths(G, node, weight, method))
