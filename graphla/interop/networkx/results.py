"""Conversion of vectors and matrices to NetworkX's result types."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from graphla.core.engines import on_host
from graphla.interop.networkx.labelled_graph import LabelledGraph


def to_array(v: Any, missing: Any = -1) -> Any:
    """Return a Vector as a dense array, with `missing` for absent entries."""
    return np.asarray(on_host(v).to_dense(fill_value=missing))


def values_by_node(G: LabelledGraph, v: Any) -> dict:
    """Return a Vector as a dictionary from node to value; absent entries are left out."""
    vertices, values = on_host(v).to_coo()
    nodes = G.nodes if vertices.size == len(G) else G.nodes_of(vertices)
    return dict(zip(nodes, values.tolist(), strict=True))


def select_nodes(G: LabelledGraph, values: dict, nodes: Any) -> Any:
    """Return all values (`nodes` is None), those of several nodes, or the value of one node."""
    if nodes is None:
        return values
    if nodes in G:
        return values[nodes]
    return {v: values[v] for v in G.nodes_in_graph(nodes)}


def matrix_rows(D: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the columns and the values of each row of a Matrix."""
    i, j, x = on_host(D).to_coo()
    ends = np.searchsorted(i, np.arange(D.nrows + 1))
    for low, high in itertools.pairwise(ends):
        yield j[low:high], x[low:high]


def node_sets(G: LabelledGraph, label: Any) -> list[set]:
    """Return the sets of nodes with equal labels, in ascending order of label."""
    label = to_array(label)
    order = np.argsort(label, kind="stable")
    return [set(nodes) for nodes in runs_of_nodes(G, order, label)]


def runs_of_nodes(G: LabelledGraph, vertices: Any, label: Any) -> Iterator[list]:
    """Yield the nodes of `vertices`, which are sorted by label, as one list per label."""
    ends = np.flatnonzero(np.diff(label[vertices])) + 1
    nodes = G.nodes_of(vertices)
    for low, high in itertools.pairwise([0, *ends.tolist(), len(nodes)]):
        if low < high:
            yield nodes[low:high]
