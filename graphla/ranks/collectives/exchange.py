"""Entries that are sent to their owners: partial results, transposition, permutations."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.ranks.collectives.communicator import split
from graphla.ranks.collectives.gather import index_type, offsets_of


def fold_partial(layout: Any, partial: Any, monoid: Any, call: str) -> Any:
    """Return this rank's block of the sum, over a monoid, of a whole Vector of each rank.

    The owner adds the parts in the order of the ranks.
    """
    if layout.communicator.size == 1:
        return partial
    blocks, size = layout.blocks, partial.size
    Vector = blocks.objects.Vector
    indices, values = partial.to_coo()
    boundaries = blocks.xp.asarray(layout.boundaries(size))
    counts = blocks.to_host(blocks.xp.diff(blocks.xp.searchsorted(indices, boundaries)))
    columns = (indices.astype(index_type(size)), values)
    first, last = layout.piece(size)
    block = Vector(partial.dtype, last - first)
    (positions, values), arrived = layout.communicator.exchange(call, counts, columns)
    local = positions.astype(np.int64) - first
    for keys, parts in zip(split(local, arrived), split(values, arrived), strict=True):
        block(monoid) << blocks.list_vector(keys, parts, block.size, partial.dtype)
    return block


def send_to_owners(layout: Any, call: str, owners: Any, *columns: Any) -> tuple[Any, ...]:
    """Send entry k of all columns to rank ``owners[k]``; return what came, in rank order."""
    blocks, xp = layout.blocks, layout.blocks.xp
    counts = blocks.to_host(xp.bincount(owners, minlength=layout.communicator.size))
    if blocks.read((owners[1:] < owners[:-1]).any()):
        order = xp.argsort(owners, kind="stable")
        columns = tuple(column[order] for column in columns)
    return tuple(layout.communicator.exchange(call, counts, columns)[0])


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
    received = [x.astype(np.int64) for x in received]
    received[axis] = received[axis] - first
    sizes = [last - first if k == axis else n for k, n in enumerate(shape)]
    return block_of(layout, received, values, dtype, sizes)


def block_of(layout: Any, ends: list[Any], values: Any, dtype: Any, sizes: list[int]) -> Any:
    """Return a Vector or a Matrix of the engine, of entries in any order."""
    objects = layout.blocks.objects
    if len(sizes) == 1:
        return objects.Vector.from_coo(*ends, values, dtype, size=sizes[0])
    return objects.Matrix.from_coo(*ends, values, dtype, nrows=sizes[0], ncols=sizes[1])


def recut_vector(v: Any, layout: Any) -> Any:
    """Return this rank's block of a Vector, as another layout cuts it."""
    indices, values = v.block.to_coo()
    indices = indices.astype(np.int64) + v.first
    return owned_block(layout, "recut", [indices], values, v.dtype, v.shape)


def recut_rows(layout: Any, rows: Any, other: Any, length: int, *, with_values: bool = True) -> Any:
    """Return this rank's rows of a matrix, as another layout cuts them.

    Parameters
    ----------
    layout : Layout
    rows : Matrix or TransposedMatrix of the engine
        This rank's rows.
    other : Layout
        How the result is cut.
    length : int
        The number of rows on all ranks.
    with_values : bool
        Whether to send the values; else all are one.
    """
    first, last = layout.piece(length)
    ids = layout.blocks.xp.arange(first, last)
    return sent_rows(other, "recut", rows, ids, length, with_values=with_values)


def sent_rows(
    layout: Any, call: str, rows: Any, ids: Any, length: int, *, with_values: bool = True
) -> Any:
    """Return this rank's rows of a matrix whose rows the ranks have anywhere.

    Parameters
    ----------
    layout : Layout
        How the result is cut.
    rows : Matrix or TransposedMatrix of the engine
    ids : array of int
        The rows of the result that these are; they ascend, and each is on one rank only.
    length : int
        The number of rows of the result.
    with_values : bool
        Whether to send the values; else all are one.
    """
    communicator, blocks = layout.communicator, layout.blocks
    xp, ncols = blocks.xp, rows.ncols
    offsets, columns, values = blocks.csr_arrays(rows)
    offsets = offsets.astype(np.int64)
    ends = xp.searchsorted(ids, xp.asarray(layout.boundaries(length)))
    counts = xp.diff(offsets)
    numbers = blocks.to_host(xp.diff(ends))
    (ids, counts), _ = communicator.exchange(call, numbers, [ids, counts])
    entries = [columns.astype(index_type(ncols))]
    if with_values:
        entries.append(values if values.size == columns.size else xp.repeat(values, columns.size))
    entries, _ = communicator.exchange(call, blocks.to_host(xp.diff(offsets[ends])), entries)
    first, last = layout.piece(length)
    content = entries[1] if with_values else None
    if not blocks.read((ids[1:] < ids[:-1]).any()):
        per_row = xp.zeros(last - first, np.int64)
        per_row[ids - first] = counts
        return blocks.csr_matrix(offsets_of(xp, per_row), entries[0], content, rows.dtype, ncols)
    empty_row = xp.zeros(1, np.int64)
    offsets = offsets_of(xp, xp.concatenate((counts, empty_row)))
    found = blocks.csr_matrix(offsets, entries[0], content, rows.dtype, ncols)
    places = xp.full(last - first, ids.size)
    places[ids - first] = xp.arange(ids.size)
    return found[places, :].new()


def turned_block(A: Any, axis: int) -> Any:
    """Return this rank's block of a Matrix that is cut along the other axis."""
    block = A.local(1 - axis)
    if A.layout.communicator.size == 1:
        return block
    *ends, values = block.to_coo()
    first = A.layout.piece(A.shape[1 - axis])[0]
    ends[1 - axis] = ends[1 - axis].astype(np.int64) + first
    return owned_block(A.layout, "transpose", ends, values, A.dtype, A.shape, axis)
