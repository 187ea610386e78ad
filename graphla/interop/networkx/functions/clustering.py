"""Triangles and clustering coefficients."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import networkx as nx
import numpy as np

from graphla.algorithms.cores.k_truss import k_truss
from graphla.algorithms.triangles import clustering_coefficient as coefficient
from graphla.algorithms.triangles import square_clustering as squares
from graphla.algorithms.triangles import transitivity as closed
from graphla.algorithms.triangles.triangle_list import triangle_list
from graphla.interop.networkx.config import implementation
from graphla.interop.networkx.labelled_graph import LabelledGraph
from graphla.interop.networkx.results import matrix_rows, select_nodes, to_array, values_by_node


def _check_no_multigraph(G: LabelledGraph) -> None:
    if G.is_multigraph():
        raise nx.NetworkXNotImplemented("not implemented for multigraph type")


def triangles(G: LabelledGraph, nodes: Any = None) -> Any:
    if nodes is not None:
        _check_no_multigraph(G)
    H = G.graph()
    count = implementation(coefficient.triangles, H)(H)
    return select_nodes(G, values_by_node(G, count), nodes)


def clustering(G: LabelledGraph, nodes: Any = None, weight: Any = None) -> Any:
    _check_no_multigraph(G)
    if weight is None:
        H = G.graph()
        c = implementation(coefficient.clustering_coefficient, H)(H)
    else:
        c = coefficient.clustering_coefficient_weighted(G.graph(weight))
    return select_nodes(G, values_by_node(G, c), nodes)


def average_clustering(
    G: LabelledGraph, nodes: Any = None, weight: Any = None, count_zeros: bool = True
) -> float:
    values = [c for c in clustering(G, nodes, weight).values() if count_zeros or c]
    return sum(values) / len(values)


def transitivity(G: LabelledGraph) -> float:
    _check_no_multigraph(G)
    return closed.transitivity(G.graph())


def square_clustering(G: LabelledGraph, nodes: Any = None) -> Any:
    return select_nodes(G, values_by_node(G, squares.square_clustering(G.graph())), nodes)


def all_triangles(G: LabelledGraph, nbunch: Any = None) -> Iterator[tuple]:
    corners = [to_array(x) for x in triangle_list(G.graph())]
    if nbunch is not None:
        wanted = np.zeros(len(G), bool)
        wanted[G.vertices_of(nbunch)] = True
        has_wanted = np.logical_or.reduce([wanted[x] for x in corners])
        corners = [x[has_wanted] for x in corners]
    yield from zip(*map(G.nodes_of, corners), strict=True)


def generalized_degree(G: LabelledGraph, nodes: Any = None) -> Any:
    _check_no_multigraph(G)
    H = G.graph()
    support = implementation(k_truss, H)(H, 2)  # all edges, with their numbers of triangles
    histograms = {}
    for node, (_, count) in zip(G.nodes, matrix_rows(support), strict=True):
        counts, edges = np.unique(count, return_counts=True)
        histograms[node] = Counter(dict(zip(counts.tolist(), edges.tolist(), strict=True)))
    return select_nodes(G, histograms, nodes)
