"""Native triangle count: each path u > v > w is followed once and looked up in a marked set.

    count = sum |N(v) & {w < v in N(u)}| over edges v < u,    N(v) = neighbours of v below v

In the numbering by degree (renumbered/by_degree.py) N(v) is short, and hubs have the lowest
numbers. A block, or a warp if v has few paths, marks the members of N(v) in shared memory. For each
neighbour u above v it looks up the members of N(u) below v, which are the beginning of row u. That
makes sum of |N(u)|^2 / 2 look-ups, several times fewer than the paths through hubs. Nearly all
paths of a graph of skewed degrees go through vertices below 2^16, which have one mark each
and 16-bit numbers; above, several vertices share a mark, and a set mark must be checked.

Source: M. Latapy, Theoretical Computer Science 407 (2008), for the order and the bound; M.
Bisson, M. Fatica, "High performance exact triangle counting on GPUs", IEEE TPDS 28 (2017).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from graphla.core.properties import derive
from graphla.cuda.memory.buffer_pool import zeroed_words
from graphla.cuda.runtime.device import device
from graphla.cuda.storage.vector_formats import cuda_type
from graphla.native.cuda.renumbered.by_degree import degree_ordered
from graphla.native.cuda.runtime import kernel

if TYPE_CHECKING:
    from graphla.core.graph import Graph

BLOCK = 256  # threads
EIGHT = 8  # 16-bit numbers that are read at once
EXACT = 1 << 16  # vertices that share their mark with no other if a block counts; a power of 2
EXACT_OF_WARP = 1 << 13  # the same if a warp counts
GROUP = 4  # lanes that follow a path together; a power of 2
LIGHT = 1 << 14  # most paths of a vertex that a warp counts


class LowerNeighbours(NamedTuple):
    """The sets N(v), as arguments of the kernels.

    `counts` is |N(v)|. `path_ends` is, for each entry u of row v above v, the number of members of
    N(u) below v. N(v) in 16-bit numbers begins at ``items[8 * starts[v]]``. `narrow`, `long` and
    `short` are the vertices that each of the three kernels takes.
    """

    offsets: Any
    columns: Any
    counts: Any
    path_ends: Any
    starts: Any
    items: Any
    narrow: Any
    long: Any
    short: Any


def definitions(offset: str, place: str) -> str:
    """Return the types and constants of the kernels."""
    return (
        f"typedef {offset} Offset;\ntypedef {place} PathEndCount;\n"
        f"enum {{ EXACT = {EXACT}, EXACT_OF_WARP = {EXACT_OF_WARP}, GROUP = {GROUP} }};\n"
    )


def prepare(G: Graph) -> LowerNeighbours:
    """Return the sets N(v) of a graph; they are made once and cached."""
    return derive(G, _lower_neighbours)


def _lower_neighbours(G: Graph) -> LowerNeighbours:
    xp, lists = device.xp, degree_ordered(G).out
    offsets, columns, offset = lists.offsets, lists.neighbours, lists.offsets.dtype
    n = int(offsets.size) - 1

    def run(name: str, threads: int, *args: Any, place: Any = np.uint16) -> None:
        kernel("triangle_setup", definitions(cuda_type(offset), cuda_type(place)), name)(
            threads, *args
        )

    counts, eights = xp.empty(n, np.int32), xp.empty(n, np.int64)
    run("measure_lower_neighbours", n, n, offsets, columns, counts, eights)
    starts = xp.zeros(n + 1, offset)
    starts[1:] = eights.cumsum()
    items = xp.empty(EIGHT * int(device.read_scalar(starts[-1])), np.uint16)
    run("copy_narrow_neighbours", 32 * n, n, offsets, columns, counts, starts, items)

    largest = int(device.read_scalar(counts.max())) if n else 0
    place = np.dtype(np.uint16 if largest <= np.iinfo(np.uint16).max else np.uint32)
    nvals = lists.nvals
    path_ends, paths = xp.empty(nvals, place), xp.empty(n, np.int64)
    run("count_path_ends", nvals, n, nvals, offsets, columns, counts, path_ends, place=place)
    run("count_paths", 32 * n, n, offsets, counts, path_ends, paths, place=place)

    has_many_paths, low = paths > LIGHT, xp.arange(n) < EXACT
    narrow, long, short = (
        xp.flatnonzero(chosen).astype(np.int32)
        for chosen in (has_many_paths & low, has_many_paths & ~low, (paths > 0) & ~has_many_paths)
    )
    return LowerNeighbours(offsets, columns, counts, path_ends, starts, items, narrow, long, short)


def triangle_count(G: Graph) -> int:
    """Count triangles."""
    sets, total = prepare(G), zeroed_words()
    text = definitions(cuda_type(sets.offsets.dtype), cuda_type(sets.path_ends.dtype))
    for name, vertices, team_size, items in (
        ("count_narrow", sets.narrow, BLOCK, (sets.starts, sets.items)),
        ("count_long", sets.long, BLOCK, ()),
        ("count_short", sets.short, 32, ()),
    ):
        if size := vertices.size:
            run = kernel("triangle_count", text, name)
            run(
                team_size * size, size, vertices, *sets[:4], *items, zeroed_words(), total,
                block=BLOCK,
            )  # fmt: skip
    return int(device.read_scalar(total))
