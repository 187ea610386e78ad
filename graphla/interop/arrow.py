"""Arrow: graphs from and to tables of edges, and results as tables, with vertex labels.

Any object with ``__arrow_c_stream__`` is accepted as a table (DuckDB, Polars, pandas 3, ...).
"""

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
    columns_to_label,
    graph_from_codes,
)
from graphla.io.files import import_optional


@explains_wrong_calls
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
    """Build a graph from a table with one row per edge; vertex labels may be any values.

    Parameters
    ----------
    table : pyarrow.Table, or anything with ``__arrow_c_stream__``
    src, dst : str
        Columns of labels of one type, plain or dictionary-encoded.
    weight : str, optional
        Column of weights. Default: unweighted.
    labels : pyarrow.Array or sequence, optional
        All labels in vertex order, including isolated vertices. Default: the dictionary if both
        columns have the same one, else the sorted labels of both columns.
    kind, dup
        As :meth:`Graph.from_edges`.

    Returns
    -------
    Labelled
        `graph`, and `labels`, a ``pyarrow.Array``: ``labels[v]`` is the label of vertex v,
        ``labels.index(label).as_py()`` the vertex of a label.

    Raises
    ------
    InvalidValue
        A column does not exist, a label or a weight is missing, or `labels` has duplicates.
    DomainMismatch, InvalidGraph
        `table` is not an Arrow table, or the labels have more than one type; and as
        :meth:`Graph.from_edges`.
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
        raise DomainMismatch(
            f"{type(table).__name__} is not an Arrow table: it has no __arrow_c_stream__"
        )
    table = table if isinstance(table, pa.Table) else pa.table(table)
    check_columns(table.column_names, src, dst, weight)
    first, second = (table[name].combine_chunks() for name in (src, dst))
    if labels is None:
        labels = _common_labels(pa, pc, first, second)
    else:
        labels = _decode(pa, labels if isinstance(labels, pa.Array) else pa.array(labels))
        check_unique(len(labels), pc.count_distinct(labels).as_py())
    codes = [_codes(pa, pc, x, labels) for x in (first, second)]
    weights = _weights(pc, table, weight)
    return graph_from_codes((src, dst), codes, weights, labels, kind=kind, dup=dup)


def _arrow() -> tuple[Any, Any]:
    pa = import_optional("pyarrow", "an Arrow table", "'graphla[io]'")
    return pa, import_optional("pyarrow.compute", "an Arrow table", "'graphla[io]'")


def _decode(pa: Any, x: Any) -> Any:
    """Decode a dictionary, and widen text to large_string and integers below uint64 to int64."""
    x = x.dictionary_decode() if hasattr(x, "dictionary_decode") else x
    if pa.types.is_string(x.type) or pa.types.is_string_view(x.type):
        return x.cast(pa.large_string())
    fits_int64 = pa.types.is_integer(x.type) and x.type != pa.uint64()
    return x.cast(pa.int64()) if fits_int64 else x


def _check_types(*columns: Any) -> None:
    types = {str(x.type) for x in columns}
    if len(types) > 1:
        raise DomainMismatch(f"labels must have one type, not {' and '.join(sorted(types))}")


def _common_labels(pa: Any, pc: Any, first: Any, second: Any) -> Any:
    """Return the dictionary that both columns share, else their sorted distinct labels."""
    if hasattr(first, "dictionary") and hasattr(second, "dictionary"):
        shared = first.dictionary
        if shared.equals(second.dictionary) and not shared.null_count:
            return _decode(pa, shared)
    columns = _decode(pa, first), _decode(pa, second)
    _check_types(*columns)
    labels = pc.unique(pa.chunked_array(columns)).drop_null()
    return labels.take(pc.sort_indices(labels))


def _codes(pa: Any, pc: Any, x: Any, labels: Any) -> Any:
    """Return the position of each value in the labels, -1 if it is not one of them."""
    x = _decode(pa, x)
    _check_types(x, labels)
    codes = pc.index_in(x, value_set=labels, skip_nulls=True)
    return codes.fill_null(-1).to_numpy(zero_copy_only=False)


def _weights(pc: Any, table: Any, name: str | None) -> Any:
    if name is None:
        return None
    check_present(pc.is_null(table[name], nan_is_null=True).to_numpy(), name)
    return table[name].to_numpy()


@explains_wrong_calls
def to_table(x: Any, labels: Any = None, *, vertices: Collection[str] = VERTICES) -> Any:
    """Return a graph's edges, or an algorithm's result, as a table.

    Parameters
    ----------
    x : Graph, or a result
        The columns are those of :func:`graphla.interop.pandas.to_frame`.
    labels : pyarrow.Array or sequence, optional
        Vertex labels. Columns that hold vertices become dictionary-encoded with all labels, so
        that :func:`from_edges` restores isolated vertices; Parquet files keep the dictionaries.
    vertices : collection of str
        Columns that hold vertices; add "value" if the values are vertices, as for components.

    Returns
    -------
    pyarrow.Table

    Raises
    ------
    DimensionMismatch
        There are fewer labels than vertices, or more than a graph has.
    DomainMismatch
        `x` is neither a graph nor a result.
    MissingPackage
        pyarrow is not installed.
    """
    pa, _ = _arrow()
    columns, to_label = columns_to_label(x, labels, vertices)
    if to_label and not isinstance(labels, pa.Array):
        labels = pa.array(labels)
    for name in to_label:
        columns[name] = pa.DictionaryArray.from_arrays(pa.array(columns[name]), labels)
    return pa.table(columns)
