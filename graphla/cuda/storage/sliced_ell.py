"""Sliced ELLPACK: rows of a matrix in slices of equal length, by blocks of columns, for A u.

A block is as many columns as have their values of u in shared memory at once. Entries of a row that
has FEW or more of them in one block are *near*: their items are 16-bit columns within the block.
All others are *far*, with 32-bit columns; they are few if the first columns have most entries.

Rows are cut into pieces of at most PIECE entries, sorted by block, then by stretches of the matrix,
so that the sums that they add to stay in the cache, then by length. Each run of 32 pieces is a
slice: a lane of a warp sums one piece. A task is a run of slices of one block; far ones come last.

The form is made for matrices in which few columns have many of the entries, as in a power law, and
when products have been frequent enough to pay for it. Columns that are not already in order of
their number of entries are relabelled so, and rows with them: sums of the rows that have entries
are then adjacent, the ones added to most often side by side.

Source: A. Monakov, A. Lokhmotov, A. Avetisyan, HiPEAC 2010 (slices); S. Beamer, K. Asanovic,
D. Patterson, "Reducing Pagerank communication via propagation blocking", IPDPS 2017.
"""

from __future__ import annotations

from typing import Any, NamedTuple
from weakref import WeakSet

import numpy as np

from graphla.cuda.memory.limits import register_cache
from graphla.cuda.runtime.device import device
from graphla.cuda.runtime.kernel import kernel
from graphla.cuda.storage.csr import CSR
from graphla.cuda.storage.vector_formats import cuda_type

# Of the form (sliced_ell.cuh, sliced_ell_build.cu)
FEW = 2  # entries of a row in a block from which they are near
PIECE = 128  # entries of a piece: at least 2 FEW, at most 256
GRAIN = 1  # the number of items of a lane is a multiple of it
MAX_BLOCK_COLUMNS = 65280  # 16-bit columns, and one number for padding
STRETCH = 24  # bits: pieces that begin within 2^STRETCH entries are sorted by length
RESERVED = 1024  # bytes of shared memory for other data
SLICE = 32  # pieces
BEGIN_BITS, LENGTH_BITS = 39, 8  # of a piece's sort key, below the bits of its block
TASKS = 8  # for each multiprocessor
MAX_ROWS = np.iinfo(np.int32).max

# When it pays
MIN_ENTRIES = 1 << 25
MIN_SHARE = 0.1  # of the entries, in the columns of one block
MIN_SKEW = 4.0  # times the share that the block would have if entries were spread evenly
RELABEL_GAIN = 1.25  # columns are relabelled if the share grows by this factor
BREAK_EVEN = 8  # products that save as much time as the form takes to make
SAMPLE = 1 << 22  # entries by which the share is estimated
COUNT_STEP = 64  # one entry in this many is counted, to order columns
BUILD_BYTES = 48  # for each entry, while the form is made


class Slices(NamedTuple):
    """Slice s has ``items[offsets[s]:offsets[s + 1]]``, for the rows ``rows[32 s:32 s + 32]``."""

    offsets: Any
    rows: Any
    items: Any


class SlicedRows(NamedTuple):
    """Near and far slices, and the tasks: (block or -1 for far, first slice, last slice + 1)."""

    near: Slices
    far: Slices
    tasks: Any
    columns: int  # of a block


class Labels(NamedTuple):
    """New numbers of rows or columns: number k was ``order[k]``, and j has number ``rank[j]``.

    ``size`` is the number of those that have entries; the rank of the others is -1. ``order`` and
    ``rank`` are None if nothing is relabelled.
    """

    size: int
    order: Any = None
    rank: Any = None


class SlicedForm(NamedTuple):
    """The slices of a matrix, the labels of its rows and columns, and the values of the items."""

    slices: SlicedRows
    rows: Labels
    columns: Labels
    near_values: Any
    far_values: Any


class FormCache:
    """The forms of a matrix, by columns of a block and whether they have values.

    An entry is a form, None if it does not pay, or the number of products that requested it.
    """

    def __init__(self) -> None:
        self.forms: dict[tuple[int, bool], Any] = {}


_caches: WeakSet[FormCache] = WeakSet()


def clear() -> None:
    """Drop all forms."""
    for cache in list(_caches):
        cache.forms.clear()


register_cache(clear)


def sliced_form(A: CSR, itemsize: int, valued: bool) -> SlicedForm | None:
    """Return the form of A for vectors of values of `itemsize` bytes, if it is worth while.

    `valued`: with the values of A.
    """
    if A._sliced is None:
        A._sliced = FormCache()
        _caches.add(A._sliced)
    forms, key = A._sliced.forms, (columns_per_block(itemsize), valued)
    form = forms.get(key, 0)
    if type(form) is int:
        form += 1
        if form >= BREAK_EVEN:
            try:
                form = _make(A, forms, *key)
            except device.out_of_memory:  # the product uses the rows
                form = None
        forms[key] = form
    return form if isinstance(form, SlicedForm) else None


