"""Which graphs can be read through their adjacency: those of NetworkX's classes, and subclasses."""

from __future__ import annotations

import inspect
from typing import Any

import networkx as nx

CLASSES = {
    (False, False): nx.Graph,
    (True, False): nx.DiGraph,
    (False, True): nx.MultiGraph,
    (True, True): nx.MultiDiGraph,
}
METHODS = {
    *("__contains__", "__getattribute__", "__getitem__", "__iter__", "__len__"),
    *("adjacency", "neighbors", "successors", "predecessors", "nbunch_iter", "get_edge_data"),
    *("has_node", "has_edge", "has_successor", "has_predecessor", "is_directed", "is_multigraph"),
    *("number_of_nodes", "number_of_edges", "order", "size"),
}
PROPERTIES = {
    *("_adj", "_succ", "_pred", "_node", "adj", "succ", "pred", "nodes"),
    *("edges", "in_edges", "out_edges", "degree", "in_degree", "out_degree"),
}
"""Algorithms of NetworkX read a graph through any of these."""


def refusal(G: Any) -> str | None:
    """Return why a graph cannot be converted, None if it can.

    An algorithm of NetworkX may read a graph through any method or property. Where a subclass
    overrides one of them, only NetworkX's own implementation gives NetworkX's answer.
    """
    kind = type(G)
    if kind not in CLASSES.values():
        if not isinstance(G, nx.Graph):
            return f"a {kind.__name__} is not a graph of NetworkX"
        base = CLASSES[isinstance(G, nx.DiGraph), isinstance(G, nx.MultiGraph)]
        for name in sorted(METHODS | PROPERTIES):
            ours, theirs = (inspect.getattr_static(c, name, None) for c in (kind, base))
            if ours is not theirs:
                return f"{kind.__name__} overrides {name}"
    own = METHODS & vars(G).keys()
    return f"the graph has its own {min(own)}" if own else None
