"""A graph renumbered for shortest paths: vertices by descending degree, rows by weight.

The lightest edges come first in each row, so that a vertex may look at few of them; an edge is a
pair of its end and its weight, which lie in one word of twice the size.

Source: A. Kolganov, 2015 (neighbour lists sorted by weight).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from graphla.cuda.device import device
from graphla.cuda.storage import index_dtype
from graphla.native.cuda.by_degree import numbers

if TYPE_CHECKING:
    from graphla.graph import Graph

LONG = 256  # edges of a row that a warp looks through


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
    found: ByWeight = G._keep(f"by_weight {np.dtype(dtype)}", lambda: _renumbered(G, dtype))
    return found


def _renumbered(G: Graph, dtype: Any) -> ByWeight:
    order, rank, n = numbers(G)
    out = _rows(G.A._csr(), rank, n, dtype)
    return ByWeight(order, rank, out, out if G.AT is G.A else _rows(G.AT._csr(), rank, n, dtype))


def _rows(A: Any, rank: Any, n: int, dtype: Any) -> Rows:
    xp, word = device.xp, np.uint32 if np.dtype(dtype).itemsize == 4 else np.uint64
    weight = A.expanded().astype(dtype)
    order = weight.argsort(kind="stable")
    row = rank[A.rows()[order]]
    by_row = row.argsort(kind="stable")
    order, row = order[by_row], row[by_row]
    ends = xp.searchsorted(row, xp.arange(n + 1, dtype=row.dtype)).astype(index_dtype(A.nvals))
    edges = xp.empty((A.nvals, 2), word)
    edges[:, 0] = rank[A.indices[order]].astype(word)
    edges[:, 1] = weight[order].view(word)
    return Rows(ends, edges, longs(ends, LONG))


def longs(ends: Any, length: int) -> int:
    """Return the number of the first row from which on all are shorter than `length`."""
    long = device.xp.flatnonzero(device.xp.diff(ends) >= length)
    return int(device.word(long[-1:])) + 1 if long.size else 0
