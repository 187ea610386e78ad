"""Orders and paths, reconstructed from levels or parents, against searches by queue."""

from __future__ import annotations

from collections import deque
from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from graphla.interop.networkx.traversal_order import (
    build_paths,
    first_occurrences,
    generations,
    outgoing_edges,
    path_to,
    queue_order,
    tree_order,
)

GRAPHS = st.integers(1, 9).flatmap(
    lambda n: st.lists(st.lists(st.integers(0, n - 1), max_size=6), min_size=n, max_size=n)
)


def rows(neighbours):
    starts = np.append(0, np.cumsum([len(row) for row in neighbours]))
    return starts, np.array([v for row in neighbours for v in row], np.int64)


def by_queue(neighbours):
    """Return the visiting order from vertex 0, the levels, and the parents."""
    order, level, parent = [], {0: 0}, {0: 0}
    queue = deque([0])
    while queue:
        u = queue.popleft()
        order.append(u)
        for v in neighbours[u]:
            if v not in level:
                level[v], parent[v] = level[u] + 1, u
                queue.append(v)
    return order, np.array([level.get(v, -1) for v in range(len(neighbours))]), parent


@given(GRAPHS)
def test_order_of_a_queue(neighbours):
    expected, level, _ = by_queue(neighbours)
    order, tails, heads = queue_order(*rows(neighbours), level)
    assert order.tolist() == expected
    assert list(zip(tails.tolist(), heads.tolist(), strict=True)) == [
        (u, v) for u in expected for v in neighbours[u] if level[v] == level[u] + 1
    ]


@given(GRAPHS)
def test_paths_of_a_tree(neighbours):
    order, _, parents = by_queue(neighbours)
    parent = np.arange(len(neighbours))
    for v, p in parents.items():
        parent[v] = p
    found = tree_order(parent, np.array(sorted(order)))
    positions = {v: k for k, v in enumerate(found.tolist())}
    assert all(positions[parents[v]] <= positions[v] for v in order)
    nodes = [f"v{k}" for k in range(len(neighbours))]
    paths = build_paths(nodes, parent, found)
    turned = build_paths(nodes, parent, found, reverse=True)
    for v in order:
        path = path_to(parent, v)
        assert (path[0], path[-1]) == (0, v)
        assert all(parents[b] == a for a, b in pairwise(path))
        assert paths[nodes[v]] == [nodes[u] for u in path] == turned[nodes[v]][::-1]


def test_generations_are_in_the_order_of_the_last_incoming_edge():
    neighbours = [[3, 4, 2], [2], [5], [5, 4], [], []]
    level = np.array([0, 0, 1, 1, 2, 2])
    found = [g.tolist() for g in generations(*rows(neighbours), level)]
    assert found == [[0, 1], [3, 2], [4, 5]]
    assert list(generations(*rows([]), np.array([], int))) == []


def test_edges_and_first_occurrences():
    starts, _ = rows([[1, 2], [], [0]])
    assert outgoing_edges(starts, np.array([2, 1, 0])).tolist() == [2, 0, 1]
    assert first_occurrences(np.array([3, 1, 3, 0, 1])).tolist() == [0, 1, 3]
    assert first_occurrences(np.array([], int)).tolist() == []
