"""In-neighbours as PageRank sums them up: in blocks of columns, and in slices of equal length.

Under the numbers of :mod:`graphla.native.cuda.by_degree` hubs come first. Columns are cut into
blocks whose values fit into shared memory. Where a row has several entries in a block these
are *near*: 16-bit numbers within the block; the others are *far*, an eighth of a graph of
skewed degrees. Rows are cut into pieces. Those of a stretch of rows stand together, so that the
sums that they add to stay in the cache, and pieces of about equal length lie side by side,
32 of them a slice, so that each lane of a warp sums one up. Pieces are handed out in works, a
run of slices each; the far ones, which wait for the cache, come between the near ones, which
wait for memory and for shared memory.

Source: A. Monakov, A. Lokhmotov, A. Avetisyan, HiPEAC 2010 (slices); S. Beamer, K. Asanovic,
D. Patterson, "Reducing Pagerank communication via propagation blocking", IPDPS 2017.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from graphla.cuda.device import device
from graphla.cuda.storage import element
from graphla.native.cuda.by_degree import Rows, by_degree, kernel

if TYPE_CHECKING:
    from graphla.graph import Graph

FEW = 3  # entries of a row in a block from which they are near
PIECE = 128  # entries; at most so many, at least 2 FEW, and at most 256
WIDEST = 65280  # columns of a block: 16-bit numbers, and one that stands for none
STRETCH = 24  # bits: pieces that begin in so many entries lie together, by length
SPARE = 1024  # bytes of shared memory for other things
SLICE = 32
BLOCK_BITS = 39 + 8  # of a piece, below its block
WORKS = 8  # for each multiprocessor


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


def definitions(offset: str, columns: int, item: str) -> str:
    """Return what the kernels take as given."""
    return (
        f"typedef {offset} Offset;\ntypedef {item} Item;\n"
        f"enum {{ COLUMNS = {columns}, FEW = {FEW}, PIECE = {PIECE}, "
        f"STRETCH = {STRETCH} }};\n"
    )


def sliced(G: Graph, itemsize: int) -> Sliced:
    """Return the in-neighbours of a graph in slices; made once for a size of values."""
    found: Sliced = G._keep(f"slices {itemsize}", lambda: _sliced(by_degree(G).into, itemsize))
    return found


def _sliced(rows: Rows, itemsize: int) -> Sliced:
    xp, n, nvals = device.xp, int(rows.ends.size) - 1, rows.nvals
    columns = block_columns(itemsize)
    text = definitions(element(rows.ends.dtype), columns, "u16")
    few, keys, count = xp.empty(nvals, np.uint8), xp.empty(nvals // FEW, np.uint64), _zero()
    segments = kernel("pagerank_slices", text, "segments")
    segments(nvals, n, nvals, rows.ends, rows.indices, few, keys, count)
    near, near_works = _slices(_sorted(keys, count), rows, columns, np.uint16, columns)
    del keys

    ends = xp.zeros(nvals + 1, rows.ends.dtype)
    ends[1:] = few.cumsum(dtype=ends.dtype)
    kept = xp.empty(int(device.word(ends[-1])), np.uint32)
    kernel("pagerank_slices", text, "keep_few")(nvals, nvals, few, ends, rows.indices, kept)
    rest = Rows(ends[rows.ends], kept)
    keys, count = xp.empty(n + kept.size // PIECE, np.uint64), _zero()
    kernel("pagerank_slices", text, "whole_rows")(n, n, rest.ends, keys, count)
    far, far_works = _slices(_sorted(keys, count), rest, columns, np.uint32, n)
    far_works[:, 0] = -1
    return Sliced(near, far, _mixed(near_works, far_works), columns)


def _mixed(one: Any, other: Any) -> Any:
    """Return both lists of works as one, in which each is spread evenly, in its order."""
    xp = device.xp
    places = [(xp.arange(len(x)) + 0.5) / max(len(x), 1) for x in (one, other)]
    return xp.concatenate([one, other])[xp.argsort(xp.concatenate(places), kind="stable")]


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
    text = definitions(element(rows.ends.dtype), columns, element(dtype))
    blocks = xp.arange(-(-n // columns) + 1, dtype=np.uint64) << np.uint64(BLOCK_BITS)
    bounds = xp.searchsorted(pieces, blocks).astype(np.int64)
    starts = xp.zeros(bounds.size, np.int64)
    starts[1:] = (-(-xp.diff(bounds) // SLICE)).cumsum()
    count = int(device.word(starts[-1]))
    number = xp.arange(count)
    block = xp.searchsorted(starts, number, side="right") - 1
    firsts = bounds[block] + (number - starts[block]) * SLICE
    width, begins = xp.empty(count, np.int64), xp.zeros(count + 1, np.int64)
    kernel("pagerank_slices", text, "widths")(count, count, firsts, pieces.size, pieces, width)
    begins[1:] = width.cumsum()
    size = int(device.word(begins[-1]))
    found = Slices(begins, xp.empty(SLICE * count, np.int32), xp.empty(size, dtype))
    kernel("pagerank_slices", text, "fill")(
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
