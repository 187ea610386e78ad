"""Weighted shortest paths between all pairs of nodes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx
import numpy as np

from graphla.algorithms.paths.floyd_warshall import floyd_warshall as distances
from graphla.algorithms.paths.shortest_path_trees import shortest_path_trees
from graphla.errors import NegativeCycle
from graphla.interop.networkx.labelled_graph import LabelledGraph
from graphla.interop.networkx.paths.batched import all_lengths, all_trees
from graphla.interop.networkx.results import matrix_rows, to_array


def all_pairs_dijkstra(G: LabelledGraph, cutoff: Any = None, weight: Any = "weight") -> Iterator:
    for node, distance, path in all_trees(G, weight, cutoff):
        yield node, (distance, path)


def all_pairs_dijkstra_path(
    G: LabelledGraph, cutoff: Any = None, weight: Any = "weight"
) -> Iterator:
    for node, _, path in all_trees(G, weight, cutoff):
        yield node, path


def all_pairs_dijkstra_path_length(
    G: LabelledGraph, cutoff: Any = None, weight: Any = "weight"
) -> Iterator:
    if (G.graph(weight).min_weight or 0) < 0:
        raise NotImplementedError("a weight is negative")
    yield from all_lengths(G, weight, cutoff)


def all_pairs_bellman_ford_path(G: LabelledGraph, weight: Any = "weight") -> Iterator:
    for node, _, path in all_trees(G, weight, negative=True):
        yield node, path


def all_pairs_bellman_ford_path_length(G: LabelledGraph, weight: Any = "weight") -> Iterator:
    yield from all_lengths(G, weight)


def johnson(G: LabelledGraph, weight: Any = "weight") -> dict:
    return {node: path for node, _, path in all_trees(G, weight, negative=True)}


def floyd_warshall(G: LabelledGraph, weight: Any = "weight") -> dict:
    D = floyd_warshall_numpy(G, weight=weight)
    return {
        node: dict(zip(G.nodes, row, strict=True))
        for node, row in zip(G.nodes, D.tolist(), strict=True)
    }


def floyd_warshall_numpy(G: LabelledGraph, nodelist: Any = None, weight: Any = "weight") -> Any:
    if nodelist is not None and not (len(nodelist) == len(G) == len(set(nodelist))):
        raise nx.NetworkXError(
            "nodelist must contain every node in G with no repeats."
            "If you wanted a subgraph of G use G.subgraph(nodelist)"
        )
    try:
        D = to_array(distances(G.graph(weight)).dup("FP64"), np.inf)
    except NegativeCycle as error:
        raise NotImplementedError("the graph has a negative cycle") from error
    if nodelist is not None:
        order = [G.index[v] for v in nodelist]
        D = D[np.ix_(order, order)]
    return D


def floyd_warshall_predecessor_and_distance(
    G: LabelledGraph, weight: Any = "weight"
) -> tuple[dict, dict]:
    try:
        trees = shortest_path_trees(G.graph(weight))
    except NegativeCycle as error:
        raise NotImplementedError("the graph has a negative cycle") from error
    distance, predecessor = {}, {}
    for source, ((v, lengths), (_, parents)) in enumerate(
        zip(matrix_rows(trees.distance), matrix_rows(trees.parent), strict=True)
    ):
        node, is_other = G.nodes[source], v != source
        distance[node] = dict.fromkeys(G.nodes, float("inf"))
        distance[node].update(zip(G.nodes_of(v), lengths.tolist(), strict=True))
        if is_other.any():
            v, parents = v[is_other], parents[is_other]
            predecessor[node] = dict(zip(G.nodes_of(v), G.nodes_of(parents), strict=True))
    return predecessor, distance
