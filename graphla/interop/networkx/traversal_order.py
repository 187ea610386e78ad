"""NetworkX's order and its choices among equals, found from the values that an algorithm gave.

A queue takes vertices level by level; within a level it takes first what the first of the
level above leads to, in the order of the edges.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np


def queue_order(starts: Any, dst: Any, level: Any) -> tuple[Any, Any, Any]:
    """Return the order in which a queue sees vertices, and the edges down a level by their ends.

    These stand in the order in which the queue looks at them.

    Parameters
    ----------
    starts, dst : ndarray of int
        Edges: those of vertex v lead to ``dst[starts[v] : starts[v + 1]]``.
    level : ndarray of int
        Levels of a breadth-first search, -1 where it does not lead.
    """
    first = np.zeros(level.size, np.int64)
    seen = np.flatnonzero(level == 0)
    order, tails, heads = [seen], [dst[:0]], [dst[:0]]
    for depth in range(int(level.max(initial=0))):
        degree = starts[seen + 1] - starts[seen]
        head = dst[outgoing_edges(starts, seen)]
        down = level[head] == depth + 1
        tails.append(np.repeat(seen, degree)[down])
        heads.append(head := head[down])
        position = np.arange(head.size)
        first[head[::-1]] = position[::-1]  # of equal heads the first is written last
        seen = head[first[head] == position]
        order.append(seen)
    return np.concatenate(order), np.concatenate(tails), np.concatenate(heads)


def generations(starts: Any, dst: Any, level: Any) -> Iterator[Any]:
    """Yield the vertices of each level; one comes when the last edge to it is looked at.

    Parameters as of `queue_order`; a vertex may have edges from several levels.
    """
    last = np.zeros(level.size, np.int64)
    seen = np.flatnonzero(level == 0)
    for depth in range(1, int(level.max(initial=-1)) + 2):
        yield seen
        head = dst[outgoing_edges(starts, seen)]
        head = head[level[head] == depth]
        position = np.arange(head.size)
        last[head] = position  # of equal heads the last one is written last
        seen = head[last[head] == position]


def outgoing_edges(starts: Any, vertices: Any) -> Any:
    """Return the positions of the edges out of some vertices, one after the other."""
    degree = starts[vertices + 1] - starts[vertices]
    skipped = starts[vertices] - np.cumsum(degree) + degree
    return np.repeat(skipped, degree) + np.arange(degree.sum())


def first_occurrences(values: Any) -> Any:
    """Return the positions at which a value stands for the first time."""
    first = np.zeros(int(values.max(initial=-1)) + 1, np.int64)
    position = np.arange(values.size)
    first[values[::-1]] = position[::-1]
    return np.flatnonzero(first[values] == position)


def tree_order(parent: Any, vertices: Any) -> Any:
    """Return vertices of a tree by depth; a root is its own parent."""
    depth = (parent != np.arange(parent.size)).astype(np.int64)
    above = parent.copy()
    while (further := depth[above]).any():
        depth += further
        above = above[above]
    return vertices[np.argsort(depth[vertices], kind="stable")]


def build_paths(labels: list, parent: Any, order: Any, *, reverse: bool = False) -> dict:
    """Return the path from its root to each vertex; parents stand before their children."""
    root = parent[order] == order
    path: dict = {node: [node] for node in map(labels.__getitem__, order[root].tolist())}
    order = order[~root]
    nodes = map(labels.__getitem__, order.tolist())
    above = map(labels.__getitem__, parent[order].tolist())
    if reverse:
        for node, before in zip(nodes, above, strict=True):
            path[node] = [node, *path[before]]
    else:
        for node, before in zip(nodes, above, strict=True):
            path[node] = [*path[before], node]
    return path


def path_to(parent: Any, v: int) -> list[int]:
    """Return the vertices from the root to one vertex."""
    path = [v]
    while (p := int(parent[path[-1]])) != path[-1]:
        path.append(p)
    return path[::-1]
