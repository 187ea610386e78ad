"""Transitive closure, topological order, and tests for cycles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx
import numpy as np

from graphla.algorithms.closure import transitive_closure as closing
from graphla.algorithms.traversal.topological_levels import topological_levels
from graphla.core.engines import on_host
from graphla.interop.networkx.config import implementation
from graphla.interop.networkx.labelled_graph import LabelledGraph
from graphla.interop.networkx.traversal_order import generations


def transitive_closure(G: LabelledGraph, reflexive: bool | None = False) -> Any:
    if reflexive not in (None, True, False):
        raise nx.NetworkXError("Incorrect value for the parameter `reflexive`")
    n = len(G)
    i, j = _reachable_pairs(G)
    if reflexive is not False or not G.directed:  # u-v-u in an undirected graph is not a cycle
        i, j = i[i != j], j[i != j]
    if reflexive is True:
        i, j = np.append(i, np.arange(n)), np.append(j, np.arange(n))
    return _with_edges(G, i, j)


def _reachable_pairs(G: LabelledGraph) -> tuple[Any, Any]:
    H = G.graph()
    R = on_host(implementation(closing.transitive_closure, H)(H))
    i, j = R.to_coo(values=False)[:2]
    return i.astype(np.int64), j.astype(np.int64)


def _with_edges(G: LabelledGraph, i: Any, j: Any) -> Any:
    """Return the NetworkX graph with the edges (i, j) added unless they exist."""
    n = len(G)
    new = ~np.isin(i * n + j, G.src * n + G.dst)
    if not G.directed:
        new &= i <= j
    H = G.subgraph()
    H.add_edges_from(zip(G.nodes_of(i[new]), G.nodes_of(j[new]), strict=True))
    return H


def transitive_closure_dag(G: LabelledGraph, topo_order: Any = None) -> Any:
    if has_cycle(G):
        raise nx.NetworkXUnfeasible("Graph contains a cycle or graph changed during iteration")
    return _with_edges(G, *_reachable_pairs(G))


def topological_generations(G: LabelledGraph) -> Iterator[list]:
    if not G.directed:
        raise nx.NetworkXError("Topological sort not defined on undirected graphs.")
    H = G.graph()
    remaining_in_degree, level = H.in_degree.dup(), np.full(len(G), -1)
    for depth, vertices in enumerate(topological_levels(H.A, remaining_in_degree)):
        level[on_host(vertices).to_coo(values=False)[0]] = depth
    for vertices in generations(*G.outgoing, level):
        yield G.nodes_of(vertices)
    if remaining_in_degree.select(">", 0).new().nvals:
        raise nx.NetworkXUnfeasible("Graph contains a cycle or graph changed during iteration")


def topological_sort(G: LabelledGraph) -> Iterator:
    for generation in topological_generations(G):
        yield from generation


def has_cycle(G: LabelledGraph) -> bool:
    try:
        for _ in topological_generations(G):
            pass
    except nx.NetworkXUnfeasible:
        return True
    return False


def is_directed_acyclic_graph(G: LabelledGraph) -> bool:
    return G.directed and not has_cycle(G)
