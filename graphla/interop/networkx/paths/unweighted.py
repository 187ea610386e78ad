"""Shortest paths by number of edges."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from graphla.interop.networkx.functions.traversal import levels, search
from graphla.interop.networkx.labelled_graph import row_offsets
from graphla.interop.networkx.paths.batched import all_lengths, all_trees
from graphla.interop.networkx.traversal_order import build_paths, path_to, queue_order
from graphla.interop.networkx.version import BEFORE_3_5

if TYPE_CHECKING:
    from graphla.interop.networkx.labelled_graph import LabelledGraph


def _lengths(G: LabelledGraph, source: Any, cutoff: Any, *, reverse: bool) -> dict:
    level = levels(G, source, reverse=reverse, cutoff=cutoff)
    reached = np.flatnonzero(level >= 0)
    reached = reached[np.argsort(level[reached], kind="stable")]
    return dict(zip(G.nodes_of(reached), level[reached].tolist(), strict=True))


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


def _ends(G: LabelledGraph, source: Any, target: Any) -> tuple[int, int]:
    if source not in G:
        raise nx.NodeNotFound(f"Source {source} is not in G")
    if target not in G:
        raise nx.NodeNotFound(f"Target {target} is not in G")
    return G.index[source], G.index[target]


def length_between(G: LabelledGraph, source: Any, target: Any) -> int:
    """Return the number of edges of a shortest path."""
    _, t = _ends(G, source, target)
    length = int(levels(G, source)[t])
    if length < 0:
        raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
    return length


def bidirectional_shortest_path(G: LabelledGraph, source: Any, target: Any) -> list:
    s, t = _ends(G, source, target)
    forth = search(G, source)
    if forth[0][t] < 0:
        raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
    back = search(G, target, reverse=True)
    v = s if s == t else _meeting_vertex(forth, back)
    path = path_to(_parents(forth), v) + path_to(_parents(back), v)[-2::-1]
    return [G.nodes[u] for u in path]


def _parents(found: tuple) -> Any:
    level, _, parent, child = found
    parents = np.arange(level.size)
    parents[child] = parent
    return parents


def _meeting_vertex(forth: tuple, back: tuple) -> int:
    """Return the first vertex that both searches see, as NetworkX's search from both ends.

    It expands a whole level of the search with the smaller fringe, the forward one if equal.
    """
    level, order = (forth[0], back[0]), (forth[1], back[1])
    sizes = [np.bincount(x[x >= 0]) for x in level]
    depth = [0, 0]
    while True:
        side = int(sizes[0][depth[0]] > sizes[1][depth[1]])
        depth[side] += 1
        new = order[side][level[side][order[side]] == depth[side]]
        other = level[1 - side][new]
        met = new[(other >= 0) & (other <= depth[1 - side])]
        if met.size:
            return int(met[0])


def _paths(G: LabelledGraph, source: Any, cutoff: Any, *, reverse: bool) -> dict:
    found = search(G, source, reverse=reverse, cutoff=cutoff)
    return build_paths(G.nodes, _parents(found), found[1], reverse=reverse)


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
