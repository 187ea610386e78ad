"""Tests for trees and forests, and the number of self-loops."""

from __future__ import annotations

from collections.abc import Callable

import networkx as nx

from graphla.algorithms.spanning import trees
from graphla.errors import InvalidGraph
from graphla.interop.networkx.labelled_graph import LabelledGraph


def _passes(G: LabelledGraph, test: Callable) -> bool:
    """Apply a test of :mod:`trees` to a graph; a graph with parallel edges is not a forest."""
    H = G.graph()
    try:
        passes = test(H)
    except InvalidGraph as error:
        raise nx.NetworkXPointlessConcept("G has no nodes.") from error
    edges = H.A.nvals if G.directed else (H.A.nvals + H.nself_edges) // 2
    return passes and G.number_of_edges() == edges


def is_forest(G: LabelledGraph) -> bool:
    return _passes(G, trees.is_forest)


def is_tree(G: LabelledGraph) -> bool:
    return _passes(G, trees.is_tree)


def is_branching(G: LabelledGraph) -> bool:
    return _passes(G, trees.is_branching)


def is_arborescence(G: LabelledGraph) -> bool:
    return _passes(G, trees.is_arborescence)


def number_of_selfloops(G: LabelledGraph) -> int:
    return int((G.src == G.dst).sum())
