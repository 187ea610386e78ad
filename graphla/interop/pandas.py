"""pandas: frames of edges to graphs and back, and results as frames, with labels kept."""

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
    frame : pandas.DataFrame
    src, dst : str
        Columns of labels, of any dtype that can be hashed. (Where they hold the numbers 0..n-1,
        ``Graph.from_edges(frame.src, frame.dst)`` takes them as they are.)
    weight : str, optional
        Column of weights, with the dtypes of :meth:`Graph.from_edges`; without it the graph is
        unweighted.
    labels : array_like, optional
        All labels in the order of the vertices, those of isolated ones too. By default the
        categories where both columns are categorical and share them, else the labels that occur,
        sorted (in order of appearance where they cannot be compared).
    kind : {"directed", "undirected"}
    dup : {"min", "max", "sum", "first", "last"} or None, default "min"
        How equal edges combine; None refuses them.

    Returns
    -------
    Labelled
        `graph`, and `labels`, a ``pandas.Index``: vertex v is ``labels[v]``, and
        ``labels.get_loc(label)`` the vertex.

    Raises
    ------
    InvalidValue
        There is no such column, a label or a weight is missing, or a label stands twice.
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
    check_columns(frame.columns, src, dst, weight)
    ends = first, second = frame[src], frame[dst]
    shared = (
        labels is None
        and all(isinstance(x.dtype, pd.CategoricalDtype) for x in ends)
        and first.cat.categories.equals(second.cat.categories)
    )
    if shared:
        labels = first.cat.categories
        codes = [x.cat.codes.to_numpy() for x in ends]
    else:
        labels = _occurring(pd, first, second) if labels is None else _given(pd, labels)
        codes = [labels.get_indexer(pd.Index(_plain(pd, x))) for x in ends]
    return build((src, dst), codes, _weights(frame, weight), labels, kind=kind, dup=dup)


def _pandas() -> Any:
    return import_optional("pandas", "a DataFrame", "'pandas<3'")


def _plain(pd: Any, x: Any) -> Any:
    """Return a column without its categories."""
    return x.astype(x.cat.categories.dtype) if isinstance(x.dtype, pd.CategoricalDtype) else x


def _occurring(pd: Any, *ends: Any) -> Any:
    found = pd.Index(pd.concat([_plain(pd, x) for x in ends]).dropna().unique())
    try:
        return found.sort_values()
    except TypeError:
        return found


def _given(pd: Any, labels: Any) -> Any:
    labels = pd.Index(labels)
    check_unique(len(labels), labels.nunique())
    return labels


def _weights(frame: Any, name: str | None) -> Any:
    if name is None:
        return None
    found = frame[name]
    check_present(found.isna().to_numpy(), name)
    return found.to_numpy(dtype=getattr(found.dtype, "numpy_dtype", None))  # pandas's own dtypes


def to_frame(x: Any, labels: Any = None, *, vertices: Collection[str] = VERTICES) -> Any:
    """Return a graph's edges, or what an algorithm found, as a frame.

    Parameters
    ----------
    x : Graph, or a result: Vector, Matrix, tuple of Vectors, or number
        A graph gives columns ``src``, ``dst`` and, unless unweighted, ``weight``, an
        undirected edge once. A Vector gives ``vertex`` and ``value``, a tuple ``vertex`` and
        its fields, with a row for each entry; a Matrix ``row`` and ``column``; a
        forest its edges.
    labels : array_like, optional
        What the vertices are called, as :func:`from_edges` returns it. Columns that hold
        vertices become categorical, with all labels as categories: so that a graph
        comes back with its isolated vertices.
    vertices : collection of str
        Columns that hold vertices; add "value" for labels of components.

    Returns
    -------
    pandas.DataFrame

    Raises
    ------
    DimensionMismatch
        There are fewer labels than vertices.
    MissingPackage
        pandas is not installed.
    """
    pd = _pandas()
    found, chosen = named_columns(x, labels, vertices)
    if chosen:
        labels = _given(pd, labels)
    for name in chosen:
        found[name] = pd.Categorical.from_codes(found[name], categories=labels)
    return pd.DataFrame(found)
