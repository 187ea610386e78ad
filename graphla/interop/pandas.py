"""pandas: graphs from and to frames of edges, and results as frames, with vertex labels."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from graphla.core.validation import explains_wrong_calls
from graphla.interop.labels import (
    VERTICES,
    Labelled,
    check_columns,
    check_present,
    check_unique,
    columns_of,
    columns_to_label,
    graph_from_codes,
)
from graphla.io.files import import_optional


@explains_wrong_calls
def from_edges(
    frame: Any,
    src: str = "src",
    dst: str = "dst",
    weight: str | None = None,
    *,
    labels: Any = None,
    kind: str = "directed",
    dup: str | None = "min",
) -> Labelled:
    """Build a graph from a frame with one row per edge; vertex labels may be any values.

    Parameters
    ----------
    frame : pandas.DataFrame
    src, dst : str
        Columns of labels, of any hashable dtype. (If the labels are the numbers 0..n-1,
        ``Graph.from_edges(frame.src, frame.dst)`` needs no mapping.)
    weight : str, optional
        Column of weights, of a dtype that :meth:`Graph.from_edges` accepts. Default: unweighted.
    labels : array_like, optional
        All labels in vertex order, including isolated vertices. Default: the shared categories
        if both columns are categorical with equal categories, else the sorted labels of both
        columns (in order of appearance if they cannot be compared).
    kind : {"directed", "undirected"}
    dup : {"min", "max", "sum", "first", "last"} or None, default "min"
        How the weights of duplicate edges combine; None raises InvalidGraph.

    Returns
    -------
    Labelled
        `graph`, and `labels`, a ``pandas.Index``: ``labels[v]`` is the label of vertex v,
        ``labels.get_loc(label)`` the vertex of a label.

    Raises
    ------
    InvalidValue
        A column does not exist, a label or a weight is missing, or `labels` has duplicates.
    DomainMismatch, InvalidGraph
        As :meth:`Graph.from_edges`.
    MissingPackage
        pandas is not installed.

    Examples
    --------
    >>> import pandas as pd
    >>> import graphla as gl
    >>> frame = pd.DataFrame({"src": ["b", "a"], "dst": ["c", "b"], "km": [5, 3]})
    >>> G, labels = gl.interop.pandas.from_edges(frame, weight="km")
    >>> G, labels.tolist()
    (<Graph: directed, 3 vertices, 2 edges, INT64, cpu>, ['a', 'b', 'c'])
    >>> gl.interop.pandas.to_frame(gl.sssp(G, labels.get_loc("a")), labels)
      vertex  distance parent
    0      a         0      a
    1      b         3      a
    2      c         8      b
    """
    pd = _pandas()
    check_columns(columns_of(frame), src, dst, weight)
    first, second = frame[src], frame[dst]
    share_categories = (
        labels is None
        and all(isinstance(x.dtype, pd.CategoricalDtype) for x in (first, second))
        and first.cat.categories.equals(second.cat.categories)
    )
    if share_categories:
        labels = first.cat.categories
        codes = [x.cat.codes.to_numpy() for x in (first, second)]
    else:
        columns = [_decode_categories(pd, x) for x in (first, second)]
        labels = _sorted_labels(pd, columns) if labels is None else _unique_index(pd, labels)
        codes = [labels.get_indexer(pd.Index(x)) for x in columns]
    weights = _weights(frame, weight)
    return graph_from_codes((src, dst), codes, weights, labels, kind=kind, dup=dup)


def _pandas() -> Any:
    return import_optional("pandas", "a DataFrame", "'pandas<3'")


def _decode_categories(pd: Any, x: Any) -> Any:
    """Return a column with its values in place of categorical codes."""
    return x.astype(x.cat.categories.dtype) if isinstance(x.dtype, pd.CategoricalDtype) else x


def _sorted_labels(pd: Any, columns: list[Any]) -> Any:
    labels = pd.Index(pd.concat(columns).dropna().unique())
    try:
        return labels.sort_values()
    except TypeError:  # labels that do not compare
        return labels


def _unique_index(pd: Any, labels: Any) -> Any:
    labels = pd.Index(labels)
    check_unique(len(labels), labels.nunique())
    return labels


def _weights(frame: Any, name: str | None) -> Any:
    if name is None:
        return None
    column = frame[name]
    check_present(column.isna().to_numpy(), name)
    # pandas's nullable dtypes name the NumPy dtype of their values
    return column.to_numpy(dtype=getattr(column.dtype, "numpy_dtype", None))


@explains_wrong_calls
def to_frame(x: Any, labels: Any = None, *, vertices: Collection[str] = VERTICES) -> Any:
    """Return a graph's edges, or an algorithm's result, as a frame.

    Parameters
    ----------
    x : Graph, or a result: Vector, Matrix, tuple of Vectors, or number
        A graph has the columns ``src``, ``dst`` and, if weighted, ``weight``; an undirected edge
        is one row. A Vector has ``vertex`` and ``value``, a tuple ``vertex`` and its fields, with
        one row per entry; a Matrix ``row``, ``column`` and, unless Boolean, ``value``; a forest
        the columns of its edges.
    labels : array_like, optional
        Vertex labels, as :func:`from_edges` returns them. Columns that hold vertices become
        categorical with all labels as categories, so that :func:`from_edges` restores isolated
        vertices. The rows of paths from several sources are positions in `sources`, and have no
        label.
    vertices : collection of str
        Columns that hold vertices; add "value" if the values are vertices, as for components, and
        leave out "row" for the square Matrix of distances from sources in another order.

    Returns
    -------
    pandas.DataFrame

    Raises
    ------
    DimensionMismatch
        There are fewer labels than vertices, or more than a graph has.
    DomainMismatch
        `x` is neither a graph nor a result.
    MissingPackage
        pandas is not installed.
    """
    pd = _pandas()
    columns, to_label = columns_to_label(x, labels, vertices)
    if to_label:
        labels = _unique_index(pd, labels)
    for name in to_label:
        columns[name] = pd.Categorical.from_codes(columns[name], categories=labels)
    return pd.DataFrame(columns)
