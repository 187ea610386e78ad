"""Entries that are sent to their owners: partial results, transposition, permutations.

Indices are sent in the type that the engine of the blocks has for a dimension of their length.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.ranks.collectives.communicator import split
from graphla.ranks.collectives.gather import offsets_of, repeated, shifted_indices
from graphla.ranks.collectives.shared_value import shared_value


def fold_partial(layout: Any, partial: Any, monoid: Any, call: str) -> Any:
    """Return this rank's block of the sum, over a monoid, of a whole Vector of each rank.

    The owner adds the parts in the order of the ranks. The result is a Vector of the engine, or an
    expression for the last addition.
    """
    if layout.communicator.size == 1:
        return partial
    blocks, size, dtype = layout.blocks, partial.size, partial.dtype
    counts, indices, values = blocks.split_by_range(partial, layout.boundaries_on_device(size))
    columns = indices.astype(blocks.index_dtype(size), copy=False), values
    (indices, values), arrived = layout.communicator.exchange(call, counts, columns)
    first, last = layout.piece(size)
    indices = shifted_indices(blocks.xp, indices, -first, indices.dtype)
    parts = zip(split(indices, arrived), split(values, arrived), strict=True)
    lists = [
        blocks.unordered_list_vector(keys, content, last - first, dtype)
        for keys, content in parts
        if keys.size
    ]
    if not lists:
        return blocks.objects.Vector(dtype, last - first)
    return lists[0] if len(lists) == 1 else blocks.sum_of_lists(lists, monoid)


def send_to_owners(
    layout: Any, call: str, keys: Any, length: int, columns: Any, *, ascending: bool = False
) -> list[Any]:
    """Send entry k of all columns to the rank that owns ``keys[k]`` in a dimension of this length.

    Returns what came, in the order of the ranks. `ascending` says that the keys do.
    """
    if ascending:
        counts = layout.counts_of_owners(keys, length)
    else:
        xp, ranks = layout.blocks.xp, layout.communicator.size
        owners = layout.owners(keys, length).astype(np.min_scalar_type(ranks))
        order = xp.argsort(owners, kind="stable")
        columns = [column[order] for column in columns]
        ends = xp.searchsorted(owners[order], xp.arange(ranks + 1, dtype=owners.dtype))
        counts = np.diff(layout.blocks.to_host(ends)).tolist()
    found: list[Any] = layout.communicator.exchange(call, counts, columns)[0]
    return found


def owned_block(
    layout: Any, call: str, ends: list[Any], values: Any, dtype: Any, shape: Any, axis: int = 0,
    *, ascending: bool = False,
) -> Any:  # fmt: skip
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
    ascending : bool
        Whether the indices of the cut dimension do.
    """
    index_dtype = layout.blocks.index_dtype
    columns = [x.astype(index_dtype(n), copy=False) for x, n in zip(ends, shape, strict=True)]
    *received, values = send_to_owners(
        layout, call, columns[axis], shape[axis], [*columns, values], ascending=ascending
    )
    first, last = layout.piece(shape[axis])
    local = received[axis]
    received[axis] = shifted_indices(layout.blocks.xp, local, -first, local.dtype)
    sizes = [last - first if k == axis else n for k, n in enumerate(shape)]
    return block_of(layout, received, values, dtype, sizes)


def block_of(layout: Any, ends: list[Any], values: Any, dtype: Any, sizes: list[int]) -> Any:
    """Return a Vector or a Matrix of the engine, of entries in any order, none of them twice."""
    objects = layout.blocks.objects
    if len(sizes) == 1:
        if ends[0].size == sizes[0]:  # an entry at each position
            whole = layout.blocks.xp.empty(sizes[0], values.dtype)
            whole[ends[0]] = values
            return layout.blocks.full_vector(whole.astype(dtype.np_type, copy=False), dtype)
        return objects.Vector.from_coo(*ends, values, dtype, size=sizes[0])
    return objects.Matrix.from_coo(*ends, values, dtype, nrows=sizes[0], ncols=sizes[1])


