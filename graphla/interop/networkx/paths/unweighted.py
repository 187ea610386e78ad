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
    return len(bidirectional_shortest_path(G, source, target)) - 1


def bidirectional_shortest_path(G: LabelledGraph, source: Any, target: Any) -> list:
    vertices = _path_between(G, *end_vertices(G, source, target))
    if vertices is None:
        raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
    return [G.nodes[v] for v in vertices]


def has_path(G: LabelledGraph, source: Any, target: Any) -> bool:
    return _path_between(G, *end_vertices(G, source, target)) is not None


def _path_between(G: LabelledGraph, s: int, t: int) -> list[int] | None:
    """Return the shortest path from s to t that NetworkX returns, None without one.

    As in NetworkX, a search from each end expands a whole level of the smaller frontier, the
    forward one if both are equal, and ends at the first edge to a vertex that the other has
    visited. It visits few vertices, for which a matrix product would cost more.
    """
    neighbours = G.outgoing, G.incoming if G.directed else G.outgoing
    parents, frontiers = ({s: s}, {t: t}), [[s], [t]]
    meeting = s if s == t else None
    while meeting is None and all(frontiers):
        side = int(len(frontiers[0]) > len(frontiers[1]))
        new, meeting = _expand(neighbours[side], frontiers[side], *parents[:: 1 - 2 * side])
        frontiers[side] = new
    if meeting is None:
        return None
    return path_to(parents[0], meeting) + path_to(parents[1], meeting)[-2::-1]


def _expand(
    neighbours: tuple[Any, Any], frontier: list[int], parent: dict[int, int], other: dict[int, int]
) -> tuple[list[int], int | None]:
    """Visit the neighbours of a frontier; return the new ones, and one that is in `other`."""
    starts, ends = neighbours
    new: list[int] = []
    for v in frontier:
        for w in ends[starts[v] : starts[v + 1]].tolist():
            if w not in parent:
                parent[w] = v
                new.append(w)
            if w in other:
                return new, w
    return new, None


def _parent_array(tree: SearchTree) -> Any:
    """Return each vertex's parent, the vertex itself for the source and unreached vertices."""
    parents = np.arange(tree.level.size)
    parents[tree.children] = tree.parents
    return parents


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
