"""NetworkX's traversal order and choice of parents, reconstructed from levels or parents.

Graph algorithms here return levels or parents, not an order. NetworkX's breadth-first search uses
a queue: it visits level by level, and orders a level by the first edge, in adjacency order, from
the previous level in its visiting order.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np


def queue_order(starts: Any, dst: Any, level: Any) -> tuple[Any, Any, Any]:
    """Return the visiting order of a breadth-first search by queue, and its downward edges.

    Parameters
    ----------
    starts, dst : ndarray of int
        Edges in CSR form: those of vertex v lead to ``dst[starts[v] : starts[v + 1]]``.
    level : ndarray of int
        Levels of a breadth-first search, -1 for a vertex that is not reached.

    Returns
    -------
    order : ndarray of int
        Reached vertices in visiting order.
    tails, heads : ndarray of int
        The edges from a level to the next, in the order in which the queue examines them.
    """
    first = np.zeros(level.size, np.int64)
    frontier = np.flatnonzero(level == 0)
    order, tails, heads = [frontier], [dst[:0]], [dst[:0]]
    for depth in range(int(level.max(initial=0))):
        degree = starts[frontier + 1] - starts[frontier]
        head = dst[outgoing_edges(starts, frontier)]
        down = level[head] == depth + 1
        tails.append(np.repeat(frontier, degree)[down])
        heads.append(head := head[down])
        position = np.arange(head.size)
        first[head[::-1]] = position[::-1]  # of equal heads the first is written last
        frontier = head[first[head] == position]
        order.append(frontier)
    return np.concatenate(order), np.concatenate(tails), np.concatenate(heads)


def generations(starts: Any, dst: Any, level: Any) -> Iterator[Any]:
    """Yield the vertices of each topological generation in the order of Kahn's algorithm.

    A vertex is appended when its last incoming edge is examined. Parameters as for `queue_order`,
    but `level` is the length of the longest path to a vertex, so edges may skip levels.
    """
    last = np.zeros(level.size, np.int64)
    generation = np.flatnonzero(level == 0)
    for depth in range(1, int(level.max(initial=-1)) + 2):
        yield generation
        head = dst[outgoing_edges(starts, generation)]
        head = head[level[head] == depth]
        position = np.arange(head.size)
        last[head] = position  # of equal heads the last one is written last
        generation = head[last[head] == position]


def outgoing_edges(starts: Any, vertices: Any) -> Any:
    """Return the positions of the edges of `vertices`, vertex after vertex."""
    degree = starts[vertices + 1] - starts[vertices]
    shift = starts[vertices] - np.cumsum(degree) + degree  # position minus index in the result
    return np.repeat(shift, degree) + np.arange(degree.sum())


def first_occurrences(values: Any) -> Any:
    """Return the positions at which a value occurs for the first time."""
    first = np.zeros(int(values.max(initial=-1)) + 1, np.int64)
    position = np.arange(values.size)
    first[values[::-1]] = position[::-1]
    return np.flatnonzero(first[values] == position)


def tree_order(parent: Any, vertices: Any) -> Any:
    """Return vertices of a tree in ascending order of depth; a root is its own parent.

    Depths are computed by pointer jumping: the distance to each ancestor doubles per round.
    """
    depth = (parent != np.arange(parent.size)).astype(np.int64)
    ancestor = parent.copy()
    while (remaining := depth[ancestor]).any():
        depth += remaining
        ancestor = ancestor[ancestor]
    return vertices[np.argsort(depth[vertices], kind="stable")]


def build_paths(nodes: list, parent: Any, order: Any, *, reverse: bool = False) -> dict:
    """Return a dictionary from node to the path from its root, or to its root if `reverse`.

    `nodes` maps vertices to nodes. In `order`, a parent must precede its children.
    """
    is_root = parent[order] == order
    paths: dict = {node: [node] for node in map(nodes.__getitem__, order[is_root].tolist())}
    order = order[~is_root]
    children = map(nodes.__getitem__, order.tolist())
    parents = map(nodes.__getitem__, parent[order].tolist())
    if reverse:
        for node, above in zip(children, parents, strict=True):
            paths[node] = [node, *paths[above]]
    else:
        for node, above in zip(children, parents, strict=True):
            paths[node] = [*paths[above], node]
    return paths


def path_to(parent: Any, v: int) -> list[int]:
    """Return the vertices on the path from the root to v."""
    path = [v]
    while (p := int(parent[path[-1]])) != path[-1]:
        path.append(p)
    return path[::-1]
