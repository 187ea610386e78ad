"""Closeness, harmonic and degree centrality, efficiency, reciprocity."""

from __future__ import annotations

from typing import Any

import networkx as nx

from graphla.algorithms.centrality import closeness_centrality as closeness
from graphla.algorithms.centrality import degree_centrality as degree
from graphla.algorithms.centrality import efficiency as mean
from graphla.algorithms.centrality import harmonic_centrality as harmonic
from graphla.algorithms.links import reciprocity as both_ways
from graphla.errors import InvalidGraph
from graphla.interop.networkx.labelled_graph import LabelledGraph
from graphla.interop.networkx.paths import dijkstra, unweighted
from graphla.interop.networkx.results import select_nodes, values_by_node


def closeness_centrality(
    G: LabelledGraph, u: Any = None, distance: Any = None, wf_improved: bool = True
) -> Any:
    if u is not None:
        return _closeness_of(G, u, distance, wf_improved)
    H = G.graph(distance)
    if distance is None:
        return values_by_node(G, closeness.closeness_centrality(H, wf_improved=wf_improved))
    return values_by_node(G, closeness.closeness_centrality_weighted(H, wf_improved=wf_improved))


def _closeness_of(G: LabelledGraph, u: Any, distance: Any, wf_improved: bool) -> float:
    if distance is None:
        length = unweighted.lengths_to(G, u)
    else:
        length = dijkstra.single_source_dijkstra_path_length(G.reversed(), u, weight=distance)
    total, others = sum(length.values()), len(length) - 1
    if total <= 0:
        return 0.0
    reached_fraction = others / (len(G) - 1) if wf_improved else 1
    return others / total * reached_fraction


def harmonic_centrality(
    G: LabelledGraph, nbunch: Any = None, distance: Any = None, sources: Any = None
) -> dict:
    H, origins = G.graph(distance), G.vertices_of(sources)
    if distance is None:
        score = harmonic.harmonic_centrality(H, origins)
    else:
        score = harmonic.harmonic_centrality_weighted(H, origins)
    return select_nodes(
        G, values_by_node(G, score), None if nbunch is None else G.nodes_of(G.vertices_of(nbunch))
    )


def _simple_graph(G: LabelledGraph) -> Any:
    if G.is_multigraph():
        raise NotImplementedError("multigraphs: NetworkX counts parallel edges in degrees")
    return G.graph()


def degree_centrality(G: LabelledGraph) -> dict:
    return values_by_node(G, degree.degree_centrality(_simple_graph(G)))


def in_degree_centrality(G: LabelledGraph) -> dict:
    return values_by_node(G, degree.in_degree_centrality(_simple_graph(G)))


def out_degree_centrality(G: LabelledGraph) -> dict:
    return values_by_node(G, degree.out_degree_centrality(_simple_graph(G)))


def efficiency(G: LabelledGraph, u: Any, v: Any) -> float:
    try:
        return 1 / unweighted.length_between(G, u, v)
    except nx.NetworkXNoPath:
        return 0


def global_efficiency(G: LabelledGraph) -> float:
    return mean.global_efficiency(G.graph())


def local_efficiency(G: LabelledGraph) -> float:
    if not len(G):
        raise ZeroDivisionError("local efficiency is not defined for the null graph")
    if (G.src == G.dst).any():
        raise NotImplementedError("self-loops: NetworkX makes such a node its own neighbour")
    return mean.local_efficiency(G.graph())


def _check_simple_digraph(G: LabelledGraph) -> None:
    if G.is_multigraph() or not G.directed:
        raise NotImplementedError("reciprocity needs a directed graph without parallel edges")


def overall_reciprocity(G: LabelledGraph) -> float:
    _check_simple_digraph(G)
    try:
        return both_ways.reciprocity(G.graph())
    except InvalidGraph as error:
        raise nx.NetworkXError("Not defined for empty graphs") from error


def reciprocity(G: LabelledGraph, nodes: Any = None) -> Any:
    if nodes is None:
        return overall_reciprocity(G)
    _check_simple_digraph(G)
    score = dict.fromkeys(G.nodes) | values_by_node(G, both_ways.vertex_reciprocity(G.graph()))
    if nodes in G and score[nodes] is None:
        raise nx.NetworkXError("Not defined for isolated nodes.")
    return select_nodes(G, score, nodes)
