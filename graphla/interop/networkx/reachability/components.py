"""Connected components, condensation, and isolated nodes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx
import numpy as np

from graphla.algorithms.components import connected_components as weak
from graphla.algorithms.components import strongly_connected_components as strong
from graphla.interop.networkx.config import implementation
from graphla.interop.networkx.labelled_graph import LabelledGraph, check_nodes
from graphla.interop.networkx.reachability.traversal import levels
from graphla.interop.networkx.results import node_sets, to_array


def _count_components(label: Any) -> int:
    """Return the number of components: each component is labelled by one of its vertices."""
    label = to_array(label)
    return int((label == np.arange(label.size)).sum())


def _check_not_empty(G: LabelledGraph) -> None:
    if not len(G):
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")


def _components(G: LabelledGraph) -> Any:
    H = G.graph()
    return implementation(weak.connected_components, H)(H)


def connected_components(G: LabelledGraph) -> Iterator[set]:
    yield from node_sets(G, _components(G))


def number_connected_components(G: LabelledGraph) -> int:
    return _count_components(_components(G))


def is_connected(G: LabelledGraph) -> bool:
    _check_not_empty(G)
    return number_connected_components(G) == 1


def node_connected_component(G: LabelledGraph, n: Any) -> set:
    if n not in G:
        raise KeyError(n)
    return set(G.nodes_of(np.flatnonzero(levels(G, n) >= 0)))


weakly_connected_components = connected_components
number_weakly_connected_components = number_connected_components
is_weakly_connected = is_connected


def strongly_connected_components(G: LabelledGraph) -> Iterator[set]:
    yield from node_sets(G, strong.strongly_connected_components(G.graph()))


def kosaraju_strongly_connected_components(G: LabelledGraph, source: Any = None) -> Iterator[set]:
    components = node_sets(G, strong.strongly_connected_components(G.graph()))
    yield from components if source is None else (c for c in components if source in c)


def number_strongly_connected_components(G: LabelledGraph) -> int:
    return _count_components(strong.strongly_connected_components(G.graph()))


def is_strongly_connected(G: LabelledGraph) -> bool:
    _check_not_empty(G)
    return number_strongly_connected_components(G) == 1


def condensation(G: LabelledGraph, scc: Any = None) -> Any:
    C = nx.DiGraph()
    C.graph["mapping"] = {}
    if not len(G):
        return C
    members = dict(enumerate(strongly_connected_components(G) if scc is None else scc))
    mapping = {v: i for i, component in members.items() for v in component}
    C.graph["mapping"] = mapping
    C.add_nodes_from((i, {"members": component}) for i, component in members.items())
    number = np.array([mapping[v] for v in G.nodes])
    ends = np.stack((number[G.src], number[G.dst]))
    ends = np.unique(ends[:, ends[0] != ends[1]], axis=1)
    C.add_edges_from(zip(*ends.tolist(), strict=True))
    return C


def _has_edge(G: LabelledGraph) -> Any:
    """Return the mask of the vertices that have an edge."""
    mask = np.zeros(len(G), bool)
    mask[G.src] = mask[G.dst] = True
    return mask


def is_isolate(G: LabelledGraph, n: Any) -> bool:
    check_nodes(G, n, message="The node {} is not in the graph.", error=nx.NetworkXError)
    return not _has_edge(G)[G.index[n]]


def isolates(G: LabelledGraph) -> Iterator:
    return iter(G.nodes_of(np.flatnonzero(~_has_edge(G))))


def number_of_isolates(G: LabelledGraph) -> int:
    return int((~_has_edge(G)).sum())
