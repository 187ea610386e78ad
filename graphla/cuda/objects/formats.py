"""Other forms that a Matrix is made of and given out in: by columns, by stored rows, dicts, edges.

Arrays stay on the device. Dicts and lists of edges are Python objects, so values are copied to the
host or from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from graphla.cuda.expressions.array_arguments import as_array
from graphla.cuda.expressions.statement import translate_out_of_memory
from graphla.cuda.runtime.device import device
from graphla.errors import DimensionMismatch, DomainMismatch, InvalidValue

ROWWISE = ("rowwise", "row", "rows", "c")
COLUMNWISE = ("columnwise", "colwise", "column", "columns", "col", "cols", "f")


def is_rowwise(order: Any) -> bool:
    """Whether `order` is one of the names of "rowwise", not of "columnwise"."""
    name = str(order).lower()
    if name not in ROWWISE + COLUMNWISE:
        raise InvalidValue(f"order={order!r} is neither 'rowwise' nor 'columnwise'")
    return name in ROWWISE


class MatrixOutputs:
    """Other forms that a Matrix, or a transpose, is given out in."""

    __slots__ = ()
    T: Any
    dtype: Any
    nrows: int
    ncols: int
    to_csr: Any
    to_coo: Any

    def to_csc(self, dtype: Any = None, *, sort: bool = True) -> tuple[Any, Any, Any]:
        """Return indptr, row indices and values by columns, as arrays of the device."""
        found: tuple[Any, Any, Any] = self.T.to_csr(dtype, sort=sort)
        return found

    @translate_out_of_memory
    def to_dcsr(self, dtype: Any = None, *, sort: bool = True) -> tuple[Any, Any, Any, Any]:
        """Return the rows that have entries, and indptr, indices and values of these."""
        xp = device.xp
        indptr, indices, values = self.to_csr(dtype, sort=sort)
        rows = xp.nonzero(indptr[1:] > indptr[:-1])[0]
        return (
            rows.astype(np.int64),
            xp.concatenate([indptr[:1], indptr[rows + 1]]),
            indices,
            values,
        )

    def to_dcsc(self, dtype: Any = None, *, sort: bool = True) -> tuple[Any, Any, Any, Any]:
        """Return the columns that have entries, and indptr, indices and values of these."""
        found: tuple[Any, Any, Any, Any] = self.T.to_dcsr(dtype, sort=sort)
        return found

    @translate_out_of_memory
    def to_edgelist(
        self, dtype: Any = None, *, values: bool = True, sort: bool = True
    ) -> tuple[Any, Any]:
        """Return an array of (row, column) pairs, and one of values."""
        rows, columns, found = self.to_coo(dtype, values=values, sort=sort)
        return device.xp.stack([rows, columns], axis=1), found

    def to_dicts(self, order: str = "rowwise") -> dict[int, dict[int, Any]]:
        """Return a dict of rows, or columns, each a dict from index to value, on the host."""
        x = self if is_rowwise(order) else self.T
        rows, columns, values = (device.to_host(a).tolist() for a in x.to_coo())
        found: dict[int, dict[int, Any]] = {}
        for i, j, value in zip(rows, columns, values, strict=True):
            found.setdefault(i, {})[j] = value
        return found


class MatrixInputs:
    """Other forms that a Matrix is made of."""

    __slots__ = ()
    from_csr: Any
    from_coo: Any
    _of: Any

    @classmethod
    @translate_out_of_memory
    def from_csc(
        cls, indptr: Any, row_indices: Any, values: Any = 1.0, dtype: Any = None, *,
        nrows: int | None = None, ncols: int | None = None, name: str | None = None,
    ) -> Any:  # fmt: skip
        """Make a Matrix of compressed sparse columns."""
        make: Any = cls
        A = make.from_csr(indptr, row_indices, values, dtype, nrows=ncols, ncols=nrows, name=name)
        C = make._of(A._csr().transposed(), A.dtype, A.ncols, A.nrows)
        C.name = name
        return C

    @classmethod
    @translate_out_of_memory
    def from_dcsr(
        cls, compressed_rows: Any, indptr: Any, col_indices: Any, values: Any = 1.0,
        dtype: Any = None, *, nrows: int | None = None, ncols: int | None = None,
        name: str | None = None,
    ) -> Any:  # fmt: skip
        """Make a Matrix of the rows that have entries, compressed."""
        rows, columns, values, nrows, ncols = _expanded(
            compressed_rows, indptr, col_indices, values, nrows, ncols
        )
        make: Any = cls
        return make.from_coo(rows, columns, values, dtype, nrows=nrows, ncols=ncols, name=name)

    @classmethod
    @translate_out_of_memory
    def from_dcsc(
        cls, compressed_cols: Any, indptr: Any, row_indices: Any, values: Any = 1.0,
        dtype: Any = None, *, nrows: int | None = None, ncols: int | None = None,
        name: str | None = None,
    ) -> Any:  # fmt: skip
        """Make a Matrix of the columns that have entries, compressed."""
        columns, rows, values, ncols, nrows = _expanded(
            compressed_cols, indptr, row_indices, values, ncols, nrows
        )
        make: Any = cls
        return make.from_coo(rows, columns, values, dtype, nrows=nrows, ncols=ncols, name=name)

    @classmethod
    def from_dicts(
        cls, nested_dicts: Any, dtype: Any = None, *, order: str = "rowwise",
        nrows: int | None = None, ncols: int | None = None, name: str | None = None,
    ) -> Any:  # fmt: skip
        """Make a Matrix of a dict, or list, of rows or columns: dicts from index to value."""
        by_row = is_rowwise(order)
        is_list = not isinstance(nested_dicts, Mapping)
        items = list(enumerate(nested_dicts) if is_list else nested_dicts.items())
        if not all(isinstance(line, Mapping) for _, line in items):
            raise DomainMismatch("from_dicts takes a dict, or a list, of dicts")
        places = [(i, j) for i, line in items for j in line]
        outer, inner = np.array(places).T if places else np.zeros((2, 0), np.int64)
        values = [x for _, line in items for x in line.values()]
        lines, length = (nrows, ncols) if by_row else (ncols, nrows)
        if is_list and lines is not None and lines != len(items):
            raise InvalidValue(
                f"{'nrows' if by_row else 'ncols'} must be {len(items)}, the number of dicts"
            )
        if lines is None:
            lines = max((int(i) + 1 for i, _ in items), default=0)
        if length is None:
            length = int(inner.max()) + 1 if inner.size else 0
        rows, columns, shape = outer, inner, (lines, length)
        if not by_row:
            rows, columns, shape = inner, outer, (length, lines)
        make: Any = cls
        return make.from_coo(
            rows, columns, values, dtype, nrows=shape[0], ncols=shape[1], name=name
        )

    @classmethod
    def from_edgelist(
        cls, edgelist: Any, values: Any = None, dtype: Any = None, *, nrows: int | None = None,
        ncols: int | None = None, dup_op: Any = None, name: str | None = None,
    ) -> Any:  # fmt: skip
        """Make a Matrix of an array of (row, column) pairs, or a list of pairs or triples."""
        found = None
        if hasattr(edgelist, "ndim"):
            edges = as_array(edgelist, "edgelist")
            if edges.ndim != 2:
                raise DimensionMismatch(f"an edgelist has 2 dimensions, not {edges.ndim}")
            if edges.shape[1] != 2:
                raise InvalidValue(
                    f"an array of edges has 2 columns, not {edges.shape[1]}; give the values apart"
                )
            rows, columns = edges[:, 0], edges[:, 1]
        else:
            lists: Any = list(zip(*edgelist, strict=True)) or ([], [])
            if len(lists) not in (2, 3):
                raise InvalidValue(f"edges have two numbers, or three with a value: {len(lists)}")
            rows, columns, *rest = lists
            found = rest[0] if rest else None
        if values is not None and found is not None:
            raise DomainMismatch("give the values in the edgelist, or apart, not both")
        values = values if found is None else found
        make: Any = cls
        return make.from_coo(
            rows, columns, 1.0 if values is None else values, dtype, nrows=nrows, ncols=ncols,
            dup_op=dup_op, name=name,
        )  # fmt: skip


def _expanded(
    lines: Any, indptr: Any, indices: Any, values: Any, nlines: Any, length: Any
) -> tuple[Any, ...]:
    """Return coordinates, values and shape of rows (or columns) of which some are stored."""
    xp = device.xp
    lines, indptr, indices = (
        xp.asarray(as_array(x, name))
        for x, name in ((lines, "rows"), (indptr, "indptr"), (indices, "indices"))
    )
    if indptr.ndim != 1 or indptr.size != lines.size + 1:
        raise InvalidValue(f"indptr has {indptr.size:,} elements for {lines.size:,} stored rows")
    counts = indptr[1:] - indptr[:-1]
    if counts.size and (
        device.read_scalar(indptr[0]) != 0
        or device.read_scalar(counts.min()) < 0
        or device.read_scalar(counts.sum()) != indices.size
    ):
        raise InvalidValue(f"indptr must ascend from 0 to {indices.size:,}")
    if nlines is None:
        nlines = int(device.read_scalar(lines.max())) + 1 if lines.size else 0
    if length is None:
        length = int(device.read_scalar(indices.max())) + 1 if indices.size else 0
    if not indices.size:
        indices = indices.astype(np.int64)
    number = xp.arange(indices.size)
    line_of = xp.searchsorted(indptr[1:], number, side="right")
    rows = lines.astype(np.int64)[line_of] if lines.size else number
    return rows, indices, values, nlines, length


def vector_to_dict(v: Any) -> dict[int, Any]:
    """Return a dict from index to value, on the host."""
    keys, values = (device.to_host(a).tolist() for a in v.to_coo())
    return dict(zip(keys, values, strict=True))
