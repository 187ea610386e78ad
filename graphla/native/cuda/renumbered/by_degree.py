"""A graph renumbered for native searches: vertices by descending degree, isolated ones removed.

Each row then begins with its neighbours of highest degree, which a bottom-up search checks first;
the vertices that are checked most often are close in memory; and the first two neighbours of all
vertices are copied to a separate array, because most unvisited vertices need only these.

Source: A. Kolganov, 2018 (global and local sort, aligned interleaving).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from graphla.core.properties import derive
from graphla.cuda.device_arrays import csr_of
from graphla.cuda.runtime.device import device
from graphla.cuda.storage.vector_formats import cuda_type
from graphla.errors import InvalidValue
from graphla.native.cuda.runtime import kernel

if TYPE_CHECKING:
    from graphla.core.graph import Graph
    from graphla.cuda.storage.csr import CSR

MAX_VERTICES = np.iinfo(np.int32).max  # kernels use bit 31 of a vertex as a mark


class NeighbourLists(NamedTuple):
    """The neighbours of v are ``neighbours[offsets[v]:offsets[v + 1]]``, ascending.

    If device memory is short, these are the first neighbours of v only. The others are
    ``host_neighbours[host_offsets[v]:host_offsets[v + 1]]``, in page-locked host memory that
    kernels read.
    """

    offsets: Any
    neighbours: Any
    host_offsets: Any = None
    host_neighbours: Any = None

    @property
    def nvals(self) -> int:
        """Number of neighbours of all vertices."""
        on_host = 0 if self.host_neighbours is None else int(self.host_neighbours.size)
        return int(self.neighbours.size) + on_host


class DegreeOrderedGraph(NamedTuple):
    """The renumbered graph.

    ``order[k]`` is the vertex with number k; ``rank[v]`` is the number of vertex v, -1 if it is
    isolated. If the graph is undirected, `into` is `out`. `first_two` has the first two
    in-neighbours of each vertex; bit 31 of the second is set if there are more.
    """

    order: Any
    rank: Any
    out: NeighbourLists
    into: NeighbourLists
    first_two: Any

    @property
    def n(self) -> int:
        """Number of vertices that have an edge."""
        return int(self.out.offsets.size) - 1


def degree_ordered(G: Graph) -> DegreeOrderedGraph:
    """Return the graph renumbered by degree; it is made once and cached."""
    return derive(G, make_degree_ordered)


def make_degree_ordered(G: Graph) -> DegreeOrderedGraph:
    """Renumber a graph by degree, without the cache."""
    order, rank, n = number_by_degree(G)
    out = _relabel(csr_of(G.A), rank, n)
    into = out if G.AT is G.A else _relabel(csr_of(G.AT), rank, n)
    first_two = device.xp.empty(2 * n, np.uint32)
    run = _kernel("first_two_neighbours", into.offsets)
    run(n, n, into.offsets, into.neighbours, first_two)
    return DegreeOrderedGraph(order, rank, out, into, first_two)


def number_by_degree(G: Graph) -> tuple[Any, Any, int]:
    """Return `order`, `rank` and `n` of :class:`DegreeOrderedGraph`."""
    if G.n > MAX_VERTICES:
        raise InvalidValue(f"n={G.n:,} vertices; native searches number at most {MAX_VERTICES:,}")
    xp = device.xp
    degree = xp.diff(csr_of(G.A).indptr).astype(np.int64)
    if G.AT is not G.A:
        degree += xp.diff(csr_of(G.AT).indptr)
    order = xp.argsort(-degree, kind="stable").astype(np.int32)
    n = int(device.read_scalar((degree > 0).sum()))
    order = order[:n].copy()
    rank = xp.full(G.n, -1, np.int32)
    rank[order] = xp.arange(n, dtype=np.int32)
    return order, rank, n


def first_neighbours(lists: NeighbourLists, width: int) -> Any:
    """Return the first `width` neighbours of each vertex as an array of shape (n, width).

    Shorter rows are filled up with 2^32 - 1. Bit 31 of the first neighbour is set if there are
    more than `width`.
    """
    n = int(lists.offsets.size) - 1
    firsts = device.xp.empty((n, width), np.uint32)
    run = _kernel("first_neighbours", lists.offsets)
    run(n * width, n, width, lists.offsets, lists.neighbours, firsts)
    return firsts


def _relabel(A: CSR, rank: Any, n: int) -> NeighbourLists:
    """Return the rows of a matrix under the new numbers, each in ascending order."""
    xp = device.xp
    keys = xp.empty(A.nvals, np.uint64)  # (row, column) in one word
    relabel = _kernel("relabel_edges", A.indptr)
    relabel(A.nvals, A.nvals, A.nrows, A.indptr, A.indices, rank, keys)
    keys.sort()
    offsets = xp.empty(n + 1, A.indptr.dtype)
    _kernel("find_row_offsets", A.indptr)(n + 1, n, A.nvals, keys, offsets)
    return NeighbourLists(offsets, keys.view(np.uint32)[::2].copy())


def _kernel(name: str, offsets: Any) -> Any:
    return kernel("relabel_by_degree", f"typedef {cuda_type(offsets.dtype)} Offset;\n", name)
