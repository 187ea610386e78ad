"""Arrow: tables of edges to graphs and back, and results as tables, with labels kept.

What hands its columns over as Arrow does (DuckDB, Polars, pandas 3, ...) is taken as well.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from graphla.errors import DomainMismatch
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
    table: Any,
    src: str = "src",
    dst: str = "dst",
    weight: str | None = None,
    *,
    labels: Any = None,
    kind: str = "directed",
    dup: str | None = "min",
) -> Labelled:
    """Build a graph of a table with a row for each edge; its vertices may be called anything.

    Parameters
    ----------
    table : pyarrow.Table, or anything with ``__arrow_c_stream__``
    src, dst : str
        Columns of labels of one type, also as dictionaries.
    weight : str, optional
        Column of weights; without it the graph is unweighted.
    labels : pyarrow.Array or sequence, optional
        All labels in the order of the vertices, those of isolated ones too. By default the
        dictionary where both columns share one, else the labels that occur, sorted.
    kind, dup
        As :meth:`Graph.from_edges`.

    Returns
    -------
    Labelled
        `graph`, and `labels`, a ``pyarrow.Array``: vertex v is ``labels[v]``, and
        ``labels.index(label).as_py()`` the vertex.

    Raises
    ------
    InvalidValue
        There is no such column, a label or a weight is missing, or a label stands twice.
    DomainMismatch, InvalidGraph
        It is no table; and as :meth:`Graph.from_edges`.
    MissingPackage
        pyarrow is not installed.

    Examples
    --------
    >>> import pyarrow as pa
    >>> import graphla as gl
    >>> table = pa.table({"src": ["b", "a"], "dst": ["c", "b"]})
    >>> G, labels = gl.interop.arrow.from_edges(table)
    >>> gl.interop.arrow.to_table(G, labels)["dst"].to_pylist()
    ['b', 'c']
    """
    pa, pc = _arrow()
    if not hasattr(table, "__arrow_c_stream__"):
        raise DomainMismatch(f"{type(table).__name__} hands over no Arrow table")
    table = table if isinstance(table, pa.Table) else pa.table(table)
    check_columns(table.column_names, src, dst, weight)
    first, second = (table[name].combine_chunks() for name in (src, dst))
    if labels is None:
        labels = _labels(pa, pc, first, second)
    else:
        labels = _plain(pa, labels if isinstance(labels, pa.Array) else pa.array(labels))
        check_unique(len(labels), pc.count_distinct(labels).as_py())
    codes = [_codes(pa, pc, x, labels) for x in (first, second)]
    return build((src, dst), codes, _weights(pc, table, weight), labels, kind=kind, dup=dup)


def _arrow() -> tuple[Any, Any]:
    pa = import_optional("pyarrow", "an Arrow table", "'graphla[io]'")
    return pa, import_optional("pyarrow.compute", "an Arrow table", "'graphla[io]'")


def _plain(pa: Any, x: Any) -> Any:
    """Return a column without its dictionary: texts, and integers, of one type."""
    x = x.dictionary_decode() if hasattr(x, "dictionary_decode") else x
    if pa.types.is_string(x.type) or pa.types.is_string_view(x.type):
        return x.cast(pa.large_string())
    narrow = pa.types.is_integer(x.type) and x.type != pa.uint64()
    return x.cast(pa.int64()) if narrow else x


def _check_types(*columns: Any) -> None:
    types = {str(x.type) for x in columns}
    if len(types) > 1:
        raise DomainMismatch(f"labels are of one type, not of {' and '.join(sorted(types))}")


def _labels(pa: Any, pc: Any, first: Any, second: Any) -> Any:
    if hasattr(first, "dictionary") and hasattr(second, "dictionary"):
        shared = first.dictionary
        if shared.equals(second.dictionary) and not shared.null_count:
            return _plain(pa, shared)
    ends = _plain(pa, first), _plain(pa, second)
    _check_types(*ends)
    both = pc.unique(pa.chunked_array(ends)).drop_null()
    return both.take(pc.sort_indices(both))


def _codes(pa: Any, pc: Any, x: Any, labels: Any) -> Any:
    """Return the positions of a column among the labels, -1 where there is none."""
    x = _plain(pa, x)
    _check_types(x, labels)
    found = pc.index_in(x, value_set=labels, skip_nulls=True)
    return found.fill_null(-1).to_numpy(zero_copy_only=False)


def _weights(pc: Any, table: Any, name: str | None) -> Any:
    if name is None:
        return None
    check_present(pc.is_null(table[name], nan_is_null=True).to_numpy(), name)
    return table[name].to_numpy()


def to_table(x: Any, labels: Any = None, *, vertices: Collection[str] = VERTICES) -> Any:
    """Return a graph's edges, or what an algorithm found, as a table.

    Parameters
    ----------
    x : Graph, or a result
        The columns are those of :func:`graphla.interop.pandas.to_frame`.
    labels : pyarrow.Array or sequence, optional
        What the vertices are called. Columns that hold vertices become dictionaries of all
        labels, so that a graph comes back with its isolated vertices; Parquet files keep them.
    vertices : collection of str
        Columns that hold vertices; add "value" for labels of components.

    Returns
    -------
    pyarrow.Table

    Raises
    ------
    DimensionMismatch
        There are fewer labels than vertices.
    MissingPackage
        pyarrow is not installed.
    """
    pa, _ = _arrow()
    found, chosen = named_columns(x, labels, vertices)
    if chosen and not isinstance(labels, pa.Array):
        labels = pa.array(labels)
    for name in chosen:
        codes = pa.array(found[name])
        found[name] = pa.DictionaryArray.from_arrays(codes, labels)
    return pa.table(found)
