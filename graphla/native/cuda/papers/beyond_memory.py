"""Breadth-first search of a graph of which a part alone is in device memory.

The device holds what a search writes and, while there is room, the first few neighbours of each
row, those of highest degree, at which a search bottom-up stops nearly always; then whole rows of
hubs, through which it passes on the way down. The others stay in page-locked host memory, where
warps read them in whole lines over the bus. On a Kronecker graph with 30 % of its neighbours on
the device that is a five-hundredth of them.

Source: A. Kolganov, 2018, who splits the vertices, not the rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from graphla.core import validation
from graphla.cuda.runtime.device import device
from graphla.cuda.storage.vector_formats import cuda_type
from graphla.errors import EngineMismatch
from graphla.generate.builder import check_integer
from graphla.native.cuda.bfs import Searcher, result
from graphla.native.cuda.by_degree import ByDegree, Rows, renumbered
from graphla.native.cuda.runtime import derive_for_stream, kernel

if TYPE_CHECKING:
    from graphla.core.graph import Graph
    from graphla.core.results import BFS

ITEM = 4  # bytes of a neighbour
FIRST = 16  # neighbours of each row, before whole rows of hubs


def bfs_beyond_memory(G: Graph, source: int, *, max_bytes: int) -> BFS:
    """Search breadth-first with at most so many bytes of neighbours in device memory.

    Parameters
    ----------
    G : Graph
        On engine "cuda". What the search needs of it is made on the first call with these
        `max_bytes`, for which all neighbours are in device memory once more, and kept; the
        graph's own matrix, which stays where it is, is not read any more.
    source : int
        Vertex in 0..n-1.
    max_bytes : int
        For the neighbours of vertices, 4 bytes each. On top come the results, and working
        arrays of 0.64 bytes a neighbour (two queues, of 16 bytes for each 50) and about 70 a
        vertex, of a directed graph 76; from 2^31 neighbours on 78, and 92.

    Returns
    -------
    BFS
        As of :func:`graphla.native.bfs`.

    Raises
    ------
    EngineMismatch
        The graph is on engine "cpu".
    DomainMismatch, InvalidValue
        `max_bytes` is no integer, or negative.
    """
    source = validation.vertex(G, source)
    if G.engine != "cuda":
        raise EngineMismatch(f"the search runs on engine 'cuda', the graph is on {G.engine!r}")
    max_bytes = check_integer(max_bytes, "max_bytes")
    return result(derive_for_stream(G, _make_searcher, max_bytes), source)


def _make_searcher(G: Graph, max_bytes: int) -> Searcher:
    return Searcher(G, split(renumbered(G), max_bytes))


def split(graph: ByDegree, max_bytes: int) -> ByDegree:
    """Return the graph with the rest of its rows, beyond so many bytes, in host memory."""
    if graph.into is graph.out:
        rows = _split(graph.out, max_bytes)
        return graph._replace(out=rows, into=rows)
    out, into = (_split(rows, max_bytes // 2) for rows in (graph.out, graph.into))
    return graph._replace(out=out, into=into)


def _split(rows: Rows, max_bytes: int) -> Rows:
    xp = device.xp
    counts = xp.diff(rows.ends)
    n, near = counts.size, _near(counts, min(max_bytes // ITEM, rows.nvals))
    ends, far_ends = (xp.zeros(n + 1, rows.ends.dtype) for _ in range(2))
    ends[1:] = near.cumsum()
    far_ends[1:] = (counts - near).cumsum()
    size = int(device.read_scalar(ends[-1]))
    indices = xp.empty(size, np.uint32)
    far = device.host_array(rows.indices.size - size, np.uint32)
    text = f"typedef {cuda_type(ends.dtype)} Offset;\n"
    copy = kernel("relabel_by_degree", text, "split_rows")
    copy(32 * n, n, rows.ends, rows.indices, ends, indices, far_ends, far)
    return Rows(ends, indices, far_ends, far)


def _near(counts: Any, room: int) -> Any:
    """Return how many neighbours of each row are in device memory: FIRST, and then whole hubs."""
    xp = device.xp
    few = xp.minimum(counts, counts.dtype.type(_first(counts, room)))
    rest = (counts - few).astype(np.int64)
    left = room - int(device.read_scalar(few.sum(dtype=np.int64)))
    more = xp.minimum(xp.maximum(left - (rest.cumsum() - rest), 0), rest)
    return few + more.astype(counts.dtype)


def _first(counts: Any, room: int) -> int:
    """Return how many neighbours of each row there is room for, up to FIRST."""
    for few in range(FIRST, 0, -1):
        taken = device.xp.minimum(counts, counts.dtype.type(few)).sum(dtype=np.int64)
        if device.read_scalar(taken) <= room:
            return few
    return 0
