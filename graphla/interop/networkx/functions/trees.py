"""Minimum and maximum spanning trees and their edges.

All algorithms return the forest of Kruskal's algorithm with NetworkX's stable sort. The forest is
computed on a graph whose weights are the edges' ranks in that sort, so that it is unique.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx
import numpy as np

from graphla.algorithms.spanning.minimum_spanning_forest import minimum_spanning_forest
from graphla.core.graph import Graph
from graphla.interop.networkx.config import configured_engine, implementation
from graphla.interop.networkx.labelled_graph import LabelledGraph
from graphla.interop.networkx.results import to_array

ALGORITHMS = ("boruvka", "borůvka", "kruskal", "prim")


def _forest(G: LabelledGraph, weight: Any, *, minimum: bool, ignore_nan: bool) -> Any:
    """Return the positions of the spanning forest's edges in Kruskal's order."""
    engine = configured_engine()
    order, H = G.cached(
        ("forest", weight, minimum, ignore_nan, engine),
        lambda: _rank_graph(G, weight, minimum, ignore_nan, engine),
    )
    forest = implementation(minimum_spanning_forest, H)(H)
    return order[np.sort(to_array(forest.edges.weight))]


def _rank_graph(
    G: LabelledGraph, weight: Any, minimum: bool, ignore_nan: bool, engine: str
) -> tuple:
    """Return the positions of the edges in Kruskal's order, and the graph weighted by rank."""
    if G.directed:
        raise NotImplementedError("a spanning forest needs an undirected graph")
    e, w = G.distinct_edges, G.edge_column(weight)
    w = np.ones(e.size, np.int64) if w is None else w[e]
    if (is_nan := np.isnan(w)).any():
        if not ignore_nan:
            edge = next(iter(G.edges(e[is_nan][:1])))
            raise ValueError(f"NaN found as an edge weight. Edge {edge}")
        e, w = e[~is_nan], w[~is_nan]
    order = e[np.argsort(w if minimum else -w, kind="stable")]
    rank, n = np.arange(order.size), len(G)
    H = Graph.from_edges(G.src[order], G.dst[order], rank, n=n, kind="undirected")
    return order, H.to(engine)


def kruskal_mst_edges(
    G: LabelledGraph,
    minimum: bool,
    weight: Any = "weight",
    keys: bool = True,
    data: bool = True,
    ignore_nan: bool = False,
    partition: Any = None,
) -> Iterator[tuple]:
    forest = _forest(G, weight, minimum=minimum, ignore_nan=ignore_nan)
    yield from G.edges(forest, keys=keys, data=data)


def prim_mst_edges(
    G: LabelledGraph,
    minimum: bool,
    weight: Any = "weight",
    keys: bool = True,
    data: bool = True,
    ignore_nan: bool = False,
) -> Iterator[tuple]:
    yield from kruskal_mst_edges(G, minimum, weight, keys, data, ignore_nan)


def boruvka_mst_edges(
    G: LabelledGraph,
    minimum: bool = True,
    weight: Any = "weight",
    keys: bool = False,
    data: bool = True,
    ignore_nan: bool = False,
) -> Iterator[tuple]:
    yield from kruskal_mst_edges(G, minimum, weight, keys, data, ignore_nan)


def _check(G: LabelledGraph, algorithm: str) -> None:
    if G.directed:
        raise nx.NetworkXNotImplemented("not implemented for directed type")
    if algorithm not in ALGORITHMS:
        raise ValueError(f"{algorithm} is not a valid choice for an algorithm.")
    if G.is_multigraph() and algorithm.startswith("bor"):
        raise nx.NetworkXNotImplemented("not implemented for multigraph type")


def minimum_spanning_edges(
    G: LabelledGraph,
    algorithm: str = "kruskal",
    weight: Any = "weight",
    keys: bool = True,
    data: bool = True,
    ignore_nan: bool = False,
) -> Iterator[tuple]:
    _check(G, algorithm)
    return kruskal_mst_edges(G, True, weight, keys, data, ignore_nan)


def maximum_spanning_edges(
    G: LabelledGraph,
    algorithm: str = "kruskal",
    weight: Any = "weight",
    keys: bool = True,
    data: bool = True,
    ignore_nan: bool = False,
) -> Iterator[tuple]:
    _check(G, algorithm)
    return kruskal_mst_edges(G, False, weight, keys, data, ignore_nan)


def minimum_spanning_tree(
    G: LabelledGraph, weight: Any = "weight", algorithm: str = "kruskal", ignore_nan: bool = False
) -> Any:
    return _tree(G, minimum_spanning_edges(G, algorithm, weight, ignore_nan=ignore_nan))


def maximum_spanning_tree(
    G: LabelledGraph, weight: Any = "weight", algorithm: str = "kruskal", ignore_nan: bool = False
) -> Any:
    return _tree(G, maximum_spanning_edges(G, algorithm, weight, ignore_nan=ignore_nan))


def _tree(G: LabelledGraph, edges: Iterator[tuple]) -> Any:
    T = G.empty_copy()
    T.add_edges_from(edges)
    return T
