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

import numpy as np

from graphla.cuda.compile import kernel
from graphla.cuda.device import device
from graphla.cuda.storage import element

FEW = 2  # entries of a row in a block from which they are near
PIECE = 128  # entries; at most so many, at least 2 FEW, and at most 256
GRAIN = 1  # items of which a piece is made
WIDEST = 65280  # columns of a block: 16-bit numbers, and one that stands for none
STRETCH = 24  # bits: pieces that begin in so many entries lie together, by length
SPARE = 1024  # bytes of shared memory for other things
SLICE = 32
BLOCK_BITS = 39 + 8  # of a piece, below its block
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


def block_columns(itemsize: int) -> int:
    """Return how many columns a block has, for values of so many bytes."""
    return min(WIDEST, (device.shared_per_block - SPARE) // itemsize // 256 * 256)


def definitions(columns: int) -> str:
    """Return what the kernels take as given."""
    return (
        f"enum {{ COLUMNS = {columns}, FEW = {FEW}, PIECE = {PIECE}, STRETCH = {STRETCH}, "
        f"GRAIN = {GRAIN} }};\n"
    )


def _types(rows: Rows, columns: int, item: Any = np.uint16) -> str:
    kinds = f"typedef {element(rows.ends.dtype)} Offset;\ntypedef {element(item)} Item;\n"
    return kinds + definitions(columns)


def cut(ends: Any, indices: Any, ncols: int, columns: int) -> Sliced:
    """Return rows in slices, of blocks of so many columns.

    Row v has the columns ``indices[ends[v]:ends[v + 1]]``, unsigned and ascending.
    """
    xp, n, nvals = device.xp, int(ends.size) - 1, int(indices.size)
    rows = Rows(ends, indices, ncols)
    text = _types(rows, columns)
    few, keys, count = xp.empty(nvals, np.uint8), xp.empty(nvals // FEW, np.uint64), _zero()
    kernel("slices", text, "segments")(nvals, n, nvals, ends, indices, few, keys, count)
    near, near_works = _slices(_sorted(keys, count), rows, columns, np.uint16, columns)
    del keys

    places = xp.zeros(nvals + 1, ends.dtype)
    places[1:] = few.cumsum(dtype=ends.dtype)
    kept = xp.empty(int(device.word(places[-1])), np.uint32)
    kernel("slices", text, "keep_few")(nvals, nvals, few, places, indices, kept)
    rest = Rows(places[ends], kept, ncols)
    del few, places
    keys, count = xp.empty(n + kept.size // PIECE, np.uint64), _zero()
    kernel("slices", text, "whole_rows")(n, n, rest.ends, keys, count)
    far, far_works = _slices(_sorted(keys, count), rest, columns, np.uint32, ncols)
    far_works[:, 0] = -1
    return Sliced(near, far, xp.concatenate([near_works, far_works]), columns)


def _zero() -> Any:
    return device.xp.zeros(1, np.uint64)


def _sorted(keys: Any, count: Any) -> Any:
    """Return the pieces of a list, in order."""
    found = keys[: int(device.word(count))].copy()
    found.sort()
    return found


def _slices(pieces: Any, rows: Rows, columns: int, dtype: Any, none: int) -> tuple[Slices, Any]:
    """Return slices of sorted pieces, none of which is of two blocks, and their works."""
    xp, n = device.xp, int(rows.ends.size) - 1
    text = _types(rows, columns, dtype)
    blocks = xp.arange(-(-rows.ncols // columns) + 1, dtype=np.uint64) << np.uint64(BLOCK_BITS)
    bounds = xp.searchsorted(pieces, blocks).astype(np.int64)
    starts = xp.zeros(bounds.size, np.int64)
    starts[1:] = (-(-xp.diff(bounds) // SLICE)).cumsum()
    count = int(device.word(starts[-1]))
    number = xp.arange(count)
    block = xp.searchsorted(starts, number, side="right") - 1
    firsts = bounds[block] + (number - starts[block]) * SLICE
    width, begins = xp.empty(count, np.int64), xp.zeros(count + 1, np.int64)
    kernel("slices", text, "widths")(count, count, firsts, pieces.size, pieces, width)
    begins[1:] = width.cumsum()
    size = int(device.word(begins[-1]))
    found = Slices(begins, xp.empty(SLICE * count, np.int32), xp.empty(size, dtype))
    kernel("slices", text, "fill")(
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
