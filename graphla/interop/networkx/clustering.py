"""Triangles and clustering coefficients."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import networkx as nx

from graphla.algorithms import clustering_coefficient as coefficient
from graphla.algorithms import square_clustering as squares
from graphla.algorithms import transitivity as closed
from graphla.interop.networkx.results import by_node, some

if TYPE_CHECKING:
    from graphla.interop.networkx.labelled import LabelledGraph


def _no_multigraph(G: LabelledGraph) -> None:
    if G.is_multigraph():
        raise nx.NetworkXNotImplemented("not implemented for multigraph type")


def triangles(G: LabelledGraph, nodes: Any = None) -> Any:
    if nodes is not None:
        _no_multigraph(G)
    return some(G, by_node(G, coefficient.triangles(G.graph())), nodes)


def clustering(G: LabelledGraph, nodes: Any = None, weight: Any = None) -> Any:
    _no_multigraph(G)
    if weight is None:
        c = coefficient.clustering_coefficient(G.graph())
    else:
        c = coefficient.clustering_coefficient_weighted(G.graph(weight))
    return some(G, by_node(G, c), nodes)


def average_clustering(
    G: LabelledGraph, nodes: Any = None, weight: Any = None, count_zeros: bool = True
) -> float:
    found = clustering(G, nodes, weight).values()
    values = [c for c in found if count_zeros or c]
    return sum(values) / len(values)


def transitivity(G: LabelledGraph) -> float:
    _no_multigraph(G)
    return closed.transitivity(G.graph())


def square_clustering(G: LabelledGraph, nodes: Any = None) -> Any:
    return some(G, by_node(G, squares.square_clustering(G.graph())), nodes)
