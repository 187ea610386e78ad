"""Native distances from many sources: tables with a column for each source, one launch a table.

A warp takes a row of the table, which belongs to a vertex, and relaxes one edge for all columns at
a time. The table starts with the upper bounds d(s, h) + d(h, v) through a hub h; in graphs with
hubs most of them are exact. Then sweeps over all rows follow until nothing changes. A sweep reads
the edges of a row from the lightest on, and stops when no edge from a vertex at distance m can
lower a column; m is, in each column, the smallest distance that the last sweep changed.

If vertices have few edges, too many sweeps are needed, or the graph is unweighted, one search runs
for each source.

Source: as of :mod:`~graphla.native.cuda.sssp`; the bound is A. Goldberg's and C. Harrelson's,
"Computing the shortest path: A* search meets graph theory", SODA 2005 (landmarks).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from graphblas.dtypes import INT64

from graphla.cuda import Matrix
from graphla.cuda.device_arrays import matrix_from_bitmap
from graphla.cuda.runtime.device import device
from graphla.cuda.storage.vector_formats import Dense, bitmap_words, cuda_type
from graphla.errors import OutOfDeviceMemory
from graphla.native.cuda import bfs, sssp
from graphla.native.cuda.renumbered.by_weight import end_of_long_rows
from graphla.native.cuda.runtime import kernel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from graphla.core.graph import Graph

COLUMNS = (64, 32)  # of a table, as memory allows
ROW = 256  # most bytes of a row: a lane has no more registers
FEWEST = 16  # sources from which a table is faster than searches one by one
SWEEPS = 64  # most sweeps (at most 254); after them, one search runs for each source
LONG = 4096  # edges from which several warps share a row
BLOCK = 1024  # threads
WORD = 32  # bits


def all_pairs_shortest_paths(G: Graph, sources: Sequence[int], *, batch: int) -> Any:
    """Find the distances from each source: some sources in tables, the others one by one."""
    xp, n, count = device.xp, G.n, len(sources)
    runner: Any = sssp.get_runner(G) if G.weighted else bfs.get_runner(G)
    T = runner.dtype if G.weighted else INT64
    if not count:
        return Matrix(T, 0, n)
    what = f"distances from {count:,} sources over n={n:,} vertices"
    # the result has no padding between rows of bits: they are moved unless n is a multiple of WORD
    flat_words = bitmap_words(count * n) if n % WORD else 0
    needed = count * (n * T.np_type.itemsize + 4 * bitmap_words(n)) + 4 * flat_words
    if needed > (free := device.free()):
        raise OutOfDeviceMemory(what, needed=needed, free=free)
    columns = _table_columns(runner, count, batch, free - needed) if G.weighted else 0
    with device.allocation(needed, what):
        result = DistanceRows(
            xp.empty((count, n), T.np_type), xp.empty((count, bitmap_words(n)), np.uint32)
        )
        num_done, via_hub = 0, None
        while columns and count - num_done >= FEWEST:
            chosen = slice(num_done, min(num_done + columns, count))
            via_hub = via_hub or _hub_distances(runner)
            if not _fill_table(runner, list(sources[chosen]), columns, via_hub, result[chosen]):
                break
            num_done = chosen.stop
        for row in range(num_done, count):
            _search_alone(runner, sources[row], Dense(*result[row]))
        bits = result.bits.ravel()
        if flat_words:
            bits = xp.empty(flat_words, np.uint32)
            kernel("flatten_bits")(flat_words, flat_words, n, count, result.bits, bits)
    return matrix_from_bitmap(Dense(result.values.ravel(), bits), T, count, n)


def prepare(G: Graph) -> None:
    """Compute what searches need of a graph."""
    sssp.prepare(G)


@dataclass
class DistanceRows:
    """Distances from each source and bits of the reached vertices; each row begins a word."""

    values: Any
    bits: Any

    def __getitem__(self, rows: Any) -> tuple[Any, Any]:
        return self.values[rows], self.bits[rows]


def _search_alone(runner: Any, source: int, row: Dense) -> None:
    if isinstance(runner, bfs.BFSRunner):
        runner.run(source, row)
    else:
        runner.run(source, None, False, row)


def _table_columns(runner: Any, count: int, batch: int, free: int) -> int:
    """Return the number of columns of a table; 0 if the sources are to be searched one by one."""
    n, itemsize = runner.graph.n, runner.work_dtype.itemsize
    if not n or runner.mean_degree < sssp.MIN_DEGREE:
        return 0
    widest = min(batch, ROW // itemsize)
    fitting = (k for k in COLUMNS if k <= widest and (k + 3) * n * itemsize <= free)
    return next((k for k in fitting if count > k - COLUMNS[-1]), 0)


def _hub_distances(runner: Any) -> tuple[Any, Any]:
    """Return upper bounds of the distances from the vertex with the most edges, and to it."""
    graph, delta = runner.graph, runner.delta_code(None)
    with runner.lock:
        hub = int(device.read_scalar(graph.order[:1]))
        legs = []
        for reverse in (False, True)[: 1 + (graph.into is not graph.out)]:
            runner.find(hub, delta, reverse=reverse)
            legs.append(runner.dist.copy())
    if runner.work_dtype.kind == "f":
        legs = _raise_by_rounding(runner, [leg.view(runner.work_dtype) for leg in legs])
    return legs[0], legs[-1]


def _raise_by_rounding(runner: Any, legs: list[Any]) -> list[Any]:
    """Raise distances from and to a hub, so that no sum is below a path's length as rounded.

    A path has at most (its length) / (the smallest weight) edges, and as many additions.
    """
    xp, hops = device.xp, 0.0
    for leg in legs:
        longest = device.read_scalar(xp.where(xp.isfinite(leg), leg, 0).max())
        hops += min(runner.n, longest / runner.min_weight) if runner.min_weight else runner.n
    factor = np.exp(min(80, 4 * (hops + 2) * np.finfo(runner.work_dtype).eps))
    return [leg * runner.work_dtype.type(factor) for leg in legs]


def _fill_table(
    runner: Any, sources: list[int], columns: int, legs: tuple[Any, Any], rows: tuple[Any, Any]
) -> bool:
    """Search from at most `columns` sources into rows of the result; False after SWEEPS sweeps."""
    xp, n, graph, word = device.xp, runner.n, runner.graph, runner.dist.dtype
    text = sssp.definitions(cuda_type(graph.out.offsets.dtype), cuda_type(runner.work_dtype))
    text += f"enum {{ COLUMNS = {columns} }};\n"
    # columns without a source repeat the last one
    padded = xp.asarray(np.array(sources + sources[-1:] * (columns - len(sources))))
    infinity, from_hub, to_hub = runner.code(runner.infinity), *legs
    table, marks = xp.empty((graph.n, columns), word), xp.empty((2, graph.n), np.uint8)
    state = xp.zeros(5 + 3 * columns, np.uint64)
    kernel("sssp_multi_source", text, cooperative=True)(
        device.multiprocessors * BLOCK, graph.n, padded, graph.rank,
        graph.out.offsets, graph.out.edges, graph.into.offsets, graph.into.edges,
        end_of_long_rows(graph.into.offsets, LONG), to_hub, from_hub, infinity, table, *marks,
        state, SWEEPS, block=BLOCK,
    )  # fmt: skip
    if device.read_scalar(state[1:2]):
        return False
    text += f"typedef {cuda_type(runner.dtype.np_type)} Out;\n"
    kernel("sssp_multi_source_results", text)(
        8 * n, n, len(sources), padded, graph.rank, table, infinity, *rows
    )
    return True
