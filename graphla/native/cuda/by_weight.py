"""A graph renumbered for shortest paths: vertices by descending degree, rows by weight.

The lightest edges come first in each row, so that a vertex may look at few of them; an edge is a
pair of its end and its weight, which lie in one word of twice the size.

Source: A. Kolganov, 2015 (neighbour lists sorted by weight).
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from graphla.core.properties import derive
from graphla.cuda.device_arrays import csr_of
from graphla.cuda.runtime.device import device
from graphla.cuda.storage.vector_formats import kernel_index_dtype
from graphla.native.cuda.by_degree import numbers
from graphla.transform.cuda import row_numbers

if TYPE_CHECKING:
    from graphla.core.graph import Graph
    from graphla.cuda.storage.csr import CSR

LONG = 256  # edges of a row that a warp looks through
PART = 1 << 29  # edges that are sorted together


class Rows(NamedTuple):
    """Edges of each vertex: those of v are ``edges[ends[v]:ends[v + 1]]``, by weight.

    Rows from number `longs` on are shorter than LONG.
    """

    ends: Any
    edges: Any
    longs: int


class ByWeight(NamedTuple):
    """The graph under new numbers; see :class:`graphla.native.cuda.by_degree.ByDegree`."""

    order: Any
    rank: Any
    out: Rows
    into: Rows

    @property
    def n(self) -> int:
        """Number of vertices that have an edge."""
        return int(self.out.ends.size) - 1

    @property
    def nvals(self) -> int:
        """Number of edges."""
        return int(self.out.edges.shape[0])


def by_weight(G: Graph, dtype: Any) -> ByWeight:
    """Return the graph renumbered, its weights of a type of 4 or 8 bytes; made once and kept."""
    return derive(G, _renumbered, np.dtype(dtype))


def _renumbered(G: Graph, dtype: np.dtype[Any]) -> ByWeight:
    order, rank, _ = numbers(G)
    out = _rows(csr_of(G.A), order, rank, dtype)
    return ByWeight(
        order, rank, out, out if G.AT is G.A else _rows(csr_of(G.AT), order, rank, dtype)
    )


def _rows(A: CSR, order: Any, rank: Any, dtype: Any) -> Rows:
    """Return the rows of a matrix under new numbers, sorted PART edges at a time."""
    xp, word = device.xp, np.uint32 if np.dtype(dtype).itemsize == 4 else np.uint64
    n, ends = order.size, xp.zeros(order.size + 1, kernel_index_dtype(A.nvals))
    ends[1:] = xp.diff(A.indptr)[order].cumsum()
    weight, edges = A.full_values(), xp.empty((A.nvals, 2), word)
    inner = xp.searchsorted(ends, xp.arange(PART, A.nvals, PART, dtype=ends.dtype))
    for low, high in pairwise(sorted({0, *device.to_host(inner).tolist(), n})):
        begin, end = int(device.read_scalar(ends[low])), int(device.read_scalar(ends[high]))
        local = ends[low : high + 1] - ends[low]
        row = row_numbers(local)
        place = xp.arange(end - begin) + (A.indptr[order[low:high]] - local[:-1])[row]
        heavy = weight[place].astype(dtype)
        sorted_ = heavy.argsort(kind="stable")
        sorted_ = sorted_[row[sorted_].argsort(kind="stable")]
        edges[begin:end, 0] = rank[A.indices[place[sorted_]]].astype(word)
        edges[begin:end, 1] = heavy[sorted_].view(word)
    return Rows(ends, edges, longs(ends, LONG))


def longs(ends: Any, length: int) -> int:
    """Return the number of the first row from which on all are shorter than `length`."""
    long = device.xp.flatnonzero(device.xp.diff(ends) >= length)
    return int(device.read_scalar(long[-1:])) + 1 if long.size else 0
