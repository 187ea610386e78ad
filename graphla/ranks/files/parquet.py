"""Parquet files of edges, read by row groups."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import numpy as np

from graphla.errors import ReadError
from graphla.io.edge_list import Names
from graphla.io.parquet import EdgeTable
from graphla.ranks.files.edge_file import Columns, EdgeFile, Part

ROW = 24  # bytes of an edge in memory


class ParquetEdgeFile(EdgeFile):
    """A Parquet file of edges.

    Parameters
    ----------
    path : str
    names : Names
        Names of columns.
    """

    def __init__(self, path: str, *, names: Names) -> None:
        self.path, self.nbytes, self._names = path, os.path.getsize(path), names
        with EdgeTable(path, *names) as table:
            self.n, self.kind = table.n, table.kind
            self._row_groups = table.row_groups
            weights = table.type_of_weights()
        self.weighted, self.dtype = weights is not None, None
        if weights is not None:
            try:
                self.dtype = np.dtype(weights.to_pandas_dtype())
            except (NotImplementedError, TypeError):
                raise ReadError(
                    path, None, f"expected numbers as weights; found {weights}"
                ) from None

    def parts(self, size: int) -> list[Part]:
        """Return the row groups."""
        return [Part(k, k + 1, ROW * rows) for k, rows in enumerate(self._row_groups) if rows]

    def columns(self, part: Part, dtype: Any, n: int | None, size: int) -> Iterator[Columns]:
        """Yield the edges of a row group."""
        with EdgeTable(self.path, *self._names) as table:
            for columns in table.batches(part.start, max(size // ROW, 1), n):
                yield Columns(*columns)
