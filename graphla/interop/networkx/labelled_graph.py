"""A NetworkX graph as columns: nodes, edge endpoints, and attributes of nodes and edges.

An edge is identified by its position in the columns. Positions follow NetworkX's adjacency, so
the edges of one source are contiguous. An undirected edge has two positions, one per direction; a
self-loop has one. Matrices are built from the columns on first use, one for each weight
attribute and rule for parallel edges.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from itertools import chain
from typing import Any

import networkx as nx
import numpy as np

from graphla.core.graph import Graph
from graphla.errors import InvalidValue
from graphla.interop.networkx.config import configured_engine
from graphla.interop.networkx.graph_classes import CLASSES
from graphla.suggestions import CONVERT_WEIGHTS

MAX_EXACT = 2**53  # every integer up to this is a float64
MISSING = object()  # the value of an attribute that a node lacks and that has no default


class LabelledGraph:
    """The converted graph that NetworkX passes to the functions of this backend.

    Attributes
    ----------
    nodes : list
        ``nodes[v]`` is the node of vertex v.
    src, dst : ndarray of int64
        Vertices at the ends of each edge, in the order of NetworkX's adjacency.
    keys : list or None
        Keys of the edges of a multigraph.
    edge_columns : dict of str to ndarray or None
        Converted attributes of the edges; None means 1 on all edges.
    node_columns : dict of str to list
        Converted attributes of the nodes.
    node_data, edge_data : list of dict, or None
        All attributes of each node and edge, if they were requested.
    graph_data : dict
        Attributes of the graph.
    networkx_class : type
        The class of the NetworkX graph, used for graphs that functions return.
    predecessors : mapping or None
        The predecessors of a directed NetworkX graph; their order is read on first use.
    calls : int or None
        Calls of the backend with a conversion that NetworkX caches, else None.
    """

    __networkx_backend__ = "graphla"

    def __init__(self, nodes: list, src: Any, dst: Any, *, directed: bool, keys: Any = None):
        self.nodes, self.src, self.dst, self.keys = nodes, src, dst, keys
        self.directed = directed
        self.networkx_class: type = CLASSES[directed, keys is not None]
        self.predecessors: Any = None
        self.calls: int | None = None
        self.edge_columns: dict[str, Any] = {}
        self.node_columns: dict[str, list] = {}
        self.node_data: list[dict] | None = None
        self.edge_data: list[dict] | None = None
        self.graph_data: dict = {}
        self.__networkx_cache__: dict = {}
        self._cache: dict[Any, Any] = {}

    # ---- the part of networkx.Graph's interface that NetworkX's dispatcher and decorators use

    def is_directed(self) -> bool:
        return self.directed

    def is_multigraph(self) -> bool:
        return self.keys is not None

    def __len__(self) -> int:
        return len(self.nodes)

    def __iter__(self) -> Any:
        return iter(self.nodes)

    def __contains__(self, node: Any) -> bool:
        try:
            return node in self.index
        except TypeError:
            return False

    def number_of_nodes(self) -> int:
        return len(self.nodes)

    def number_of_edges(self) -> int:
        return int(self.distinct_edges.size)

    @cached_property
    def size(self) -> int:
        """Nodes plus edges."""
        return len(self.nodes) + self.number_of_edges()

    def __repr__(self) -> str:
        counts = f"{len(self)} nodes and {self.number_of_edges()} edges"
        return f"<graphla's {self.networkx_class.__name__} with {counts}>"

    # ---- vertices

    @cached_property
    def index(self) -> dict:
        """Dictionary from node to vertex."""
        return {node: v for v, node in enumerate(self.nodes)}

    @cached_property
    def _node_array(self) -> Any:
        """The nodes as an array of objects, None if they are 0..n-1."""
        if set(map(type, self.nodes)) <= {int} and self.nodes == list(range(len(self.nodes))):
            return None
        array = np.empty(len(self.nodes), object)
        array[:] = self.nodes
        return array

    def nodes_of(self, vertices: Any) -> list:
        """Return the nodes of an array of vertices."""
        vertices = np.asarray(vertices) if len(vertices) else np.zeros(0, np.int64)
        return (vertices if self._node_array is None else self._node_array[vertices]).tolist()

    def nodes_in_graph(self, nbunch: Any) -> list:
        """Return the nodes of `nbunch`, one node or several, that exist, as nbunch_iter does."""
        if nbunch in self:
            return [nbunch]
        try:
            candidates = iter(nbunch)
        except TypeError as error:
            raise nx.NetworkXError(f"Node {nbunch} is not in the graph.") from error
        nodes = []
        for node in candidates:
            try:
                nodes += [node] if node in self.index else []
            except TypeError as error:
                message = f"Node {node} in sequence nbunch is not a valid node."
                raise nx.NetworkXError(message) from error
        return nodes

    def vertices_of(self, nbunch: Any) -> list[int]:
        """Return the distinct vertices of `nbunch`: one node, several, or all (None)."""
        if nbunch is None:
            return list(range(len(self)))
        return list(dict.fromkeys(self.index[v] for v in self.nodes_in_graph(nbunch)))

    def node_values(self, values: Any, default: Any = 0) -> Any:
        """Return a dictionary from node to number as a float array over the vertices."""
        return np.array([values.get(node, default) for node in self.nodes], float)

    def node_column(self, attribute: str) -> list:
        """Return an attribute of all nodes, `MISSING` for a node without it."""
        if attribute not in self.node_columns:
            data = self.node_data or [{}] * len(self)
            self.node_columns[attribute] = [d.get(attribute, MISSING) for d in data]
        return self.node_columns[attribute]

    # ---- edges

    @cached_property
    def distinct_edges(self) -> Any:
        """One position per edge: of an undirected edge the position with src <= dst."""
        if self.directed:
            return np.arange(self.src.size)
        return np.flatnonzero(self.src <= self.dst)

    @cached_property
    def edges_by_target(self) -> Any:
        """Positions of the edges grouped by dst, in the order of NetworkX's predecessors.

        Both the edges and the predecessors are sorted by (dst, src), which matches them. If the
        NetworkX graph has changed since the conversion, the order is that of the positions.
        """
        by_pair = np.lexsort((self.src, self.dst))
        edge_codes = _pair_codes(self.dst[by_pair], self.src[by_pair], len(self))
        predecessor_codes = self._predecessor_codes()
        order = np.argsort(predecessor_codes, kind="stable")
        if not np.array_equal(predecessor_codes[order], edge_codes):
            return np.argsort(self.dst, kind="stable")
        positions = np.empty_like(by_pair)
        positions[order] = by_pair
        return positions

    def _predecessor_codes(self) -> Any:
        """Return the code of each (dst, src) pair in the order of NetworkX's predecessors."""
        try:
            rows = [self.predecessors[node] for node in self.nodes]
            if self.keys is None:
                tails = [[self.index[u] for u in row] for row in rows]
            else:
                tails = [[self.index[u] for u, k in row.items() for _ in k] for row in rows]
        except (KeyError, TypeError):
            return np.zeros(0, np.int64)
        heads = np.repeat(np.arange(len(self)), [len(row) for row in tails])
        flat = np.fromiter(chain.from_iterable(tails), np.int64, heads.size)
        return _pair_codes(heads, flat, len(self))

    @cached_property
    def incoming(self) -> tuple[Any, Any]:
        """CSC arrays: offsets of each vertex's incoming edges, and their sources."""
        order = self.edges_by_target
        return row_offsets(self.dst[order], len(self)), self.src[order]

    @cached_property
    def outgoing(self) -> tuple[Any, Any]:
        """CSR arrays: offsets of each vertex's outgoing edges, and their targets."""
        return row_offsets(self.src, len(self)), self.dst

    def edge_column(self, attribute: str | None, default: Any = 1) -> Any:
        """Return an attribute of all edges as an array, None if it is 1 on all.

        An attribute that was not converted raises InvalidValue.
        """
        if attribute is None:
            return None
        if attribute not in self.edge_columns and self.edge_data is not None:
            self.edge_columns[attribute] = weight_array(
                [d.get(attribute, default) for d in self.edge_data]
            )
        if attribute not in self.edge_columns:
            way = CONVERT_WEIGHTS.format(attribute)
            raise InvalidValue(
                f"edge attribute {attribute!r} was not converted; {way} has it, "
                "K being NetworkX's graph"
            )
        return self.edge_columns[attribute]

    def graph(self, weight: str | None = None, dup: str = "min") -> Graph:
        """Return the graph with an edge attribute as weight, on the configured engine.

        `weight` is one of the attributes that were converted: those of `edge_attrs`, or all with
        `edges_too`. `dup` combines the weights of parallel edges. The graph is unweighted if all
        weights are 1.
        """
        engine = configured_engine()
        has_effect = self.keys is not None and (dup == "sum" or weight is not None)
        rule = dup if has_effect else "min"
        return self.cached((weight, rule, engine), lambda: self._build(weight, rule).to(engine))

    def cached(self, key: Any, make: Callable[[], Any]) -> Any:
        """Return the cached value of a key, computed by `make` on first use."""
        if key not in self._cache:
            self._cache[key] = make()
        return self._cache[key]

    def _build(self, weight: str | None, dup: str) -> Graph:
        w = self.edge_column(weight)
        if w is None and dup == "sum":
            w = np.ones(self.src.size, np.int64)
        kind: Any = "directed" if self.directed else "undirected"
        e = self.distinct_edges
        weights = None if w is None else w[e]
        return Graph.from_edges(self.src[e], self.dst[e], weights, n=len(self), kind=kind, dup=dup)

    def reversed(self) -> LabelledGraph:
        """Return the graph with the direction of every edge reversed."""
        return self.cached("reversed", self._reverse) if self.directed else self

    def _reverse(self) -> LabelledGraph:
        order = self.edges_by_target
        H = LabelledGraph(self.nodes, self.dst[order], self.src[order], directed=True)
        if self.keys is not None:
            H.keys = [self.keys[e] for e in order.tolist()]
        H.edge_columns = {k: w if w is None else w[order] for k, w in self.edge_columns.items()}
        if self.edge_data is not None:
            H.edge_data = [self.edge_data[e] for e in order.tolist()]
        return H

    # ---- NetworkX graphs of parts of this one

    def empty_copy(self) -> Any:
        """Return a NetworkX graph with the same nodes and no edges."""
        H = self.networkx_class()
        H.graph.update(self.graph_data)
        data = [{}] * len(self) if self.node_data is None else self.node_data
        H.add_nodes_from(zip(self.nodes, data, strict=True))
        return H

    def edges(self, positions: Any, *, keys: bool = True, data: bool = True) -> Any:
        """Iterate over the edges at some positions as tuples (u, v[, key][, attributes])."""
        columns: list = [self.nodes_of(self.src[positions]), self.nodes_of(self.dst[positions])]
        positions = positions.tolist()
        if keys and self.keys is not None:
            columns.append([self.keys[e] for e in positions])
        if data:
            columns.append([dict(self.edge_data[e]) if self.edge_data else {} for e in positions])
        return zip(*columns, strict=True)

    def subgraph(self, vertices: Any = None, edges: Any = None) -> Any:
        """Return the NetworkX graph induced by a vertex mask and an edge mask (None: all)."""
        positions, H = self.distinct_edges, self.empty_copy()
        if edges is not None:
            positions = positions[edges[positions]]
        if vertices is not None:
            H.remove_nodes_from(self.nodes_of(np.flatnonzero(~vertices)))
            positions = positions[vertices[self.src[positions]] & vertices[self.dst[positions]]]
        H.add_edges_from(self.edges(positions))
        return H


