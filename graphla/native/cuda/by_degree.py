"""A graph renumbered for native searches: vertices by descending degree, isolated ones cut off.

Every row then has its neighbours of high degree first, which a search bottom-up asks first;
what it asks about most lies together; and the first two neighbours of all vertices are kept
side by side, as most open vertices need no others.

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

MOST = np.iinfo(np.int32).max  # vertices: bit 31 of a number is a mark


class Rows(NamedTuple):
    """Neighbours of each vertex: those of v are ``indices[ends[v]:ends[v + 1]]``, ascending.

    Where device memory is short these are the first few of each row. The others are
    ``far[far_ends[v]:far_ends[v + 1]]``, in host memory that the device reads.
    """

    ends: Any
    indices: Any
    far_ends: Any = None
    far: Any = None

    @property
    def nvals(self) -> int:
        """Number of neighbours of all vertices."""
        return int(self.indices.size) + (0 if self.far is None else int(self.far.size))


class ByDegree(NamedTuple):
    """The graph under new numbers.

    ``order[k]`` is the vertex with number k, ``rank[v]`` the number of vertex v, -1 where it is
    isolated. Of an undirected graph `into` is `out`. `heads` are the first two in-neighbours of
    each vertex; bit 31 of the second says that there are more.
    """

    order: Any
    rank: Any
    out: Rows
    into: Rows
    heads: Any

    @property
    def n(self) -> int:
        """Number of vertices that have an edge."""
        return int(self.out.ends.size) - 1


def by_degree(G: Graph) -> ByDegree:
    """Return the graph renumbered by degree; made once and kept."""
    return derive(G, renumbered)


def numbers(G: Graph) -> tuple[Any, Any, int]:
    """Return `order`, `rank` and `n` of :class:`ByDegree`."""
    if G.n > MOST:
        raise InvalidValue(f"n={G.n:,} vertices; native searches number at most {MOST:,}")
    xp = device.xp
    A = csr_of(G.A)
    degree = xp.diff(A.indptr).astype(np.int64)
    if G.AT is not G.A:
        degree += xp.diff(csr_of(G.AT).indptr)
    order = xp.argsort(-degree, kind="stable").astype(np.int32)
    n = int(device.read_scalar((degree > 0).sum()))
    order = order[:n].copy()
    rank = xp.full(G.n, -1, np.int32)
    rank[order] = xp.arange(n, dtype=np.int32)
    return order, rank, n


def renumbered(G: Graph) -> ByDegree:
    """Return the graph renumbered by degree, anew."""
    xp = device.xp
    order, rank, n = numbers(G)
    A = csr_of(G.A)
    AT = A if G.AT is G.A else csr_of(G.AT)
    out = _rows(A, rank, n)
    into = out if AT is A else _rows(AT, rank, n)
    heads = xp.empty(2 * n, np.uint32)
    text = f"typedef {cuda_type(into.ends.dtype)} Offset;\n"
    kernel("relabel_by_degree", text, "first_two_neighbours")(n, n, into.ends, into.indices, heads)
    return ByDegree(order, rank, out, into, heads)


def first_few(rows: Rows, few: int) -> Any:
    """Return the first `few` neighbours of each vertex, in a row of its own.

    What it lacks is 2^32 - 1; bit 31 of the first says that there are more.
    """
    text = f"typedef {cuda_type(rows.ends.dtype)} Offset;\n"
    n = int(rows.ends.size) - 1
    found = device.xp.empty((n, few), np.uint32)
    kernel("relabel_by_degree", text, "first_neighbours")(
        n * few, n, few, rows.ends, rows.indices, found
    )
    return found


def _rows(A: Any, rank: Any, n: int) -> Rows:
    """Return the rows of a matrix under new numbers, each in ascending order."""
    xp, text = device.xp, f"typedef {cuda_type(A.indptr.dtype)} Offset;\n"
    keys = xp.empty(A.nvals, np.uint64)
    renumber = kernel("relabel_by_degree", text, "relabel_edges")
    renumber(A.nvals, A.nvals, A.nrows, A.indptr, A.indices, rank, keys)
    keys.sort()
    ends = xp.empty(n + 1, A.indptr.dtype)
    kernel("relabel_by_degree", text, "find_row_offsets")(n + 1, n, A.nvals, keys, ends)
    return Rows(ends, keys.view(np.uint32)[::2].copy())
