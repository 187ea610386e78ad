"""All-gather of a distributed object: every rank gets all of it, as one object of the engine.

What is sent depends on the number of entries, which all ranks know first: values alone if every
position has one, else positions as bits or as a list, whichever the engine of the blocks handles
faster (on CPUs: the smaller), and the values of the entries. Values that the operation does not
read are not sent, nor is one that all entries share.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.ranks.blocks.engine import BITS
from graphla.ranks.collectives.communicator import EncodedColumns
from graphla.ranks.collectives.shared_value import shared_value


def gather_vector(u: Any, call: str, *, with_values: bool = True, reader: Any = None) -> Any:
    """Return a Vector of the engine with all entries of a distributed one.

    Without values all entries are one. `reader` is the Matrix with whose block alone the values
    will be multiplied: if the vector is full and cut as the Matrix is, only those that it reads are
    gathered, in the order in which it does, once it has been multiplied often enough.
    """
    communicator, block, size = u.layout.communicator, u.block, u.size
    if communicator.size == 1:
        return block
    blocks, dtype = communicator.blocks, u.dtype
    xp, index = blocks.xp, np.dtype(blocks.index_dtype(size))
    lengths = np.diff(u.layout.boundaries(size))
    if not (with_values and reader is not None and reader.layout.cuts_as(u.layout, size)):
        reader = None
    order = None if reader is None else reader._gather_order()

    def form_of(total: int) -> str:
        if total == size:
            return "full"
        return "list" if blocks.is_list_cheaper(total, size, with_values) else "bits"

    def encode(counts: Any) -> EncodedColumns:
        form = form_of(int(counts.sum()))
        if form == "full":
            values = [blocks.values_of_full(block)] if with_values else []
            if order:
                return EncodedColumns([xp.take(*values, order.own)], [order.counts], "reordered")
            return EncodedColumns(values, [counts] * len(values), form)
        if form == "bits" and not with_values:
            return EncodedColumns([blocks.bits_of(block)], [-(-lengths // BITS)], form)
        if form == "bits":
            _, values = blocks.entries_of(block)
            return EncodedColumns(
                [blocks.bits_of(block), values], [-(-lengths // BITS), counts], form
            )
        indices, values = blocks.listed_entries(block)
        columns = [shifted_indices(xp, indices, u.first, index), values]
        return EncodedColumns(columns[: 1 + with_values], [counts] * (1 + with_values), form)

    ascends = int(blocks.lists_ascending(block))
    columns, heading = communicator.gather_columns(call, block.nvals, encode, ascends)
    total = int(heading.first.sum())
    form = form_of(total)
    if form == "full":
        if not with_values:
            return blocks.objects.Vector.from_scalar(1, size, dtype)
        if order:
            return blocks.reordered_vector(*columns, order.whole, size, dtype)
        if reader is not None:
            reader._count_full_gather()
        return blocks.full_vector(*columns, dtype)
    positions, values = (*columns, None)[:2]
    if form == "list":
        make = blocks.list_vector if heading.second.all() else blocks.unordered_list_vector
        found = make(positions, values, size, dtype)
    else:
        bits = blocks.joined_bits(positions, lengths.tolist())
        found = blocks.bitmap_vector(bits, values, total, size, dtype)
    blocks.copy_storage_hint(found, block)
    return found


def gather_matrix(A: Any, call: str, *, with_values: bool = True) -> Any:
    """Return a Matrix of the engine with all entries of a distributed one, or the transpose of one.

    Without values all entries are one.
    """
    if A.transposed_of is not None:
        return gather_matrix(A.transposed_of, call, with_values=with_values).T
    communicator, axis = A.layout.communicator, A.axis
    block = A.local(axis)
    if communicator.size == 1:
        return block
    blocks, dtype, width = communicator.blocks, A.dtype, A.shape[1 - axis]
    xp = blocks.xp
    rows = communicator.guarded(call, lambda: blocks.csr_arrays(block.T if axis else block))
    offsets, indices, stored = rows
    shared = shared_value(communicator, call, stored, indices.size) if with_values else None
    sends_values = with_values and shared is None
    last = np.arange(communicator.size) == communicator.size - 1  # which sends the end, too
    lengths = np.diff(A.layout.boundaries(A.shape[axis])) + last

    def encode(counts: Any) -> EncodedColumns:
        offset = np.dtype(blocks.index_dtype(int(counts.sum()) + 1))
        before = int(counts[: communicator.rank].sum())
        own = offsets[: int(lengths[communicator.rank])]
        columns = [
            shifted_indices(xp, own, before, offset),
            indices.astype(blocks.index_dtype(width), copy=False),
        ]
        if sends_values:
            columns.append(repeated(xp, stored, indices.size))
        sizes = [lengths, *[counts] * (len(columns) - 1)]
        return EncodedColumns(columns, sizes, "columns" if axis else "rows")

    columns, _ = communicator.gather_columns(call, int(indices.size), encode)
    make = blocks.csc_matrix if axis else blocks.csr_matrix
    return make(*(*columns, shared)[:3], dtype, width)


def shifted_indices(xp: Any, indices: Any, shift: int, dtype: Any) -> Any:
    """Return indices plus a number, in another dtype; the array itself if nothing changes."""
    if not shift:
        return indices.astype(dtype, copy=False)
    combine = xp.add if shift > 0 else xp.subtract  # the types may have no sign
    return combine(indices, dtype.type(abs(shift)), dtype=dtype, casting="unsafe")


def offsets_of(blocks: Any, counts: Any, total: int) -> Any:
    """Return where each row begins, of the numbers of entries of the rows, and their total."""
    xp, dtype = blocks.xp, blocks.index_dtype(total + 1)
    offsets = xp.zeros(counts.size + 1, dtype)
    xp.cumsum(counts.astype(dtype, copy=False), dtype=dtype, out=offsets[1:])
    return offsets


def repeated(xp: Any, values: Any, count: int) -> Any:
    """Return one value for each of `count` entries, which may share a single one."""
    return values if values.size == count else xp.repeat(values[:1], count)