def check_nodes(
    G: LabelledGraph,
    *nodes: Any,
    message: str = "Node {} not found in graph",
    error: type[Exception] = nx.NodeNotFound,
) -> None:
    """Raise `error` with `message`, formatted with the node, for the first node not in G."""
    for node in nodes:
        if node not in G:
            raise error(message.format(node))


def row_offsets(vertices: Any, n: int) -> Any:
    """Return the offset at which each of 0..n starts in a sorted column of vertices."""
    return np.searchsorted(vertices, np.arange(n + 1))


def _pair_codes(major: Any, minor: Any, n: int) -> Any:
    """Return major * n + minor: one integer for each pair of vertices."""
    return major.astype(np.int64) * n + minor


def weight_array(values: list) -> Any:
    """Return weights as an array, None if all are 1; Booleans become integers.

    Raises NotImplementedError unless one real dtype represents all weights exactly.
    """
    try:
        column = np.array(values)
    except ValueError:
        column = np.array(None)
    if column.ndim != 1 or (column.size and column.dtype.kind not in "biuf"):
        raise NotImplementedError("weights must be real numbers")
    rounded = column.dtype.kind in "uf" and (np.abs(column) >= MAX_EXACT).any()
    if rounded and any(isinstance(x, int) and abs(x) > MAX_EXACT for x in values):
        raise NotImplementedError("no common dtype represents all integer weights exactly")
    if column.size == 0 or (column == 1).all():
        return None
    return column.astype(np.int64) if column.dtype.kind == "b" else column
