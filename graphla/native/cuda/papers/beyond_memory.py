"""Breadth-first search of a graph whose neighbour lists do not fit in device memory.

The device stores what a search writes and, while there is memory, the first neighbours of each
row: those of highest degree, at which nearly all bottom-up checks stop. Remaining memory takes
whole rows of hubs, which top-down levels expand. The other neighbours are in page-locked host
memory, which warps read in whole cache lines over the bus.

Source: A. Kolganov, 2018, who splits the vertices, not the rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from graphla.core import validation
from graphla.cuda.expressions.statement import translate_out_of_memory
from graphla.cuda.runtime.device import device
from graphla.cuda.storage.vector_formats import cuda_type
from graphla.errors import EngineMismatch
from graphla.generate.builder import check_integer
from graphla.native.cuda.bfs import BFSRunner, search
from graphla.native.cuda.renumbered.by_degree import (
    DegreeOrderedGraph,
    NeighbourLists,
    make_degree_ordered,
)
from graphla.native.cuda.runtime import derive_for_stream, kernel

if TYPE_CHECKING:
    from graphla.core.graph import Graph
    from graphla.core.results import BFS

ITEM = 4  # bytes of a neighbour
FIRST = 16  # neighbours of every row that are kept before whole rows of hubs are


@translate_out_of_memory
def bfs_beyond_memory(G: Graph, source: int, *, max_bytes: int) -> BFS:
    """Search breadth-first with at most `max_bytes` of neighbours in device memory.

    Parameters
    ----------
    G : Graph
        On engine "cuda". The first call with a value of `max_bytes` splits the neighbour lists,
        for which all neighbours must fit in device memory once more, and caches them with the
        graph. Later calls do not read the matrix of the graph, which stays in device memory.
    source : int
        Vertex in 0..n-1.
    max_bytes : int
        For the neighbour lists, 4 bytes for each neighbour. In addition a search needs the results
        and working arrays: 0.64 bytes for each neighbour (two queues, of 16 bytes for each 50),
        and about 70 bytes for each vertex, 76 in a directed graph; from 2^32 neighbours on
        78 and 92.

    Returns
    -------
    BFS
        The same as from :func:`graphla.native.bfs`.

    Raises
    ------
    EngineMismatch
        The graph is on engine "cpu".
    DomainMismatch, InvalidValue
        `max_bytes` is not an integer, or is negative.
    OutOfDeviceMemory
        The neighbour lists do not fit once more.
    """
    source = validation.check_vertex(G, source)
    if G.engine != "cuda":
        raise EngineMismatch(f"the search runs on engine 'cuda', the graph is on {G.engine!r}")
    max_bytes = check_integer(max_bytes, "max_bytes")
    return search(derive_for_stream(G, _make_beyond_memory_runner, max_bytes), source)


def _make_beyond_memory_runner(G: Graph, max_bytes: int) -> BFSRunner:
    return BFSRunner(G, split(make_degree_ordered(G), max_bytes))


def split(graph: DegreeOrderedGraph, max_bytes: int) -> DegreeOrderedGraph:
    """Return the graph with at most `max_bytes` of neighbours in device memory."""
    if graph.into is graph.out:
        lists = _split_lists(graph.out, max_bytes)
        return graph._replace(out=lists, into=lists)
    out, into = (_split_lists(lists, max_bytes // 2) for lists in (graph.out, graph.into))
    return graph._replace(out=out, into=into)


def _split_lists(lists: NeighbourLists, max_bytes: int) -> NeighbourLists:
    xp = device.xp
    degrees = xp.diff(lists.offsets)
    n, kept = degrees.size, _neighbours_to_keep(degrees, min(max_bytes // ITEM, lists.nvals))
    offsets, host_offsets = (xp.zeros(n + 1, lists.offsets.dtype) for _ in range(2))
    offsets[1:] = kept.cumsum()
    host_offsets[1:] = (degrees - kept).cumsum()
    size = int(device.read_scalar(offsets[-1]))
    neighbours = xp.empty(size, np.uint32)
    on_host = device.host_array(lists.neighbours.size - size, np.uint32)
    text = f"typedef {cuda_type(offsets.dtype)} Offset;\n"
    kernel("relabel_by_degree", text, "split_rows")(
        32 * n, n, lists.offsets, lists.neighbours, offsets, neighbours, host_offsets, on_host
    )
    return NeighbourLists(offsets, neighbours, host_offsets, on_host)


def _neighbours_to_keep(degrees: Any, room: int) -> Any:
    """Return how many neighbours of each row stay in device memory.

    They are the first ones of all rows, up to FIRST, and then whole rows, those of hubs first.
    """
    xp = device.xp
    first = xp.minimum(degrees, degrees.dtype.type(_first_of_each(degrees, room)))
    rest = (degrees - first).astype(np.int64)
    left = room - int(device.read_scalar(first.sum(dtype=np.int64)))
    more = xp.minimum(xp.maximum(left - (rest.cumsum() - rest), 0), rest)
    return first + more.astype(degrees.dtype)


def _first_of_each(degrees: Any, room: int) -> int:
    """Return how many neighbours of every row fit in `room`, up to FIRST."""
    for count in range(FIRST, 0, -1):
        total = device.xp.minimum(degrees, degrees.dtype.type(count)).sum(dtype=np.int64)
        if device.read_scalar(total) <= room:
            return count
    return 0
