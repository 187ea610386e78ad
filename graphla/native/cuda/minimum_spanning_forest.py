"""Minimum spanning forest by hand: Boruvka's rounds in one cooperative launch, light edges first.

Edges are named by their ranks, which are distinct: a rank alone is compared, in one word. A round:

    1. lightest   each edge between two trees lowers the best rank of both
    2. hook       each tree hooks below the one that its best edge leads to; of two that
                  chose each other the smaller root stays one
    3. merge      whoever looks for a root shortens the way that leads to it
    4. relabel    edges between two trees are listed under their roots, the others dropped

The edges of lowest rank, a few for each vertex, join most vertices into one tree. Of the others
only rows of vertices outside it are read, as an edge inside a tree is never chosen. The largest
tree waits for the others. Vertices are numbered so that those in one tree are near each other.

Source: A. Kolganov, 2015; V. Osipov, P. Sanders, J. Singler, "The filter-Kruskal minimum spanning
tree algorithm", ALENEX 2009; A. Fallin, A. Gonzalez, J. Seo, M. Burtscher, "A high-performance
MST implementation for GPUs", SC 2023 (edges lower both best ranks).
"""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from graphla.core import validation
from graphla.core.results import Edges, Forest
from graphla.cuda.device_arrays import csr_of, vector_from_array
from graphla.cuda.runtime.device import device
from graphla.cuda.storage.vector_formats import cuda_type, kernel_index_dtype
from graphla.errors import InvalidValue
from graphla.native.cuda.by_degree import MAX_VERTICES, number_by_degree
from graphla.native.cuda.papers.boruvka import ranked
from graphla.native.cuda.runtime import derive_for_stream, kernel
from graphla.transform import renumber

if TYPE_CHECKING:
    from graphla.core.graph import Graph

BLOCK = 1024  # threads
STAGE = 2048  # bytes of shared memory in which a warp gathers what it appends
STATE = 8  # words
SAMPLE = 512  # vertices that are asked which tree they are in
MANY = 1 << 18  # edges in a round after which they are
LIGHT = 2  # edges a vertex
SPARE = 16  # there is room for one in so many of the other edges


def definitions(offset: str, rank: str, label: str) -> str:
    """Return what the kernel takes as given."""
    return (
        f"typedef {offset} Offset;\ntypedef {rank} Rank;\ntypedef {label} Label;\n"
        f"enum {{ STAGE = {STAGE}, SAMPLE = {SAMPLE}, MANY = {MANY} }};\n"
    )