def redistributed_vector(v: Any, layout: Any) -> Any:
    """Return this rank's block of a Vector, as another layout cuts it."""
    blocks, (first, last) = layout.blocks, layout.piece(v.size)
    indices, values = blocks.entries_of(v.block)
    keys = shifted_indices(blocks.xp, indices, v.first, np.dtype(blocks.index_dtype(v.size)))
    keys, values = send_to_owners(
        layout, "redistribute", keys, v.size, [keys, values], ascending=True
    )
    keys = shifted_indices(blocks.xp, keys, -first, keys.dtype)
    return blocks.list_vector(keys, values, last - first, v.dtype)


def redistributed_rows(
    layout: Any, rows: Any, other: Any, length: int, *, with_values: bool = True
) -> Any:
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
    ends = np.clip(other.boundaries(length), first, last) - first
    lengths, *entries = _sent_rows(other, "redistribute", rows, ends, [], with_values)
    offsets = offsets_of(layout.blocks, lengths, entries[0].size)
    return layout.blocks.csr_matrix(offsets, *entries, rows.dtype, rows.ncols)


def sent_rows(layout: Any, call: str, rows: Any, ids: Any, length: int) -> Any:
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
    """
    blocks, xp = layout.blocks, layout.blocks.xp
    ids = ids.astype(blocks.index_dtype(length), copy=False)
    ends = blocks.to_host(xp.searchsorted(ids, layout.boundaries_on_device(length)))
    lengths, *entries, ids = _sent_rows(layout, call, rows, ends, [ids], True)
    first, last = layout.piece(length)
    places = shifted_indices(xp, ids, -first, ids.dtype)
    if not blocks.read((ids[1:] < ids[:-1]).any()):
        per_row = xp.zeros(last - first, lengths.dtype)
        per_row[places] = lengths
        offsets = offsets_of(blocks, per_row, entries[0].size)
        return blocks.csr_matrix(offsets, *entries, rows.dtype, rows.ncols)
    empty_row = xp.zeros(1, lengths.dtype)
    offsets = offsets_of(blocks, xp.concatenate((lengths, empty_row)), entries[0].size)
    found = blocks.csr_matrix(offsets, *entries, rows.dtype, rows.ncols)
    order = xp.full(last - first, ids.size, np.int64)
    order[places] = xp.arange(ids.size)
    return found[order, :].new()


def _sent_rows(
    layout: Any, call: str, rows: Any, ends: Any, columns: list[Any], with_values: bool
) -> list[Any]:
    """Send consecutive rows to each rank; return what came, in the order of the ranks.

    Rank r gets the rows ``ends[r]`` to ``ends[r + 1]``. Returns the numbers of entries of the rows,
    the columns and the values of all entries (a single value for all, or None for ones), and what
    came of `columns`, which have an element for each row.
    """
    communicator, blocks = layout.communicator, layout.blocks
    xp, index = blocks.xp, blocks.index_dtype(rows.ncols + 1)
    offsets, indices, stored = blocks.csr_arrays(rows)
    shared = shared_value(communicator, call, stored, indices.size) if with_values else None
    lengths = xp.diff(offsets).astype(index, copy=False)
    entry_ends = blocks.to_host(offsets[xp.asarray(ends)])
    (lengths, *columns), _ = communicator.exchange(call, np.diff(ends), [lengths, *columns])
    entries = [indices.astype(blocks.index_dtype(rows.ncols), copy=False)]
    if with_values and shared is None:
        entries.append(repeated(xp, stored, indices.size))
    received, _ = communicator.exchange(call, np.diff(entry_ends), entries)
    indices, values = (*received, shared)[:2]
    return [lengths, indices, values, *columns]


def block_along(A: Any, axis: int) -> Any:
    """Return this rank's block of a Matrix that is cut along the other axis."""
    block = A.local(1 - axis)
    if A.layout.communicator.size == 1:
        return block
    *ends, values = block.to_coo()
    first, index = A.layout.piece(A.shape[1 - axis])[0], A.layout.blocks.index_dtype
    length = np.dtype(index(A.shape[1 - axis]))
    ends[1 - axis] = shifted_indices(A.layout.blocks.xp, ends[1 - axis], first, length)
    return owned_block(A.layout, "transpose", ends, values, A.dtype, A.shape, axis)
