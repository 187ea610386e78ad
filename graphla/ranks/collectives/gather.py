"""All-gather of a distributed object: every rank gets all of it, as one object of the engine.

What is sent depends on the number of entries, which all ranks know first: values alone if every
position has one, else positions as bits or as a list, whichever is smaller, and the values of the
entries. Values that the operation does not read are not sent.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from graphla.ranks.blocks.engine import BITS
from graphla.ranks.collectives.communicator import split


def index_type(length: int) -> Any:
    """Return the NumPy type in which indices of a dimension are sent."""
    return np.uint32 if length <= 1 << 32 else np.uint64


def gather_vector(u: Any, call: str, *, with_values: bool = True) -> Any:
    """Return a Vector of the engine with all entries of a distributed one.

    Without values all entries are one.
    """
    communicator, block, size = u.layout.communicator, u.block, u.size
    if communicator.size == 1:
        return block
    blocks, dtype, index = communicator.blocks, u.dtype, index_type(size)
    xp = blocks.xp

    def form_of(total: int) -> str:
        if total == size:
            return "full"
        return "bits" if total * index().itemsize * BITS > size else "list"

    def encode(heading: Any) -> tuple[Any, str]:
        form = form_of(int(heading.first.sum()))
        if form == "full":
            return blocks.values_of_full(block) if with_values else xp.empty(0, dtype.np_type), form
        positions: Any = None
        values = None
        if form == "list" or with_values:
            positions, values = block.to_coo(values=with_values)
        if form == "list":
            positions = (positions.astype(np.int64) + u.first).astype(index)
        else:
            positions = blocks.bits_of(block)
        parts = [positions.view(np.uint8)]
        if with_values:
            parts.append(xp.ascontiguousarray(values).view(np.uint8))
        return xp.concatenate(parts) if with_values else parts[0], form

    whole, byte_counts, heading = communicator.gather_arrays(call, block.nvals, encode)
    counts, total = heading.first.tolist(), int(heading.first.sum())
    form = form_of(total)
    if form == "full":
        if not with_values:
            return blocks.objects.Vector.from_scalar(1, size, dtype)
        return blocks.full_vector(whole, dtype)
    parts = split(whole, byte_counts)
    lengths = [b - a for a, b in pairwise(u.layout.boundaries(size).tolist())]
    if form == "list":
        ends = [count * index().itemsize for count in counts]
    else:
        ends = [-(-length // BITS) for length in lengths]
    values = None
    if with_values:
        values = xp.concatenate([p[k:] for p, k in zip(parts, ends, strict=True)])
        values = values.view(dtype.np_type)
    positions = [p[:k] for p, k in zip(parts, ends, strict=True)]
    if form == "list":
        indices = xp.concatenate(positions).view(index)
        found = blocks.list_vector(indices, values, size, dtype)
    else:
        bits = blocks.joined_bits(positions, lengths)
        found = blocks.bitmap_vector(bits, values, total, size, dtype)
    blocks.keep_as(found, block)
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
    blocks, dtype, index = communicator.blocks, A.dtype, index_type(A.shape[1 - axis])
    xp = blocks.xp
    rows = communicator.guarded(call, lambda: blocks.csr_arrays(block.T if axis else block))
    offsets, columns, stored = rows
    is_iso = not columns.size or stored.size == 1

    def encode(heading: Any) -> tuple[Any, str]:
        parts = [xp.diff(offsets).astype(np.int64), columns.astype(index)]
        if with_values:
            sends_one = heading.second.all()
            parts.append(stored[:1] if sends_one else _repeated(xp, stored, columns.size))
        content = xp.concatenate([xp.ascontiguousarray(x).view(np.uint8) for x in parts])
        return content, "columns" if axis else "rows"

    count = int(columns.size)
    gathered, byte_counts, heading = communicator.gather_arrays(call, count, encode, int(is_iso))
    parts = split(gathered, byte_counts)
    lengths = np.diff(A.layout.boundaries(A.shape[axis])).tolist()
    counts, indices, values = [], [], []
    for part, length, entries in zip(parts, lengths, heading.first.tolist(), strict=True):
        middle = length * np.int64().itemsize
        end = middle + entries * index().itemsize
        counts.append(_values(part[:middle], np.int64))
        indices.append(_values(part[middle:end], index))
        found = _values(part[end:], dtype.np_type)
        values.append(_repeated(xp, found, entries) if heading.second.all() else found)
    content = xp.concatenate(values) if with_values else None
    offsets = offsets_of(xp, xp.concatenate(counts))
    arrays = offsets, xp.concatenate(indices), content
    make = blocks.csc_matrix if axis else blocks.csr_matrix
    return make(*arrays, dtype, A.shape[1 - axis])


def offsets_of(xp: Any, counts: Any) -> Any:
    """Return where each row begins, of numbers of entries, and the total: int64."""
    offsets = xp.zeros(counts.size + 1, np.int64)
    offsets[1:] = xp.cumsum(counts, dtype=np.int64)
    return offsets


def _values(content: Any, dtype: Any) -> Any:
    """Return the values of bytes that lie anywhere: a device reads them at their alignment only."""
    return content.copy().view(dtype)


def _repeated(xp: Any, values: Any, count: int) -> Any:
    """Return one value for each of `count` entries."""
    return values if values.size == count else xp.repeat(values[:1], count)
