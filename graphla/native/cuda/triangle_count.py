"""Triangle count by hand: marks of one vertex's neighbours, for which ends of paths ask.

    count = sum |N(v) & {w < v in N(u)}| over edges v < u,    N(v) = neighbours of v below v

Under the numbers of :mod:`graphla.native.cuda.by_degree` N(v) is short, and hubs have the
lowest numbers. The members of N(v) are marked in shared memory; for each neighbour u above v
the members of N(u) below v, which its row begins with, ask for their marks. So each path
u > v > w is followed once: sum of |N(u)|^2 / 2 in all, several times fewer than the paths by way
of hubs that rows of all N(v), v in N(u), would have. Vertices below 2^16, through which nearly all
paths of a graph of skewed degrees go, have a mark of their own and numbers of 16 bits; beyond,
several share a mark, and what it says is looked up. A block takes a vertex of many paths, a warp
one of few.

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
from graphla.native.cuda.by_degree import degree_ordered
from graphla.native.cuda.runtime import kernel

if TYPE_CHECKING:
    from graphla.core.graph import Graph

BLOCK = 256  # threads
EIGHT = 8  # narrow numbers that are read at once
EXACT = 1 << 16  # vertices that have a mark of their own where a block counts; a power of 2
EXACT_OF_WARP = 1 << 13  # where a warp does
GROUP = 4  # lanes that follow a path together; a power of 2
LIGHT = 1 << 14  # paths of a vertex that is a warp's


class Sets(NamedTuple):
    """The rows; |N(v)|; for each entry u of row v above v how many of N(u) are below v.

    N(v) as narrow numbers begins at ``items[8 * starts[v]]``. `narrow`, `long` and `short` are
    the vertices that each kernel takes.
    """

    ends: Any
    columns: Any
    sizes: Any
    places: Any
    starts: Any
    items: Any
    narrow: Any
    long: Any
    short: Any


def definitions(offset: str, place: str) -> str:
    """Return what the kernels take as given."""
    return (
        f"typedef {offset} Offset;\ntypedef {place} PathEndCount;\n"
        f"enum {{ EXACT = {EXACT}, EXACT_OF_WARP = {EXACT_OF_WARP}, GROUP = {GROUP} }};\n"
    )


def prepare(G: Graph) -> Sets:
    """Return the sets of a graph; made once and kept."""
    return derive(G, _sets)


def _sets(G: Graph) -> Sets:
    xp, lists = device.xp, degree_ordered(G).out
    ends, columns, offset = lists.offsets, lists.neighbours, lists.offsets.dtype
    n = int(ends.size) - 1

    def run(name: str, threads: int, *args: Any, place: Any = np.uint16) -> None:
        kernel("triangle_setup", definitions(cuda_type(offset), cuda_type(place)), name)(
            threads, *args
        )

    sizes, eights = xp.empty(n, np.int32), xp.empty(n, np.int64)
    run("measure_lower_neighbours", n, n, ends, columns, sizes, eights)
    starts = xp.zeros(n + 1, offset)
    starts[1:] = eights.cumsum()
    items = xp.empty(EIGHT * int(device.read_scalar(starts[-1])), np.uint16)
    run("copy_narrow_neighbours", 32 * n, n, ends, columns, sizes, starts, items)

    largest = int(device.read_scalar(sizes.max())) if n else 0
    place = np.dtype(np.uint16 if largest <= np.iinfo(np.uint16).max else np.uint32)
    places, paths = xp.empty(lists.nvals, place), xp.empty(n, np.int64)
    run("count_path_ends", lists.nvals, n, lists.nvals, ends, columns, sizes, places, place=place)
    run("count_paths", 32 * n, n, ends, sizes, places, paths, place=place)

    many, low = paths > LIGHT, xp.arange(n) < EXACT
    narrow, long, short = (
        xp.flatnonzero(which).astype(np.int32)
        for which in (many & low, many & ~low, (paths > 0) & ~many)
    )
    return Sets(ends, columns, sizes, places, starts, items, narrow, long, short)


def triangle_count(G: Graph) -> int:
    """Count triangles: the hand-written twin of :func:`graphla.triangle_count`."""
    sets, total = prepare(G), zeroed_words()
    text = definitions(cuda_type(sets.ends.dtype), cuda_type(sets.places.dtype))
    for name, vertices, team, items in (
        ("count_narrow", sets.narrow, BLOCK, (sets.starts, sets.items)),
        ("count_long", sets.long, BLOCK, ()),
        ("count_short", sets.short, 32, ()),
    ):
        if size := vertices.size:
            run = kernel("triangle_count", text, name)
            run(team * size, size, vertices, *sets[:4], *items, zeroed_words(), total, block=BLOCK)
    return int(device.read_scalar(total))
