"""Weighted shortest paths from one node: the part common to Dijkstra's and Bellman-Ford's family.

`negative` selects Bellman-Ford's algorithm, which allows negative weights. With Dijkstra's, parents
are those that NetworkX chooses among equally short paths (see :mod:`.dijkstra_order`).
"""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np

from graphla.algorithms.paths.bellman_ford import bellman_ford, bellman_ford_distances
from graphla.algorithms.paths.sssp import sssp_distances
from graphla.core.engines import on_host
from graphla.core.graph import Graph
from graphla.interop.networkx.config import implementation
from graphla.interop.networkx.labelled_graph import LabelledGraph
from graphla.interop.networkx.paths.dijkstra_order import (
    DijkstraSearch,
    meeting_vertex,
    relaxed_edges,
    replay_search,
)
from graphla.interop.networkx.results import to_array
from graphla.interop.networkx.traversal_order import build_paths, path_to, tree_order


def distances_from(
    G: LabelledGraph, source: Any, weight: Any, *, negative: bool = False, cutoff: Any = None
) -> dict:
    """Return a dictionary from node to distance, in ascending order of distance."""
    H = G.graph(weight)
    algorithm = bellman_ford_distances if negative else implementation(sssp_distances, H)
    return nearest_first(G, algorithm(H, G.index[source]), cutoff)[0]


def dijkstra_search(
    G: LabelledGraph,
    source: Any,
    weight: Any,
    cutoff: Any = None,
    *,
    reverse: bool = False,
    all_entries: bool = False,
) -> DijkstraSearch:
    """Compute distances by :func:`sssp_distances` and replay NetworkX's Dijkstra on them."""
    H, s = G.graph(weight), G.index[source]
    H = H.reversed() if reverse else H
    v, d = on_host(implementation(sssp_distances, H)(H, s)).to_coo()
    v, d = within_cutoff(v, d, cutoff)
    edges = relaxed_edges(G, weight, reverse=reverse)
    return replay_search(edges, v, d, [s], cutoff, all_entries=all_entries)


def dijkstra_from_both_ends(
    G: LabelledGraph, source: Any, target: Any, weight: Any
) -> tuple[Any, list]:
    """Return the length and the path that NetworkX's bidirectional Dijkstra finds."""
    forward = dijkstra_search(G, source, weight, all_entries=True)
    if forward.rank[G.index[target]] < 0:
        raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
    backward = dijkstra_search(G, target, weight, reverse=True, all_entries=True)
    length, v = meeting_vertex(forward, backward)
    path = path_to(forward.parent, v) + path_to(backward.parent, v)[-2::-1]
    return length, [G.nodes[u] for u in path]


def within_cutoff(vertices: Any, distance: Any, cutoff: Any) -> tuple[Any, Any]:
    """Return the vertices with distance <= cutoff or 0, and their distances."""
    if cutoff is None:
        return vertices, distance
    kept = (distance <= cutoff) | (distance == 0)
    return vertices[kept], distance[kept]


def nearest_first(G: LabelledGraph, distance: Any, cutoff: Any) -> tuple[dict, Any]:
    """Return distances by node, and the vertices, both in ascending order of distance."""
    v, d = on_host(distance).to_coo()
    v, d = within_cutoff(v, d, cutoff)
    order = np.argsort(d, kind="stable")
    v, d = v[order], d[order]
    return dict(zip(G.nodes_of(v), d.tolist(), strict=True)), v


def shortest_path_tree(
    G: LabelledGraph, source: Any, weight: Any, *, negative: bool = False, cutoff: Any = None
) -> tuple[dict, Any, Any]:
    """Return the distances by node, the vertices with parents first, and each vertex's parent."""
    if negative:
        r = bellman_ford(G.graph(weight), G.index[source])
        distance, v = nearest_first(G, r.distance, cutoff)
        parent = parent_array(r.parent)
        return distance, tree_order(parent, v), parent
    return tree_of_search(G, dijkstra_search(G, source, weight, cutoff))


def tree_of_search(G: LabelledGraph, search: DijkstraSearch) -> tuple[dict, Any, Any]:
    """Return a search's result as `shortest_path_tree` does."""
    v = search.order
    distance = dict(zip(G.nodes_of(v), search.distance[v].tolist(), strict=True))
    return distance, v, search.parent


def parent_array(parent: Any) -> Any:
    """Return parents as an array; a vertex without a parent is its own."""
    parents = to_array(parent)
    return np.where(parents < 0, np.arange(parents.size), parents)


def all_paths(
    G: LabelledGraph, source: Any, weight: Any, *, negative: bool = False, cutoff: Any = None
) -> tuple[dict, dict]:
    """Return the distances and the paths from a node, as dictionaries by node."""
    distance, order, parent = shortest_path_tree(
        G, source, weight, negative=negative, cutoff=cutoff
    )
    return distance, build_paths(G.nodes, parent, order)


def path_between(
    G: LabelledGraph, source: Any, target: Any, weight: Any, *, negative: bool, cutoff: Any = None
) -> tuple[Any, list]:
    """Return the distance and the path between two nodes, or raise NetworkXNoPath."""
    distance, _, parent = shortest_path_tree(G, source, weight, negative=negative, cutoff=cutoff)
    if target not in distance:
        raise nx.NetworkXNoPath(f"Node {target} not reachable from {source}")
    return distance[target], [G.nodes[v] for v in path_to(parent, G.index[target])]


def predecessors(G: LabelledGraph, source: Any, distance: dict, weight: Any) -> dict:
    """Return each node's predecessors on all shortest paths, nearest to the source first.

    An edge (u, v) is on a shortest path if d(u) + w(u, v) = d(v).
    """
    pred: dict = {v: [] for v in distance}
    edges = relaxed_edges(G, weight)
    src, dst, w = edges.src, edges.dst, edges.weight
    d = G.node_values(distance, np.inf)
    with np.errstate(invalid="ignore"):
        tight = np.flatnonzero((d[src] + w == d[dst]) & np.isfinite(d[src]) & np.isfinite(d[dst]))
    tight = tight[np.argsort(d[src[tight]], kind="stable")]
    for u, v in zip(G.nodes_of(src[tight]), G.nodes_of(dst[tight]), strict=True):
        pred[v].append(u)
    return pred


def with_super_source(G: LabelledGraph, sources: list[int], weight: Any) -> Graph:
    """Return the graph with an added vertex n that has edges of weight 0 to all sources."""
    n, w = len(G), G.edge_column(weight)
    w = np.ones(G.src.size, np.int64) if w is None else w
    src, dst = np.append(G.src, np.full(len(sources), n)), np.append(G.dst, sources)
    w = np.append(w, np.zeros(len(sources), w.dtype))
    return Graph.from_edges(src, dst, w, n=n + 1).to(G.graph().engine)
