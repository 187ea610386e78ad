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

The form is built from parts of consecutive rows, so that sort keys and relabelled columns are those
of one part. At the end the slices of all parts are copied into one array, block by block.

Source: A. Monakov, A. Lokhmotov, A. Avetisyan, HiPEAC 2010 (slices); S. Beamer, K. Asanovic,
D. Patterson, "Reducing Pagerank communication via propagation blocking", IPDPS 2017.
"""

from __future__ import annotations

from itertools import pairwise
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

# Memory while the form is made: see build_bytes
PART = 1 << 28  # entries and rows of a part, without its last row
FORM_BYTES = 4  # for each entry: items and rows; 2.2 to 3.2 in R-MAT graphs
PART_BYTES = 24  # for each entry and row of a part: at most 21 for columns, keys and offsets
LINE_BYTES = 24  # for each row and column: labels, and the keys by which they are sorted


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
    ``column_order`` is the order of the columns of all forms; None: by falling number of entries,
    where that pays.
    """

    def __init__(self) -> None:
        self.forms: dict[tuple[int, bool], Any] = {}
        self.column_order: Any = None


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
    forms, key = _cache_of(A).forms, (columns_per_block(itemsize), valued)
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


def _cache_of(A: CSR) -> FormCache:
    if A._sliced is None:
        A._sliced = FormCache()
        _caches.add(A._sliced)
    found: FormCache = A._sliced
    return found


def will_relabel(A: CSR, itemsize: int) -> bool:
    """Whether a form of A, for values of `itemsize` bytes, will have its columns relabelled."""
    columns = columns_per_block(itemsize)
    if A.nvals < MIN_ENTRIES or columns >= A.ncols or not _fits(A):
        return False
    before, after = A.share_of_first_columns(columns), _share_of_densest_columns(A, columns)
    return after >= _least_share(A, columns) and after > RELABEL_GAIN * before


def set_column_order(A: CSR, order: Any) -> Any:
    """Set the order of the columns of all forms of A; the next product makes what it has anew.

    Parameters
    ----------
    A : CSR
    order : array of int32
        All columns that have entries, and maybe others; none twice. A block is a run of them, so
        columns with many entries should be together.

    Returns
    -------
    array of int32
        The order, or the equal one that was set before.
    """
    cache = _cache_of(A)
    known = cache.column_order
    has_known = known is not None and known.size == order.size
    if has_known and device.read_scalar((known == order).all()):
        return known
    cache.column_order = order
    for key, form in list(cache.forms.items()):
        if isinstance(form, SlicedForm):
            cache.forms[key] = BREAK_EVEN - 1
    return order


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


def _fits(A: CSR) -> bool:
    """Whether the numbers of A fit into a form, and a form into memory.

    Column numbers of the slices are int32: matrices whose columns are unsigned have no form.
    """
    return A.indices.dtype == np.int32 and A.nrows <= MAX_ROWS and build_bytes(A) <= device.free()


def _least_share(A: CSR, columns: int) -> float:
    """Return the share of the entries in the columns of one block from which a form pays."""
    return max(MIN_SHARE, MIN_SKEW * columns / A.ncols)


def _make_without_values(A: CSR, columns: int) -> SlicedForm | None:
    if not _fits(A):
        return None
    before, after = A.share_of_first_columns(columns), _share_of_densest_columns(A, columns)
    if max(before, after) < _least_share(A, columns):
        return None
    if _cache_of(A).column_order is None and after <= RELABEL_GAIN * before:
        rows, cols = Labels(A.nrows), Labels(A.ncols)
        return SlicedForm(slice_rows(A, columns), rows, cols, None, None)
    rows, cols = _labels(A)
    slices = slice_rows(A, columns, (rows, cols))
    return SlicedForm(slices, rows, cols._replace(rank=None), None, None)  # the rank is not read


def build_bytes(A: CSR) -> int:
    """Return about how many bytes it takes to make the form of A.

    They are most while the last part is made, or while the near slices of all parts are copied into
    one array; parts are released before the far ones are copied.
    """
    largest = min(A.nvals + A.nrows, PART + A.max_row_length + 1)
    form = FORM_BYTES * A.nvals
    copy = form if A.nvals + A.nrows > PART else 0
    return form + max(PART_BYTES * largest, copy) + LINE_BYTES * (A.nrows + A.ncols)


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


