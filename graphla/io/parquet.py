"""Parquet files: columns src, dst and, unless the graph is unweighted, weight.

Other names are found as in tables of text (:mod:`graphla.io.csv_columns`).
An undirected edge is one row. The key ``graphla`` of the schema metadata stores `n` and `kind`.
"""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from graphla.core.graph import Graph
from graphla.errors import ReadError
from graphla.io.columns import (
    DTYPES,
    LABELS,
    MAX_N,
    check_n,
    edge_columns,
    graph_from_columns,
)
from graphla.io.csv_columns import DST, SRC, WEIGHT, choose_columns, find_column
from graphla.io.files import atomic_writer, import_optional
from graphla.io.metadata import metadata_comment, parse_metadata

KEY = b"graphla"


def read(
    path: Any, *, kind: str | None = None, dup: str | None = "min", n: Any = None,
    src: str | None = None, dst: str | None = None, weight: str | None = None,
) -> Graph:  # fmt: skip
    """Read a Parquet file; see :func:`graphla.io.read`."""
    parquet = import_optional("pyarrow.parquet", "a .parquet file")
    n = check_n(n)
    with open(path, "rb") as file:
        try:
            source = parquet.ParquetFile(file, page_checksum_verification=True)
            names = _choose_names(path, source.schema_arrow.names, src, dst, weight)
            table = source.read(names)
            columns = [table[name] for name in names]
            arrays = [column.to_numpy() for column in columns]
            metadata = parse_metadata((source.schema_arrow.metadata or {}).get(KEY, b"").decode())
        except ReadError:
            raise
        except Exception as error:  # whatever Arrow raises on a broken file
            raise ReadError(path, None, f"expected a Parquet file: {error}") from error

    def fail(record: int, expected: str) -> NoReturn:
        raise ReadError(path, None, f"row {record + 1}: {expected}")

    for name, column, array in zip(names, columns, arrays, strict=True):
        if column.null_count:
            raise ReadError(path, None, f"expected no nulls; {name} has {column.null_count}")
        if array.dtype.name not in DTYPES or array.dtype == bool:
            hint = "" if name in names[2:] else LABELS
            raise ReadError(path, None, f"expected numbers in {name}; found {column.type}{hint}")
    n = metadata.get("n") if n is None else n
    limit = MAX_N if n is None else n
    for ends in arrays[:2]:
        if ends.dtype.kind not in "iu":
            raise ReadError(path, None, f"expected integers in src and dst; found {ends.dtype}")
        outside = np.flatnonzero((ends < 0) | (ends >= limit))
        if outside.size:
            k = int(outside[0])
            fail(k, f"expected vertices in 0..{limit - 1}; found {ends[k]}")
    ends = [column.astype(np.int64) for column in arrays[:2]]
    kind = kind or metadata.get("kind", "directed")
    weights = arrays[2] if len(arrays) == 3 else None
    return graph_from_columns(
        ends[0], ends[1], weights, n=n, kind=kind, dup=dup, both_directions=False, fail=fail
    )


def _choose_names(
    path: Any, columns: list[str], src: str | None, dst: str | None, weight: str | None
) -> list[str]:
    """Return the names of the columns of the sources, the targets and, if any, the weights."""
    try:
        roles = choose_columns(columns, src, dst, weight)
        names = [columns[roles.index(role)] for role in (SRC, DST, WEIGHT) if role in roles]
        for name in names:  # Arrow would read all columns of a name
            find_column(columns, name)
        return names
    except ValueError as error:
        raise ReadError(path, None, f"expected {error}") from None


def write(path: Any, G: Graph) -> None:
    """Write a Parquet file; see :func:`graphla.io.write`."""
    parquet = import_optional("pyarrow.parquet", "a .parquet file")
    arrow = import_optional("pyarrow", "a .parquet file")
    src, dst, weight = edge_columns(G, "upper")
    named = {"src": src, "dst": dst} | ({} if weight is None else {"weight": weight})
    table = arrow.table(named).replace_schema_metadata(
        {KEY: metadata_comment(G, n=None, kind=None)}
    )
    with atomic_writer(path) as file:
        parquet.write_table(table, file, write_page_checksum=True)
