"""All-gather of a distributed object: every rank gets all of it, as one object of python-graphblas.

What is sent depends on the number of entries, which all ranks know first: values alone if every
position has one, else positions as bits or as a list, whichever is smaller, and the values of the
entries. Values that the operation does not read are not sent.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import graphblas as gb
import numpy as np

from graphla.ranks.collectives.communicator import split

BITS = 8  # in a byte


def index_type(length: int) -> Any:
    """Return the NumPy type in which indices of a dimension are sent."""
    return np.uint32 if length <= 1 << 32 else np.uint64


def gather_vector(u: Any, call: str, *, with_values: bool = True) -> Any:
    """Return a Vector of python-graphblas with all entries of a distributed one.

    Without values all entries are one.
    """
    communicator, block, size = u.layout.communicator, u.block, u.size
    if communicator.size == 1:
        return block
    dtype, index = u.dtype.np_type, index_type(size)

    def form_of(total: int) -> str:
        if total == size:
            return "full"
        return "bits" if total * index().itemsize * BITS > size else "list"

    def encode(heading: Any) -> tuple[Any, str]:
        form = form_of(int(heading.first.sum()))
        if form == "full":
            return (block.to_dense() if with_values else np.empty(0, dtype)), form
        indices, values = block.to_coo(values=with_values)
        if form == "list":
            positions = (indices + u.first).astype(index)
        else:
            present = np.zeros(block.size, bool)
            present[indices] = True
            positions = np.packbits(present)
        parts = [positions.view(np.uint8)]
        if with_values:
            parts.append(np.ascontiguousarray(values).view(np.uint8))
        return np.concatenate(parts), form

    whole, byte_counts, heading = communicator.gather_arrays(call, block.nvals, encode)
    counts, total = heading.first.tolist(), int(heading.first.sum())
    form = form_of(total)
    if form == "full":
        if not with_values:
            return gb.Vector.from_scalar(1, size, u.dtype)
        return gb.Vector.ss.import_full(whole, take_ownership=True, dtype=u.dtype)
    parts = split(whole, byte_counts)
    lengths = [b - a for a, b in pairwise(u.layout.boundaries(size).tolist())]
    if form == "list":
        ends = [count * index().itemsize for count in counts]
    else:
        ends = [-(-length // BITS) for length in lengths]
    values = np.ones(1, dtype)
    if with_values:
        values = np.concatenate([p[k:] for p, k in zip(parts, ends, strict=True)]).view(dtype)
    if form == "list":
        positions = np.concatenate([p[:k] for p, k in zip(parts, ends, strict=True)]).view(index)
        whole = gb.Vector.ss.import_sparse(
            size=size, indices=positions.astype(np.uint64), values=values, nvals=total,
            is_iso=not with_values, sorted_index=True, dtype=u.dtype,
        )  # fmt: skip
    else:
        present = np.concatenate(
            [
                np.unpackbits(p[:k], count=length)
                for p, k, length in zip(parts, ends, lengths, strict=True)
            ]
        ).astype(bool)
        if with_values:
            entries, values = values, np.zeros(size, dtype)
            values[present] = entries
        whole = gb.Vector.ss.import_bitmap(
            bitmap=present, values=values, nvals=total, size=size,
            is_iso=not with_values, dtype=u.dtype,
        )  # fmt: skip
    whole.ss.config["sparsity_control"] = block.ss.config["sparsity_control"]
    return whole


def gather_matrix(A: Any, call: str, *, with_values: bool = True) -> Any:
    """Return a Matrix of python-graphblas with all entries of a distributed one.

    Without values all entries are one.
    """
    if A.transposed_of is not None:
        return gather_matrix(A.transposed_of, call, with_values=with_values).T
    communicator, axis = A.layout.communicator, A.axis
    block = A.local(axis)
    if communicator.size == 1:
        return block
    dtype, index = A.dtype.np_type, index_type(A.shape[1 - axis])
    count = int(block.nvals)

    def encode(heading: Any) -> tuple[Any, str]:
        pointers, indices, values = block.to_csc() if axis else block.to_csr()
        parts = [np.diff(pointers).astype(np.int64), indices.astype(index)]
        if with_values:
            parts.append(values[:1] if heading.second.all() else values)
        content = np.concatenate([np.ascontiguousarray(x).view(np.uint8) for x in parts])
        return content, "columns" if axis else "rows"

    is_iso = not count or block.ss.is_iso
    gathered, byte_counts, heading = communicator.gather_arrays(call, count, encode, int(is_iso))
    parts = split(gathered, byte_counts)
    lengths = np.diff(A.layout.boundaries(A.shape[axis])).tolist()
    counts, indices, values = [], [], []
    for part, length, entries in zip(parts, lengths, heading.first.tolist(), strict=True):
        middle = length * np.int64().itemsize
        end = middle + entries * index().itemsize
        counts.append(part[:middle].view(np.int64))
        indices.append(part[middle:end].view(index))
        found = part[end:].view(dtype)
        values.append(np.repeat(found, entries) if heading.second.all() else found)
    pointers = np.concatenate(([0], np.cumsum(np.concatenate(counts))))
    if not with_values:
        content = dtype.type(1)
    else:
        content = np.concatenate(values)
        if heading.second.all() and content.size and (content == content[0]).all():
            content = content[0]
    make = gb.Matrix.from_csc if axis else gb.Matrix.from_csr
    other = {"nrows": A.nrows} if axis else {"ncols": A.ncols}
    whole = make(pointers, np.concatenate(indices), content, A.dtype, **other)
    whole.ss.config["format"] = "by_row"
    return whole