def columns_per_block(itemsize: int) -> int:
    """Return the number of columns of a block, the same for all values of at most 4 bytes."""
    fitting = (device.shared_per_block - RESERVED) // max(4, itemsize)
    return min(MAX_BLOCK_COLUMNS, fitting // 256 * 256)


def definitions(columns: int) -> str:
    """Return the constants of the kernels."""
    return (
        f"enum {{ COLUMNS = {columns}, FEW = {FEW}, PIECE = {PIECE}, STRETCH = {STRETCH}, "
        f"GRAIN = {GRAIN}, SLICE = {SLICE}, BEGIN_BITS = {BEGIN_BITS}, "
        f"LENGTH_BITS = {LENGTH_BITS} }};\n"
    )


def _make(A: CSR, forms: dict[Any, Any], columns: int, valued: bool) -> SlicedForm | None:
    """Return the form of A if it pays and there is memory for it."""
    bare = forms.get((columns, False), 0)
    if type(bare) is int:
        bare = forms[columns, False] = _make_without_values(A, columns)
    return _add_values(A, bare) if valued and bare else bare


def _make_without_values(A: CSR, columns: int) -> SlicedForm | None:
    if A.indices.dtype != np.int32 or A.nrows > MAX_ROWS or BUILD_BYTES * A.nvals > device.free():
        return None
    before, after = A.share_of_first_columns(columns), _share_of_densest_columns(A, columns)
    if max(before, after) < max(MIN_SHARE, MIN_SKEW * columns / A.ncols):
        return None
    indptr, indices, rows, cols = A.indptr, A.indices, Labels(A.nrows), Labels(A.ncols)
    if after > RELABEL_GAIN * before:
        indptr, indices, rows, cols = _relabel(A)
    relabelled = CSR(indptr, indices.view(np.uint32), None, cols.size)
    return SlicedForm(slice_rows(relabelled, columns), rows, cols, None, None)


def _add_values(A: CSR, bare: SlicedForm) -> SlicedForm:
    xp, (near, far, tasks, columns) = device.xp, bare.slices
    values = [xp.empty(x.items.size, A.values.dtype) for x in (near, far)]
    text = A.typedefs() + f"typedef {cuda_type(A.values.dtype)} A;\n"
    run = kernel("sliced_ell_values", text + definitions(columns))
    run(
        2048 * device.multiprocessors, len(tasks), tasks, *near, *far, A.indptr, A.indices,
        A.values, bare.columns.order, bare.columns.size, bare.rows.order, *values,
    )  # fmt: skip
    return bare._replace(near_values=values[0], far_values=values[1])


def slice_rows(A: CSR, columns: int) -> SlicedRows:
    """Return the slices of A, whose columns are unsigned, with blocks of `columns` columns."""
    xp, n, nvals = device.xp, A.nrows, A.nvals
    text = _types(A, columns, np.uint16)
    is_far, keys, count = xp.empty(nvals, np.uint8), xp.empty(nvals // FEW, np.uint64), _zero()
    cut = kernel("sliced_ell_build", text, "cut_segments")
    cut(nvals, n, nvals, A.indptr, A.indices, is_far, keys, count)
    near, near_tasks = _make_slices(_sorted(keys, count), A, columns, np.uint16, columns)
    del keys

    far_offsets = xp.zeros(nvals + 1, A.indptr.dtype)
    far_offsets[1:] = is_far.cumsum(dtype=A.indptr.dtype)
    far_columns = xp.empty(int(device.read_scalar(far_offsets[-1])), np.uint32)
    compact = kernel("sliced_ell_build", text, "compact_far_columns")
    compact(nvals, nvals, is_far, far_offsets, A.indices, far_columns)
    far_part = CSR(far_offsets[A.indptr], far_columns, None, A.ncols)
    del is_far, far_offsets
    keys, count = xp.empty(n + far_columns.size // PIECE, np.uint64), _zero()
    kernel("sliced_ell_build", text, "cut_rows")(n, n, far_part.indptr, keys, count)
    far, far_tasks = _make_slices(_sorted(keys, count), far_part, columns, np.uint32, A.ncols)
    far_tasks[:, 0] = -1
    return SlicedRows(near, far, xp.concatenate([near_tasks, far_tasks]), columns)


def _types(A: CSR, columns: int, item: Any) -> str:
    return (
        f"typedef {cuda_type(A.indptr.dtype)} Offset;\ntypedef {cuda_type(item)} Item;\n"
        f"{definitions(columns)}"
    )


def _zero() -> Any:
    return device.xp.zeros(1, np.uint64)


def _sorted(keys: Any, count: Any) -> Any:
    """Return the first `count` sort keys, ascending."""
    pieces = keys[: int(device.read_scalar(count))].copy()
    pieces.sort()
    return pieces


def _make_slices(pieces: Any, A: CSR, columns: int, dtype: Any, padding: int) -> tuple[Slices, Any]:
    """Return slices of sorted pieces of rows, each within one block, and their tasks."""
    xp = device.xp
    text = _types(A, columns, dtype)
    blocks = xp.arange(-(-A.ncols // columns) + 1, dtype=np.uint64)
    blocks <<= np.uint64(BEGIN_BITS + LENGTH_BITS)
    bounds = xp.searchsorted(pieces, blocks).astype(np.int64)  # of the pieces of a block
    starts = xp.zeros(bounds.size, np.int64)  # of the slices of a block
    starts[1:] = (-(-xp.diff(bounds) // SLICE)).cumsum()
    count = int(device.read_scalar(starts[-1]))
    number = xp.arange(count)
    block = xp.searchsorted(starts, number, side="right") - 1
    firsts = bounds[block] + (number - starts[block]) * SLICE
    sizes, offsets = xp.empty(count, np.int64), xp.zeros(count + 1, np.int64)
    measure = kernel("sliced_ell_build", text, "slice_sizes")
    measure(count, count, firsts, pieces.size, pieces, sizes)
    offsets[1:] = sizes.cumsum()
    size = int(device.read_scalar(offsets[-1]))
    slices = Slices(offsets, xp.empty(SLICE * count, np.int32), xp.empty(size, dtype))
    kernel("sliced_ell_build", text, "fill_slices")(
        32 * count, count, firsts, pieces.size, pieces, A.nrows, A.indptr, A.indices, offsets,
        padding, slices.rows, slices.items,
    )  # fmt: skip
    return slices, _make_tasks(offsets, starts, size)


def _make_tasks(offsets: Any, starts: Any, size: int) -> Any:
    """Return runs of slices with about equally many items, each within one block."""
    xp = device.xp
    items = 1 + size // (TASKS * device.multiprocessors)
    cuts = xp.searchsorted(offsets, xp.arange(0, size, items))
    bounds = xp.unique(xp.concatenate([starts, cuts]))
    block = xp.searchsorted(starts, bounds[:-1], side="right") - 1
    tasks = xp.empty((block.size, 3), np.int32)
    tasks[:, 0], tasks[:, 1], tasks[:, 2] = block, bounds[:-1], bounds[1:]
    return tasks


def _share_of_densest_columns(A: CSR, columns: int) -> float:
    """Return the fraction of the entries in the `columns` with most of them, by a sample."""
    xp = device.xp
    sample = xp.sort(A.indices[:: max(1, A.nvals // SAMPLE)])
    begins = xp.flatnonzero(sample[1:] != sample[:-1]) + 1  # of the second column sampled, ...
    ends = xp.concatenate((begins, xp.full(1, sample.size)))
    counts = xp.sort(xp.diff(ends, prepend=ends[:1] * 0))
    return int(device.read_scalar(counts[-columns:].sum(dtype=np.int64))) / sample.size


def _relabel(A: CSR) -> tuple[Any, Any, Labels, Labels]:
    """Return indptr and indices with rows and columns in order of falling number of entries."""
    xp, text = device.xp, A.typedefs()
    counts, lengths = xp.zeros(A.ncols, np.int32), xp.diff(A.indptr)
    count = kernel("relabel_by_count", text, "count_column_entries")
    count(A.nvals, A.nvals, COUNT_STEP, A.indices, counts)
    rows, columns = _labels_by_count(lengths), _labels_by_count(counts)
    indptr = xp.zeros(rows.size + 1, A.indptr.dtype)
    indptr[1:] = lengths[rows.order].cumsum(dtype=indptr.dtype)
    keys = xp.empty(A.nvals, np.uint64)
    relabel = kernel("relabel_by_count", text, "relabel_entries")
    relabel(A.nvals, A.nvals, A.nrows, A.indptr, A.indices, rows.rank, columns.rank, keys)
    keys.sort()
    indices = keys.view(np.uint32)[::2].copy()
    return indptr, indices, rows, columns._replace(rank=None)  # no caller reads the rank


def _labels_by_count(counts: Any) -> Labels:
    """Return labels by falling count, of those with a count above 0."""
    xp = device.xp
    size = int(device.read_scalar((counts > 0).sum(dtype=np.int64)))
    number = xp.arange(counts.size, dtype=np.int64)
    keys = xp.sort((-counts.astype(np.int64) << 32) | number)  # one word, so radix sort does it
    order = (keys[:size] & np.int64(2**32 - 1)).astype(np.int32)
    rank = xp.full(counts.size, -1, np.int32)
    rank[order] = number[:size].astype(np.int32)
    return Labels(size, order, rank)
