"""Distances from many sources by hand: tables with a column for each, in a cooperative launch.

A warp has a row, which belongs to a vertex, and lowers all of its columns by an edge at a time. At
first they are the lengths of ways by one hub h, d(s, h) + d(h, v): where graphs have hubs, most
are right. Then sweeps over all rows, until nothing changes, look along edges from the lightest
on, as long as one from a vertex at the distance m could be of use; in each column m is the
least distance that the last sweep has changed.

Where vertices have few edges, or a way too many, or none has a weight, each source is searched
from alone.

Source: as of :mod:`~graphla.native.cuda.sssp`; the bound is A. Goldberg's and C. Harrelson's,
"Computing the shortest path: A* search meets graph theory", SODA 2005 (landmarks).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from graphblas.dtypes import INT64

from graphla.cuda import Matrix
from graphla.cuda.device_arrays import matrix_from_bitmap
from graphla.cuda.runtime.device import device
from graphla.cuda.storage.vector_formats import Dense, bitmap_words, cuda_type
from graphla.errors import OutOfDeviceMemory
from graphla.native.cuda import bfs, sssp
from graphla.native.cuda.by_weight import longs
from graphla.native.cuda.runtime import kernel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from graphla.core.graph import Graph

COLUMNS = (64, 32)  # of a table, as memory allows
ROW = 256  # bytes at most, as a lane has no more registers
FEWEST = 16  # sources that are worth a table
SWEEPS = 64  # at most 254, after which each source is searched from alone
LONG = 4096  # edges of a row that several warps share
BLOCK = 1024  # threads
WORD = 32  # bits


def all_pairs_shortest_paths(G: Graph, sources: Sequence[int], *, batch: int) -> Any:
    """Find the distances from each of the sources: by tables, or from one after the other."""
    xp, n, count = device.xp, G.n, len(sources)
    search: Any = sssp.searcher(G) if G.weighted else bfs.searcher(G)
    T = search.dtype if G.weighted else INT64
    if not count:
        return Matrix(T, 0, n)
    what = f"distances from {count:,} sources over n={n:,} vertices"
    flat = bitmap_words(count * n) if n % WORD else 0
    needed = count * (n * T.np_type.itemsize + 4 * bitmap_words(n)) + 4 * flat
    if needed > (free := device.free()):
        raise OutOfDeviceMemory(what, needed=needed, free=free)
    columns = _columns(search, count, batch, free - needed) if G.weighted else 0
    with device.allocation(needed, what):
        rows = Rows(xp.empty((count, n), T.np_type), xp.empty((count, bitmap_words(n)), np.uint32))
        done, hub = 0, None
        while columns and count - done >= FEWEST:
            some, hub = slice(done, min(done + columns, count)), hub or _by_hub(search)
            if not _together(search, list(sources[some]), columns, hub, rows.of(some)):
                break
            done = some.stop
        for row in range(done, count):
            _alone(search, sources[row], Dense(*rows.of(row)))
        bits = rows.bits.ravel()
        if flat:  # rows of bits begin within words
            bits = xp.empty(flat, np.uint32)
            kernel("flatten_bits")(flat, flat, n, count, rows.bits, bits)
    return matrix_from_bitmap(Dense(rows.values.ravel(), bits), T, count, n)


def prepare(G: Graph) -> None:
    """Make what searches need of a graph, once."""
    sssp.prepare(G)


class Rows(NamedTuple):
    """Distances from each source, with bits for those that are reached; rows begin with a word."""

    values: Any
    bits: Any

    def of(self, which: Any) -> Rows:
        """Return some of the rows."""
        return Rows(self.values[which], self.bits[which])


def _alone(search: Any, source: int, row: Dense) -> None:
    """Search from one source."""
    if isinstance(search, bfs.Searcher):
        search.run(source, row)
    else:
        search.run(source, None, False, row)


def _columns(search: Any, count: int, batch: int, free: int) -> int:
    """Return how many columns a table should have, 0 where there should be none."""
    n, word = search.graph.n, search.distance.itemsize
    if not n or search.degree < sssp.MANY:
        return 0
    wide = min(batch, ROW // word)
    fitting = (k for k in COLUMNS if k <= wide and (k + 3) * n * word <= free)
    return next((k for k in fitting if count > k - COLUMNS[-1]), 0)


def _by_hub(search: Any) -> tuple[Any, Any]:
    """Return bounds of distances from and to the vertex with the most edges."""
    graph, step = search.graph, search.step(None)
    with search.lock:
        hub = int(device.read_scalar(graph.order[:1]))
        legs = []
        for back in (False, True)[: 1 + (graph.into is not graph.out)]:
            search.find(hub, step, back=back)
            legs.append(search.dist.copy())
    return _raised(search, legs)


def _together(search: Any, sources: list[int], columns: int, hub: Any, rows: Rows) -> bool:
    """Search from at most `columns` sources; return False where they take too many sweeps."""
    xp, n, graph, word = device.xp, search.n, search.graph, search.dist.dtype
    given = sssp.definitions(cuda_type(graph.out.ends.dtype), cuda_type(search.distance))
    given += f"enum {{ COLUMNS = {columns} }};\n"
    # a column that nobody asked for is the last one once more
    each = xp.asarray(np.array(sources + sources[-1:] * (columns - len(sources))))
    infinity = search.code(search.infinity)
    table, marks = xp.empty((graph.n, columns), word), xp.empty((2, graph.n), np.uint8)
    state = xp.zeros(5 + 3 * columns, np.uint64)
    kernel("sssp_many", given, cooperative=True)(
        device.multiprocessors * BLOCK, graph.n, each, graph.rank, graph.out.ends, graph.out.edges,
        graph.into.ends, graph.into.edges, longs(graph.into.ends, LONG), *hub[::-1], infinity,
        table, *marks, state, SWEEPS, block=BLOCK,
    )  # fmt: skip
    if device.read_scalar(state[1:2]):
        return False
    given += f"typedef {cuda_type(search.dtype.np_type)} Out;\n"
    kernel("sssp_many_results", given)(
        8 * n, n, len(sources), each, graph.rank, table, infinity, *rows
    )
    return True


def _raised(search: Any, legs: list[Any]) -> tuple[Any, Any]:
    """Return distances from and to a hub; a sum is no less than a path's, however that is rounded.

    A path has at most as many edges as the least weight goes into its length.
    """
    if search.distance.kind == "f":
        xp, hops = device.xp, 0.0
        legs = [leg.view(search.distance) for leg in legs]
        for leg in legs:
            longest = device.read_scalar(xp.where(xp.isfinite(leg), leg, 0).max())
            hops += min(search.n, longest / search.least) if search.least else search.n
        factor = np.exp(min(80, 4 * (hops + 2) * np.finfo(search.distance).eps))
        legs = [leg * search.distance.type(factor) for leg in legs]
    return legs[0], legs[-1]
