"""NetworkX's unweighted shortest-path functions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx
import numpy as np

from graphla.interop.networkx.labelled_graph import LabelledGraph, check_nodes, row_offsets
from graphla.interop.networkx.paths.batched import all_lengths, all_trees
from graphla.interop.networkx.reachability.traversal import SearchTree, levels, search
from graphla.interop.networkx.traversal_order import build_paths, path_to, queue_order
from graphla.interop.networkx.version import BEFORE_3_5


def _lengths(G: LabelledGraph, source: Any, cutoff: Any, *, reverse: bool) -> dict:
    level = levels(G, source, reverse=reverse, cutoff=cutoff)
    reached = np.flatnonzero(level >= 0)
    reached = reached[np.argsort(level[reached], kind="stable")]
    return dict(zip(G.nodes_of(reached), level[reached].tolist(), strict=True))


def single_source_shortest_path_length(G: LabelledGraph, source: Any, cutoff: Any = None) -> dict:
    check_nodes(G, source, message="Source {} is not in G")
    return _lengths(G, source, cutoff, reverse=False)


def single_target_shortest_path_length(G: LabelledGraph, target: Any, cutoff: Any = None) -> Any:
    length = lengths_to(G, target, cutoff)
    return iter(length.items()) if BEFORE_3_5 else length


def lengths_to(G: LabelledGraph, target: Any, cutoff: Any = None) -> dict:
    check_nodes(G, target, message="Target {} is not in G")
    return _lengths(G, target, cutoff, reverse=True)


def all_pairs_shortest_path_length(G: LabelledGraph, cutoff: Any = None) -> Iterator:
    yield from all_lengths(G, None, cutoff)


def end_vertices(G: LabelledGraph, source: Any, target: Any) -> tuple[int, int]:
    """Return the vertices of two nodes, or raise NodeNotFound."""
    check_nodes(G, source, message="Source {} is not in G")
    check_nodes(G, target, message="Target {} is not in G")
    return G.index[source], G.index[target]


def length_between(G: LabelledGraph, source: Any, target: Any) -> int:
    """Return the number of edges of a shortest path, or raise NetworkXNoPath."""
    _, t = end_vertices(G, source, target)
    length = int(levels(G, source)[t])
    if length < 0:
        raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
    return length


def bidirectional_shortest_path(G: LabelledGraph, source: Any, target: Any) -> list:
    s, t = end_vertices(G, source, target)
    forward = search(G, source)
    if forward.level[t] < 0:
        raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
    backward = search(G, target, reverse=True)
    v = s if s == t else _meeting_vertex(forward, backward)
    path = path_to(_parent_array(forward), v) + path_to(_parent_array(backward), v)[-2::-1]
    return [G.nodes[u] for u in path]


def _parent_array(tree: SearchTree) -> Any:
    """Return each vertex's parent, the vertex itself for the source and unreached vertices."""
    parents = np.arange(tree.level.size)
    parents[tree.children] = tree.parents
    return parents


def _meeting_vertex(forward: SearchTree, backward: SearchTree) -> int:
    """Return the vertex at which NetworkX's bidirectional breadth-first search meets.

    NetworkX expands a whole level of the search with the smaller frontier, the forward one if both
    are equal, and stops at the first new vertex that the other search has visited.
    """
    level, order = (forward.level, backward.level), (forward.order, backward.order)
    sizes = [np.bincount(x[x >= 0]) for x in level]
    depth = [0, 0]
    while True:
        side = int(sizes[0][depth[0]] > sizes[1][depth[1]])
        depth[side] += 1
        new = order[side][level[side][order[side]] == depth[side]]
        other = level[1 - side][new]
        common = new[(other >= 0) & (other <= depth[1 - side])]
        if common.size:
            return int(common[0])


def _paths(G: LabelledGraph, source: Any, cutoff: Any, *, reverse: bool) -> dict:
    tree = search(G, source, reverse=reverse, cutoff=cutoff)
    return build_paths(G.nodes, _parent_array(tree), tree.order, reverse=reverse)


def single_source_shortest_path(G: LabelledGraph, source: Any, cutoff: Any = None) -> dict:
    check_nodes(G, source, message="Source {} not in G")
    return _paths(G, source, cutoff, reverse=False)


def single_target_shortest_path(G: LabelledGraph, target: Any, cutoff: Any = None) -> dict:
    check_nodes(G, target, message="Target {} not in G")
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
    check_nodes(G, source, message="Source {} not in G")
    level = levels(G, source, cutoff=cutoff or None)
    edges = G.outgoing
    if G.is_multigraph():
        _, first = np.unique(G.src * len(G) + G.dst, return_index=True)
        first.sort()
        edges = row_offsets(G.src[first], len(G)), G.dst[first]
    order, parent, child = queue_order(*edges, level)
    nodes = G.nodes_of(order)
    seen = dict(zip(nodes, level[order].tolist(), strict=True))
    pred: dict = {v: [] for v in nodes}
    for p, c in zip(G.nodes_of(parent), G.nodes_of(child), strict=True):
        pred[c].append(p)
    if target is None:
        return (pred, seen) if return_seen else pred
    if return_seen:
        return (pred[target], seen[target]) if target in pred else ([], -1)
    return pred.get(target, [])
