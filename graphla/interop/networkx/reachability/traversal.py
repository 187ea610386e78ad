"""NetworkX's breadth-first traversal functions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

import networkx as nx
import numpy as np

from graphla.algorithms.traversal.bfs import bfs_levels
from graphla.core.graph import Graph
from graphla.interop.networkx.config import implementation
from graphla.interop.networkx.labelled_graph import LabelledGraph, check_nodes
from graphla.interop.networkx.results import runs_of_nodes, to_array
from graphla.interop.networkx.traversal_order import first_occurrences, queue_order


class SearchTree(NamedTuple):
    """A breadth-first search: levels (-1 if not reached), visiting order, and the tree's edges."""

    level: Any
    order: Any
    parents: Any
    children: Any


def levels(G: LabelledGraph, source: Any, *, reverse: bool = False, cutoff: Any = None) -> Any:
    """Return the level of each vertex, -1 if it is not reached within the cutoff."""
    H = G.graph().reversed() if reverse else G.graph()
    level = to_array(implementation(bfs_levels, H)(H, G.index[source]))
    if cutoff is not None:
        level[level > cutoff] = -1
    return level


def search(
    G: LabelledGraph, source: Any, *, reverse: bool = False, cutoff: Any = None
) -> SearchTree:
    """Search from a node in NetworkX's order, along incoming edges if `reverse`."""
    level = levels(G, source, reverse=reverse, cutoff=cutoff)
    edges = G.incoming if reverse and G.directed else G.outgoing
    order, s, t = queue_order(*edges, level)
    in_tree = first_occurrences(t)
    return SearchTree(level, order, s[in_tree], t[in_tree])


def _check_sources(G: LabelledGraph, *sources: Any) -> None:
    message = "The node {} is not in the graph."
    check_nodes(G, *sources, message=message, error=nx.NetworkXError)


def generic_bfs_edges(
    G: LabelledGraph, source: Any, neighbors: Any = None, depth_limit: int | None = None
) -> Iterator:
    yield from bfs_edges(G, source, depth_limit=depth_limit)


def bfs_edges(
    G: LabelledGraph,
    source: Any,
    reverse: bool = False,
    depth_limit: int | None = None,
    sort_neighbors: Any = None,
) -> Iterator:
    yield from zip(*_tree(G, source, reverse, depth_limit), strict=True)


def _tree(
    G: LabelledGraph, source: Any, reverse: bool, depth_limit: int | None
) -> tuple[list, list]:
    """Return the parents and the children of the search tree's edges, as nodes."""
    _check_sources(G, source)
    tree = search(G, source, reverse=reverse, cutoff=depth_limit)
    return G.nodes_of(tree.parents), G.nodes_of(tree.children)


def bfs_tree(
    G: LabelledGraph,
    source: Any,
    reverse: bool = False,
    depth_limit: int | None = None,
    sort_neighbors: Any = None,
) -> Any:
    T = nx.DiGraph()
    T.add_node(source)
    T.add_edges_from(bfs_edges(G, source, reverse, depth_limit))
    return T


def bfs_predecessors(
    G: LabelledGraph, source: Any, depth_limit: int | None = None, sort_neighbors: Any = None
) -> Iterator:
    parents, children = _tree(G, source, False, depth_limit)
    yield from zip(children, parents, strict=True)


def bfs_successors(
    G: LabelledGraph, source: Any, depth_limit: int | None = None, sort_neighbors: Any = None
) -> Iterator:
    edges = bfs_edges(G, source, depth_limit=depth_limit)
    is_empty = True
    for parent, group in groupby(edges, itemgetter(0)):
        is_empty = False
        yield parent, [child for _, child in group]
    if is_empty:
        yield source, []


def bfs_layers(G: LabelledGraph, sources: Any) -> Iterator[list]:
    sources = [sources] if sources in G else list(set(sources))
    _check_sources(G, *sources)
    if not sources:
        return
    level = levels_from_many(G, [G.index[v] for v in sources])
    order, _, _ = queue_order(*G.outgoing, level)
    yield from runs_of_nodes(G, order, level)


def levels_from_many(G: LabelledGraph, sources: list[int]) -> Any:
    """Return each vertex's level from the nearest source, -1 if it is not reached.

    The search starts from an added vertex n with an edge to every source.
    """
    n = len(G)
    if len(sources) == 1:
        return to_array(implementation(bfs_levels, G.graph())(G.graph(), sources[0]))
    src, dst = np.append(G.src, np.full(len(sources), n)), np.append(G.dst, sources)
    H = Graph.from_edges(src, dst, n=n + 1).to(G.graph().engine)
    level = to_array(implementation(bfs_levels, H)(H, n))[:n]
    return np.where(level > 0, level - 1, -1)


def descendants_at_distance(G: LabelledGraph, source: Any, distance: int) -> set:
    _check_sources(G, source)
    if distance < 0:
        return set()
    return set(G.nodes_of(np.flatnonzero(levels(G, source) == distance)))


def descendants(G: LabelledGraph, source: Any) -> set:
    return _reached(G, source, reverse=False)


def ancestors(G: LabelledGraph, source: Any) -> set:
    return _reached(G, source, reverse=True)


def _reached(G: LabelledGraph, source: Any, *, reverse: bool) -> set:
    _check_sources(G, source)
    return set(G.nodes_of(np.flatnonzero(levels(G, source, reverse=reverse) > 0)))
