"""NetworkX's functions through the backend against plain NetworkX.

The graph is an undirected Kronecker graph with weights 1..255. A call is timed `--trials` times
in turn with NetworkX's own, the conversion being cached; the first call, with the conversion,
stands apart ("cold"). Ratios are of medians.

    python benchmarks/networkx_backend.py --scale 16
"""

from __future__ import annotations

import argparse
import time
from collections import deque
from collections.abc import Callable
from statistics import median
from typing import Any

import networkx as nx

import graphla as gl

# name -> arguments, and whether NetworkX is too slow for more than one trial
LINEAR: dict[str, dict[str, Any]] = {
    "single_source_shortest_path_length": {"source": 0},
    "single_source_shortest_path": {"source": 0},
    "bfs_edges": {"source": 0},
    "bfs_predecessors": {"source": 0},
    "descendants": {"source": 0},
    "single_source_dijkstra_path_length": {"source": 0},
    "connected_components": {},
    "number_connected_components": {},
    "degree_centrality": {},
    "core_number": {},
    "pagerank": {},
    "minimum_spanning_edges": {"data": False},
}
HEAVY: dict[str, dict[str, Any]] = {
    "triangles": {},
    "clustering": {},
    "transitivity": {},
    "betweenness_centrality": {"k": 16, "seed": 1},
    "eigenvector_centrality": {},
    "hits": {},
}
SMALL: dict[str, dict[str, Any]] = {
    "all_pairs_shortest_path_length": {},
    "closeness_centrality": {},
    "harmonic_centrality": {},
    "betweenness_centrality": {},
    "all_pairs_dijkstra_path_length": {},
    "floyd_warshall_numpy": {},
}


def kronecker(scale: int) -> nx.Graph:
    """Return the graph, its nodes in order, without self-loops."""
    G = gl.generate.kronecker(scale, seed=1, weights=(1, 255))
    i, j, w = G.A.to_coo()
    once = i < j
    H = nx.Graph()
    H.add_nodes_from(range(G.n))
    H.add_weighted_edges_from(zip(*(x[once].tolist() for x in (i, j, w)), strict=True))
    return H


def seconds(call: Callable[[], Any]) -> float:
    start = time.perf_counter()
    result = call()
    if hasattr(result, "__next__"):
        deque(result, maxlen=0)
    return time.perf_counter() - start


def compare(G: nx.Graph, name: str, arguments: dict[str, Any], trials: int) -> None:
    function = getattr(nx, name)
    G.__networkx_cache__.clear()
    cold = seconds(lambda: function(G, **arguments, backend="graphla"))
    ours, theirs = [], []
    for _ in range(trials):
        ours.append(seconds(lambda: function(G, **arguments, backend="graphla")))
        theirs.append(seconds(lambda: function(G, **arguments, backend="networkx")))
    a, b = median(ours), median(theirs)
    print(f"{name:38}{b:11.4f}{a:11.4f}{b / a:9.1f}{cold:11.4f}{b / cold:9.1f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scale", type=int, default=16)
    parser.add_argument("--trials", type=int, default=3)
    parser.add_argument("--small", action="store_true", help="the quadratic functions instead")
    parser.add_argument("names", nargs="*", help="only these functions")
    chosen = parser.parse_args()
    nx.config.warnings_to_ignore.add("cache")
    G = kronecker(chosen.scale)
    print(f"kron{chosen.scale}: {len(G):,} nodes, {G.number_of_edges():,} edges; seconds")
    print(f"{'':38}{'networkx':>11}{'cached':>11}{'ratio':>9}{'cold':>11}{'ratio':>9}")
    for name, arguments in (SMALL if chosen.small else LINEAR | HEAVY).items():
        if not chosen.names or name in chosen.names:
            compare(G, name, arguments, chosen.trials)


if __name__ == "__main__":
    main()
