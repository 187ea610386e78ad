"""Rows of a matrix in blocks of columns, and in slices of equal length, for sums along them.

Columns are cut into blocks whose values of a vector fit into shared memory. Where a row has
several entries in a block these are *near*: 16-bit numbers within the block; the others are
*far*, a tenth where few columns, the first ones, have most entries. Rows are cut into pieces.
Those of a stretch of rows stand together, so that the sums that they add to stay in the cache,
and pieces of about equal length lie side by side, 32 of them a slice, so that each lane of a
warp sums one up. Pieces are handed out in works, a run of slices each, the far ones last.

Source: A. Monakov, A. Lokhmotov, A. Avetisyan, HiPEAC 2010 (slices); S. Beamer, K. Asanovic,
D. Patterson, "Reducing Pagerank communication via propagation blocking", IPDPS 2017.
"""

from __future__ import annotations

from typing import Any, NamedTuple
from weakref import WeakSet

import numpy as np

from graphla.cuda.memory.limits import register_cache
from graphla.cuda.runtime.compile import kernel
from graphla.cuda.runtime.device import device
from graphla.cuda.storage.csr import CSR
from graphla.cuda.storage.vector_formats import cuda_type

FEW = 2  # entries of a row in a block from which they are near
PIECE = 128  # entries; at most so many, at least 2 FEW, and at most 256
GRAIN = 1  # items of which a piece is made
WIDEST = 65280  # columns of a block: 16-bit numbers, and one that stands for none
STRETCH = 24  # bits: pieces that begin in so many entries lie together, by length
SPARE = 1024  # bytes of shared memory for other things
SLICE = 32  # pieces
BEGIN_BITS, LENGTH_BITS = 39, 8  # of a piece's sort key, below the bits of its block
WORKS = 8  # for each multiprocessor
MOST = np.iinfo(np.int32).max  # rows


class Rows(NamedTuple):
    """Columns of each row: those of v are ``indices[ends[v]:ends[v + 1]]``, ascending."""

    ends: Any
    indices: Any
    ncols: int


class Slices(NamedTuple):
    """Slice s has the items ``begins[s]:begins[s + 1]``, for the 32 rows from ``rows[32 s]``."""

    begins: Any
    rows: Any
    items: Any


class Sliced(NamedTuple):
    """Both kinds of slices, and the works: (block, first slice, last), the far ones with -1."""

    near: Slices
    far: Slices
    works: Any
    columns: int


