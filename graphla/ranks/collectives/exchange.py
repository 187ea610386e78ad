"""Entries that are sent to their owners: partial results, transposition, permutations."""

from __future__ import annotations

from typing import Any

import graphblas as gb
import numpy as np

from graphla.ranks.collectives.gather import index_type


def fold_partial(layout: Any, partial: Any, monoid: Any, call: str) -> Any:
    """Return this rank's block of the sum, over a monoid, of a whole Vector of each rank.

    The owner adds the parts in the order of the ranks.
    """
    if layout.communicator.size == 1:
        return partial
    size = partial.size
    indices, values = partial.to_coo()
    boundaries = layout.boundaries(size)
    counts = np.diff(np.searchsorted(indices, boundaries))
    columns = (indices.astype(index_type(size)), values)
    first, last = layout.piece(size)
    block = gb.Vector(partial.dtype, last - first)
    for positions, parts in layout.communicator.exchange(call, counts, columns):
        part = gb.Vector.from_coo(positions - first, parts, partial.dtype, size=block.size)
        block(monoid) << part
    return block


def send_to_owners(layout: Any, call: str, owners: Any, *columns: Any) -> tuple[Any, ...]:
    """Send entry k of all columns to rank ``owners[k]``; return what came, in rank order."""
    counts = np.bincount(owners, minlength=layout.communicator.size)
    if (owners[1:] < owners[:-1]).any():
        order = np.argsort(owners, kind="stable")
        columns = tuple(column[order] for column in columns)
    received = layout.communicator.exchange(call, counts, columns)
    return tuple(np.concatenate(parts) for parts in zip(*received, strict=True))


def owned_block(
    layout: Any, call: str, ends: list[Any], values: Any, dtype: Any, shape: Any, axis: int = 0
) -> Any:
    """Return this rank's block of an object whose entries the ranks have anywhere.

    Parameters
    ----------
    ends : list of arrays
        The indices of this rank's entries in each dimension.
    values : array
    dtype : dtype
        Of the result.
    shape : tuple of int
        Of the whole object, which is cut along `axis`.
    """
    owners = layout.owners(ends[axis], shape[axis])
    columns = (x.astype(index_type(n)) for x, n in zip(ends, shape, strict=True))
    *received, values = send_to_owners(layout, call, owners, *columns, values)
    first, last = layout.piece(shape[axis])
    received[axis] = received[axis] - first
    sizes = [last - first if k == axis else n for k, n in enumerate(shape)]
    return block_of(received, values, dtype, sizes)


def block_of(ends: list[Any], values: Any, dtype: Any, sizes: list[int]) -> Any:
    """Return a Vector or a Matrix of python-graphblas of entries in any order."""
    if len(sizes) == 1:
        return gb.Vector.from_coo(*ends, values, dtype, size=sizes[0])
    return gb.Matrix.from_coo(*ends, values, dtype, nrows=sizes[0], ncols=sizes[1])


def recut_vector(v: Any, layout: Any) -> Any:
    """Return this rank's block of a Vector, as another layout cuts it."""
    indices, values = v.block.to_coo()
    indices = indices + np.uint64(v.first)
    return owned_block(layout, "recut", [indices], values, v.dtype, v.shape)


def recut_rows(layout: Any, rows: Any, other: Any, length: int, *, with_values: bool = True) -> Any:
    """Return this rank's rows of a matrix, as another layout cuts them.

    Parameters
    ----------
    layout : Layout
    rows : Matrix or TransposedMatrix of python-graphblas
        This rank's rows.
    other : Layout
        How the result is cut.
    length : int
        The number of rows on all ranks.
    with_values : bool
        Whether to send the values; else all are one.
    """
    first, last = layout.piece(length)
    ids = np.arange(first, last)
    return sent_rows(other, "recut", rows, ids, length, with_values=with_values)


def sent_rows(
    layout: Any, call: str, rows: Any, ids: Any, length: int, *, with_values: bool = True
) -> Any:
    """Return this rank's rows of a matrix whose rows the ranks have anywhere.

    Parameters
    ----------
    layout : Layout
        How the result is cut.
    rows : Matrix or TransposedMatrix of python-graphblas
    ids : array of int
        The rows of the result that these are; they ascend, and each is on one rank only.
    length : int
        The number of rows of the result.
    with_values : bool
        Whether to send the values; else all are one.
    """
    communicator, columns = layout.communicator, rows.ncols
    pointers, indices, values = rows.to_csr()
    pointers = pointers.astype(np.int64)
    ends = np.searchsorted(ids, layout.boundaries(length))
    sizes = communicator.exchange(call, np.diff(ends), [ids, np.diff(pointers)])
    entries = [indices.astype(index_type(columns)), *([values] if with_values else [])]
    received = communicator.exchange(call, np.diff(pointers[ends]), entries)
    ids, counts = (np.concatenate(parts) for parts in zip(*sizes, strict=True))
    entries = [np.concatenate(parts) for parts in zip(*received, strict=True)]
    if (ids[1:] < ids[:-1]).any():
        order = np.argsort(ids)
        ids, starts, counts = ids[order], (np.cumsum(counts) - counts)[order], counts[order]
        places = np.repeat(starts - np.cumsum(counts) + counts, counts) + np.arange(counts.sum())
        entries = [column[places] for column in entries]
    first, last = layout.piece(length)
    per_row = np.zeros(last - first, np.int64)
    per_row[ids - first] = counts
    content: Any = entries[1] if with_values else True
    if with_values and content.size and (content == content[0]).all():
        content = content[0]
    pointers = np.concatenate(([0], np.cumsum(per_row)))
    return gb.Matrix.from_csr(pointers, entries[0], content, rows.dtype, ncols=columns)


def turned_block(A: Any, axis: int) -> Any:
    """Return this rank's block of a Matrix that is cut along the other axis."""
    block = A.local(1 - axis)
    if A.layout.communicator.size == 1:
        return block
    *ends, values = block.to_coo()
    ends[1 - axis] = ends[1 - axis] + np.uint64(A.layout.piece(A.shape[1 - axis])[0])
    return owned_block(A.layout, "transpose", ends, values, A.dtype, A.shape, axis)
