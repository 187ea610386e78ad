"""The size of a NetworkX graph, nodes plus edges, without a pass over the graph.

The number of edges is estimated from the degrees of a few nodes, because ``G.number_of_edges()``
visits every node: some 10 ms for 100,000 nodes, longer than many calls take in NetworkX. The nodes
are evenly spaced if they are called 0..n-1. Other nodes can be reached only from both ends of the
graph's order, and graphs that grow have the nodes of large degree at one end.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from math import sqrt
from statistics import median
from typing import Any

SAMPLE = 64  # half the number of nodes whose degrees are read


def estimate_size(G: Any) -> int:
    """Return the number of nodes plus edges, exact for at most 2 * SAMPLE nodes without loops.

    Parallel edges count once, loops by half. The edges of a view are estimated from the degrees in
    the graph below it, and its nodes are counted only if its filter lists them.
    """
    directed, limits = G.is_directed(), []
    while (below := getattr(G, "_graph", None)) is not None:
        listed = getattr(getattr(G, "_NODE_OK", None), "nodes", None)
        limits += [] if listed is None else [len(listed)]
        G = below
    n = min([len(G._adj), *limits])
    ends = 1 if directed or G.is_directed() else 2  # rows of `G._adj` that an edge is in
    return n + round(n * _mean_degree(G._adj) / ends)


def _mean_degree(adjacency: Mapping) -> float:
    n, rows = len(adjacency), adjacency.values()
    if n <= 2 * SAMPLE:
        return sum(map(len, rows)) / max(n, 1)
    middles = ((2 * k + 1) * n // (4 * SAMPLE) for k in range(2 * SAMPLE))
    spaced = [adjacency[v] for v in middles if v in adjacency]
    if len(spaced) == 2 * SAMPLE:
        return _mean_without_outlier(list(map(len, spaced)))
    first = median(map(len, islice(rows, SAMPLE)))
    if not hasattr(rows, "__reversed__"):
        return first
    last = median(map(len, islice(reversed(rows), SAMPLE)))
    return sqrt((1 + first) * (1 + last)) - 1  # either may be 0


def _mean_without_outlier(degrees: list[int]) -> float:
    """Return the mean with the second largest degree in place of the largest."""
    *rest, second, _ = sorted(degrees)
    return (sum(rest) + 2 * second) / len(degrees)
