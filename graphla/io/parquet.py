"""Parquet files: columns src, dst and, unless the graph is unweighted, weight.

Other names are found as in tables of text (:mod:`graphla.io.csv_columns`).
An undirected edge is one row. The key ``graphla`` of the schema metadata stores `n` and `kind`.

Integers are written as packed differences, decimals as they are, both without further compression:
that takes about as long as to write the arrays alone, where a dictionary and a compressor take
several times as long. Files of integers are smaller so; decimals of few different values take up
to 3.5 times as much.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn, Self

import numpy as np

from graphla.core.graph import Graph
from graphla.core.input_arrays import is_within
from graphla.errors import ReadError
from graphla.io.columns import (
    DTYPES,
    LABELS,
    MAX_N,
    RecordFailure,
    check_n,
    check_no_nan,
    edge_columns,
    graph_from_columns,
)
from graphla.io.csv_columns import DST, SRC, WEIGHT, choose_columns, find_column
from graphla.io.files import atomic_writer, import_optional
from graphla.io.metadata import metadata_comment, parse_metadata

KEY = b"graphla"
PACKED_DIFFERENCES = "DELTA_BINARY_PACKED"


class EdgeTable:
    """A Parquet file of edges, open for reading.

    Attributes
    ----------
    names : list of str
        The columns of the sources, the targets and, if any, the weights.
    n, kind : int, str or None
        As stored in the schema's metadata.
    row_groups : list of int
        The number of rows of each.

    Raises
    ------
    ReadError
        It is no Parquet file, or its columns have no clear meaning.
    """

    def __init__(self, path: Any, src: str | None, dst: str | None, weight: str | None) -> None:
        parquet = import_optional("pyarrow.parquet", "a .parquet file")
        self.path, self._file = path, open(path, "rb")  # noqa: SIM115  # closed by `close`
        with self._arrow_errors():
            self.source = parquet.ParquetFile(self._file, page_checksum_verification=True)
            schema = self.source.schema_arrow
            self.names = _choose_names(path, schema.names, src, dst, weight)
            metadata = parse_metadata((schema.metadata or {}).get(KEY, b"").decode())
            self.n, self.kind = metadata.get("n"), metadata.get("kind")
            facts = self.source.metadata
            self.row_groups = [facts.row_group(k).num_rows for k in range(facts.num_row_groups)]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: Any) -> None:
        self._file.close()

    def whole(self, n: int | None) -> tuple[Any, Any, Any, RecordFailure]:
        """Return all sources, targets and weights (None without), checked against `n`.

        The last value raises the error of a row.
        """
        with self._arrow_errors():
            table = self.source.read(self.names)
        return self._columns(table, n, 0)

    def batches(self, group: int, rows: int, n: int | None) -> Iterator[tuple[Any, Any, Any]]:
        """Yield the same of the rows of a row group, of at most `rows` rows at a time."""
        arrow = import_optional("pyarrow", "a .parquet file")
        first = sum(self.row_groups[:group])
        with self._arrow_errors():
            batches = self.source.iter_batches(rows, row_groups=[group], columns=self.names)
        while True:
            with self._arrow_errors():
                batch = next(batches, None)
            if batch is None:
                return
            table = arrow.Table.from_batches([batch])
            src, dst, weight, fail = self._columns(table, n, first)
            check_no_nan(weight, fail)
            yield src, dst, weight
            first += batch.num_rows

    def type_of_weights(self) -> Any:
        """Return the Arrow type of the weights, None if there are none."""
        return self.source.schema_arrow.field(self.names[2]).type if self.names[2:] else None

    @contextmanager
    def _arrow_errors(self) -> Iterator[None]:
        """Turn whatever Arrow raises on a broken file into a ReadError."""
        try:
            yield
        except ReadError:
            self._file.close()
            raise
        except Exception as error:
            self._file.close()
            raise ReadError(self.path, None, f"expected a Parquet file: {error}") from error

    def _columns(
        self, table: Any, n: int | None, first: int
    ) -> tuple[Any, Any, Any, RecordFailure]:
        """Return checked arrays of a table whose first row is row `first` of the file."""
        path = self.path

        def fail(record: int, expected: str) -> NoReturn:
            raise ReadError(path, None, f"row {first + record + 1}: {expected}")

        arrays = []
        for name in self.names:
            column = table[name]
            with self._arrow_errors():
                array = column.to_numpy()
            if column.null_count:
                raise ReadError(path, None, f"expected no nulls; {name} has {column.null_count}")
            if array.dtype.name not in DTYPES or array.dtype == bool:
                hint = "" if name in self.names[2:] else LABELS
                found = f"found {column.type}{hint}"
                raise ReadError(path, None, f"expected numbers in {name}; {found}")
            arrays.append(array)
        limit = MAX_N if n is None else n
        for ends in arrays[:2]:
            if ends.dtype.kind not in "iu":
                raise ReadError(path, None, f"expected integers in src and dst; found {ends.dtype}")
            if not is_within(ends, limit):
                k = int(((ends < 0) | (ends >= limit)).argmax())
                fail(k, f"expected vertices in 0..{limit - 1}; found {ends[k]}")
        src, dst = (column.astype(np.int64, copy=False) for column in arrays[:2])
        return src, dst, arrays[2] if len(arrays) == 3 else None, fail


def read(
    path: Any, *, kind: str | None = None, dup: str | None = "min", n: Any = None,
    src: str | None = None, dst: str | None = None, weight: str | None = None,
) -> Graph:  # fmt: skip
    """Read a Parquet file; see :func:`graphla.io.read`."""
    n = check_n(n)
    with EdgeTable(path, src, dst, weight) as table:
        n = table.n if n is None else n
        sources, targets, weights, fail = table.whole(n)
        kind = kind or table.kind or "directed"
    return graph_from_columns(
        sources, targets, weights, n=n, kind=kind, dup=dup, both_directions=False, fail=fail
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
        parquet.write_table(
            table, file, compression="none", use_dictionary=False, write_page_checksum=True,
            column_encoding={
                name: PACKED_DIFFERENCES if x.dtype.kind in "iu" else "PLAIN"
                for name, x in named.items()
            },
        )  # fmt: skip