def columns_per_block(itemsize: int) -> int:
    """Return how many columns a block has, for values of so many bytes."""
    return min(WIDEST, (device.shared_per_block - SPARE) // itemsize // 256 * 256)


def definitions(columns: int) -> str:
    """Return what the kernels take as given."""
    return (
        f"enum {{ COLUMNS = {columns}, FEW = {FEW}, PIECE = {PIECE}, STRETCH = {STRETCH}, "
        f"GRAIN = {GRAIN}, SLICE = {SLICE}, BEGIN_BITS = {BEGIN_BITS}, "
        f"LENGTH_BITS = {LENGTH_BITS} }};\n"
    )


def _types(rows: Rows, columns: int, item: Any = np.uint16) -> str:
    kinds = f"typedef {cuda_type(rows.ends.dtype)} Offset;\ntypedef {cuda_type(item)} Item;\n"
    return kinds + definitions(columns)


def cut(ends: Any, indices: Any, ncols: int, columns: int) -> Sliced:
    """Return rows in slices, of blocks of so many columns.

    Row v has the columns ``indices[ends[v]:ends[v + 1]]``, unsigned and ascending.
    """
    xp, n, nvals = device.xp, int(ends.size) - 1, int(indices.size)
    rows = Rows(ends, indices, ncols)
    text = _types(rows, columns)
    few, keys, count = xp.empty(nvals, np.uint8), xp.empty(nvals // FEW, np.uint64), _zero()
    kernel("sliced_ell_build", text, "cut_segments")(
        nvals, n, nvals, ends, indices, few, keys, count
    )
    near, near_works = _slices(_sorted(keys, count), rows, columns, np.uint16, columns)
    del keys

    places = xp.zeros(nvals + 1, ends.dtype)
    places[1:] = few.cumsum(dtype=ends.dtype)
    kept = xp.empty(int(device.read_scalar(places[-1])), np.uint32)
    kernel("sliced_ell_build", text, "compact_far_columns")(
        nvals, nvals, few, places, indices, kept
    )
    rest = Rows(places[ends], kept, ncols)
    del few, places
    keys, count = xp.empty(n + kept.size // PIECE, np.uint64), _zero()
    kernel("sliced_ell_build", text, "cut_rows")(n, n, rest.ends, keys, count)
    far, far_works = _slices(_sorted(keys, count), rest, columns, np.uint32, ncols)
    far_works[:, 0] = -1
    return Sliced(near, far, xp.concatenate([near_works, far_works]), columns)


def _zero() -> Any:
    return device.xp.zeros(1, np.uint64)


def _sorted(keys: Any, count: Any) -> Any:
    """Return the pieces of a list, in order."""
    found = keys[: int(device.read_scalar(count))].copy()
    found.sort()
    return found


def _slices(pieces: Any, rows: Rows, columns: int, dtype: Any, none: int) -> tuple[Slices, Any]:
    """Return slices of sorted pieces, none of which is of two blocks, and their works."""
    xp, n = device.xp, int(rows.ends.size) - 1
    text = _types(rows, columns, dtype)
    blocks = xp.arange(-(-rows.ncols // columns) + 1, dtype=np.uint64) << np.uint64(
        BEGIN_BITS + LENGTH_BITS
    )
    bounds = xp.searchsorted(pieces, blocks).astype(np.int64)
    starts = xp.zeros(bounds.size, np.int64)
    starts[1:] = (-(-xp.diff(bounds) // SLICE)).cumsum()
    count = int(device.read_scalar(starts[-1]))
    number = xp.arange(count)
    block = xp.searchsorted(starts, number, side="right") - 1
    firsts = bounds[block] + (number - starts[block]) * SLICE
    width, begins = xp.empty(count, np.int64), xp.zeros(count + 1, np.int64)
    kernel("sliced_ell_build", text, "slice_sizes")(
        count, count, firsts, pieces.size, pieces, width
    )
    begins[1:] = width.cumsum()
    size = int(device.read_scalar(begins[-1]))
    found = Slices(begins, xp.empty(SLICE * count, np.int32), xp.empty(size, dtype))
    kernel("sliced_ell_build", text, "fill_slices")(
        32 * count, count, firsts, pieces.size, pieces, n, rows.ends, rows.indices, begins, none,
        found.rows, found.items,
    )  # fmt: skip
    return found, _works(begins, starts, size)


def _works(begins: Any, starts: Any, size: int) -> Any:
    """Return runs of slices, of about equally many items, none of two blocks."""
    xp = device.xp
    each = 1 + size // (WORKS * device.multiprocessors)
    cuts = xp.searchsorted(begins, xp.arange(0, size, each))
    bounds = xp.unique(xp.concatenate([starts, cuts]))
    block = xp.searchsorted(starts, bounds[:-1], side="right") - 1
    works = xp.empty((block.size, 3), np.int32)
    works[:, 0], works[:, 1], works[:, 2] = block, bounds[:-1], bounds[1:]
    return works


# Slices of a matrix, where few columns have many of its entries, as in a power law.
#
# They are derived from compressed sparse rows, which never change, and made once that pays: who
# asks once, or has a matrix that gains little, does not pay for it. Columns that are not in order
# by how many entries they have are renumbered so, and rows with them: sums of the rows that have
# entries then lie together, those that are added to most side by side.

MANY = 1 << 25  # entries from which it pays
SHARE = 0.1  # of the entries that are in the columns of one block, for it to pay
SKEW = 4.0  # times as many as were they spread evenly, too
GAIN = 1.25  # times as many there as before: columns are renumbered
PATIENCE = 8  # products that gain as much as the slices take
SAMPLE = 1 << 22  # entries by which the gain is judged
STEP = 64  # entries of which one is counted
ROOM = 48  # bytes for each entry, while slices are made


class Numbers(NamedTuple):
    """Numbers of rows or columns: the k-th was ``order[k]``, and j is the ``rank[j]``-th.

    The rank is -1 without entries. Both are None where there are no other numbers.
    """

    size: int
    order: Any = None
    rank: Any = None


class Form(NamedTuple):
    """Slices of A, the numbers of its rows and columns in them, and the values of their items."""

    slices: Sliced
    rows: Numbers
    columns: Numbers
    near: Any
    far: Any


class Forms:
    """By columns of a block, and whether with values: what there is, or how many asked."""

    def __init__(self) -> None:
        self.found: dict[tuple[int, bool], Any] = {}


_all: WeakSet[Forms] = WeakSet()


def clear() -> None:
    """Give the memory of all slices back."""
    for forms in list(_all):
        forms.found.clear()


register_cache(clear)


def sliced(A: CSR, itemsize: int, valued: bool) -> Form | None:
    """Return slices of A for values of so many bytes, if that pays; `valued`: with A's values."""
    if A._sliced is None:
        A._sliced = Forms()
        _all.add(A._sliced)
    forms, key = A._sliced.found, (block_columns(itemsize), valued)
    found = forms.get(key, 0)
    if type(found) is int:
        found += 1
        if found >= PATIENCE:
            try:
                found = _made(A, forms, *key)
            except device.out_of_memory:  # the product does without
                found = None
        forms[key] = found
    return found if isinstance(found, Form) else None


def block_columns(itemsize: int) -> int:
    """Return how many columns a block has: the same for all small values."""
    return columns_per_block(max(4, itemsize))


def _made(A: CSR, forms: dict[Any, Any], columns: int, valued: bool) -> Form | None:
    """Return the slices of A, if they pay and there is memory for them."""
    bare = forms.get((columns, False), 0)
    if type(bare) is int:
        bare = forms[columns, False] = _bare(A, columns)
    return _with_values(A, bare) if valued and bare else bare


def _bare(A: CSR, columns: int) -> Form | None:
    """Return slices without values."""
    if A.indices.dtype != np.int32 or A.nrows > MOST or ROOM * A.nvals > device.free():
        return None
    before, after = A.share_of_first_columns(columns), _share(A, columns)
    if max(before, after) < max(SHARE, SKEW * columns / A.ncols):
        return None
    ends, indices, rows_of, columns_of = A.indptr, A.indices, Numbers(A.nrows), Numbers(A.ncols)
    if after > GAIN * before:
        ends, indices, rows_of, columns_of = _renumbered(A)
    found = cut(ends, indices.view(np.uint32), columns_of.size, columns)
    return Form(found, rows_of, columns_of, None, None)


def _share(A: CSR, first: int) -> float:
    """Return what part of the entries lies in so many columns that have most of them."""
    xp = device.xp
    some = xp.sort(A.indices[:: max(1, A.nvals // SAMPLE)])
    begins = xp.flatnonzero(some[1:] != some[:-1]) + 1  # of the second column sampled, ...
    ends = xp.concatenate((begins, xp.full(1, some.size)))
    counts = xp.sort(xp.diff(ends, prepend=ends[:1] * 0))
    return int(device.read_scalar(counts[-first:].sum(dtype=np.int64))) / some.size


def _renumbered(A: CSR) -> tuple[Any, Any, Numbers, Numbers]:
    """Return rows of renumbered columns, ascending, and both by falling number of entries."""
    xp, text = device.xp, A.typedefs()
    counts, lengths = xp.zeros(A.ncols, np.int32), xp.diff(A.indptr)
    kernel("relabel_by_count", text, "count_column_entries")(
        A.nvals, A.nvals, STEP, A.indices, counts
    )
    rows, columns = _by_count(lengths), _by_count(counts)
    ends = xp.zeros(rows.size + 1, A.indptr.dtype)
    ends[1:] = lengths[rows.order].cumsum(dtype=ends.dtype)
    keys = xp.empty(A.nvals, np.uint64)
    renumber = kernel("relabel_by_count", text, "relabel_entries")
    renumber(A.nvals, A.nvals, A.nrows, A.indptr, A.indices, rows.rank, columns.rank, keys)
    keys.sort()
    indices = keys.view(np.uint32)[::2].copy()
    return ends, indices, rows, columns._replace(rank=None)  # nobody asks for it any more


def _by_count(counts: Any) -> Numbers:
    """Return numbers by falling counts, of those that count any."""
    xp = device.xp
    there = int(device.read_scalar((counts > 0).sum(dtype=np.int64)))
    number = xp.arange(counts.size, dtype=np.int64)
    both = xp.sort((-counts.astype(np.int64) << 32) | number)  # one word: sorted by its digits
    order = (both[:there] & np.int64(2**32 - 1)).astype(np.int32)
    rank = xp.full(counts.size, -1, np.int32)
    rank[order] = number[:there].astype(np.int32)
    return Numbers(there, order, rank)


def _with_values(A: CSR, bare: Form) -> Form:
    """Return slices with the values of their items."""
    xp, (near, far, works, columns) = device.xp, bare.slices
    values = [xp.empty(x.items.size, A.values.dtype) for x in (near, far)]
    text = A.typedefs() + f"typedef {cuda_type(A.values.dtype)} A;\n"
    run = kernel("sliced_ell_values", text + definitions(columns))
    run(
        2048 * device.multiprocessors, len(works), works, *near, *far, A.indptr, A.indices,
        A.values, bare.columns.order, bare.columns.size, bare.rows.order, *values,
    )  # fmt: skip
    return bare._replace(near=values[0], far=values[1])
