"""Polars: frames of edges to graphs and back, and results as frames, with labels kept."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from graphla.interop.labels import (
    VERTICES,
    Labelled,
    build,
    check_columns,
    check_present,
    check_unique,
    named_columns,
)
from graphla.io.files import import_optional


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
    """Build a graph of a frame with a row for each edge; its vertices may be called anything.

    Parameters
    ----------
    frame : polars.DataFrame
    src, dst : str
        Columns of labels of one type: text, numbers, dates, categories.
    weight : str, optional
        Column of weights; without it the graph is unweighted.
    labels : polars.Series or sequence, optional
        All labels in the order of the vertices, those of isolated ones too. By default the
        categories where both columns are of one ``Enum``, else the labels that occur, sorted.
    kind, dup
        As :meth:`Graph.from_edges`.

    Returns
    -------
    Labelled
        `graph`, and `labels`, a ``polars.Series``: vertex v is ``labels[v]``, and
        ``labels.index_of(label)`` the vertex.

    Raises
    ------
    InvalidValue
        There is no such column, a label or a weight is missing, or a label stands twice.
    DomainMismatch, InvalidGraph
        As :meth:`Graph.from_edges`.
    MissingPackage
        Polars is not installed.
    """
    pl = _polars()
    check_columns(frame.columns, src, dst, weight)
    first, second = frame[src], frame[dst]
    if labels is None and first.dtype == second.dtype == pl.Enum:
        labels = first.dtype.categories
    if labels is None:
        both = pl.concat([_plain(pl, first).rename("label"), _plain(pl, second).rename("label")])
        labels = both.drop_nulls().unique().sort()
    else:
        labels = pl.Series("label", labels)
        check_unique(len(labels), labels.drop_nulls().n_unique())
    codes = [_codes(pl, x, labels) for x in (first, second)]
    return build((src, dst), codes, _weights(frame, weight), labels, kind=kind, dup=dup)


def _polars() -> Any:
    return import_optional("polars", "a Polars frame", "polars")


def _plain(pl: Any, x: Any) -> Any:
    """Return a column without its categories."""
    return x.cast(pl.String) if x.dtype in (pl.Categorical, pl.Enum) else x


def _codes(pl: Any, x: Any, labels: Any) -> Any:
    """Return the positions of a column among the labels, -1 where there is none."""
    number = pl.DataFrame({"label": labels}).with_row_index("number")
    ends = pl.DataFrame({"label": _plain(pl, x)})
    found = ends.join(number, on="label", how="left", maintain_order="left")["number"]
    return found.cast(pl.Int64).fill_null(-1).to_numpy()


def _weights(frame: Any, name: str | None) -> Any:
    if name is None:
        return None
    found = frame[name]
    missing = found.is_null() | found.is_nan() if found.dtype.is_float() else found.is_null()
    check_present(missing.to_numpy(), name)
    return found.to_numpy()


def to_frame(x: Any, labels: Any = None, *, vertices: Collection[str] = VERTICES) -> Any:
    """Return a graph's edges, or what an algorithm found, as a frame.

    Parameters
    ----------
    x : Graph, or a result
        The columns are those of :func:`graphla.interop.pandas.to_frame`.
    labels : polars.Series or sequence, optional
        What the vertices are called. Columns that hold vertices then hold labels: where
        these are texts as an ``Enum`` of all of them, so that a graph comes back with its
        isolated vertices.
    vertices : collection of str
        Columns that hold vertices; add "value" for labels of components.

    Returns
    -------
    polars.DataFrame

    Raises
    ------
    DimensionMismatch
        There are fewer labels than vertices.
    MissingPackage
        Polars is not installed.
    """
    pl = _polars()
    found, chosen = named_columns(x, labels, vertices)
    if chosen:
        labels = pl.Series(labels)
        if labels.dtype == pl.String:
            check_unique(len(labels), labels.drop_nulls().n_unique())
            labels = labels.cast(pl.Enum(labels))
    for name in chosen:
        found[name] = labels.gather(found[name])
    return pl.DataFrame(found)
