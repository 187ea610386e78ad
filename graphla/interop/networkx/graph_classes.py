"""The classes that can be converted: NetworkX's four, and subclasses that read graphs alike."""

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
"""The methods and properties through which NetworkX's algorithms read a graph."""
READ = METHODS | PROPERTIES


def refusal(G: Any) -> str | None:
    """Return the reason why a graph cannot be converted, None if it can.

    The conversion reads `_adj`, but NetworkX's algorithms may use any of `METHODS` and
    `PROPERTIES`. If a class or an instance overrides one of these, only NetworkX's own
    implementation is certain to return NetworkX's result.
    """
    kind = type(G)
    if kind not in CLASSES.values():
        if not isinstance(G, nx.Graph):
            return f"{kind.__name__} is not a NetworkX graph class"
        base = CLASSES[isinstance(G, nx.DiGraph), isinstance(G, nx.MultiGraph)]
        for name in _redefined_names(kind, base):
            own, inherited = (inspect.getattr_static(c, name, None) for c in (kind, base))
            if own is not inherited:
                return f"{kind.__name__} overrides {name}"
    if METHODS.isdisjoint(vars(G)):
        return None
    return f"the graph instance overrides {min(METHODS & vars(G).keys())}"


def _redefined_names(kind: type, base: type) -> list[str]:
    """Return those of `METHODS` and `PROPERTIES` that classes besides those of `base` define."""
    others = set(kind.__mro__).difference(base.__mro__)
    defined = set().union(*(vars(c).keys() for c in others))
    return sorted(defined & READ)