def slice_rows(A: CSR, columns: int, labels: tuple[Labels, Labels] | None = None) -> SlicedRows:
    """Return the slices of A with blocks of `columns` columns.

    `labels`: those of the rows and of the columns, with an order; None if nothing is relabelled.
    """
    offsets, near, far = A.indptr, [], []
    if labels:
        lengths = device.xp.diff(A.indptr)[labels[0].order]
        offsets = device.xp.zeros(lengths.size + 1, A.indptr.dtype)
        offsets[1:] = lengths.cumsum(dtype=offsets.dtype)
        del lengths
    for (first, begin), (last, end) in pairwise(_bounds_of_parts(offsets, A.nvals)):
        part_offsets = offsets[first : last + 1] - offsets[first : first + 1]
        if labels:
            part = _relabelled_rows(A, part_offsets, end - begin, first, *labels)
        else:
            part = CSR(part_offsets, A.indices[begin:end].view(np.uint32), None, A.ncols)
        near_part, far_entries = _slice_near(part, columns, first)
        del part
        near.append(near_part)
        far.append(_slice_far(far_entries, columns, first))
        del near_part, far_entries
    near_slices, near_starts = _join(near, _types(A, columns, np.uint16))
    far_slices, far_starts = _join(far, _types(A, columns, np.uint32))
    near_tasks = _make_tasks(near_slices, near_starts)
    far_tasks = _make_tasks(far_slices, far_starts)
    far_tasks[:, 0] = -1
    tasks = device.xp.concatenate([near_tasks, far_tasks])
    return SlicedRows(near_slices, far_slices, tasks, columns)


