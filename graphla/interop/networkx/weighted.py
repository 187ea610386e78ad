"""Shortest paths by weights from one source: NetworkX's Dijkstra and Bellman-Ford families."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from graphla.algorithms.bellman_ford import bellman_ford, bellman_ford_distances
from graphla.algorithms.sssp import sssp, sssp_distances
from graphla.engines import on_host
from graphla.errors import NegativeCycle
from graphla.graph import Graph
from graphla.interop.networkx.orders import path_to, paths, tree_order
from graphla.interop.networkx.results import dense

if TYPE_CHECKING:
    from graphla.interop.networkx.labelled import LabelledGraph


def _found(G: LabelledGraph, *nodes: Any, what: str = "Node {} not found in graph") -> None:
    for node in nodes:
        if node not in G:
            raise nx.NodeNotFound(what.format(node))


def lengths(
    G: LabelledGraph, source: Any, weight: Any, *, negative: bool = False, cutoff: Any = None
) -> dict:
    """Return the distances from a node, nearest first."""
    algorithm = bellman_ford_distances if negative else sssp_distances
    return _nearest_first(G, algorithm(G.graph(weight), G.index[source]), cutoff)[0]


def _nearest_first(G: LabelledGraph, distance: Any, cutoff: Any) -> tuple[dict, Any]:
    v, d = on_host(distance).to_coo()
    if cutoff is not None:
        v, d = v[d <= cutoff], d[d <= cutoff]
    order = np.argsort(d, kind="stable")
    v, d = v[order], d[order]
    return dict(zip(G.labels(v), d.tolist())), v


def tree(
    G: LabelledGraph, source: Any, weight: Any, *, negative: bool = False, cutoff: Any = None
) -> tuple[dict, Any, Any]:
    """Return the distances from a node, the vertices nearest first, and a parent of each."""
    algorithm = bellman_ford if negative else sssp
    r = algorithm(G.graph(weight), G.index[source])
    distance, v = _nearest_first(G, r.distance, cutoff)
    return distance, v, parents(r.parent)


def parents(parent: Any) -> Any:
    """Return parents as an array; what has none is its own."""
    found = dense(parent)
    return np.where(found < 0, np.arange(found.size), found)


def all_paths(
    G: LabelledGraph, source: Any, weight: Any, *, negative: bool = False, cutoff: Any = None
) -> tuple[dict, dict]:
    """Return the distances and the paths from a node."""
    distance, v, parent = tree(G, source, weight, negative=negative, cutoff=cutoff)
    return distance, paths(G.nodes, parent, tree_order(parent, v))


def one_path(
    G: LabelledGraph, source: Any, target: Any, weight: Any, *, negative: bool, cutoff: Any = None
) -> tuple[Any, list]:
    """Return the distance and the path between two nodes."""
    distance, _, parent = tree(G, source, weight, negative=negative, cutoff=cutoff)
    if target not in distance:
        raise nx.NetworkXNoPath(f"Node {target} not reachable from {source}")
    return distance[target], [G.nodes[v] for v in path_to(parent, G.index[target])]


def single_source_dijkstra(
    G: LabelledGraph, source: Any, target: Any = None, cutoff: Any = None, weight: Any = "weight"
) -> tuple:
    _found(G, source)
    if target is None:
        return all_paths(G, source, weight, cutoff=cutoff)
    if target == source:
        return 0, [target]
    return one_path(G, source, target, weight, negative=False, cutoff=cutoff)


def single_source_dijkstra_path(
    G: LabelledGraph, source: Any, cutoff: Any = None, weight: Any = "weight"
) -> dict:
    return single_source_dijkstra(G, source, cutoff=cutoff, weight=weight)[1]


def single_source_dijkstra_path_length(
    G: LabelledGraph, source: Any, cutoff: Any = None, weight: Any = "weight"
) -> dict:
    _found(G, source)
    return lengths(G, source, weight, cutoff=cutoff)


def dijkstra_path(G: LabelledGraph, source: Any, target: Any, weight: Any = "weight") -> list:
    return single_source_dijkstra(G, source, target=target, weight=weight)[1]


def dijkstra_path_length(G: LabelledGraph, source: Any, target: Any, weight: Any = "weight") -> Any:
    _found(G, source)
    distance = lengths(G, source, weight)
    if target not in distance:
        raise nx.NetworkXNoPath(f"Node {target} not reachable from {source}")
    return distance[target]


def bidirectional_dijkstra(
    G: LabelledGraph, source: Any, target: Any, weight: Any = "weight"
) -> tuple:
    _found(G, source, what="Source {} is not in G")
    _found(G, target, what="Target {} is not in G")
    return single_source_dijkstra(G, source, target=target, weight=weight)


def multi_source_dijkstra(
    G: LabelledGraph, sources: Any, target: Any = None, cutoff: Any = None, weight: Any = "weight"
) -> tuple:
    if not sources:
        raise ValueError("sources must not be empty")
    _found(G, *sources)
    if target in sources:
        return 0, [target]
    H, n = _with_source(G, [G.index[v] for v in sources], weight), len(G)
    r = sssp(H, n)
    parent = parents(r.parent)[:n]
    parent = np.where(parent == n, np.arange(n), parent)
    distance, v = _nearest_first(G, on_host(r.distance)[:n].new(), cutoff)
    if target is None:
        return distance, paths(G.nodes, parent, tree_order(parent, v))
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


def _with_source(G: LabelledGraph, sources: list[int], weight: Any) -> Graph:
    """Return the graph with one more vertex, from which edges of weight 0 lead to the sources."""
    n, w = len(G), G.column(weight)
    w = np.ones(G.src.size, np.int64) if w is None else w
    src, dst = np.append(G.src, np.full(len(sources), n)), np.append(G.dst, sources)
    w = np.append(w, np.zeros(len(sources), w.dtype))
    return Graph.from_edges(src, dst, w, n=n + 1).to(G.graph().engine)


def dijkstra_predecessor_and_distance(
    G: LabelledGraph, source: Any, cutoff: Any = None, weight: Any = "weight"
) -> tuple[dict, dict]:
    _found(G, source, what="Node {} is not found in the graph")
    distance = lengths(G, source, weight, cutoff=cutoff)
    return predecessors(G, source, distance, weight), distance


def predecessors(G: LabelledGraph, source: Any, distance: dict, weight: Any) -> dict:
    """Return for each node those before it on shortest paths, nearest to the source first."""
    pred: dict = {v: [] for v in distance}
    if not G.is_multigraph():
        src, dst, w = G.src, G.dst, G.column(weight)
        w = 1 if w is None else w
    else:
        src, dst, w = on_host(G.graph(weight).A).to_coo()
    d = G.dense(distance, np.inf)
    with np.errstate(invalid="ignore"):
        tight = np.flatnonzero((d[src] + w == d[dst]) & np.isfinite(d[src]) & np.isfinite(d[dst]))
    tight = tight[np.argsort(d[src[tight]], kind="stable")]
    for u, v in zip(G.labels(src[tight]), G.labels(dst[tight])):
        pred[v].append(u)
    return pred


def bellman_ford_path(G: LabelledGraph, source: Any, target: Any, weight: Any = "weight") -> list:
    return single_source_bellman_ford(G, source, target=target, weight=weight)[1]


def bellman_ford_path_length(
    G: LabelledGraph, source: Any, target: Any, weight: Any = "weight"
) -> Any:
    _found(G, source)
    if source == target:
        return 0
    distance = lengths(G, source, weight, negative=True)
    if target not in distance:
        raise nx.NetworkXNoPath(f"node {target} not reachable from {source}")
    return distance[target]


def single_source_bellman_ford(
    G: LabelledGraph, source: Any, target: Any = None, weight: Any = "weight"
) -> tuple:
    _found(G, source, what="Source {} not in G")
    if target is None:
        return all_paths(G, source, weight, negative=True)
    if source == target:
        return 0, [source]
    return one_path(G, source, target, weight, negative=True)


def single_source_bellman_ford_path(
    G: LabelledGraph, source: Any, weight: Any = "weight"
) -> dict:
    return single_source_bellman_ford(G, source, weight=weight)[1]


def single_source_bellman_ford_path_length(
    G: LabelledGraph, source: Any, weight: Any = "weight"
) -> dict:
    _found(G, source, what="Source {} not in G")
    return lengths(G, source, weight, negative=True)


def bellman_ford_predecessor_and_distance(
    G: LabelledGraph,
    source: Any,
    target: Any = None,
    weight: Any = "weight",
    heuristic: bool = False,
) -> tuple[dict, dict]:
    _found(G, source, what="Node {} is not found in the graph")
    _no_negative_loop(G, weight)
    distance = lengths(G, source, weight, negative=True)
    return predecessors(G, source, distance, weight), distance


def _no_negative_loop(G: LabelledGraph, weight: Any) -> None:
    """Refuse a loop of negative weight, wherever it is."""
    w = G.column(weight)
    if w is not None and (w[G.src == G.dst] < 0).any():
        raise nx.NetworkXUnbounded("Negative cycle detected.")


def goldberg_radzik(
    G: LabelledGraph, source: Any, weight: Any = "weight"
) -> tuple[dict, dict]:
    _found(G, source, what="Node {} is not found in the graph")
    _no_negative_loop(G, weight)
    distance, v, parent = tree(G, source, weight, negative=True)
    before = dict(zip(G.labels(v), G.labels(parent[v])))
    before[source] = None
    return before, distance


def negative_edge_cycle(G: LabelledGraph, weight: Any = "weight", heuristic: bool = True) -> bool:
    if not G.src.size:
        return False
    try:
        bellman_ford_distances(_with_source(G, list(range(len(G))), weight), len(G))
    except NegativeCycle:
        return True
    return False
