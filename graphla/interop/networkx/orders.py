"""NetworkX's order and its choices among equals, found from the values that an algorithm gave.

A queue takes vertices level by level; within a level it takes first what the first of the
level above leads to, in the order of the edges.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np


def queue_order(src: Any, dst: Any, level: Any) -> tuple[Any, Any, Any]:
    """Return the order in which a queue sees vertices, and for each edge that it follows
    down a level its two ends, in the order in which it looks at them.

    Parameters
    ----------
    src, dst : ndarray of int
        Edges, in the order of their source's list.
    level : ndarray of int
        Levels of a breadth-first search, -1 where it does not lead.
    """
    down = np.flatnonzero((level[src] >= 0) & (level[dst] == level[src] + 1))
    s, t = src[down], dst[down]
    by_level = np.argsort(level[s], kind="stable")
    s, t = s[by_level], t[by_level]
    deepest = int(level.max(initial=0))
    ends = np.searchsorted(level[s], np.arange(deepest + 1)).tolist()
    rank, first = np.zeros(level.size, np.int64), np.zeros(level.size, np.int64)
    seen = np.flatnonzero(level == 0)
    order, looked = [seen], []
    for low, high in itertools.pairwise(ends):
        rank[seen] = np.arange(seen.size)
        look = low + np.argsort(rank[s[low:high]], kind="stable")
        heads, position = t[look], np.arange(high - low)
        first[heads[::-1]] = position[::-1]  # of equal heads the first is written last
        seen = heads[first[heads] == position]
        order.append(seen)
        looked.append(look)
    look = np.concatenate(looked) if looked else np.zeros(0, np.int64)
    return np.concatenate(order), s[look], t[look]


def firsts(values: Any) -> Any:
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


def paths(labels: list, parent: Any, order: Any, *, reverse: bool = False) -> dict:
    """Return the path from its root to each vertex; parents stand before their children."""
    path: dict = {}
    for v, p in zip(order.tolist(), parent[order].tolist(), strict=True):
        node = labels[v]
        if v == p:
            path[node] = [node]
        else:
            path[node] = [node, *path[labels[p]]] if reverse else [*path[labels[p]], node]
    return path


def path_to(parent: Any, v: int) -> list[int]:
    """Return the vertices from the root to one vertex."""
    path = [v]
    while (p := int(parent[path[-1]])) != path[-1]:
        path.append(p)
    return path[::-1]
