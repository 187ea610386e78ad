"""Shortest paths by number of edges."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from graphla.interop.networkx.labelled import starts
from graphla.interop.networkx.many import all_lengths, all_trees
from graphla.interop.networkx.orders import path_to, paths, queue_order
from graphla.interop.networkx.traversal import levels, search
from graphla.interop.networkx.version import BEFORE_3_5

if TYPE_CHECKING:
    from graphla.interop.networkx.labelled import LabelledGraph


def _lengths(G: LabelledGraph, source: Any, cutoff: Any, *, reverse: bool) -> dict:
    level = levels(G, source, reverse=reverse, cutoff=cutoff)
    reached = np.flatnonzero(level >= 0)
    reached = reached[np.argsort(level[reached], kind="stable")]
    return dict(zip(G.labels(reached), level[reached].tolist(), strict=True))


def single_source_shortest_path_length(G: LabelledGraph, source: Any, cutoff: Any = None) -> dict:
    if source not in G:
        raise nx.NodeNotFound(f"Source {source} is not in G")
    return _lengths(G, source, cutoff, reverse=False)


def single_target_shortest_path_length(G: LabelledGraph, target: Any, cutoff: Any = None) -> Any:
    length = lengths_to(G, target, cutoff)
    return iter(length.items()) if BEFORE_3_5 else length


def lengths_to(G: LabelledGraph, target: Any, cutoff: Any = None) -> dict:
    if target not in G:
        raise nx.NodeNotFound(f"Target {target} is not in G")
    return _lengths(G, target, cutoff, reverse=True)


def all_pairs_shortest_path_length(G: LabelledGraph, cutoff: Any = None) -> Iterator:
    yield from all_lengths(G, None, cutoff)


def bidirectional_shortest_path(G: LabelledGraph, source: Any, target: Any) -> list:
    if source not in G:
        raise nx.NodeNotFound(f"Source {source} is not in G")
    if target not in G:
        raise nx.NodeNotFound(f"Target {target} is not in G")
    _, _, p, child = search(G, source)
    parent = np.arange(len(G))
    parent[child] = p
    s, t = G.index[source], G.index[target]
    if s != t and parent[t] == t:
        raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
    return [G.nodes[v] for v in path_to(parent, t)]


def _paths(G: LabelledGraph, source: Any, cutoff: Any, *, reverse: bool) -> dict:
    _, order, p, child = search(G, source, reverse=reverse, cutoff=cutoff)
    parent = np.arange(len(G))
    parent[child] = p
    return paths(G.nodes, parent, order, reverse=reverse)


def single_source_shortest_path(G: LabelledGraph, source: Any, cutoff: Any = None) -> dict:
    if source not in G:
        raise nx.NodeNotFound(f"Source {source} not in G")
    return _paths(G, source, cutoff, reverse=False)


def single_target_shortest_path(G: LabelledGraph, target: Any, cutoff: Any = None) -> dict:
    if target not in G:
        raise nx.NodeNotFound(f"Target {target} not in G")
    return _paths(G, target, cutoff, reverse=True)


def all_pairs_shortest_path(G: LabelledGraph, cutoff: Any = None) -> Iterator:
    for node, _, path in all_trees(G, None, cutoff):
        yield node, path


def predecessor(
    G: LabelledGraph,
    source: Any,
    target: Any = None,
    cutoff: Any = None,
    return_seen: bool | None = None,
) -> Any:
    if source not in G:
        raise nx.NodeNotFound(f"Source {source} not in G")
    level = levels(G, source, cutoff=cutoff or None)
    edges = G.outgoing
    if G.is_multigraph():
        _, first = np.unique(G.src * len(G) + G.dst, return_index=True)
        first.sort()
        edges = starts(G.src[first], len(G)), G.dst[first]
    order, parent, child = queue_order(*edges, level)
    nodes = G.labels(order)
    seen = dict(zip(nodes, level[order].tolist(), strict=True))
    pred: dict = {v: [] for v in nodes}
    for p, c in zip(G.labels(parent), G.labels(child), strict=True):
        pred[c].append(p)
    if target is None:
        return (pred, seen) if return_seen else pred
    if return_seen:
        return (pred[target], seen[target]) if target in pred else ([], -1)
    return pred.get(target, [])
