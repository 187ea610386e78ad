"""A graph renumbered for shortest paths: vertices by descending degree, rows by weight.

The lightest edges come first in each row, so that a kernel can expand only a few of them. An edge
is the pair (end, weight) in one word of twice the size of the weight.

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
from graphla.native.cuda.renumbered.by_degree import number_by_degree
from graphla.transform.cuda import row_numbers

if TYPE_CHECKING:
    from graphla.core.graph import Graph
    from graphla.cuda.storage.csr import CSR

LONG = 256  # edges from which a row is long: a warp expands it
PART = 1 << 29  # edges that are sorted together, which bounds the working memory


class EdgeLists(NamedTuple):
    """The edges of v are ``edges[offsets[v]:offsets[v + 1]]``, by weight.

    The vertices from number `long_end` on have fewer than LONG edges.
    """

    offsets: Any
    edges: Any
    long_end: int


class WeightOrderedGraph(NamedTuple):
    """The renumbered graph; `order` and `rank` are those of ``by_degree.DegreeOrderedGraph``."""

    order: Any
    rank: Any
    out: EdgeLists
    into: EdgeLists

    @property
    def n(self) -> int:
        """Number of vertices that have an edge."""
        return int(self.out.offsets.size) - 1

    @property
    def nvals(self) -> int:
        """Number of edges."""
        return int(self.out.edges.shape[0])


def weight_ordered(G: Graph, dtype: Any) -> WeightOrderedGraph:
    """Return the renumbered graph with weights of a type of 4 or 8 bytes; made once and cached."""
    return derive(G, _make_weight_ordered, np.dtype(dtype))


def _make_weight_ordered(G: Graph, dtype: np.dtype[Any]) -> WeightOrderedGraph:
    order, rank, _ = number_by_degree(G)
    out = _relabel(csr_of(G.A), order, rank, dtype)
    into = out if G.AT is G.A else _relabel(csr_of(G.AT), order, rank, dtype)
    return WeightOrderedGraph(order, rank, out, into)


def _relabel(A: CSR, order: Any, rank: Any, dtype: np.dtype[Any]) -> EdgeLists:
    """Return the rows of a matrix under the new numbers, sorted by weight, PART edges at a time."""
    xp, word = device.xp, np.uint32 if dtype.itemsize == 4 else np.uint64
    n, offsets = order.size, xp.zeros(order.size + 1, kernel_index_dtype(A.nvals))
    offsets[1:] = xp.diff(A.indptr)[order].cumsum()
    values, edges = A.full_values(), xp.empty((A.nvals, 2), word)
    cuts = xp.searchsorted(offsets, xp.arange(PART, A.nvals, PART, dtype=offsets.dtype))
    for low, high in pairwise(sorted({0, *device.to_host(cuts).tolist(), n})):
        begin, end = int(device.read_scalar(offsets[low])), int(device.read_scalar(offsets[high]))
        local = offsets[low : high + 1] - offsets[low]
        row = row_numbers(local)
        # the position in A of each entry of the new rows low..high-1
        first = A.indptr[order[low:high]].astype(np.int64)
        entry = xp.arange(end - begin) + (first - local[:-1])[row]
        weight = values[entry].astype(dtype)
        # two stable sorts: by weight, then by row
        permutation = weight.argsort(kind="stable")
        permutation = permutation[row[permutation].argsort(kind="stable")]
        edges[begin:end, 0] = rank[A.indices[entry[permutation]]].astype(word)
        edges[begin:end, 1] = weight[permutation].view(word)
    return EdgeLists(offsets, edges, end_of_long_rows(offsets, LONG))


def end_of_long_rows(offsets: Any, length: int) -> int:
    """Return the number of the first row from which on all rows are shorter than `length`."""
    long = device.xp.flatnonzero(device.xp.diff(offsets) >= length)
    return int(device.read_scalar(long[-1:])) + 1 if long.size else 0
