"""Brandes's algorithm in integers of any size, and graphs with very many shortest paths."""

from __future__ import annotations

import heapq
from itertools import pairwise

import numpy as np

from tests.graphs import edges

BITS = 1100  # of a dependency, behind the point


def exact_betweenness(G, sources):
    """Return the raw betweenness of vertices, and of edges as a dict, over the sources.

    Path counts are integers; dependencies are integers times 2^-BITS, rounded down.
    """
    src, dst, weights = G.A.to_coo()
    weights = weights.tolist() if G.weighted else [1] * src.size
    out = [[] for _ in range(G.n)]
    for u, v, w in zip(src.tolist(), dst.tolist(), weights, strict=True):
        out[u].append((v, w))
    vertex, edge = [0] * G.n, dict.fromkeys(zip(src.tolist(), dst.tolist(), strict=True), 0)
    for source in sources:
        _add_dependencies(out, source, vertex, edge)
    one = 1 << BITS
    return np.array([x / one for x in vertex]), {e: x / one for e, x in edge.items()}


def _add_dependencies(out, source, vertex, edge):
    distance, count, parents, order = {source: 0}, {source: 1}, {source: []}, []
    queue, done = [(0, source)], set()
    while queue:
        _, u = heapq.heappop(queue)
        if u in done:
            continue
        done.add(u)
        order.append(u)
        for v, w in out[u]:
            length = distance[u] + w
            if v not in distance or length < distance[v]:
                distance[v], count[v], parents[v] = length, 0, []
                heapq.heappush(queue, (length, v))
            if length == distance[v] and v not in done:
                count[v] += count[u]
                parents[v].append(u)
    dependency = dict.fromkeys(order, 0)
    for v in reversed(order):
        for u in parents[v]:
            share = count[u] * ((1 << BITS) + dependency[v]) // count[v]
            edge[u, v] += share
            dependency[u] += share
        if v != source:
            vertex[v] += dependency[v]


def diamonds(count):
    """Return the edges of a chain of diamonds: 3k -> 3k+1, 3k+2 -> 3k+3; 2^count paths."""
    joint = 3 * np.arange(count)
    src = np.concatenate([joint, joint, joint + 1, joint + 2])
    dst = np.concatenate([joint + 1, joint + 2, joint + 3, joint + 3])
    return src, dst


def beside_a_path(count):
    """Return a chain of diamonds with a plain path beside it: 2^count paths, and one."""
    src, dst = diamonds(count)
    n = 3 * count + 1
    plain = np.arange(n, n + 2 * count)
    src = np.concatenate([src, [0], plain[:-1]])
    dst = np.concatenate([dst, [n], plain[1:]])
    return edges(src, dst, n=n + 2 * count)


def tracks(levels, widths, crossings, *, kind="directed", weights=None, seed=0):
    """Return a graph of tracks side by side, in which path counts grow at different rates.

    A track has w vertices on each level, all adjacent to all of the next: w^d paths at distance
    d. `crossings` edges lead from any vertex of a level to any of the next. Vertex 0 leads to the
    first level of all tracks.
    """
    rng = np.random.default_rng(seed)
    level_size, offsets = sum(widths), np.cumsum([0, *widths])
    pairs = [(0, 1 + i) for i in range(level_size)]
    for level in range(levels - 1):
        here, there = 1 + level * level_size, 1 + (level + 1) * level_size
        pairs += [
            (here + i, there + j)
            for low, high in pairwise(offsets)
            for i in range(low, high)
            for j in range(low, high)
        ]
    level = rng.integers(0, levels - 1, crossings)
    i, j = rng.integers(0, level_size, (2, crossings))
    pairs = np.concatenate(
        [pairs, np.stack([1 + level * level_size + i, 1 + (level + 1) * level_size + j], axis=1)]
    )
    pairs = np.unique(pairs, axis=0)
    values = None if weights is None else rng.choice(weights, len(pairs))
    return edges(pairs[:, 0], pairs[:, 1], values, n=1 + levels * level_size, kind=kind)