class Spanner:
    """What the kernel needs of a graph on one stream: ranked edges and arrays to work in."""

    def __init__(self, G: Graph) -> None:
        if G.n > MAX_VERTICES:
            raise InvalidValue(
                f"n={G.n:,} vertices; native forests number at most {MAX_VERTICES:,}"
            )
        xp, A, H, self.lock = device.xp, csr_of(G.A), ranked(G), Lock()
        R = csr_of(H.A)
        self.edges = R.nvals // 2
        upper = R.row_indices() < R.indices
        self.entries = xp.empty(self.edges, kernel_index_dtype(A.nvals))  # of A, by rank
        above = xp.flatnonzero(A.row_indices() < A.indices).astype(self.entries.dtype)
        self.entries[R.full_values()[upper]] = above
        del upper, above
        self.order = with_leaders(H)
        R = csr_of(renumber(H, self.order).graph.A)
        self.n, ranks = self.order.size, R.full_values()
        middles = xp.empty(self.n, R.indptr.dtype)
        middle = kernel(
            "hub_grouping", f"typedef {cuda_type(R.indptr.dtype)} Offset;\n", "diagonal_offsets"
        )
        middle(self.n, self.n, R.indptr, R.indices, middles)
        word = np.dtype(f"u{ranks.itemsize}")
        lights = min(int(LIGHT * self.n), self.edges)
        rows = R.row_indices()
        few = (R.indices < rows) & (ranks < lights)
        light = edge_list(rows[few], R.indices[few], ranks[few].astype(word))
        del rows, few
        capacity = lights + (self.edges - lights) // SPARE + 1
        self.forest, self.state = xp.empty(max(self.n, 1), word), xp.zeros(STATE, np.uint64)
        self.arguments = (
            self.edges, R.indptr, middles, R.indices, ranks, light, lights,
            xp.empty(self.n, np.uint32), xp.empty(2 * self.n, word),
            xp.empty(2 * capacity * edge_size(word), word), capacity, self.forest, self.state,
            self.order,
        )  # fmt: skip
        self.dtype, index = G.index_dtype, cuda_type(G.index_dtype.np_type)
        text = definitions(cuda_type(R.indptr.dtype), cuda_type(word), index)
        self.span = kernel("minimum_spanning_forest", text, cooperative=True)
        text = f"typedef {cuda_type(A.indptr.dtype)} Offset;\ntypedef {index} End;\n"
        text += f"typedef {cuda_type(A.values.dtype)} Weight;\n"
        self.results = kernel("forest_results", text)

    def run(self, G: Graph) -> tuple[Any, Any]:
        """Return the entries of the forest's edges in the matrix, ascending, and components."""
        component = device.xp.arange(G.n, dtype=self.dtype.np_type)  # without an edge alone
        with self.lock:
            self.span(
                device.multiprocessors * BLOCK, self.n, *self.arguments, component,
                block=BLOCK, shared=STAGE * (BLOCK // 32),
            )  # fmt: skip
            chosen = int(device.read_scalar(self.state[4:5]))
            ranks = self.forest[:chosen].view(f"i{self.forest.itemsize}")
            entries = self.entries[ranks]
        entries.sort()
        return entries, component


def with_leaders(G: Graph) -> Any:
    """Return the vertices that have an edge, each beside its neighbour of highest degree.

    Small dense parts of a graph then lie together, and so do vertices of high degree.
    """
    order, rank, n = number_by_degree(G)
    leader, A = device.xp.empty(n, np.int32), csr_of(G.A)
    find = kernel(
        "hub_grouping",
        f"typedef {cuda_type(A.indptr.dtype)} Offset;\n",
        "highest_degree_neighbours",
    )
    find(32 * n, n, order, rank, A.indptr, A.indices, leader)
    return order[leader.argsort(kind="stable")]


def edge_size(word: Any) -> int:
    """Return how many words an edge of the kernel takes: two vertices and a rank."""
    return 3 if word.itemsize == 4 else 2


def edge_list(u: Any, v: Any, rank: Any) -> Any:
    """Return edges of the kernel."""
    edges = device.xp.empty((rank.size, edge_size(rank.dtype)), rank.dtype)
    edges[:, -1] = rank
    ends = edges.view(np.uint32)
    ends[:, 0], ends[:, 1] = u, v
    return edges


def prepare(G: Graph) -> None:
    """Make what the kernel needs of a graph, once."""
    derive_for_stream(G, Spanner)


def minimum_spanning_forest(G: Graph) -> Forest:
    """Find a minimum spanning forest: the hand-written kernel."""
    total = validation.total_weight_dtype(G, "minimum_spanning_forest")
    found = derive_for_stream(G, Spanner)
    entries, component = found.run(G)
    xp, A, count, dtype = device.xp, csr_of(G.A), entries.size, found.dtype
    src, dst = xp.empty(count, dtype.np_type), xp.empty(count, dtype.np_type)
    weight = xp.empty(count, A.values.dtype)
    found.results(
        count, count, A.nrows, A.indptr, A.indices, A.values, int(A.iso), entries, src, dst, weight
    )

    def full(x: Any, dtype: Any) -> Any:
        return vector_from_array(x, dtype)

    return Forest(
        Edges(full(src, dtype), full(dst, dtype), full(weight, G.dtype)),
        weight.sum(dtype=total).item(),
        full(component, dtype),
    )
