"""Labelled vertices: the part of pandas, Polars and Arrow conversion that depends on no library.

Each library maps the labels of both edge columns to codes 0..n-1 (its categorical codes, or
positions in the sorted labels). The graph is built from the codes; vertex v has label `labels[v]`.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

import numpy as np

from graphla.core.graph import Graph
from graphla.core.results import Paths
from graphla.core.validation import full_name
from graphla.errors import DimensionMismatch, DomainMismatch, InvalidValue
from graphla.io.columns import edge_columns
from graphla.io.results import computed, result_columns

VERTICES = (  # columns that hold vertices
    *("vertex", "parent", "community", "src", "dst", "row", "column"),
    *("u", "v", "w"),  # of triangles
)


class Labelled(NamedTuple):
    """A graph and its vertex labels: vertex v is `labels[v]`."""

    graph: Graph
    labels: Any


def columns_of(frame: Any) -> Any:
    """Return the names of the columns of a frame."""
    if not hasattr(frame, "columns"):
        raise DomainMismatch(
            f"expected a frame with a row for each edge, not {full_name(frame)}; "
            "graphla.read makes a Graph of a file"
        )
    return frame.columns


def check_columns(columns: Any, *wanted: str | None) -> None:
    """Raise InvalidValue if a wanted column is not among a frame's columns; None is skipped."""
    for name in wanted:
        if name is not None and name not in columns:
            raise InvalidValue(f"there is no column {name!r}; the columns are {list(columns)}")


def check_unique(count: int, distinct: int) -> None:
    """Raise InvalidValue unless all `count` labels are distinct; missing ones count as 0."""
    if count != distinct:
        raise InvalidValue(
            f"labels must be distinct and not missing: {count:,} labels, {distinct:,} distinct"
        )


def check_present(missing: Any, name: str) -> None:
    """Raise InvalidValue for the first row of weights whose flag in `missing` is set."""
    if missing.any():
        raise InvalidValue(
            f"row {int(missing.argmax())} of column {name!r} has no value (NaN weight)"
        )


def graph_from_codes(
    names: tuple[str, str], codes: Any, weight: Any, labels: Any, *, kind: Any, dup: str | None
) -> Labelled:
    """Build a graph from the label codes of both edge columns; code -1 raises InvalidValue."""
    for name, column in zip(names, codes, strict=True):
        if (unknown := column < 0).any():
            raise InvalidValue(
                f"row {int(unknown.argmax())} of column {name!r} is missing "
                f"or not among the {len(labels):,} labels"
            )
    src, dst = codes
    G = Graph.from_edges(src, dst, weight, n=len(labels), kind=kind, dup=dup)
    return Labelled(G, labels)


def columns_to_label(
    x: Any, labels: Any, vertices: Collection[str]
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return a graph's edges, or a result, as NumPy columns, and the names of those to label.

    An undirected edge appears once. Results have the columns of
    :func:`graphla.io.results.result_columns`. The rows of paths from several sources are not
    labelled, as they are positions in the list of sources; nor are those of a Matrix that is not
    square. Raises DimensionMismatch unless there is a label for every vertex.
    """
    if isinstance(x, Graph):
        names = ("src", "dst", "weight") if x.weighted else ("src", "dst")
        columns = dict(zip(names, edge_columns(x, "upper"), strict=False))
    else:
        x = computed(x)
        columns = result_columns(x)
        if not _rows_are_vertices(x):
            vertices = set(vertices) - {"row"}
    to_label = () if labels is None else tuple(name for name in columns if name in vertices)
    if not to_label:
        return columns, ()
    columns |= {name: columns[name].astype(np.int64) for name in to_label}
    n = x.n if isinstance(x, Graph) else 1 + max(columns[k].max(initial=-1) for k in to_label)
    if len(labels) < n or (isinstance(x, Graph) and len(labels) > n):
        raise DimensionMismatch(f"there are {len(labels):,} labels for {n:,} vertices")
    return columns, to_label


def _rows_are_vertices(result: Any) -> bool:
    """Whether column "row" holds vertices, and not positions in a list of sources."""
    shape: Any = getattr(result, "shape", ())
    return not isinstance(result, Paths) and (len(shape) != 2 or shape[0] == shape[1])
