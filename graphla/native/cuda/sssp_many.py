"""Distances from many sources by hand: a table with a column for each, in one cooperative launch.

A warp has a row, which belongs to a vertex, and lowers all of its columns by an edge at a time. At
first they are the lengths of ways by one hub h, d(s, h) + d(h, v): where graphs have hubs, most
are right. Then sweeps over all rows, until nothing changes, look along edges from the lightest
on, as long as one from a vertex at the distance m could be of use; in each column m is the
least distance that the last sweep has changed.

Where vertices have few edges, or a way too many, each source is searched from alone.

Source: as of :mod:`~graphla.native.cuda.sssp`; the bound is A. Goldberg's and C. Harrelson's,
"Computing the shortest path: A* search meets graph theory", SODA 2005 (landmarks).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from graphla import checks
from graphla.cuda import Vector
from graphla.cuda.device import device
from graphla.cuda.storage import Dense, element, words
from graphla.errors import EngineMismatch, OutOfDeviceMemory
from graphla.native.cuda import sssp
from graphla.native.cuda.by_degree import kernel

if TYPE_CHECKING:
    from graphla.graph import Graph

COLUMNS = (64, 32)  # of a table, as memory allows
ROW = 256  # bytes at most, as a lane has no more registers
FEWEST = 16  # sources that are worth a table
SWEEPS = 64  # at most 254, after which each source is searched from alone
LONG = 4096  # edges of a row that several warps share
BLOCK = 1024  # threads


def sssp_many(G: Graph, sources: Any, *, delta: float | None = None) -> list[Any]:
    """Find the distances from each of many vertices.

    Parameters
    ----------
    G : Graph
        On engine "cuda". Weights >= 0; an unweighted edge has weight 1.
    sources : sequence of int
        Vertices in 0..n-1.
    delta : float, optional
        As of :func:`graphla.native.sssp`, for searches from one vertex.

    Returns
    -------
    list of Vector
        For each source what :func:`graphla.sssp_distances` returns.

    Raises
    ------
    OutOfDeviceMemory
        The distances do not fit.
    """
    sources = checks.vertices(G, sources)
    if G.engine != "cuda":
        raise EngineMismatch(f"the searches run on engine 'cuda', the graph is on {G.engine!r}")
    delta = delta if delta is None else checks.positive(delta, "delta")
    found: list[Any] = []
    if G.weighted:
        search = sssp.searcher(G)
        what = f"distances from {len(sources):,} sources over n={G.n:,} vertices"
        needed = len(sources) * (G.n * search.dtype.np_type.itemsize + 4 * words(G.n))
        if needed > (free := device.free()):
            raise OutOfDeviceMemory(what, needed=needed, free=free)
        columns = _columns(search, len(sources), free - needed)
        while columns and len(sources) - len(found) >= FEWEST:
            some = sources[len(found) : len(found) + columns]
            with device.memory(needed, what):
                table = _together(search, some, columns, search.step(delta))
            if table is None:
                break
            found += [Vector._of(row, search.dtype, G.n) for row in table]
    rest = sources[len(found) :]
    return found + [sssp.sssp_distances(G, source, delta=delta) for source in rest]


def _columns(search: Any, count: int, free: int) -> int:
    """Return how many columns a table should have, 0 where there should be none."""
    n, word = search.graph.n, search.distance.itemsize
    if not n or search.degree < sssp.MANY:
        return 0
    fitting = (k for k in COLUMNS if k * word <= ROW and (k + 3) * n * word <= free)
    return next((k for k in fitting if count > k - COLUMNS[-1]), 0)


def _together(search: Any, sources: list[int], columns: int, step: int) -> list[Dense] | None:
    """Return the distances from at most `columns` sources; None where they take too many sweeps."""
    xp, n, graph, word = device.xp, search.n, search.graph, search.dist.dtype
    given = sssp.definitions(element(graph.out.ends.dtype), element(search.distance))
    given += f"enum {{ COLUMNS = {columns} }};\n"
    # a column that nobody asked for is the last one once more
    each = xp.asarray(np.array(sources + sources[-1:] * (columns - len(sources))))
    infinity = search.code(search.infinity)
    with search.lock:
        hub = int(device.word(graph.order[:1]))
        legs = []  # from the hub and to it
        for back in (False, True)[: 1 + (graph.into is not graph.out)]:
            search.find(hub, step, back=back)
            legs.append(search.dist.copy())
    down, up = _raised(search, legs)
    table, marks = xp.empty((graph.n, columns), word), xp.empty((2, graph.n), np.uint8)
    state = xp.zeros(5 + 3 * columns, np.uint64)
    longs = int(device.word((xp.diff(graph.into.ends) >= LONG).sum()))
    kernel("sssp_many", given, cooperative=True)(
        device.multiprocessors * BLOCK, graph.n, each, graph.rank, graph.out.ends, graph.out.edges,
        graph.into.ends, graph.into.edges, longs, up, down, infinity, table, *marks, state,
        SWEEPS, block=BLOCK,
    )  # fmt: skip
    if device.word(state[1:2]):
        return None
    values = xp.empty((len(sources), n), search.dtype.np_type)
    bits = xp.empty((len(sources), words(n)), np.uint32)
    given += f"typedef {element(search.dtype.np_type)} Out;\n"
    kernel("sssp_many_results", given)(
        8 * n, n, len(sources), each, graph.rank, table, infinity, values, bits
    )
    return [Dense(*row) for row in zip(values, bits, strict=True)]


def _raised(search: Any, legs: list[Any]) -> tuple[Any, Any]:
    """Return distances from and to a hub; a sum is no less than a path's, however that is rounded.

    A path has at most as many edges as the least weight goes into its length.
    """
    if search.distance.kind == "f":
        xp, hops = device.xp, 0.0
        legs = [leg.view(search.distance) for leg in legs]
        for leg in legs:
            longest = device.word(xp.where(xp.isfinite(leg), leg, 0).max())
            hops += min(search.n, longest / search.least) if search.least else search.n
        factor = np.exp(min(80, 4 * (hops + 2) * np.finfo(search.distance).eps))
        legs = [leg * search.distance.type(factor) for leg in legs]
    return legs[0], legs[-1]
