"""Trees and forests, and the number of self-loops."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import networkx as nx

from graphla.algorithms.spanning import trees
from graphla.errors import InvalidGraph

if TYPE_CHECKING:
    from graphla.interop.networkx.labelled_graph import LabelledGraph


def _holds(G: LabelledGraph, test: Callable) -> bool:
    """Test a graph, which is no forest where edges are parallel."""
    H = G.graph()
    try:
        holds = test(H)
    except InvalidGraph as error:
        raise nx.NetworkXPointlessConcept("G has no nodes.") from error
    edges = H.A.nvals if G.directed else (H.A.nvals + H.nself_edges) // 2
    return holds and G.number_of_edges() == edges


def is_forest(G: LabelledGraph) -> bool:
    return _holds(G, trees.is_forest)


def is_tree(G: LabelledGraph) -> bool:
    return _holds(G, trees.is_tree)


def is_branching(G: LabelledGraph) -> bool:
    return _holds(G, trees.is_branching)


def is_arborescence(G: LabelledGraph) -> bool:
    return _holds(G, trees.is_arborescence)


def number_of_selfloops(G: LabelledGraph) -> int:
    return int((G.src == G.dst).sum())
