"""Labelled vertices: what the modules of all frame libraries share.

A library numbers the labels of both ends of the edges (its categorical codes, or positions
among the sorted labels); the graph is built of those numbers, and the labels, in order, lead back.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

import numpy as np

from graphla.core.graph import Graph
from graphla.errors import DimensionMismatch, InvalidValue
from graphla.io.graph_columns import edge_columns
from graphla.io.results import result_columns

VERTICES = ("vertex", "parent", "src", "dst", "row", "column")  # columns that hold vertices


class Labelled(NamedTuple):
    """A graph and what its vertices are called: vertex v is `labels[v]`."""

    graph: Graph
    labels: Any


def check_columns(known: Any, *wanted: str | None) -> None:
    """Refuse names of columns that a frame does not have."""
    for name in wanted:
        if name is not None and name not in known:
            raise InvalidValue(f"there is no column {name!r}; there are {list(known)}")


def check_unique(count: int, distinct: int) -> None:
    """Refuse labels of which one stands twice, or is missing."""
    if count != distinct:
        raise InvalidValue(f"of {count:,} labels only {distinct:,} differ and are not missing")


def check_present(missing: Any, name: str) -> None:
    """Refuse a column where a mask, an array of bool, says that values are missing."""
    if missing.any():
        raise InvalidValue(f"row {int(missing.argmax())} of column {name!r} has no value")


def build(
    names: tuple[str, str], ends: Any, weight: Any, labels: Any, *, kind: Any, dup: str | None
) -> Labelled:
    """Build the graph of numbered ends, from columns of these names; -1 stands for no label."""
    for name, codes in zip(names, ends, strict=True):
        if (unknown := codes < 0).any():
            raise InvalidValue(
                f"row {int(unknown.argmax())} of column {name!r} is missing, "
                f"or none of the {len(labels):,} labels"
            )
    src, dst = ends
    G = Graph.from_edges(src, dst, weight, n=len(labels), kind=kind, dup=dup)
    return Labelled(G, labels)


def named_columns(
    x: Any, labels: Any, vertices: Collection[str]
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return a graph's edges, or a result, as NumPy columns, and the names of those to label.

    An undirected edge appears once. Results have the columns of
    :func:`graphla.io.results.result_columns`.
    """
    if isinstance(x, Graph):
        names = ("src", "dst", "weight") if x.weighted else ("src", "dst")
        found = dict(zip(names, edge_columns(x, "upper"), strict=False))
    else:
        found = result_columns(x)
    chosen = () if labels is None else tuple(name for name in found if name in vertices)
    if not chosen:
        return found, ()
    found |= {name: found[name].astype(np.int64) for name in chosen}
    n = x.n if isinstance(x, Graph) else 1 + max(found[k].max(initial=-1) for k in chosen)
    if len(labels) < n or (isinstance(x, Graph) and len(labels) > n):
        raise DimensionMismatch(f"there are {len(labels):,} labels for {n:,} vertices")
    return found, chosen
