"""Polars: graphs from and to frames of edges, and results as frames, with vertex labels."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from graphla.core.validation import explains_wrong_calls
from graphla.errors import DomainMismatch
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
    frame : polars.DataFrame
    src, dst : str
        Columns of labels of one type: text, numbers, dates, categories. Integers may differ in
        width.
    weight : str, optional
        Column of weights. Default: unweighted.
    labels : polars.Series or sequence, optional
        All labels in vertex order, including isolated vertices. Default: the categories if both
        columns have the same ``Enum`` dtype, else the sorted labels of both columns.
    kind, dup
        As :meth:`Graph.from_edges`.

    Returns
    -------
    Labelled
        `graph`, and `labels`, a ``polars.Series``: ``labels[v]`` is the label of vertex v,
        ``labels.index_of(label)`` the vertex of a label.

    Raises
    ------
    InvalidValue
        A column does not exist, a label or a weight is missing, or `labels` has duplicates.
    DomainMismatch
        The labels are of different types, or as :meth:`Graph.from_edges`.
    InvalidGraph
        As :meth:`Graph.from_edges`.
    MissingPackage
        Polars is not installed.
    """
    pl = _polars()
    check_columns(columns_of(frame), src, dst, weight)
    first, second = frame[src], frame[dst]
    columns = [_decode_categories(pl, x).rename("label") for x in (first, second)]
    if labels is None and first.dtype == second.dtype == pl.Enum:
        labels = first.dtype.categories
    if labels is None:
        columns = _of_one_type(pl, *columns)
        labels = pl.concat(columns).drop_nulls().unique().sort()
    else:
        labels = _decode_categories(pl, pl.Series("label", labels))
        check_unique(len(labels), labels.drop_nulls().n_unique())
        *columns, labels = _of_one_type(pl, *columns, labels)
    codes = [_codes(pl, x, labels) for x in columns]
    weights = _weights(frame, weight)
    return graph_from_codes((src, dst), codes, weights, labels, kind=kind, dup=dup)


def _polars() -> Any:
    return import_optional("polars", "a Polars frame", "polars")


def _decode_categories(pl: Any, x: Any) -> Any:
    """Return a column with its values in place of categorical codes."""
    return x.cast(pl.String) if x.dtype in (pl.Categorical, pl.Enum) else x


def _of_one_type(pl: Any, *columns: Any) -> list[Any]:
    """Widen integers of different types to Int64; refuse other columns of different types."""
    types = {x.dtype for x in columns}
    if len(types) == 1:
        return [*columns]
    if pl.UInt64 in types or not all(dtype.is_integer() for dtype in types):
        names = " and ".join(sorted(map(str, types)))
        raise DomainMismatch(f"labels must have one type, not {names}")
    return [x.cast(pl.Int64) for x in columns]


def _codes(pl: Any, x: Any, labels: Any) -> Any:
    """Return the position of each value in the labels, -1 if it is not one of them."""
    positions = pl.DataFrame({"label": labels}).with_row_index("code")
    codes = x.to_frame().join(positions, on="label", how="left", maintain_order="left")["code"]
    return codes.cast(pl.Int64).fill_null(-1).to_numpy()


def _weights(frame: Any, name: str | None) -> Any:
    if name is None:
        return None
    column = frame[name]
    missing = column.is_null() | column.is_nan() if column.dtype.is_float() else column.is_null()
    check_present(missing.to_numpy(), name)
    return column.to_numpy()


@explains_wrong_calls
def to_frame(x: Any, labels: Any = None, *, vertices: Collection[str] = VERTICES) -> Any:
    """Return a graph's edges, or an algorithm's result, as a frame.

    Parameters
    ----------
    x : Graph, or a result
        The columns are those of :func:`graphla.interop.pandas.to_frame`.
    labels : polars.Series or sequence, optional
        Vertex labels. Columns that hold vertices become columns of labels; text labels become
        an ``Enum`` of all labels, so that :func:`from_edges` restores isolated vertices.
    vertices : collection of str
        Columns that hold vertices; add "value" if the values are vertices, as for components.

    Returns
    -------
    polars.DataFrame

    Raises
    ------
    DimensionMismatch
        There are fewer labels than vertices, or more than a graph has.
    DomainMismatch
        `x` is neither a graph nor a result.
    MissingPackage
        Polars is not installed.
    """
    pl = _polars()
    columns, to_label = columns_to_label(x, labels, vertices)
    if to_label:
        labels = pl.Series(labels)
        if labels.dtype == pl.String:
            check_unique(len(labels), labels.drop_nulls().n_unique())
            labels = labels.cast(pl.Enum(labels))
    for name in to_label:
        columns[name] = labels.gather(columns[name])
    return pl.DataFrame(columns)
