"""Core numbers, subgraphs by core number, and trusses, as NetworkX graphs."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np

from graphla.algorithms.cores import core_number as peeling
from graphla.algorithms.cores import k_truss as truss
from graphla.core.engines import on_host
from graphla.interop.networkx.config import implementation
from graphla.interop.networkx.labelled_graph import LabelledGraph
from graphla.interop.networkx.results import to_array, values_by_node


def _check_no_self_loops(G: LabelledGraph) -> None:
    if (G.src == G.dst).any():
        raise nx.NetworkXNotImplemented(
            "Input graph has self loops which is not permitted; "
            "Consider using G.remove_edges_from(nx.selfloop_edges(G))."
        )


def _cores(G: LabelledGraph, core_number: dict | None) -> Any:
    """Return core numbers as an array, computed if not given; -1 for a node not in the dict."""
    if core_number is not None:
        return G.node_values(core_number, -1)
    _check_no_self_loops(G)
    H = G.graph()
    return to_array(implementation(peeling.core_number, H)(H))


def core_number(G: LabelledGraph) -> dict:
    _check_no_self_loops(G)
    H = G.graph()
    return values_by_node(G, implementation(peeling.core_number, H)(H))


def k_core(G: LabelledGraph, k: int | None = None, core_number: dict | None = None) -> Any:
    core = _cores(G, core_number)
    return G.subgraph(core >= (core.max() if k is None else k))


def k_shell(G: LabelledGraph, k: int | None = None, core_number: dict | None = None) -> Any:
    core = _cores(G, core_number)
    return G.subgraph(core == (core.max() if k is None else k))


def k_crust(G: LabelledGraph, k: int | None = None, core_number: dict | None = None) -> Any:
    core = _cores(G, core_number)
    return G.subgraph((core >= 0) & (core <= (core.max() - 1 if k is None else k)))


def k_corona(G: LabelledGraph, k: int, core_number: dict | None = None) -> Any:
    core = _cores(G, core_number)
    degree_in_core = np.bincount(G.src[core[G.dst] >= k], minlength=len(G))
    return G.subgraph((core == k) & (degree_in_core == k))


def k_truss(G: LabelledGraph, k: int) -> Any:
    _check_no_self_loops(G)
    H = G.graph()
    i, j = on_host(implementation(truss.k_truss, H)(H, max(k, 1))).to_coo(values=False)[:2]
    n, vertices = len(G), np.zeros(len(G), bool)
    vertices[i] = True
    kept = np.isin(G.src * n + G.dst, i.astype(np.int64) * n + j.astype(np.int64))
    return G.subgraph(vertices, kept)