def _bounds_of_parts(offsets: Any, nvals: int) -> list[tuple[int, int]]:
    """Return the first row and entry of each part, and the ends of the last one.

    A part has at least one row. Without its last row it has less than PART entries and rows.
    """
    xp, n = device.xp, int(offsets.size) - 1
    sizes = offsets + xp.arange(n + 1)  # the entries and rows before each row
    targets = PART * xp.arange(-(-(nvals + n) // PART) + 1)
    rows = xp.minimum(xp.searchsorted(sizes, targets), n)
    bounds = device.to_host(xp.stack([rows, sizes[rows] - rows], axis=1)).tolist()
    return sorted({(row, entry) for row, entry in bounds}) if n else [(0, 0), (0, 0)]


def _relabelled_rows(
    A: CSR, offsets: Any, nvals: int, first: int, rows: Labels, columns: Labels
) -> CSR:
    """Return the rows that have the new numbers first, first + 1, ..., with relabelled columns."""
    xp, n = device.xp, offsets.size - 1
    keys = xp.empty(nvals, np.uint64)
    relabel = kernel("relabel_by_count", A.typedefs(), "relabel_entries")
    relabel(
        nvals, nvals, n, offsets, rows.order[first : first + n], A.indptr, A.indices, columns.rank,
        keys,
    )  # fmt: skip
    keys.sort()
    return CSR(offsets, keys.view(np.uint32)[::2].copy(), None, columns.size)


def _slice_near(part: CSR, columns: int, first_row: int) -> tuple[tuple[Slices, Any], CSR]:
    """Return what :func:`_make_slices` makes of the near entries; and the far entries, by rows."""
    xp, n, nvals = device.xp, part.nrows, part.nvals
    text = _types(part, columns, np.uint16)
    is_far, keys, count = xp.empty(nvals, np.uint8), xp.empty(nvals // FEW, np.uint64), _zero()
    cut = kernel("sliced_ell_build", text, "cut_segments")
    cut(nvals, n, nvals, part.indptr, part.indices, is_far, keys, count)
    pieces = _sorted(keys, count)
    del keys
    near = _make_slices(pieces, part, columns, np.uint16, columns, first_row)
    del pieces

    far_offsets = xp.zeros(nvals + 1, part.indptr.dtype)
    far_offsets[1:] = is_far.cumsum(dtype=part.indptr.dtype)
    far_columns = xp.empty(int(device.read_scalar(far_offsets[-1])), np.uint32)
    compact = kernel("sliced_ell_build", text, "compact_far_columns")
    compact(nvals, nvals, is_far, far_offsets, part.indices, far_columns)
    return near, CSR(far_offsets[part.indptr], far_columns, None, part.ncols)


def _slice_far(part: CSR, columns: int, first_row: int) -> tuple[Slices, Any]:
    """Return what :func:`_make_slices` makes of far entries."""
    n = part.nrows
    keys, count = device.xp.empty(n + part.nvals // PIECE, np.uint64), _zero()
    cut = kernel("sliced_ell_build", _types(part, columns, np.uint16), "cut_rows")
    cut(n, n, part.indptr, keys, count)
    pieces = _sorted(keys, count)
    del keys
    return _make_slices(pieces, part, columns, np.uint32, part.ncols, first_row)


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


def _make_slices(
    pieces: Any, part: CSR, columns: int, dtype: Any, padding: int, first_row: int
) -> tuple[Slices, Any]:
    """Return slices of sorted pieces of rows, and the first slice of each block.

    A slice is within one block. `first_row` is the number of the part's first row. After the first
    slices comes the number of slices.
    """
    xp = device.xp
    text = _types(part, columns, dtype)
    blocks = xp.arange(-(-part.ncols // columns) + 1, dtype=np.uint64)
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
        32 * count, count, firsts, pieces.size, pieces, part.nrows, part.indptr, part.indices,
        offsets, padding, first_row, slices.rows, slices.items,
    )  # fmt: skip
    return slices, starts


def _join(parts: list[tuple[Slices, Any]], text: str) -> tuple[Slices, Any]:
    """Return the slices of all parts, by blocks, then by parts, and the first slice of each block.

    The list is emptied: a part is released as soon as it has been copied.
    """
    if len(parts) == 1:
        return parts.pop()
    xp, dtype = device.xp, parts[0][0].items.dtype
    count = sum(int(slices.rows.size) for slices, _ in parts) // SLICE
    size = sum(int(slices.items.size) for slices, _ in parts)
    counts = xp.stack([xp.diff(starts) for _, starts in parts], axis=1)  # by block and part
    firsts = counts.ravel().cumsum().reshape(counts.shape) - counts
    offsets, targets = xp.zeros(count + 1, np.int64), []
    for k, (slices, starts) in enumerate(parts):
        number = xp.arange(slices.offsets.size - 1)
        block = xp.searchsorted(starts, number, side="right") - 1
        targets.append(firsts[:, k][block] + number - starts[block])
        offsets[targets[k] + 1] = xp.diff(slices.offsets)
    offsets = offsets.cumsum()
    joined = Slices(offsets, xp.empty(SLICE * count, np.int32), xp.empty(size, dtype))
    move = kernel("sliced_ell_build", text, "move_slices")
    for target in targets:
        part, _ = parts.pop(0)
        move(32 * target.size, target.size, target, *part, *joined)
        del part
    return joined, xp.concatenate([firsts[:, 0], xp.full(1, count)])


def _make_tasks(slices: Slices, starts: Any) -> Any:
    """Return runs of slices with about equally many items, each within one block."""
    xp, size = device.xp, int(slices.items.size)
    items = 1 + size // (TASKS * device.multiprocessors)
    cuts = xp.searchsorted(slices.offsets, xp.arange(0, size, items))
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


def _labels(A: CSR) -> tuple[Labels, Labels]:
    """Return labels of rows by falling number of entries, and of columns likewise or as set."""
    order = _cache_of(A).column_order
    if order is None:
        order = order_by_count(estimated_column_counts(A))
    rows = order_by_count(device.xp.diff(A.indptr))
    return _labels_in_order(rows, A.nrows), _labels_in_order(order, A.ncols)


def estimated_column_counts(A: CSR) -> Any:
    """Return about how many entries each column has, as int32: above 0 if it has any."""
    counts = device.xp.zeros(A.ncols, np.int32)
    count = kernel("relabel_by_count", A.typedefs(), "count_column_entries")
    count(A.nvals, A.nvals, COUNT_STEP, A.indices, counts)
    return counts


def order_by_count(counts: Any) -> Any:
    """Return the indices of the positive counts by falling count, as int32."""
    xp = device.xp
    size = int(device.read_scalar((counts > 0).sum(dtype=np.int64)))
    number = xp.arange(counts.size, dtype=np.int64)
    keys = xp.sort((-counts.astype(np.int64) << 32) | number)  # one word, so radix sort does it
    return (keys[:size] & np.int64(2**32 - 1)).astype(np.int32)


def _labels_in_order(order: Any, length: int) -> Labels:
    """Return the labels 0, 1, ... of the indices in `order`, out of `length`."""
    xp, size = device.xp, int(order.size)
    rank = xp.full(length, -1, np.int32)
    rank[order] = xp.arange(size, dtype=np.int32)
    return Labels(size, order, rank)
