"""A NetworkX graph to a :class:`~.labelled.LabelledGraph`, and back."""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np

from graphla.interop.networkx.labelled import MISSING, LabelledGraph, numbers


def from_networkx(
    G: Any,
    *,
    edge_attrs: dict | None = None,
    node_attrs: dict | None = None,
    nodes_too: bool = False,
    edges_too: bool = False,
) -> LabelledGraph:
    """Convert a NetworkX graph.

    Parameters
    ----------
    G : networkx.Graph, or one of its kinds
    edge_attrs, node_attrs : dict of str to value, optional
        Attributes to take, and what they are where an edge, or a node, has none.
    nodes_too, edges_too : bool
        Copy all attributes of the nodes, of the edges.

    Raises
    ------
    NotImplementedError
        A weight is not a real number.
    """
    adjacency = G._adj
    if type(adjacency) is not dict:  # a view, whose rows need not know their lengths
        adjacency = {u: dict(row.items()) for u, row in adjacency.items()}
    nodes = list(adjacency)
    H = LabelledGraph(nodes, None, None, directed=G.is_directed())
    degree = np.fromiter(map(len, adjacency.values()), np.int64, len(nodes))
    neighbours = chain.from_iterable(adjacency.values())
    ends = neighbours if H._labels is None else map(H.index.__getitem__, neighbours)
    H.src = np.repeat(np.arange(len(nodes)), degree)
    H.dst = np.fromiter(ends, np.int64, H.src.size)
    data: Any = chain.from_iterable(row.values() for row in adjacency.values())
    if G.is_multigraph():
        bundles = [dict(bundle.items()) for bundle in data]
        times = np.fromiter(map(len, bundles), np.int64, len(bundles))
        H.src, H.dst = np.repeat(H.src, times), np.repeat(H.dst, times)
        H.keys = list(chain.from_iterable(bundles))
        data = chain.from_iterable(bundle.values() for bundle in bundles)
    wanted = {k: 1 if x is None else x for k, x in (edge_attrs or {}).items()}
    if edges_too:
        H.edge_data = list(map(dict, data))
    elif wanted:
        data = list(data)
        H.columns = {k: numbers([d.get(k, x) for d in data]) for k, x in wanted.items()}
    for k, x in (node_attrs or {}).items():
        H.node_columns[k] = [G._node[v].get(k, MISSING if x is None else x) for v in nodes]
    if nodes_too:
        H.node_data = [dict(G._node[v]) for v in nodes]
    H.data = dict(G.graph)
    return H


def to_networkx(H: LabelledGraph) -> Any:
    """Convert back, with the attributes that were kept."""
    G = H.subgraph()
    if H.edge_data is None:
        for name, column in H.columns.items():
            x = np.ones(H.src.size, np.int64) if column is None else column
            edges = zip(H.edges(H.once, data=False), x[H.once].tolist(), strict=True)
            G.add_edges_from((*edge, {name: value}) for edge, value in edges)
    return G
