"""Shortest paths by weights from one node, as NetworkX's functions of both families need them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from graphla.algorithms.bellman_ford import bellman_ford, bellman_ford_distances
from graphla.algorithms.sssp import sssp, sssp_distances
from graphla.engines import on_host
from graphla.errors import NegativeCycle, NegativeWeight
from graphla.graph import Graph
from graphla.interop.networkx.orders import path_to, paths, tree_order
from graphla.interop.networkx.results import dense

if TYPE_CHECKING:
    from graphla.interop.networkx.labelled import LabelledGraph


def found(G: LabelledGraph, *nodes: Any, what: str = "Node {} not found in graph") -> None:
    for node in nodes:
        if node not in G:
            raise nx.NodeNotFound(what.format(node))


def lengths(
    G: LabelledGraph, source: Any, weight: Any, *, negative: bool = False, cutoff: Any = None
) -> dict:
    """Return the distances from a node, nearest first."""
    algorithms = sssp_distances, bellman_ford_distances
    return nearest_first(G, _run(G, source, weight, algorithms, negative), cutoff)[0]


def _run(G: LabelledGraph, source: Any, weight: Any, algorithms: Any, negative: bool) -> Any:
    """Run Dijkstra's or, for negative weights too, Bellman and Ford's algorithm.

    NetworkX's Dijkstra takes negative weights, and finds distances or a contradiction.
    """
    H, s, (dijkstra, bellman) = G.graph(weight), G.index[source], algorithms
    if negative:
        return bellman(H, s)
    try:
        return dijkstra(H, s)
    except NegativeWeight:
        try:
            return bellman(H, s)
        except NegativeCycle as error:
            raise ValueError("Contradictory paths found:", "negative weights?") from error


def nearest_first(G: LabelledGraph, distance: Any, cutoff: Any) -> tuple[dict, Any]:
    v, d = on_host(distance).to_coo()
    if cutoff is not None:
        v, d = v[d <= cutoff], d[d <= cutoff]
    order = np.argsort(d, kind="stable")
    v, d = v[order], d[order]
    return dict(zip(G.labels(v), d.tolist(), strict=True)), v


def tree(
    G: LabelledGraph, source: Any, weight: Any, *, negative: bool = False, cutoff: Any = None
) -> tuple[dict, Any, Any]:
    """Return the distances from a node, the vertices nearest first, and a parent of each."""
    r = _run(G, source, weight, (sssp, bellman_ford), negative)
    distance, v = nearest_first(G, r.distance, cutoff)
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
    for u, v in zip(G.labels(src[tight]), G.labels(dst[tight]), strict=True):
        pred[v].append(u)
    return pred


def with_source(G: LabelledGraph, sources: list[int], weight: Any) -> Graph:
    """Return the graph with one more vertex, from which edges of weight 0 lead to the sources."""
    n, w = len(G), G.column(weight)
    w = np.ones(G.src.size, np.int64) if w is None else w
    src, dst = np.append(G.src, np.full(len(sources), n)), np.append(G.dst, sources)
    w = np.append(w, np.zeros(len(sources), w.dtype))
    return Graph.from_edges(src, dst, w, n=n + 1).to(G.graph().engine)
