"""Conversion of NetworkX graphs to :class:`~.labelled_graph.LabelledGraph` and back."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Any

import numpy as np

from graphla.core.validation import explains_wrong_calls, full_name
from graphla.errors import DomainMismatch
from graphla.interop.networkx.graph_classes import refusal
from graphla.interop.networkx.labelled_graph import MISSING, LabelledGraph, weight_array


@explains_wrong_calls
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
    G : networkx.Graph, DiGraph, MultiGraph or MultiDiGraph
    edge_attrs, node_attrs : dict of str to value, optional
        Attributes to convert, and the default for an edge or node without it (None: 1 for edges,
        `MISSING` for nodes).
    nodes_too, edges_too : bool
        Copy all attributes of the nodes, of the edges.

    Raises
    ------
    NotImplementedError
        A weight is not a real number; the class of the graph overrides how it is read; or a view
        of an undirected graph shows an edge differently from its two ends.
    DomainMismatch
        `edge_attrs` or `node_attrs` is not a dict.
    """
    if reason := refusal(G):
        raise NotImplementedError(reason)
    for name, attributes in (("edge_attrs", edge_attrs), ("node_attrs", node_attrs)):
        if not isinstance(attributes, Mapping | None):
            raise DomainMismatch(
                f"{name} is a dict of names and defaults, as {{'weight': 1}}, not {attributes!r}"
            )
    adjacency = G._adj
    is_view = type(adjacency) is not dict or not set(map(type, adjacency.values())) <= {dict}
    if is_view:  # a view's rows may lack len()
        adjacency = {u: dict(row.items()) for u, row in adjacency.items()}
    nodes = list(adjacency)
    H = LabelledGraph(nodes, None, None, directed=G.is_directed())
    H.networkx_class = type(G)
    H.predecessors = G._pred if H.directed else None
    degree = np.fromiter(map(len, adjacency.values()), np.int64, len(nodes))
    neighbours = chain.from_iterable(adjacency.values())
    vertices = neighbours if H._node_array is None else map(H.index.__getitem__, neighbours)
    H.src = np.repeat(np.arange(len(nodes)), degree)
    H.dst = np.fromiter(vertices, np.int64, H.src.size)
    data: Any = chain.from_iterable(row.values() for row in adjacency.values())
    if G.is_multigraph():
        parallel = [dict(edges.items()) for edges in data]  # key -> attributes, for each pair
        multiplicity = np.fromiter(map(len, parallel), np.int64, len(parallel))
        H.src, H.dst = np.repeat(H.src, multiplicity), np.repeat(H.dst, multiplicity)
        H.keys = list(chain.from_iterable(parallel))
        data = chain.from_iterable(edges.values() for edges in parallel)
    wanted = {k: 1 if x is None else x for k, x in (edge_attrs or {}).items()}
    if edges_too:
        H.edge_data = list(map(dict, data))
    elif wanted:
        data = list(data)
        H.edge_columns = {k: weight_array([d.get(k, x) for d in data]) for k, x in wanted.items()}
    if is_view and not H.directed:
        _check_symmetric(H)
    for k, x in (node_attrs or {}).items():
        H.node_columns[k] = [G._node[v].get(k, MISSING if x is None else x) for v in nodes]
    if nodes_too:
        H.node_data = [dict(G._node[v]) for v in nodes]
    H.graph_data = dict(G.graph)
    _ = H.size  # stored, as `should_run` needs it in every call
    return H


def _check_symmetric(H: LabelledGraph) -> None:
    """Raise NotImplementedError unless an undirected view shows each edge alike from both ends."""
    n = len(H)
    forward, backward = H.src * n + H.dst, H.dst * n + H.src
    a, b = np.argsort(forward, kind="stable"), np.argsort(backward, kind="stable")
    same = np.array_equal(forward[a], backward[b])
    if same:
        lists = [x for x in (H.keys, H.edge_data) if x is not None]
        same = all(x[i] == x[j] for x in lists for i, j in zip(a.tolist(), b.tolist(), strict=True))
        columns = [w for w in H.edge_columns.values() if w is not None]
        same = same and all(np.array_equal(w[a], w[b], equal_nan=True) for w in columns)
    if not same:
        raise NotImplementedError("an undirected view shows an edge differently from its two ends")


def to_networkx(H: LabelledGraph) -> Any:
    """Convert back to a NetworkX graph, with the attributes that were converted."""
    if not isinstance(H, LabelledGraph):
        raise DomainMismatch(
            f"to_networkx converts the result of from_networkx, not {full_name(H)}; of a Graph, "
            "networkx.from_scipy_sparse_array(gl.interop.scipy.to_scipy(G)) makes one of NetworkX"
        )
    G = H.subgraph()
    if H.edge_data is None:
        for name, column in H.edge_columns.items():
            x = np.ones(H.src.size, np.int64) if column is None else column
            edges = zip(
                H.edges(H.distinct_edges, data=False), x[H.distinct_edges].tolist(), strict=True
            )
            G.add_edges_from((*edge, {name: value}) for edge, value in edges)
    return G
