"""igraph: graphs from and to igraph, with weights and vertex names."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.core.graph import Graph
from graphla.core.validation import explains_wrong_calls
from graphla.errors import DimensionMismatch, DomainMismatch, InvalidValue
from graphla.interop.labels import Labelled
from graphla.io.columns import edge_columns
from graphla.io.files import import_optional


@explains_wrong_calls
def from_igraph(H: Any, *, weight: str = "weight", dup: str | None = "min") -> Labelled:
    """Build a graph from an igraph graph.

    Parameters
    ----------
    H : igraph.Graph
    weight : str, default "weight"
        Edge attribute with the weights; without an attribute of that name the graph is unweighted.
    dup : {"min", "max", "sum", "first", "last"} or None, default "min"
        How the weights of parallel edges combine; None raises InvalidGraph.

    Returns
    -------
    Labelled
        `graph`, and `labels`, the vertex attribute "name" as a list, or None without one.

    Raises
    ------
    DomainMismatch
        `H` is not an igraph.Graph, or the weights are not numbers.
    InvalidValue
        An edge has no weight.
    InvalidGraph
        There are parallel edges and `dup` is None.

    Examples
    --------
    >>> import igraph
    >>> import graphla as gl
    >>> gl.interop.igraph.from_igraph(igraph.Graph.Ring(5)).graph
    <Graph: undirected, 5 vertices, 5 edges, BOOL, cpu>
    """
    if not hasattr(H, "get_edgelist"):
        raise DomainMismatch(f"{type(H).__name__} is not an igraph.Graph")
    src, dst = np.array(H.get_edgelist(), np.int64).reshape(-1, 2).T
    values = np.array(H.es[weight]) if weight in H.es.attributes() and src.size else None
    if values is not None and values.dtype == object:
        raise InvalidValue(f"the edge attribute {weight!r} is not a number on every edge")
    kind: Any = "directed" if H.is_directed() else "undirected"
    names = H.vs["name"] if "name" in H.vs.attributes() else None
    G = Graph.from_edges(src, dst, values, n=H.vcount(), kind=kind, dup=dup)
    return Labelled(G, names)


@explains_wrong_calls
def to_igraph(G: Graph, labels: Any = None, *, directed: bool = False) -> Any:
    """Return a graph as an igraph graph.

    Parameters
    ----------
    G : Graph
        Weights become the edge attribute "weight".
    labels : sequence, optional
        Vertex names, stored as the vertex attribute "name".
    directed : bool, default False
        Store an undirected graph as a directed one with each edge in both directions.

    Returns
    -------
    igraph.Graph

    Raises
    ------
    DimensionMismatch
        The number of labels is not the number of vertices.
    MissingPackage
        igraph is not installed.
    """
    igraph = import_optional("igraph", "an igraph graph", "igraph")
    if labels is not None and len(labels) != G.n:
        raise DimensionMismatch(f"there are {len(labels):,} labels for {G.n:,} vertices")
    directed |= G.kind == "directed"
    src, dst, weight = edge_columns(G, "" if directed else "upper")
    H = igraph.Graph(G.n, np.column_stack([src, dst]), directed=directed)
    if weight is not None:
        H.es["weight"] = weight.tolist()
    if labels is not None:
        H.vs["name"] = list(labels)
    return H
